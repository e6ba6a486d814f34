"""The history of sheets in an archive: `changes.jsonl`.

Values name rows of the tables and accounts by numbers of their own server: outside, by references and keys. A player's
own archive has the history in the words that its owner reads.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _

from campaigns import chains
from campaigns.archives import rows
from campaigns.archives.box import MANIFEST, BadArchive
from campaigns.archives.moving import Coming, Going
from campaigns.models import Membership, User
from characters import history, rulesets
from characters.access import Seen
from characters.archives import tables
from characters.archives.order import cast_of
from characters.archives.values import DICTS, WHOLE, Values
from characters.changes import ARMOR, ORIGIN, OWNER, WEAPONS
from characters.models import Armor, Character, Gear, SheetChange, Weapon

FILE = "changes.jsonl"
COLUMNS = ("at", "cause", "reason", "fight", "entry")
MOST_CHANGES = 1_000
"""The most changes in one row."""
BATCH = 500

PREFIXES: dict[str, type[Gear]] = {WEAPONS: Weapon, ARMOR: Armor}
STATE = frozenset({"item", "called", "name", "rounds", "fault", "destroyed", "order"})
"""What a history may remember of a carried row."""

Refs = Mapping[Any, Mapping[int, str]]


def take_out(going: Going) -> None:
    going.counts["changes"] = 0
    going.box.add_lines(FILE, _told(going) if going.only else _rows(going))


def _rows(going: Going) -> Iterator[dict[str, Any]]:
    refs = {model: tables.refs(going, model) for model in tables.FILES}
    users = set(User.objects.values_list("pk", flat=True))
    for one in cast_of(going):
        for row in SheetChange.objects.filter(character=one).order_by("pk").iterator(BATCH):
            going.counts["changes"] += 1
            changed = [_out(going, change, refs, users) for change in row.changes]
            by = going.person(row.by_id)
            yield {"character": one.pk, "by": by, **rows.write(row, COLUMNS), "changes": changed}
        going.tell(1)


def _out(going: Going, change: Any, refs: Refs, users: set[int]) -> list[Any]:
    name, before, after = change
    if name == OWNER:
        return [name, *(going.person(each if each in users else None) for each in (before, after))]
    return [name, *(_named(name, each, refs) for each in (before, after))]


def _named(name: str, value: Any, refs: Refs) -> Any:
    """A value with a reference in place of the number of a row of the tables, "" for a row that was deleted."""
    model = next((model for prefix, model in PREFIXES.items() if name.startswith(prefix)), None)
    return value if model is None or value is None else {**value, "item": refs[model].get(value["item"], "")}


def noted_out(going: Going, one: Character, refs: Refs) -> dict[str, Any]:
    """What a fight has changed so far, with references to rows of the tables."""
    noted: dict[str, Any] = one.fought
    return noted and {**noted, "was": {name: _named(name, value, refs) for name, value in noted["was"].items()}}


def noted_in(coming: Coming, noted: dict[str, Any], items: tables.Items) -> dict[str, Any]:
    """The same with numbers of rows again. Rows of the tables are saved by then."""
    return noted and {**noted, "was": {name: _numbered(name, value, items) for name, value in noted["was"].items()}}


def _numbered(name: str, value: Any, items: tables.Items) -> Any:
    model = next((model for prefix, model in PREFIXES.items() if name.startswith(prefix)), None)
    return value if model is None or value is None else {**value, "item": items(model, value["item"])}


# ------------------------------------------------------------------ as its owner reads it


def _told(going: Going) -> Iterator[dict[str, Any]]:
    """The histories in the words of their readers: a character's owner, or for one without any the Storyteller."""
    for one in cast_of(going):
        reader = reader_of(one)
        for said in history_of(one, reader) if reader else ():
            going.counts["changes"] += 1
            yield {"character": one.pk, **said}
        going.tell(1)


def reader_of(one: Character) -> Membership | None:
    """As whom a character's own archive is read."""
    members = one.chronicle.memberships
    if one.owner_id is not None:
        return members.filter(user=one.owner_id).first()
    return members.storytellers().order_by("pk").first()


def history_of(one: Character, reader: Membership) -> list[dict[str, Any]]:
    """A history as this member reads it, oldest first."""
    seen = Seen(one, reader)
    lines = history.lines_of(seen, list(history.heads_for(seen)), newest=True)
    return [
        {
            "at": chains.moment(line.at),
            "by": line.by,
            "what": line.cause,
            "reason": line.reason,
            "where": line.where,
            "changes": list(line.changes),
        }
        for line in reversed(lines)
    ]


# ------------------------------------------------------------------ on the way in


def bring_in(coming: Coming) -> None:
    said = coming.box.lines(FILE)
    coming.count("changes", len(said), MANIFEST)
    values = Values(rulesets.ruleset_for(coming.chronicle), coming.new, FILE)
    read = [_read(coming, each, values) for each in said]
    items = tables.Items(coming)

    def settle() -> None:
        for row in read:
            row.changes = [_in(coming, change, items) for change in row.changes]

    coming.add(read, settle)
    coming.tell(len(read))


def _read(coming: Coming, said: dict[str, Any], values: Values) -> SheetChange:
    row = rows.read(said, SheetChange, COLUMNS, file=FILE, also=("character", "by", "changes"))
    row.character = _character(coming, said["character"])
    row.by = coming.user(said["by"], FILE)
    row.fight, row.entry = coming.new.text(row.fight), coming.new.text(row.entry)
    changed = rows.typed(said, "changes", list, FILE)
    if len(changed) > MOST_CHANGES:
        raise rows.invalid("changes", FILE)
    row.changes = [_change(coming, each, values) for each in changed]
    return row


def _character(coming: Coming, old: Any) -> Any:
    if old == "":
        raise rows.invalid("character", FILE)
    return coming.row(Character, old, FILE)


def _change(coming: Coming, said: Any, values: Values) -> list[Any]:
    if not isinstance(said, list) or len(said) != 3 or not isinstance(said[0], str):
        raise rows.invalid("changes", FILE)
    name, before, after = said
    if name == OWNER:
        for each in (before, after):
            coming.user(each, FILE)
        return said
    if name == ORIGIN and before is None:
        return [name, None, values.column("name", after)]
    named, before = checked(name, before, values)
    return [named, before, checked(name, after, values)[1]]


def checked(name: str, value: Any, values: Values) -> tuple[str, Any]:
    """A watched value under its name, with new ids in both. Raises `BadArchive`."""
    column, _colon, key = name.partition(":")
    for prefix in PREFIXES:
        if name.startswith(prefix):
            return f"{prefix}{values.gear_key(key)}", _gear(name, value, values)
    if column in WHOLE and not key:
        return name, values.column(column, value)
    if column not in DICTS:
        raise BadArchive(values.file, _("“%(field)s” is unknown.") % {"field": name[:80]})
    return name, None if value is None else values.entry(column, key, value)


def _gear(name: str, value: Any, values: Values) -> Any:
    if value is None:
        return None
    if not isinstance(value, dict) or not value.keys() <= STATE or not tables.is_ref(value.get("item")):
        raise rows.invalid(name, values.file)
    values.state(name, value)
    return value


def _in(coming: Coming, change: list[Any], items: tables.Items) -> list[Any]:
    name, before, after = change
    if name == OWNER:
        return [name, *(user and user.pk for user in (coming.user(each, FILE) for each in (before, after)))]
    return [name, _numbered(name, before, items), _numbered(name, after, items)]
