"""Three-way merge: replay later rows of the log onto a rewritten state."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, TypeVar

from rules.engine.messages import Event, replay
from rules.engine.slots import Keeper, Own, kept, with_kept
from rules.model.gear import Damage
from rules.model.past import Past
from rules.model.results import DamageDone
from rules.model.sheet import Sheet, still_lasting
from rules.model.state import Combatant, Encounter
from rules.model.system import System
from rules.topics.attacks.past import overrides
from rules.topics.changes import ending_since
from rules.topics.events import AttackResolved, Harmed, HealthSet, Left, SheetRevised

_Value = TypeVar("_Value", Encounter, Combatant, Sheet)
_Thing = TypeVar("_Thing")


@dataclass(slots=True)
class Carried:
    """A rewritten state onto which later rows are merged.

    ``was`` is the original state, ``now`` the rewritten one; ``touched`` holds the indices of the rows that changed the
    health of a combatant who differs between the two.
    """

    was: Encounter
    now: Encounter
    system: System
    touched: list[int] = field(default_factory=list)

    def over(self, rows: Iterable[tuple[Event, ...]], past: Past) -> Carried:
        """Merge every row except earlier overrides of the same attack.

        What only a row changed is taken from it. Where both changed the boxes, the row's damage and healing are applied
        on top; conditions are added and removed as in the row. What the Storyteller set stays as set.
        """
        for place, row in enumerate(rows):
            after = replay(self.was, row)
            if not overrides(past, row):
                self._carry(place, row, after)
            self.was = after
        return self

    def _carry(self, place: int, row: tuple[Event, ...], after: Encounter) -> None:
        people = {}
        for who, now in after.combatants.items():
            was, other = self.was.combatants.get(who), self.now.combatants.get(who)
            if was is None or other is None or was == other:
                people[who] = now
            elif was == now:
                people[who] = other
            else:
                people[who] = self._both(row, was, now, other)
                if place not in self.touched and _health(was) != _health(now):
                    self.touched.append(place)
        own = _own(self.was, after, self.now)
        carried = replace(_merged(self.was, after, self.now), combatants=people, own=own)
        # Replay departures: something pending for a combatant who left may exist only in the rewritten state.
        self.now = replay(carried, (event for event in row if isinstance(event, Left)))

    def _both(self, row: tuple[Event, ...], was: Combatant, now: Combatant, other: Combatant) -> Combatant:
        """A combatant changed by both the row and the rewrite."""
        sheet = self._sheet(row, was, now, other)
        health = self.system.health
        brought = health.follows(was.sheet) | health.follows(now.sheet)
        came, went = (now.conditions - was.conditions) - brought, (was.conditions - now.conditions) - brought
        stand = health.brought(other.conditions, other.sheet, sheet)
        conditions = (stand | came) - went
        since = ending_since(other, conditions, now.dying_since or self.now.turn)
        own = _own(was, now, other)
        sheet = still_lasting(sheet, conditions)
        return replace(_merged(was, now, other), sheet=sheet, conditions=conditions, dying_since=since, own=own)

    def _sheet(self, row: tuple[Event, ...], was: Combatant, now: Combatant, other: Combatant) -> Sheet:
        sheet = _merged(was.sheet, now.sheet, other.sheet)
        if _health(was) == _health(now) or any(_says(event, now.id) for event in row):
            kept = other.sheet if _health(was) == _health(now) else now.sheet
            return replace(sheet, marks=kept.marks, injuries=kept.injuries, scars=kept.scars)
        hurt = replace(sheet, marks=other.sheet.marks, injuries=other.sheet.injuries, scars=other.sheet.scars)
        if self.system.health.one_by_one:
            injuries = _together(was.sheet.injuries, now.sheet.injuries, hurt.injuries)
            scars = _together(was.sheet.scars, now.sheet.scars, hurt.scars)
            return replace(hurt, injuries=tuple(sorted(injuries, key=lambda each: -each.level)), scars=scars)
        for damage, amount in _harm(row, now.id) or _worse(was.sheet, now.sheet):
            hurt = self.system.health.inflict(hurt, amount, damage)
        for damage, amount in () if _harm(row, now.id) else _worse(now.sheet, was.sheet):
            hurt, _healed = self.system.health.remove(hurt, amount, damage)
        return hurt


def _health(who: Combatant) -> tuple[Any, ...]:
    return who.sheet.marks, who.sheet.injuries, who.sheet.scars


def _says(event: Event, who: str) -> bool:
    """Whether an event sets a combatant's boxes outright."""
    return isinstance(event, HealthSet | SheetRevised) and event.who == who


def _harm(row: Iterable[Event], who: str) -> list[tuple[Damage, int]]:
    """The damage that a row did to a combatant, as dealt."""
    found: list[tuple[Damage, int]] = []
    for event in row:
        if isinstance(event, Harmed) and event.who == who:
            found.append((event.type, event.amount))
        for done in _dealt(event):
            if done is not None and done.to == who:
                found += done.points
    return found


def _dealt(event: Event) -> tuple[DamageDone | None, ...]:
    if isinstance(event, AttackResolved):
        return tuple(done for result in event.results for done in (result.done, result.counter))
    return (getattr(event, "done", None),)


def _worse(was: Sheet, now: Sheet) -> list[tuple[Damage, int]]:
    """The damage types with more marks now, and how many more."""
    counts = ((kind, now.marks.count(kind) - was.marks.count(kind)) for kind in Damage)
    return [(kind, more) for kind, more in counts if more > 0]


def _merged(was: _Value, now: _Value, other: _Value) -> _Value:
    """``other`` with the changes from ``was`` to ``now``, field by field."""
    told = {
        each.name: _either(getattr(was, each.name), getattr(now, each.name), getattr(other, each.name))
        for each in fields(was)
        if each.name != "own"
    }
    return replace(other, **told)


def _own(was: Keeper, now: Keeper, other: Keeper) -> Own:
    """The slots of ``other`` with the changes from ``was`` to ``now``, slot by slot."""
    keys = sorted({*was.own, *now.own, *other.own})
    return with_kept(other, {key: _either(*(kept(each, key) for each in (was, now, other))) for key in keys}).own


def _either(was: Any, now: Any, other: Any) -> Any:
    if was in (now, other):
        return other if was == now else now
    if isinstance(now, Mapping):
        return {key: _either(was.get(key), here, other.get(key)) for key, here in now.items()}
    if isinstance(now, tuple) and not any(isinstance(each, tuple) for each in now):
        return _together(was, now, other)
    return now


def _together(was: tuple[_Thing, ...], now: tuple[_Thing, ...], other: tuple[_Thing, ...]) -> tuple[_Thing, ...]:
    """``other`` with the removals and additions from ``was`` to ``now``."""
    left, gone, came = list(other), list(was), []
    for each in now:
        if each in gone:
            gone.remove(each)
        else:
            came.append(each)
    for each in gone:
        if each in left:
            left.remove(each)
    return (*left, *came)
