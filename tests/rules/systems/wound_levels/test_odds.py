"""Exact odds of severity, verified with icepool and by playing every throw."""

from collections import Counter
from fractions import Fraction
from itertools import product

import icepool
import pytest

from rules.decide import decide
from rules.engine.messages import evolve, replay
from rules.model.attack import Attack
from rules.model.choices import Defence, Modifier
from rules.model.plan import PoolPlan
from rules.model.system import Game
from rules.odds.attacks import odds
from rules.strike.attack import plan_attack
from rules.systems.wound_levels.system import WOUNDS
from rules.topics.events import AttackResolved, EvasionHeld
from tests.rules.odds.test_odds import Script, Unwritten, _throws
from tests.rules.systems.wound_levels.cast import AXE, BOW, KEVLAR, PISTOL, RAPIER, hurt, table
from tests.rules.table import only

D10 = icepool.d10


def thrown(plan: PoolPlan):
    """A pool's result as a die, including negative ones."""
    if not plan.pool:
        return icepool.Die([0])
    return plan.pool @ D10.map(lambda face: int(face >= plan.difficulty) - int(face == 1))


def met(hits: int, answered: int, stock: int, kind: str) -> int:
    """The successes that hit, according to WL-DEF-1, WL-DEF-4 and WL-DEF-5."""
    standing, answer = max(0, hits), max(0, answered)
    if kind == "clash":
        standing = max(0, standing - stock)
        return standing if standing >= answer else 0
    return max(0, standing - answer - stock)


FIGHTS = [
    (weapon, defence, stock, dexterity, armor)
    for weapon, defence in (
        *product((AXE, PISTOL), ("",)),
        *product((AXE, BOW), ("dodge", "parry")),
        (AXE, "clash"),
        (RAPIER, "clash"),
    )
    for stock, dexterity, armor in ((0, 1, ()), (2, 4, (KEVLAR,)))
]


def exchange(weapon, defence, stock, dexterity, armor, levels=()):
    game = table(
        ann=hurt(strength=3, dexterity=dexterity, melee=2, firearms=2, athletics=1, willpower=1, weapons=(weapon,)),
        bob=hurt(*levels, strength=2, dexterity=2, dodge=1, melee=2, stamina=2, armor=armor, weapons=(RAPIER,)),
    )
    game.state = evolve(game.state, EvasionHeld("bob", stock))
    command = Attack("ann", ("bob",), weapon.name, defences={"bob": Defence(defence)})
    (against,) = plan_attack(Game(game.state, WOUNDS), command).against
    return game, command, against


@pytest.mark.parametrize("fight", FIGHTS)
def test_severity_is_as_icepool_counts_it(fight):
    """WL-DICE-1, WL-DMG-1, WL-DEF-1, WL-DEF-4, WL-DEF-5, WL-ARM-1."""
    game, _, against = exchange(*fight)
    ours = odds(against, Game(game.state, WOUNDS))
    weapon, kind, stock, _, armor = fight
    answers = thrown(against.defence) if against.defence else icepool.Die([0])
    net = icepool.map(lambda hits, answered: met(hits, answered, stock, kind), thrown(against.attack), answers)
    worn = max((each.rating for each in armor), default=0)
    severity = net.map(lambda left: max(0, left + weapon.damage - worn) if left else 0)
    assert ours.hit == 1 - net.probability(0)
    assert ours.botch == 0
    assert sum(ours.levels) == 1
    assert {n: chance for n, chance in enumerate(ours.levels) if chance} == {
        int(n): severity.probability(n) for n in severity.outcomes() if severity.probability(n)
    }
    felled = sum((severity.probability(n) for n in severity.outcomes() if n >= 7), Fraction(0))
    killed = sum((severity.probability(n) for n in severity.outcomes() if n >= 10), Fraction(0))
    assert (ours.incapacitates, ours.kills) == (felled, killed)


