"""Differences between an attack as announced and as approved, for the player who announced it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rules.engine.violations import RuleViolation
from rules.model.attack import Attack
from rules.model.plan import Against, Part, tells_of_target
from rules.model.system import Game
from rules.model.words import in_distance
from rules.topics.attacks.prepare import weapon_of
from rules.topics.events import Aspect, Change


def changes(game: Game, before: Attack, after: Attack) -> tuple[Change, ...]:
    """Every aspect in which two attacks by the same attacker differ."""
    found = []
    for (aspect, was), (_same, now) in zip(_aspects(game, before), _aspects(game, after), strict=True):
        change = Change(aspect, _without(was, now), _without(now, was))
        if change.was or change.now:
            found.append(change)
    return tuple(found)


def _without(words: tuple[str, ...], others: Iterable[str]) -> tuple[str, ...]:
    return tuple(word for word in words if word not in others)


def _aspects(game: Game, attack: Attack) -> Iterator[tuple[Aspect, tuple[str, ...]]]:
    yield Aspect.TARGET, attack.at
    yield Aspect.NEAR, attack.near
    yield Aspect.WEAPON, (_weapon(game, attack),)
    yield Aspect.DISTANCE, () if attack.distance is None else (in_distance(attack.distance, game.system.unit),)
    yield Aspect.CIRCUMSTANCE, tuple(game.system.circumstances.in_words(each) for each in attack.modifiers)
    of_target, own = _struck(game, attack)
    yield Aspect.STRUCK, own
    yield Aspect.STRUCK_OF_TARGET, of_target


def _weapon(game: Game, attack: Attack) -> str:
    try:
        return weapon_of(game.state.combatants[attack.by].sheet, attack.weapon).name
    except RuleViolation:
        return attack.weapon


def _struck(game: Game, attack: Attack) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The labels of struck parts: those that reveal something about the targets, and the attacker's own."""
    if not attack.strike:
        return (), ()
    try:
        plan = game.system.attack.plan(game.asking(), attack).plan
    except RuleViolation:
        return (), ()
    of_target: list[str] = []
    own: list[str] = []
    for against in plan.against:
        for part, theirs in _parts(against):
            if part.struck:
                (of_target if theirs else own).append(part.label)
        of_target += [step.label for step in against.steps if step.struck]
    return tuple(dict.fromkeys(of_target)), tuple(dict.fromkeys(own))


def _parts(against: Against) -> Iterator[tuple[Part, bool]]:
    """Every part that can be struck, and whether it reveals something about the target."""
    yield from ((part, tells_of_target(part)) for part in against.attack.parts)
    yield from ((part, False) for part in (against.damage.parts if against.damage else ()))
