"""Exact odds of attacks with Gifts in effect, against every throw played through decide."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from rules.model.gear import Damage, Mode, Weapon
from rules.model.power_effects import POOLED, Does, Pool
from rules.model.system import Game
from rules.odds.attacks import odds
from rules.strike.attack import plan_attack
from rules.systems.classic.apocalypse.powers import GIFTS
from rules.systems.classic.apocalypse.system import APOCALYPSE
from tests.rules.odds.test_every_system import every_way, somebody
from tests.rules.table import Table, strike_at

PLAYED = APOCALYPSE.with_options({"powers": True, "garou_soak_aggravated": True})
CLAWS = Weapon("claws", Mode.UNARMED, 0, "strength", Damage.AGGRAVATED, tags=frozenset({"claws"}))
FIGHTING = {Pool.ATTACK, Pool.DAMAGE, Pool.SOAK, Pool.DEFENCE, Pool.AGAINST}


def fights(power) -> bool:
    """Whether it changes an attack or its damage."""
    return any(
        each.does in {Does.DAMAGE, Does.TRAIT} or (each.does in POOLED and each.pools & FIGHTING)
        for each in power.effects
    )


@pytest.mark.parametrize("defence", [None, "dodge"])
@pytest.mark.parametrize("power", [*filter(fights, GIFTS)], ids=lambda power: power.key)
def test_the_odds_with_a_gift_are_what_comes_of_every_throw(power, defence):
    """AP-POW-1: on the attacker and on the target."""
    ann, bob = (somebody(PLAYED, "garou", 1, left, weapons=(CLAWS,)) for left in (0, 2))
    told = [levels_of(with_it(ann, power, on), with_it(bob, power, at), defence) for on, at in WAYS]
    assert any(each != told[0] for each in told)


WAYS = [(False, False), (True, False), (False, True)]
"""Who has the Gift in effect: neither, the attacker or the target."""


def with_it(sheet, power, on):
    """The sheet with the Gift in effect, after a roll with one success, if it is ``on``."""
    one = power.in_effect(power.settled(sheet, PLAYED.layout, successes=1))
    return replace(sheet, powers=(one,)) if on else sheet


def levels_of(ann, bob, defence):
    """The levels that an attack does, with their chances, and what soaks them, after comparing odds and throws."""
    table = Table(PLAYED, ann=ann, bob=bob)
    command = strike_at("ann", "bob", "claws", distance=1, defence=defence)
    (against,) = plan_attack(Game(table.state, PLAYED), command).against
    levels = Counter()
    for chance, result, _conditions in every_way(table, command, against):
        levels[result.done.dealt if result.done else 0] += chance
    assert sum(levels.values()) == 1
    ours = odds(against, Game(table.state, PLAYED))
    assert {n: chance for n, chance in enumerate(ours.levels) if chance} == dict(levels)
    return levels, against.soak
