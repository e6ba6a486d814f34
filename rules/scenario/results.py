"""A step's results: the events of its command and the state after it, as plain values under the format's names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from typing import Any

from rules.engine.messages import Event, event_type
from rules.model.conditions import INCAPACITATED
from rules.model.damage_steps import MIXED
from rules.model.gear import loaded
from rules.model.plan import Part
from rules.model.results import AttackResult, DamageDone, Outcome, Rolled
from rules.model.sheet import Layout
from rules.model.state import Combatant
from rules.model.system import Game, Track
from rules.topics import events
from rules.topics.declarations import may_know

Result = dict[str, Any]

Give = Callable[[Any], Result]

_gives: dict[type[Event], Give] = {}


def gives(event: type[Event]) -> Callable[[Give], Give]:
    """Register the function that turns an event into results; an event declared with ``says`` needs none."""

    def register(give: Give) -> Give:
        _gives[event] = give
        return give

    return register


# ------------------------------------------------------------------ rolls


def parts(found: Iterable[Part]) -> list[Result]:
    """A pool's breakdown: dice and difficulty are separate entries, struck parts are omitted."""
    told = []
    for part in found:
        about = {"rule": part.rule, "label": part.label}
        if part.struck:
            continue
        if part.successes:
            told.append({**about, "successes": part.successes})
        elif part.dice or not part.difficulty:
            told.append({**about, "dice": part.dice})
        if part.difficulty:
            told.append({**about, "difficulty": part.difficulty})
    return told


def rolled(roll: Rolled) -> Result:
    """A pool and its result, with difficulty or chance depending on the dice family."""
    read = {"chance": roll.plan.chance} if roll.plan.again else {"difficulty": roll.plan.difficulty}
    return {"pool": roll.plan.pool, **read, "successes": roll.roll.successes, "parts": parts(roll.plan.parts)}


def damage(done: DamageDone | None, kind: str) -> Result:
    """Everything from the damage pool to the boxes; all zeros if nothing was rolled."""
    if done is None:
        return {"damage_pool": 0, "damage": 0, "soaked": 0, "dealt": {"amount": 0, "type": kind}}
    return {
        "damage_pool": done.damage.plan.pool if done.damage and not done.damage.plan.outright else 0,
        "damage": done.levels,
        "soaked": done.soaked,
        "dealt": _dealt(done),
    }


def _dealt(done: DamageDone) -> Result:
    """The damage marked; with several types of damage, also the points of each."""
    if not done.mixed:
        return {"amount": done.dealt, "type": done.type.value}
    return {"amount": done.dealt, "type": MIXED, **{kind.value: amount for kind, amount in done.points}}


def met(result: AttackResult, kind: str) -> Result:
    """An attack's result against one target. The damage is the counter's if only the counter did any."""
    both = {"counter": damage(result.counter, kind)} if result.done and result.counter else {}
    return {
        **both,
        **rolled(result.attack),
        "outcome": result.outcome.value,
        "defence": result.taken_off,
        **damage(result.done or result.counter, kind),
    }


def _attack(event: events.AttackResolved, *, several: bool) -> Result:
    kinds = {against.target: against.damage_type.value for against in event.plan.against}
    targets = {result.target: met(result, kinds[result.target]) for result in event.results}
    told: Result = dict(next(iter(targets.values()))) if len(targets) == 1 else {}
    if several or len(targets) > 1:
        told["targets"] = targets
    told["flags"] = [flag.rule for flag in event.plan.flags]
    told["out_of_order"] = event.out_of_order
    return told


@gives(events.TraitsRolled)
def _traits(event: events.TraitsRolled) -> Result:
    told = {**rolled(event.roll), "outcome": event.outcome.value, "flags": [flag.rule for flag in event.flags]}
    if event.resisted and event.margin is not None:
        told |= {"margin": event.margin, "resisted": rolled(event.resisted)}
    return told


@gives(events.Aborted)
def _aborted(event: events.Aborted) -> Result:
    outcome = Outcome.SUCCESS if event.succeeded else Outcome.FAIL
    if event.roll is None:
        return {"outcome": outcome.value}
    return {**rolled(event.roll), "outcome": (Outcome.BOTCH if event.roll.roll.botch else outcome).value}


