"""The history of sheets: what is watched, and how each change is kept.

Every change of a sheet is passed to `keep`. Fights write far too often for that: what one changes is first noted in the
character's own row (`fought`), which a blow writes anyway, and becomes a row of the history when the fight ends, when
somebody else changes the sheet, or after `MOST_IN_ONE`.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from campaigns.models import User
from characters import rulesets
from characters.models import CarriedWeapon, Cause, Character, SheetChange, WornArmor
from characters.models.changes import REASON_LENGTH

COLUMNS = (
    *("name", "kind", "concept", "details", "traits", "specialties", "resources", "merits", "lists"),
    *("marks", "injuries", "scars", "impairments", "lasting"),
)
"""The watched columns of a character. Their owner may read all of them."""

UNWATCHED = frozenset({"id", "chronicle", "notes", "storyteller_notes", "fought", "updated", "version", "binned"})
"""The other columns: private, or not of the sheet. A hand-over is kept as a change of the `owner`."""

WEAPONS, ARMOR, OWNER = "weapons:", "armor:", "owner"

ORIGIN = "origin"
"""The name of the change that keeps from whom a new character was copied."""

MOST_IN_ONE = timedelta(hours=6)
"""How long the changes of a fight are kept as one row, so that a fight of two evenings is two changes of the sheet."""

Values = Mapping[str, Any]
"""Watched values by name: a column ("kind"), one of its entries ("traits:strength"), or gear by key ("weapons:12")."""


@dataclass(frozen=True, slots=True)
class Made:
    """What a change outside fights came from: who did it, why, and the token of the log entry."""

    by: User | None
    cause: Cause
    entry: str = ""


def watched(character: Character) -> Values:
    """The values whose changes are kept. Two queries, for the gear as it is in the database."""
    return {**dict(_columns(character, COLUMNS)), **_gear(character)}


def keep(
    character: Character,
    before: Values,
    by: User | None,
    *,
    cause: Cause = Cause.FORM,
    reason: str = "",
    fight: str = "",
    entry: str = "",
) -> None:
    """Keep what has changed since `before` = `watched(character)`, if anything. The caller has locked the character.

    `reason` is shown to the character's player, so it must not contain anything that only Storytellers may know.
    `fight` is the id of the encounter that it happened in, and `entry` the token of its log entry; members who don't
    know this encounter don't learn about it.
    """
    settle(character, before)
    made = {"by": by, "cause": cause, "reason": reason[:REASON_LENGTH], "fight": fight, "entry": entry}
    if changes := between(character, before, watched(character)):
        SheetChange.objects.create(character=character, changes=changes, **made)


def begin(
    character: Character, by: User | None, origin: str = "", *, cause: Cause = Cause.BEGUN, reason: str = ""
) -> None:
    """Begin the history of a new character; `origin` is the name of the one that it was copied from, if any.

    Its owner reads that name and the reason, so they must be allowed to know them.
    """
    copied = [[ORIGIN, None, origin]] if origin else []
    SheetChange.objects.create(character=character, by=by, cause=cause, reason=reason[:REASON_LENGTH], changes=copied)


def keep_hand_over(character: Character, before: int | None, by: User | None) -> None:
    """Keep that a character has a new owner, who was `before`. Owners read the history since they got the character.

    `by` is None if the account of the former owner is being deleted.
    """
    change = [OWNER, before, character.owner_id]
    SheetChange.objects.create(character=character, by=by, cause=Cause.HANDED_OVER, changes=[change])


def keep_made(character: Character, was: Values, fight: str, made: Made) -> None:
    """Keep what an entry of the chronicle's log changed at once. `was` are the values before, of what changed alone."""
    if changes := between(character, was, values_of(character, was)):
        SheetChange.objects.create(
            character=character, by=made.by, cause=made.cause, fight=fight, entry=made.entry, changes=changes
        )


def note_fight(character: Character, was: Values, fight: str) -> None:
    """Note in the character, without saving it, that a fight has changed these values, which were `was` before."""
    now, noted = timezone.now(), character.fought
    if noted and (noted["fight"] != fight or now - datetime.fromisoformat(noted["since"]) > MOST_IN_ONE):
        settle_before(character, was)
        noted = {}
    known = noted or {"fight": fight, "since": now.isoformat(), "was": {}}
    character.fought = {**known, "last": now.isoformat(), "was": {**known["was"], **was, **known["was"]}}


