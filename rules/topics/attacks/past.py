"""Attacks in past rows of the log, and the dice that fell in them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise

from rules.engine.dice import Dice, Faces, Purpose, Throw
from rules.engine.messages import Command, Event, replay
from rules.model.attack import Attack
from rules.model.past import Past
from rules.model.results import AttackResult, Rolled
from rules.model.state import Encounter
from rules.topics.commands import ProposeAttack
from rules.topics.events import AttackOverridden, AttackResolved, KnockedDown


def resolved(past: Past) -> AttackResolved:
    """The attack that was rolled in a row."""
    return next(event for event in past.events if isinstance(event, AttackResolved))


def results(past: Past) -> tuple[AttackResult, ...]:
    """The attack's result against each target, including later overrides."""
    told = {each.target: each for each in resolved(past).results}
    for event in (event for row in past.since for event in row):
        if isinstance(event, AttackOverridden) and event.resolution == resolved(past).resolution:
            told[event.target] = event.after
    return tuple(told.values())


def overrides(past: Past, row: Iterable[Event]) -> bool:
    """Whether a row overrode this very attack."""
    name = resolved(past).resolution
    return any(isinstance(each, AttackOverridden) and each.resolution == name for each in row)


def past_of(
    resolution: str, before: Encounter, command: Command, row: tuple[Event, ...], since: tuple[tuple[Event, ...], ...]
) -> Past:
    """The attack of that name in a row, separated from others made in the same row."""
    starts = [place for place, event in enumerate(row) if isinstance(event, AttackResolved)]
    # Everything before the first attack belongs to it.
    cuts = [0, *starts[1:], len(row)]
    parts = [row[start:end] for start, end in pairwise(cuts)]
    names = [event.resolution for event in row if isinstance(event, AttackResolved)]
    place = names.index(resolution)
    met = replay(before, (event for part in parts[:place] for event in part))
    past = Past(met, command, parts[place], (*parts[place + 1 :], *since))
    wanted = _wanted(replay(before, row[: starts[0]]), command, resolved(past).exchange)
    return replace(past, attack=replace(wanted, by=resolved(past).plan.by, others=(), one_roll=False))


def _wanted(state: Encounter, command: Command, exchange: str) -> Attack:
    """The attack as it was requested."""
    if isinstance(command, Attack):
        return command
    if isinstance(command, ProposeAttack):
        return command.attack
    return next(each.attack for each in state.exchanges if each.id == exchange)


# ------------------------------------------------------------------ the same faces


@dataclass(frozen=True, slots=True)
class SameFaces:
    """Dice for a recomputed roll: the faces that fell then, and new ones if they run out."""

    fell: Mapping[tuple[Purpose, str], list[int]]
    rest: Dice

    def roll(self, throw: Throw) -> Faces:
        left = self.fell.get((throw.purpose, throw.by), [])
        faces = tuple(left[: throw.count])
        del left[: throw.count]
        lacking = throw.count - len(faces)
        return (*faces, *self.rest.roll(replace(throw, count=lacking))) if lacking else faces

    def pick(self, options: int) -> int:
        return self.rest.pick(options)


def same_faces(result: AttackResult, events: Iterable[Event], rest: Dice) -> SameFaces:
    """The faces of an attack on one target, and of the knockdowns that it caused."""
    rolls: list[tuple[Purpose, Rolled | None]] = [
        (Purpose.ATTACK, result.attack),
        (Purpose.DEFENCE, result.defence),
        *((Purpose.CHECK, event.roll) for event in events if isinstance(event, KnockedDown)),
    ]
    for done in (result.done, result.counter):
        if done:
            rolls += [(Purpose.DAMAGE, done.damage), (Purpose.SOAK, done.soak)]
    return SameFaces({(purpose, each.by): list(each.roll.faces) for purpose, each in rolls if each}, rest)
