"""Overrides of rolled attacks: the consequences are recomputed from the same dice."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from rules.engine import slots
from rules.engine.dice import Dice, Faces, Roll
from rules.engine.messages import Event, decides, replay
from rules.engine.phrases import phrase
from rules.engine.violations import bad_input
from rules.model.past import Past
from rules.model.plan import Against, PoolPlan
from rules.model.prepared import Prepared
from rules.model.results import AttackResult, DamageDone, Outcome
from rules.model.state import Encounter
from rules.model.system import Game, Mechanic
from rules.topics.attacks.decide import consequences
from rules.topics.attacks.merge import Carried
from rules.topics.attacks.past import resolved, results, same_faces
from rules.topics.attacks.prepare import weapon_of
from rules.topics.commands import OverrideAttack
from rules.topics.events import (
    AttackOverridden,
    AttackResolved,
    ConditionsChanged,
    RankMoved,
    ResourceChanged,
    TurnRecordChanged,
    WeaponChanged,
)
from rules.topics.health.boxes import MOST_LEVELS

MOST_SUCCESSES = 50

FAILURES = (Outcome.MISS, Outcome.BOTCH, Outcome.DRAMATIC_FAILURE)


@dataclass(frozen=True, slots=True)
class Reworked:
    """An attack's result against one target before and after an override, and the resulting state of the fight.

    ``touched`` holds the indices, among the later rows, of those that depend on what changed.
    """

    before: AttackResult
    after: AttackResult
    state: Encounter
    touched: tuple[int, ...]


@decides(OverrideAttack)
def override_attack(game: Game, command: OverrideAttack) -> tuple[Event, ...]:
    """Override an attack's result against one target, on the Storyteller's word alone.

    Raises "input" if there is no such attack on that target, if a number is impossible, or if nothing changes.
    """
    reworked = rework(game, command)
    if game.past is None or reworked.after == reworked.before:
        raise bad_input(phrase("that-is-already-result"))
    now = reworked.state
    people = {who: each for who, each in now.combatants.items() if each != game.state.combatants[who]}
    overridden = AttackOverridden(
        command.resolution,
        resolved(game.past).plan.by,
        command.target,
        reworked.before,
        reworked.after,
        people,
        now.initiative,
        now.order,
        now.mishaps,
        command.why.strip(),
        slots.changed(game.state, now),
    )
    return (overridden, *_come_and_gone(game.state, now))


def rework(game: Game, command: OverrideAttack) -> Reworked:
    """Recompute an attack with the overridden values and the same dice, and merge what happened later."""
    past = game.past
    before = next((each for each in results(past) if each.target == command.target), None) if past else None
    if past is None or before is None:
        raise bad_input(phrase("that-attack-doesnt-exist"))
    mechanic = game.system.mechanic
    worst = Outcome.BOTCH if mechanic.read((1,), mechanic.default).botch else Outcome.DRAMATIC_FAILURE
    if command.outcome not in ("", Outcome.HIT, Outcome.MISS, worst):
        known = worst is Outcome.BOTCH
        raise bad_input(phrase("choose-hit-miss-or-botch") if known else phrase("choose-hit-miss-or-dramatic-failure"))
    most = {"successes": MOST_SUCCESSES, "levels": MOST_LEVELS, "soaked": MOST_LEVELS, "dealt": MOST_LEVELS}
    said = {name: getattr(command, name) for name in most}
    if any(figure is not None and not 0 <= figure <= most[name] for name, figure in said.items()):
        raise bad_input(
            phrase(
                "enter-0-to-successes-and-0",
                successes=MOST_SUCCESSES,
                levels=MOST_LEVELS,
            )
        )
    met = replace(game, state=past.before)
    after = _corrected(met, past, before, command)
    instead = _instead(met, past, before, after)
    carried = Carried(replay(past.before, past.events), instead, game.system).over(past.since, past)
    return Reworked(before, after, carried.now, tuple(carried.touched))


def _come_and_gone(was: Encounter, now: Encounter) -> Iterator[Event]:
    """The conditions gained and lost, so that the log records them."""
    for who, each in now.combatants.items():
        before = was.combatants[who].conditions
        if each.conditions != before:
            yield ConditionsChanged(who, each.conditions, each.conditions - before, before - each.conditions)


# ------------------------------------------------------------------ the new outcome


def _corrected(game: Game, past: Past, before: AttackResult, command: OverrideAttack) -> AttackResult:
    """The attack's result with the command's values; everything else follows from the rules and the dice."""
    successes = _successes(before, command)
    result = before
    if successes is not None:
        result = _rolled_with(game, past, before, successes)
    if command.outcome in FAILURES:
        result = replace(result, outcome=Outcome(command.outcome))
    figures = (command.levels, command.soaked, command.dealt)
    if all(figure is None for figure in figures):
        return result
    if result.done is None:
        raise bad_input(phrase("attack-that-misses-does-no-damage"))
    return replace(result, done=_done(game, result.done, command))


def _successes(before: AttackResult, command: OverrideAttack) -> int | None:
    """The successes that the command sets or implies, None if the dice decide."""
    if command.outcome in FAILURES:
        return 0
    if command.successes is not None:
        return command.successes
    means_hit = command.outcome == Outcome.HIT or bool(command.levels) or bool(command.dealt)
    # Enough to beat the defence by one.
    answered = before.defence.roll.successes if before.defence else 0
    return max(1, max(0, answered) + before.evaded + 1) if means_hit and before.done is None else None


def _rolled_with(game: Game, past: Past, before: AttackResult, successes: int) -> AttackResult:
    """The attack with this many successes: damage and soak follow, with the dice that fell."""
    planned = next(each for each in resolved(past).plan.against if each.target == before.target)
    against = replace(planned, automatic=successes if planned.attack.outright else 0)
    prepared = _prepared(game.state, past, against)
    system = replace(game.system, mechanic=_Said(game.system.mechanic, against.attack, successes))
    said = replace(game, system=system, dice=same_faces(before, past.events, game.dice))
    (result,) = system.attack.resolve(said, prepared)
    return result


def _prepared(state: Encounter, past: Past, *against: Against) -> Prepared:
    plan = resolved(past).plan
    weapon = weapon_of(state.combatants[plan.by].sheet, plan.weapon_key or plan.weapon)
    return Prepared(replace(plan, against=against or plan.against), weapon, {})


def _done(game: Game, done: DamageDone, command: OverrideAttack) -> DamageDone:
    """The damage with overridden levels, soak or boxes, each computed from the one before unless overridden."""
    levels = done.levels if command.levels is None else command.levels
    fell = done.soak.roll.successes if done.soak else 0
    soaked = min(levels, fell if command.soaked is None else command.soaked)
    if command.dealt is not None:
        # Keep only one type: the override does not say which types to reduce.
        return replace(done, levels=levels, soaked=soaked, dealt=command.dealt, mixed={}, told=())
    if done.damage is None:
        return replace(done, levels=levels, soaked=soaked, dealt=levels - soaked, mixed={}, told=())
    part, victim = game.system.attack.damage, game.state.combatants[done.to].sheet
    assert part is not None, "what has a damage roll has rules for it"
    return replace(done, levels=levels, soaked=soaked, dealt=part.settle(levels - soaked, done.type, victim))


@dataclass(frozen=True, slots=True)
class _Said:
    """The ruleset's dice mechanic, except that one pool has a given number of successes."""

    mechanic: Mechanic
    plan: PoolPlan
    successes: int

    def roll(self, plan: PoolPlan, throw: Callable[[int], Faces]) -> Roll:
        rolled = self.mechanic.roll(plan, throw)
        return self.mechanic.said(rolled, self.successes) if plan is self.plan else rolled

    def __getattr__(self, name: str) -> Any:
        return getattr(self.mechanic, name)