@pytest.mark.parametrize("weapon", [AXE, PISTOL])
def test_a_point_of_will_lifts_a_roll_from_where_it_fell(weapon):
    """WL-WILL-1: one below zero becomes zero, not one."""
    game, _, _ = exchange(weapon, "", 0, 1, ())
    command = Attack("ann", ("bob",), weapon.name, (Modifier("willpower"),))
    (against,) = plan_attack(Game(game.state, WOUNDS), command).against
    ours = odds(against, Game(game.state, WOUNDS))
    net = thrown(against.attack).map(lambda hits: max(0, hits + 1))
    assert against.attack.sure == 1
    assert ours.hit == 1 - net.probability(0)
    severity = net.map(lambda left: left + weapon.damage if left else 0)
    assert {n: chance for n, chance in enumerate(ours.levels) if chance} == {
        int(n): severity.probability(n) for n in severity.outcomes() if severity.probability(n)
    }


def test_a_clash_by_the_difference_leaves_nothing_of_a_tie():
    """WL-DEF-5, with the house rule for clashes by difference."""
    differing = WOUNDS.with_options({"clash_counts_in_full": False})
    game, command, _ = exchange(AXE, "clash", 0, 1, ())
    (against,) = plan_attack(Game(game.state, differing), command).against
    ours = odds(against, Game(game.state, differing))
    net = icepool.map(
        lambda hits, answered: max(0, max(0, hits) - max(0, answered)),
        thrown(against.attack),
        thrown(against.defence),
    )
    severity = net.map(lambda left: left + AXE.damage if left else 0)
    assert {n: chance for n, chance in enumerate(ours.levels) if chance} == {
        int(n): severity.probability(n) for n in severity.outcomes() if severity.probability(n)
    }


def test_each_injury_counts_beside_the_others():
    """WL-DMG-3, WL-DMG-5: with 5 and 1 any new injury raises the wound level to 7, with 8 and 1 to 10."""
    for levels, kills in (((5, 1), 0), ((8, 1), 1)):
        game, _, against = exchange(AXE, "", 0, 1, (), levels=levels)
        ours = odds(against, Game(game.state, WOUNDS))
        assert ours.harms == ours.hit > 0
        assert ours.incapacitates == (1 if levels[0] > 5 else ours.harms)
        assert ours.kills == kills * ours.harms


@pytest.mark.parametrize("fight", [(AXE, "clash", 1, 1, ()), (BOW, "dodge", 1, 2, (KEVLAR,)), (AXE, "", 0, 1, ())])
def test_the_odds_are_what_comes_of_every_throw(fight):
    """WL-DMG-1, WL-DEF-5: decide and odds agree exactly."""
    game, command, against = exchange(*fight, levels=(6,))
    game.state = evolve(game.state, EvasionHeld("bob", fight[2]))
    ours = odds(against, Game(game.state, WOUNDS))
    dealt: Counter[int] = Counter()
    states: Counter[str] = Counter()
    waiting: list[tuple[tuple, Fraction]] = [((), Fraction(1))]
    while waiting:
        path, chance = waiting.pop()
        try:
            events = decide(game.state, command, WOUNDS, Script(path))
        except Unwritten as end:
            (throw,) = end.args
            plan = against.attack if throw.purpose == "attack" else against.defence
            for faces, ways in _throws(throw.count, plan.difficulty):
                waiting.append(((*path, faces), chance * Fraction(ways, 10**throw.count)))
            continue
        (result,) = only(AttackResolved, events).results
        dealt[result.done.dealt if result.done else 0] += chance
        out = replay(game.state, events).combatants["bob"].conditions - {"stunned"}
        states.update(dict.fromkeys(out, chance))
    assert {n: chance for n, chance in enumerate(ours.levels) if chance} == dict(dealt)
    assert {state: chance for state, chance in ours.states.items() if chance} == dict(states)


def test_a_negative_pool_is_as_good_as_none():
    """WL-DICE-1: without dice there is no hit and no botch."""
    game = table(ann=hurt(strength=1, weapons=(AXE,)), bob=hurt())
    command = Attack("ann", ("bob",), "axe", (Modifier("circumstance", {"dice": -9}),))
    (against,) = plan_attack(Game(game.state, WOUNDS), command).against
    ours = odds(against, Game(game.state, WOUNDS))
    assert (ours.hit, ours.botch, ours.levels[0]) == (0, 0, 1)