@gives(events.MishapSettled)
def _mishap(event: events.MishapSettled) -> Result:
    told: Result = {"mishap": event.mishap, "by_chance": event.by_chance}
    if event.done:
        told |= {"ally": event.ally, **damage(event.done, "")}
    return told


@gives(events.CoveringFireLaid)
def _covering(event: events.CoveringFireLaid) -> Result:
    return {**rolled(event.roll), "outcome": event.outcome.value}


@gives(events.KnockedDown)
def _fallen(event: events.KnockedDown) -> Result:
    told: Result = {"outcome": event.outcome.value}
    return told if event.roll is None else {**rolled(event.roll), **told}


@gives(events.GrappleRolled)
def _grappled(event: events.GrappleRolled) -> Result:
    resisted = {"resisted": rolled(event.resisted)} if event.resisted else {}
    told: Result = {**rolled(event.roll), "outcome": event.outcome.value, "margin": event.margin, **resisted}
    return {**told, "flags": [flag.rule for flag in event.flags]}


def _came(roll: Rolled) -> str:
    return (Outcome.SUCCESS if roll.roll.successes else Outcome.FAIL).value


def _check(event: events.CheckRolled) -> Result:
    outcome = Outcome.SUCCESS if event.passed else Outcome.FAIL
    return {event.who: {**rolled(event.roll), "outcome": outcome.value}}


@gives(events.CoverStruck)
def _cover(event: events.CoverStruck) -> Result:
    return {"cover": {"damage": event.damage, "structure": event.cover.structure}}


@gives(events.ShieldStruck)
def _shield(event: events.ShieldStruck) -> Result:
    return {"shield": {"name": event.done.to, **damage(event.done, "")}}


@gives(events.CoveringFireMet)
def _choice(event: events.CoveringFireMet) -> Result:
    return {"choice": event.choice}


@gives(events.Moved)
def _moved(event: events.Moved) -> Result:
    return {"moved": event.distance, "as_action": event.as_action}


@gives(events.InitiativeRolled)
def _initiative(event: events.InitiativeRolled) -> Result:
    return {"rolled": {who: list(score.faces) for who, score in event.scores.items()}}


@gives(events.Harmed)
def _harmed(event: events.Harmed) -> Result:
    return {"dealt": {"amount": event.amount, "type": event.type.value}}


@gives(events.Healed)
def _healed(event: events.Healed) -> Result:
    return {"healed": dict(event.healed)}


@gives(events.TimePassed)
def _time(event: events.TimePassed) -> Result:
    return {"hours": event.hours}


@gives(events.HandLent)
def _hand(event: events.HandLent) -> Result:
    return {**rolled(event.roll), "outcome": _came(event.roll)}


@gives(events.Hurt)
def _hurt(event: events.Hurt) -> Result:
    return damage(event.done, event.done.type.value)


@gives(events.Touched)
def _touched(_event: events.Touched) -> Result:
    return {"outcome": Outcome.SUCCESS.value}


@gives(events.RulesWaived)
def _waived(event: events.RulesWaived) -> Result:
    return {"waived": [flag.rule for flag in event.flags]}


def outcomes(told: Iterable[Event], *, several: bool, kinds: bool = True) -> Result:
    """The results in one step's events. ``several``: its targets were a list; ``kinds``: damage has types."""
    told = tuple(told)
    ended = any(isinstance(event, events.TurnEnded) for event in told)
    result = _turn_end(told) if ended else _resolved(told, several=several)
    if checks := [event for event in told if isinstance(event, events.CheckRolled)]:
        result["checks"] = {who: said for check in checks for who, said in _check(check).items()}
    if not ended:
        result["followed"] = [event.what for event in told if isinstance(event, events.Followed)]
    if bled := {event.who: event.amount for event in told if isinstance(event, events.Bled)}:
        result["bled"] = bled
    return result if kinds else _without_kinds(result)


def _without_kinds(result: Result) -> Result:
    """The results with every "dealt" reduced to its amount; a combatant may be called “dealt” too."""
    told = {key: _without_kinds(value) if isinstance(value, dict) else value for key, value in result.items()}
    match told.get("dealt"):
        case {"amount": amount}:
            told["dealt"] = {"amount": amount}
    return told


def _turn_end(told: Iterable[Event]) -> Result:
    """Levels healed by combatant, since several may heal as a turn ends."""
    return {"healed": {event.who: sum(event.healed.values()) for event in told if isinstance(event, events.Healed)}}