# ------------------------------------------------------------------ what follows


def _instead(game: Game, past: Past, before: AttackResult, after: AttackResult) -> Encounter:
    """The state as the row would have left it with the new result."""
    now = tuple(after if each.target == before.target else each for each in results(past))
    kept = tuple(_resolved_with(event, now) for event in past.events[: _paid(past)])
    dice: Dice = same_faces(before, past.events, game.dice)
    again = replace(game, dice=dice).after(kept)
    assert past.attack is not None, "it was looked up for this"
    weapon = _prepared(game.state, past).weapon
    told = (*kept, *consequences(again, past.attack, weapon, now, resolved(past).resolution))
    for watch in game.system.watches:
        told += watch.follows(game, past.command, told)
    return replay(game.state, told)


def _resolved_with(event: Event, results: tuple[AttackResult, ...]) -> Event:
    return replace(event, results=results) if isinstance(event, AttackResolved) else event


def _place(past: Past) -> int:
    return next(place for place, event in enumerate(past.events) if isinstance(event, AttackResolved))


def _paid(past: Past) -> int:
    """The index in the row just after the attack's fixed costs: actions, a rank, rounds and points."""
    plan, events = resolved(past).plan, past.events
    place = _place(past) + 1 + len({plan.by, *(each.target for each in plan.against)})
    while place < len(events) and isinstance(events[place], RankMoved):
        place += 1
    if plan.rounds and place < len(events) and isinstance(events[place], WeaponChanged):
        place += 1
    while place < len(events) and isinstance(events[place], ResourceChanged | TurnRecordChanged):
        place += 1
    return place
