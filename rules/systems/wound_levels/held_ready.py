"""What combatants hold ready: evasion successes, and a lined-up shot."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import reduce

from rules.engine.messages import evolves, evolves_beside
from rules.engine.phrases import phrase, phrases
from rules.engine.slots import Slot
from rules.model.signs import Sign
from rules.model.state import Combatant, Encounter, Visit
from rules.topics import events
from rules.topics.changes import keeping


@dataclass(frozen=True, slots=True)
class LinedUp:
    """A shot aimed for that many rounds, at ``target`` or, if "", at the first to appear."""

    target: str
    rounds: int


def _at_somebody_there(aim: LinedUp | None, people: Collection[str]) -> LinedUp | None:
    return aim if aim and (not aim.target or aim.target in people) else None


EVADING = Slot(Combatant, "evading", int, 0)
"""Evasion successes, kept until your next turn (WL-DEF-4)."""

LINED_UP = Slot[Combatant, LinedUp | None](Combatant, "lined_up", LinedUp | None, None, _at_somebody_there)
"""A lined-up shot (WL-MOD-3)."""


@evolves(events.EvasionHeld)
def _evasion(state: Encounter, event: events.EvasionHeld) -> Encounter:
    return keeping(state, event.who, EVADING, event.left)


@evolves(events.Aimed)
def _aimed(state: Encounter, event: events.Aimed) -> Encounter:
    return keeping(state, event.by, LINED_UP, LinedUp(event.target, event.rounds) if event.rounds else None)


@evolves_beside(events.TurnMoved)
def _turn_came(state: Encounter, event: events.TurnMoved) -> Encounter:
    return _spent(state, _come(state, event.visit) if event.visit else ())


@evolves_beside(events.TurnEnded)
def _turn_ended(state: Encounter, event: events.TurnEnded) -> Encounter:
    idle = (who for who, each in state.combatants.items() if state.ordered and not each.turn.acted)
    return _spent(state, tuple(idle))


def _spent(state: Encounter, people: tuple[str, ...]) -> Encounter:
    return reduce(lambda before, who: keeping(before, who, EVADING, 0), people, state)


def _come(state: Encounter, visit: Visit) -> tuple[str, ...]:
    """Those who have reached their turn, which ends the evasion from their last one (WL-DEF-4).

    Combatants unable to act have had their turn once somebody lower in the order acts.
    """
    passed = (who for rank in state.order[: visit.index] for who in rank if not state.combatants[who].turn.acted)
    return (*passed, *visit.ids)


def signs(state: Encounter, who: str) -> Iterator[Sign]:
    """Short signs for what somebody holds ready."""
    combatant = state.combatants[who]
    if left := EVADING.of(combatant):
        yield Sign("evading", phrase("evades-left", left=left), own=True)
    if aim := LINED_UP.of(combatant):
        yield Sign("aiming", phrases("aims-round", aim.rounds), own=True)
