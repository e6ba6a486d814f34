"""`preparation.json`: the list of what Storytellers prepared, with the sessions and pages that its items are for."""

from __future__ import annotations

from typing import Any

from campaigns.archives import rows
from campaigns.archives.moving import Coming, Going
from campaigns.archives.names import is_id
from campaigns.models import Page, Preparation, Session

FILE = "preparation.json"

COLUMNS = ("text", "used", "created")
KEYS = ("session", "page", "fight", "used_in")

MOST_ITEMS = 20_000


def take_out(going: Going) -> None:
    """Write the file."""
    pages = set(Page.objects.filter(chronicle=going.chronicle).values_list("pk", flat=True))
    # The fights are in the app above: they are found through the relation.
    fights: Any = going.chronicle
    fights = set(fights.encounters.values_list("pk", flat=True))
    found = Preparation.objects.filter(chronicle=going.chronicle).order_by("place", "created", "text")
    items = [_written(each, pages, fights) for each in found]
    going.box.add_json(FILE, {"items": items})
    going.counts["prepared"] = len(items)
    going.tell(1)


def bring_in(coming: Coming) -> None:
    """Read the file. Raises `BadArchive`."""
    given = rows.objects(rows.fields(coming.box.json(FILE), ("items",), FILE), "items", FILE)
    rows.at_most(given, MOST_ITEMS, "items", FILE)
    coming.add(_read(each, place, coming) for place, each in enumerate(given, start=1))
    coming.count("prepared", len(given), FILE)
    coming.tell(1)


def _written(item: Preparation, pages: set[str], fights: set[str]) -> dict[str, Any]:
    return {
        **rows.write(item, COLUMNS),
        "session": item.session_id or "",
        "used_in": item.used_in_id or "",
        "page": item.page_id if item.page_id in pages else "",
        "fight": item.fight if item.fight in fights else "",
    }


def _read(said: dict[str, Any], place: int, coming: Coming) -> Preparation:
    item = rows.read(said, Preparation, COLUMNS, file=FILE, also=KEYS)
    item.chronicle, item.place = coming.chronicle, place
    item.session = coming.row(Session, said["session"], FILE)
    item.used_in = coming.row(Session, said["used_in"], FILE)
    item.page = coming.row(Page, said["page"], FILE)
    if said["fight"] != "":
        if not is_id(said["fight"]):
            raise rows.invalid("fight", FILE)
        item.fight = coming.new(said["fight"])
    return item
