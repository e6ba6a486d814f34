"""The history of a sheet as its readers see it, and the sheet as it was on a date."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import Any

from django.db.models import Exists, Model, OuterRef, Q, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.dateparse import parse_date, parse_datetime
from django.utils.translation import gettext as _

from campaigns import access
from campaigns.models import User
from campaigns.people import told_apart
from characters import changes, hooks, rulesets
from characters.access import Seen
from characters.changes import ARMOR, COLUMNS, WEAPONS
from characters.history_words import in_words
from characters.models import Armor, CarriedWeapon, Cause, Character, SheetChange, Weapon, WornArmor
from rules.model.system import System

BEGINS = (Cause.BEGUN, Cause.IMPORT)
"""How a history begins: with a new sheet, or with one from a file."""


@dataclass(frozen=True, slots=True)
class ChangeLine:
    """A row of the history in words. `link` leads to where it happened, if the reader may read that.

    `then` is the time for the link to the sheet as it was afterwards.
    """

    at: datetime
    by: str
    cause: str
    reason: str
    changes: tuple[str, ...]
    where: str
    link: str
    then: str


@dataclass(frozen=True, slots=True)
class HistoryPage:
    """A sheet's history for one of its readers. It can be shown as of the dates `first` ("": none) to `today`."""

    id: str
    name: str
    first: str
    today: str


def page(seen: Seen) -> HistoryPage:
    """The page around the list. The caller has checked `seen.may_read`."""
    one, since = seen.character, begun(seen)
    first = timezone.localdate(since).isoformat() if since else ""
    return HistoryPage(one.pk, one.name, first, timezone.localdate().isoformat())


def rows_for(seen: Seen) -> QuerySet[SheetChange]:
    """The rows that a reader may read, newest first: owners read those since the sheet was given to them."""
    rows = SheetChange.objects.filter(character=seen.character)
    if seen.is_storyteller:
        return rows
    given = rows.filter(cause=Cause.HANDED_OVER).values_list("at", flat=True).first()
    return rows.filter(at__gte=given) if given else rows


def begun(seen: Seen) -> datetime | None:
    """When the history begins for a reader; None if it has no beginning."""
    first = rows_for(seen).order_by("at", "pk").first()
    return first.at if first and first.cause in (*BEGINS, Cause.HANDED_OVER) else None


def heads_for(seen: Seen) -> QuerySet[SheetChange]:
    """The same rows with one for each fight, its last."""
    later = SheetChange.objects.filter(
        character=OuterRef("character"), fight=OuterRef("fight"), entry="", pk__gt=OuterRef("pk")
    )
    return rows_for(seen).exclude(~Q(fight="") & Q(entry="") & Exists(later)).select_related("by")


def lines_of(seen: Seen, heads: Sequence[SheetChange], *, newest: bool) -> list[ChangeLine]:
    """Rows of `heads_for` in words. With `newest` a fight that isn't over yet is at the top."""
    one = seen.character
    ruleset = rulesets.ruleset_for(one.chronicle)
    if newest and one.fought:
        heads = [
            _running(one),
            *(each for each in heads if each.entry or not each.fight or each.fight != one.fought["fight"]),
        ]
    whole = _whole(seen, heads)
    people = _people(one, heads)
    fights = _known_fights(seen, {each.fight for each in heads})
    reasons = hooks.reasons(seen.membership, {each.entry for each in heads if each.entry})
    drawn = (_line(row, _changed(row, whole), ruleset, people, fights, one.kind, reasons) for row in heads)
    return [line for line in drawn if line]


def _changed(row: SheetChange, whole: dict[str, list[Any]]) -> list[Any]:
    kept: list[Any] = row.changes
    return kept if row.entry else whole.get(row.fight, kept)


def _running(character: Character) -> SheetChange:
    """What a fight has changed so far, as an unsaved row."""
    noted = character.fought
    now = changes.values_of(character, noted["was"])
    at = datetime.fromisoformat(noted["last"])
    return SheetChange(
        character=character, cause=Cause.FIGHT, fight=noted["fight"], at=at, changes=changes.fought(character, now)
    )


def _whole(seen: Seen, heads: Iterable[SheetChange]) -> dict[str, list[Any]]:
    """What each of these fights changed in all, by its id: its rows may be several."""
    heads = [each for each in heads if each.fight and not each.entry]
    rows = list(rows_for(seen).filter(fight__in={each.fight for each in heads}, entry="").reverse())
    found: dict[str, dict[str, list[Any]]] = {}
    for row in (*rows, *(each for each in heads if each.pk is None)):
        changed = found.setdefault(row.fight, {})
        for name, before, after in row.changes:
            changed[name] = [name, changed[name][1] if name in changed else before, after]
    return {fight: [each for each in changed.values() if each[1] != each[2]] for fight, changed in found.items()}


