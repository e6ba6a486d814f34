"""What a raised Trait changes: a character's own pools before and after, with exact chances, and derived values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from rules.engine.phrases import phrase, separated
from rules.engine.violations import RuleViolation
from rules.model.gear import BARE_HANDS, label_of
from rules.model.plan import PoolPlan
from rules.model.roll import RollTraits
from rules.model.sheet import Category, Sheet
from rules.model.state import Combatant, Encounter
from rules.model.system import Game, System
from rules.odds.rolls import roll_odds
from rules.topics.attacks.prepare import FISTS
from rules.topics.rolls.pools import plan_roll

SOMEBODY = "somebody"


@dataclass(frozen=True, slots=True)
class Change:
    """A pool in dice or another value, before and after; ``chances`` are those of at least one success."""

    label: str
    before: int
    after: int
    chances: tuple[Fraction, Fraction] | None = None


def changes_of(system: System, sheet: Sheet, trait: str, to: int) -> tuple[Change, ...]:
    """What changes if a Trait had ``to`` dots: attacks, ready-made rolls, derived Traits and the most points.

    A Trait that is in none of the pools is shown in a plain roll.
    """
    raised = replace(sheet, traits={**sheet.traits, trait: to})
    found = changes_between(system, sheet, raised)
    if not any(each.chances for each in found):
        plain = _plain_roll(system, raised, trait)
        pools = [_planned(system, each, plain) for each in (sheet, raised)]
        if pools[0] and pools[1]:
            label = separated([system.layout.trait(key, sheet.kind).label for key in plain], " + ")
            found = (*_differing(system, {label: pools[0]}, {label: pools[1]}), *found)
    return found


def changes_between(system: System, before: Sheet, after: Sheet) -> tuple[Change, ...]:
    """What differs between two sheets of a character: pools, then values."""
    was, now = (dict(_pools(system, each)) for each in (before, after))
    values = zip(_values(system, before), _values(system, after), strict=True)
    changed = (Change(label, old, new) for (label, old), (_, new) in values if old != new)
    return (*_differing(system, was, now), *changed)


def _differing(system: System, was: Mapping[str, PoolPlan], now: Mapping[str, PoolPlan]) -> Iterator[Change]:
    for label, before in was.items():
        after = now.get(label)
        if after is not None and after != before:
            chances = (roll_odds(before, system.mechanic).succeeds, roll_odds(after, system.mechanic).succeeds)
            yield Change(label, before.pool, after.pool, chances)


def _pools(system: System, sheet: Sheet) -> Iterator[tuple[str, PoolPlan]]:
    """The pools of a character's weapons and of the ready-made rolls, by label."""
    bare = () if any(weapon.name == BARE_HANDS for weapon in sheet.at_hand) else (FISTS,)
    for weapon in (*bare, *sheet.at_hand):
        yield label_of(weapon), system.attack.pool_of(sheet, weapon)
    for roll in system.ready_rolls():
        if plan := _planned(system, sheet, roll.traits, roll.difficulty):
            yield roll.label, plan


def _planned(system: System, sheet: Sheet, traits: tuple[str, ...], difficulty: int | None = None) -> PoolPlan | None:
    game = Game(Encounter(combatants={SOMEBODY: Combatant(SOMEBODY, sheet)}), system)
    try:
        return plan_roll(game, RollTraits(SOMEBODY, traits, difficulty))
    except RuleViolation:
        return None


def _plain_roll(system: System, sheet: Sheet, trait: str) -> tuple[str, ...]:
    """A Trait alone; an Ability with the best Attribute."""
    layout = system.layout
    if layout.trait(trait).category is not Category.ABILITY:
        return (trait,)
    attributes = [each.key for each in layout.traits() if each.category is Category.ATTRIBUTE]
    return (max(attributes, key=lambda key: layout.dots(sheet, key)), trait)


def _values(system: System, sheet: Sheet) -> list[tuple[str, int]]:
    derived = [(each.label, each.value(system, sheet)) for each in system.derived]
    resources = system.layout.resources_for(sheet.kind)
    most = [(phrase("most-points", name=each.label), system.layout.maximum(sheet, each.key)) for each in resources]
    return [*derived, *most]