def _resolved(told: Iterable[Event], *, several: bool) -> Result:
    result: Result = {}
    for event in told:
        if isinstance(event, events.AttackResolved):
            result |= _attack(event, several=several)
        elif isinstance(event, events.ArmorDestroyed):
            result.setdefault("destroyed", []).append(event.armor.name)
        elif isinstance(event, events.RollMade) and "pool" not in result:
            result |= rolled(event.roll)
        elif isinstance(event, events.KnockedDown) and "outcome" in result:
            # What a blow caused is reported beside the blow itself.
            result["check"] = _fallen(event)
        elif type(event) in _gives:
            result |= _gives[type(event)](event)
        elif event_type(type(event)).says:
            result |= _as_declared(event)
    return result


def _as_declared(event: Event) -> Result:
    """The results of an event declared with ``says``: its roll, and its other values by field name."""
    declared = event_type(type(event))
    values = {each.name: getattr(event, each.name) for each in fields(declared.cls) if each.name not in declared.people}  # type: ignore[arg-type]
    told: Result = {}
    for value in values.values():
        if isinstance(value, Rolled):
            told |= rolled(value)
    return told | {name: value for name, value in values.items() if isinstance(value, int | str)}


# ------------------------------------------------------------------ the state


def standing(game: Game, actor: str = "", told: tuple[Event, ...] = ()) -> Result:
    """The state after a step that caused the events ``told``, and the system's own results.

    Rounds and faults are listed by weapon name; if two weapons have the same name, ``actor``'s is listed.
    """
    people = game.state.combatants
    return {
        "health": {who: game.system.health.written(one.sheet) for who, one in people.items()},
        "penalty": {who: _penalty(one, game.system.health) for who, one in people.items()},
        "conditions": {who: sorted(one.conditions) for who, one in people.items()},
        "resources": {who: _resources(one, game.system.layout) for who, one in people.items()},
        "powers": {who: [each.key for each in one.sheet.powers] for who, one in people.items()},
        "shape": {who: one.sheet.shape.key if one.sheet.shape else "" for who, one in people.items()},
        "armor": {who: [worn.name for worn in one.sheet.sound_armor] for who, one in people.items()},
        "ammunition": _by_weapon(people, actor, loaded),
        "faults": _by_weapon(people, actor, lambda weapon: weapon.fault and weapon.fault.value),
        "structure": _by_weapon(people, actor, lambda weapon: weapon.structure),
        "order": _names(game.state.order),
        "initiative": {who: score.total for who, score in game.state.initiative.items()},
        "turn": game.state.turn,
        "stage": game.state.stage.value,
        "declaring": _together(game.system.turns.declaring(game.state)),
        "acting": _together(game.state.acting),
        "knows": {who: _known_to(who, game) for who in people},
        **{name: value for results in game.system.results for name, value in results(game, told).items()},
    }


def _known_to(reader: str, game: Game) -> list[str]:
    """The others whose declarations a combatant may already know (MQ-DECL-1)."""
    said = {who: one.turn for who, one in game.state.combatants.items() if one.turn.declaration and who != reader}
    return [who for who, turn in said.items() if may_know(game, reader, who, turn.spoke)]


def _penalty(combatant: Combatant, health: Track) -> int | str:
    penalty = health.penalty(combatant.sheet)
    return INCAPACITATED if penalty is None else penalty


def _resources(combatant: Combatant, layout: Layout) -> dict[str, int]:
    """Points under every name that a resource has."""
    sheet = combatant.sheet
    had = [each for each in layout.resources if layout.has(sheet.kind, each) or each.key in sheet.resources]
    names = {*sheet.resources, *(name for each in had for name in (each.key, *each.aliases))}
    return {name: layout.points(sheet, name) for name in sorted(names)}


def _by_weapon(people: Mapping[str, Combatant], actor: str, value: Callable[[Any], Any]) -> Result:
    told: Result = {}
    for who in sorted(people, key=lambda name: name != actor):
        for weapon in people[who].sheet.weapons:
            found = value(weapon)
            if found is not None:
                told.setdefault(weapon.key or weapon.name, found)
    return told


def _together(names: tuple[str, ...]) -> str | list[str]:
    return names[0] if len(names) == 1 else list(names)


def _names(order: Iterable[tuple[str, ...]]) -> list[str | list[str]]:
    return [_together(rank) for rank in order]