def _people(character: Character, heads: Iterable[SheetChange]) -> dict[int, str]:
    """The names of those who changed the character, and of those who owned it, by id."""
    rows = list(heads)
    owners = {who for row in rows for name, *both in row.changes if name == changes.OWNER for who in both if who}
    users = {row.by.pk: row.by for row in rows if row.by} | (User.objects.in_bulk(owners) if owners else {})
    told_apart(character.chronicle_id, users.values())
    return {pk: user.display_name for pk, user in users.items()}


def _known_fights(seen: Seen, fights: set[str]) -> dict[str, str]:
    """The names of these fights by id, of those that the reader may know."""
    known = access.encounters_for(seen.membership) if fights - {""} else []
    return {each.pk: each.name for each in known if each.pk in fights}


def _line(
    row: SheetChange,
    changed: Iterable[Any],
    ruleset: System,
    people: dict[int, str],
    fights: dict[str, str],
    kind: str,
    reasons: Mapping[str, str],
) -> ChangeLine | None:
    """A row in words; None if no change can be shown. `reasons` are those of log entries, by token."""
    told = tuple(line for name, was, now in changed for line in in_words(ruleset, name, was, now, people, kind))
    if not told and row.cause not in BEGINS:
        return None
    where, link = _place(row, fights)
    return ChangeLine(
        at=row.at,
        by=people.get(row.by_id or 0, ""),
        cause=_cause(row),
        reason=row.reason or reasons.get(row.entry, ""),
        changes=told,
        where=where,
        link=link,
        then=row.at.isoformat(),
    )


def _cause(row: SheetChange) -> str:
    if row.cause == Cause.BEGUN:
        return _("Created") if row.by_id else _("As it stood when this history began")
    return "" if row.cause == Cause.FORM else str(row.get_cause_display())


def _place(row: SheetChange, fights: dict[str, str]) -> tuple[str, str]:
    """The name and address of where a change happened, "" each if the reader may not know."""
    if row.fight in fights:
        return fights[row.fight], reverse("combat:encounter", args=[row.fight])
    if row.entry:
        rolls = reverse("combat:rolls", args=[row.character.chronicle_id])
        return _("Log entry"), f"{rolls}#entry-{row.entry}"
    return "", ""


# ------------------------------------------------------------------ the sheet as of a date


def moment_of(seen: Seen, text: str) -> tuple[datetime | None, str]:
    """The time that a date or time in ISO format means, or None and what is wrong with it. A date means its end."""
    try:
        when, day = parse_datetime(text), parse_date(text)
    except ValueError:
        when = day = None
    if day:
        day = min(day, timezone.localdate())  # a time zone can be a day ahead
        when = timezone.make_aware(datetime.combine(day, time.min)) + timedelta(days=1)
    if when is None or timezone.is_naive(when):
        return None, _("Enter a date such as 2026-03-31.")
    since = begun(seen)
    if since and when < since:
        return None, _("This sheet’s history only begins later. Choose a later date.")
    return when, ""


def as_of(character: Character, moment: datetime) -> tuple[Character, tuple[str, ...]]:
    """A copy of the character, not to be saved, with the watched values as of then.

    Also the names of gear that has been deleted from the tables since, which the copy lacks.
    """
    values = dict(changes.watched(character))
    noted = character.fought
    if noted and datetime.fromisoformat(noted["last"]) > moment:
        values |= noted["was"]
    later = SheetChange.objects.filter(character=character, at__gt=moment)
    for changed in later.values_list("changes", flat=True):
        values |= {name: before for name, before, _after in changed}
    past = copy(character)
    for column in COLUMNS:
        setattr(past, column, _column(values, column, getattr(character, column)))
    weapons, lost = _gear_then(past, CarriedWeapon, Weapon, values, WEAPONS)
    armor, lost_armor = _gear_then(past, WornArmor, Armor, values, ARMOR)
    past.__dict__["_prefetched_objects_cache"] = {"weapons": weapons, "armor": armor}
    return past, (*lost, *lost_armor)


def _column(values: dict[str, Any], column: str, present: Any) -> Any:
    if not isinstance(present, dict):
        return values[column]
    prefix = f"{column}:"
    return {
        name.removeprefix(prefix): value
        for name, value in values.items()
        if name.startswith(prefix) and value is not None
    }


def _gear_then(
    past: Character, model: type[Model], table: type[Weapon | Armor], values: dict[str, Any], prefix: str
) -> tuple[Any, list[str]]:
    """What was carried or worn, as a query that has it already, and the names of what is no longer in the table."""
    there = {name.removeprefix(prefix): value for name, value in values.items() if name.startswith(prefix) and value}
    items = table._default_manager.in_bulk([each["item"] for each in there.values()])
    rows: list[Any] = []
    for key, each in there.items():
        if each["item"] in items:
            own = {name: value for name, value in each.items() if name not in ("item", "called")}
            rows.append(model(key=key, character=past, **{str(table._meta.model_name): items[each["item"]]}, **own))
    rows.sort(key=lambda row: row.order)
    return _read(model, rows), [each["called"] for each in there.values() if each["item"] not in items]


def _read(model: Any, rows: list[Any]) -> Any:
    """A query that has these rows as its result already."""
    query = model.objects.all()
    query._result_cache = rows
    return query
