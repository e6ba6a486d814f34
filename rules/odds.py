"""Exact chances of a planned attack: whole numbers of throws counted, nothing sampled."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

from rules.plan import Against
from rules.sheet import Sheet

if TYPE_CHECKING:
    from rules.encounter import Encounter
    from rules.ruleset import Ruleset


@dataclass(frozen=True)
class Odds:
    """What may come of an attack against one target. All chances are exact fractions.

    ``levels[n]`` is the chance of marking exactly n levels. ``states`` is the chance of each condition
    that the boxes may bring (incapacitated, dying, torpor, dead).
    """

    hit: Fraction
    botch: Fraction
    levels: tuple[Fraction, ...]
    states: Mapping[str, Fraction]

    @cached_property
    def expected(self) -> Fraction:
        """Levels marked on average."""
        return sum((n * chance for n, chance in enumerate(self.levels)), Fraction(0))

    @property
    def harms(self) -> Fraction:
        """The chance of marking anything."""
        return 1 - self.levels[0]

    @property
    def incapacitates(self) -> Fraction:
        """The chance that the target is out of action afterwards."""
        return sum(self.states.values(), Fraction(0))

    @property
    def kills(self) -> Fraction:
        """The chance that the target is dead afterwards."""
        return self.states.get("dead", Fraction(0))

    def at_least(self, levels: int) -> Fraction:
        """The chance of marking that many levels or more."""
        return sum(self.levels[levels:], Fraction(0))


def odds(plan: Against, state: Encounter, ruleset: Ruleset) -> Odds:
    """The exact chances of a planned attack on its target as the target is now.

    Attack, defence, damage with overage and soak count; what a parry may do back does not.
    """
    victim = state.combatants[plan.target].sheet
    attack = ruleset.mechanic.outcomes(plan.attack.pool, plan.attack.difficulty)
    net, net_total = _net(plan, ruleset)
    levels, total = _levels(plan, net, victim, ruleset)
    whole = net_total * total
    chances = tuple(Fraction(count, whole) for count in levels)
    return Odds(
        Fraction(net_total - net[0], net_total),
        Fraction(attack.botches, attack.total),
        chances,
        _states(chances, plan, victim, ruleset),
    )


def _net(plan: Against, ruleset: Ruleset) -> tuple[list[int], int]:
    """How often the attack is left with how many successes after the defence, out of how many throws."""
    attack = ruleset.mechanic.outcomes(plan.attack.pool, plan.attack.difficulty)
    if plan.defence is None:
        return list(attack.successes), attack.total
    defence = ruleset.mechanic.outcomes(plan.defence.pool, plan.defence.difficulty)
    net = [0] * len(attack.successes)
    for hits, ways in enumerate(attack.successes):
        for cancelled, against in enumerate(defence.successes):
            net[max(0, hits - cancelled)] += ways * against
    return net, attack.total * defence.total


def _levels(plan: Against, net: list[int], victim: Sheet, ruleset: Ruleset) -> tuple[list[int], int]:
    """How often how many levels are marked, in throws of the largest damage pool and the soak for each of ``net``."""
    soak = ruleset.mechanic.outcomes(plan.soak.pool, plan.soak.difficulty)
    most = _damage_pool(plan, len(net) - 1, ruleset)
    total = int(10**most * soak.total)
    marked = [0] * (most + 1)
    marked[0] = net[0] * total
    for successes, ways in enumerate(net[1:], start=1):
        pool = _damage_pool(plan, successes, ruleset)
        damage = ruleset.mechanic.outcomes(pool, plan.damage.difficulty)
        weight = ways * int(10 ** (most - pool))
        for levels, throws in enumerate(damage.successes):
            for soaked, resisted in enumerate(soak.successes):
                dealt = ruleset.attack.damage.settle(max(0, levels - soaked), plan.damage_type, victim, ruleset)
                marked[dealt] += weight * throws * resisted
    return marked, total


def _damage_pool(plan: Against, successes: int, ruleset: Ruleset) -> int:
    extra = successes - 1 if plan.overage else 0
    return ruleset.attack.damage.with_extra(plan.damage, extra, "", "", ruleset).pool


def _states(chances: tuple[Fraction, ...], plan: Against, victim: Sheet, ruleset: Ruleset) -> dict[str, Fraction]:
    states: dict[str, Fraction] = {}
    for chance in chances:
        for condition in ruleset.health.follows(victim, ruleset):
            states[condition] = states.get(condition, Fraction(0)) + chance
        victim = ruleset.health.inflict(victim, 1, plan.damage_type, ruleset)
    return states