def settle_before(character: Character, was: Values) -> None:
    """As `settle`, before a change of values that were `was`."""
    settle(character, {**values_of(character, _noted(character)), **was})


def close_fight(chronicle_id: str, fight: str) -> None:
    """Make what an ended fight changed of each sheet a row of its history."""
    there = Character.with_bin.filter(chronicle_id=chronicle_id, fought__fight=fight)
    for character in there.order_by("pk").select_for_update():
        settle(character, values_of(character, _noted(character)))


def settle(character: Character, now: Values) -> None:
    """Make what a fight has changed so far a row of the history. `now` are the values that the fight has led to."""
    noted = character.fought
    if not noted:
        return
    if changes := fought(character, now):
        made = {"cause": Cause.FIGHT, "fight": noted["fight"], "at": datetime.fromisoformat(noted["last"])}
        SheetChange.objects.create(character=character, changes=changes, **made)
    character.fought = {}
    Character.with_bin.filter(pk=character.pk).update(fought={})


def fought(character: Character, now: Values) -> list[list[Any]]:
    """What a fight has changed that isn't in the history yet, up to these values."""
    was = character.fought.get("was", {})
    return between(character, was, {name: now.get(name) for name in was})


def values_of(character: Character, names: Collection[str]) -> Values:
    """The present values of these names, None for one that the character doesn't have."""
    found = dict(_columns(character, {name.partition(":")[0] for name in names} & set(COLUMNS)))
    if any(name.startswith((WEAPONS, ARMOR)) for name in names):
        found |= _gear(character)
    return {name: found.get(name) for name in names}


def between(character: Character, before: Values, after: Values) -> list[list[Any]]:
    """The differences, each as [name, before, after]. A Trait that isn't stored has its default."""
    names = [*before, *(name for name in after if name not in before)]
    usual = _usual(character) if any(name.startswith("traits:") for name in names) else {}
    found = [[name, before.get(name, usual.get(name)), after.get(name, usual.get(name))] for name in names]
    return [change for change in found if change[1] != change[2]]


def entries(column: str, value: Any) -> Iterator[tuple[str, Any]]:
    """A column's value by name: each entry of a dictionary, or the whole."""
    if isinstance(value, dict):
        yield from ((f"{column}:{key}", each) for key, each in value.items())
    else:
        yield column, value


def weapon_value(row: CarriedWeapon) -> dict[str, Any]:
    """What is watched of a carried weapon, with the name in the tables in case it is deleted there."""
    rounds = row.weapon.holds if row.rounds is None else row.rounds
    state = {"rounds": rounds, "fault": row.fault, "order": row.order}
    return {"item": row.weapon_id, "called": row.weapon.name, "name": row.name, **state}


def armor_value(row: WornArmor) -> dict[str, Any]:
    """The same of worn armour."""
    state = {"destroyed": row.destroyed, "order": row.order}
    return {"item": row.armor_id, "called": row.armor.name, "name": row.name, **state}


def _columns(character: Character, columns: Iterable[str]) -> Iterator[tuple[str, Any]]:
    for column in columns:
        # As the database returns it: the value in memory may have tuples, and may still be changed in place.
        yield from entries(column, json.loads(json.dumps(getattr(character, column))))


def _gear(character: Character) -> dict[str, Any]:
    weapons = CarriedWeapon.objects.filter(character=character).select_related("weapon")
    armor = WornArmor.objects.filter(character=character).select_related("armor")
    return {
        **{f"{WEAPONS}{row.key}": weapon_value(row) for row in weapons},
        **{f"{ARMOR}{row.key}": armor_value(row) for row in armor},
    }


def _noted(character: Character) -> Collection[str]:
    return list(character.fought.get("was", {}))


def _usual(character: Character) -> dict[str, Any]:
    traits = rulesets.ruleset_for(character.chronicle).layout.traits()
    return {f"traits:{trait.key}": trait.default for trait in traits}
