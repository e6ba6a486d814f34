"""Exact odds, verified by other means: icepool, and every throw played through decide."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import product
from math import comb

import icepool
import pytest

from rules.decide import decide
from rules.engine.dice import Faces, Purpose, Throw
from rules.engine.messages import replay
from rules.model.attack import Attack
from rules.model.choices import Modifier
from rules.model.gear import Mode, Weapon
from rules.model.outcomes import Outcomes
from rules.model.plan import Against, PoolPlan
from rules.model.results import AttackResult, Outcome
from rules.model.system import Game
from rules.odds.attacks import Odds, odds, wins
from rules.odds.target_number import TargetNumber
from rules.strike.attack import plan_attack
from rules.topics.attacks.prepare import FISTS
from rules.topics.events import AttackResolved
from tests.rules.table import CLAWS, KNIFE, MASQUERADE, PISTOL, SHRUGGING, VEST, Table, mortal, only, strike_at

MECHANIC = TargetNumber()
D10 = icepool.d10


# ------------------------------------------------------------------ one pool, against icepool


def _read(counted: tuple[int, int]) -> tuple[int, bool]:
    hits, ones = counted
    return max(0, hits - ones), hits == 0 and ones > 0


def thrown(pool: int, difficulty: int):
    """A pool as icepool's die of (net successes, botch)."""
    if pool == 0:
        return icepool.Die([(0, False)])
    one = D10.map(lambda face: icepool.Vector((int(face >= difficulty), int(face == 1))))
    return (pool @ one).map(lambda counted: _read(tuple(counted)))


def successes(plan: PoolPlan):
    """A planned pool as a die of net successes."""
    return thrown(plan.pool, plan.difficulty).map(lambda read: read[0])


@pytest.mark.parametrize("difficulty", range(2, 11))
@pytest.mark.parametrize("pool", range(11))
def test_successes_and_botches_are_as_icepool_counts_them(pool, difficulty):
    """MQ-DICE-3, MQ-DICE-5."""
    ours, theirs = MECHANIC.outcomes(pool, difficulty), thrown(pool, difficulty)
    assert sum(ours.successes) == ours.total == 10**pool
    for count in range(pool + 1):
        assert Fraction(ours.successes[count], ours.total) == theirs.map(
            lambda read, n=count: read[0] == n
        ).probability(True)
    assert Fraction(ours.botches, ours.total) == theirs.map(lambda read: read[1]).probability(True)


@pytest.mark.parametrize(("pool", "difficulty"), [(1, 2), (2, 6), (3, 6), (3, 10)])
def test_counting_every_throw_gives_the_same(pool, difficulty):
    """MQ-DICE-3."""
    read = [MECHANIC.read(faces, difficulty) for faces in product(range(1, 11), repeat=pool)]
    counted = Counter(roll.successes for roll in read)
    ours = MECHANIC.outcomes(pool, difficulty)
    assert ours.successes == tuple(counted[count] for count in range(pool + 1))
    assert ours.botches == sum(roll.botch for roll in read)


# ------------------------------------------------------------------ whole exchanges, against icepool


def exchange(ruleset=MASQUERADE, weapon=KNIFE, mods=(), defence=None, dexterity=2, strength=2, **target):
    kind = target.pop("kind", "mortal")
    table = Table(
        ruleset,
        ann=mortal(dexterity=dexterity, strength=strength, brawl=1, melee=1, firearms=1, weapons=(weapon,)),
        bob=mortal(kind=kind, **target),
    )
    command = strike_at("ann", "bob", weapon.name, *mods, defence=defence)
    (against,) = plan_attack(Game(table.state, ruleset), command).against
    return table, command, against


def oracle(against: Against, halved: bool):
    """The die of marked levels, by icepool."""
    taken = successes(against.defence) if against.defence else icepool.Die([0])
    net = icepool.map(lambda hits, off: max(0, hits - off), successes(against.attack), taken)
    base = sum(part.dice for part in against.damage.parts if not part.struck and part.key != "least")
    soak = successes(against.soak)

    def marked(left: int):
        if left == 0:
            return icepool.Die([0])
        levels = thrown(max(1, base + left - 1), 6).map(lambda read: read[0])
        through = icepool.map(lambda done, soaked: max(0, done - soaked), levels, soak)
        return through.map(lambda level: level // 2) if halved else through

    return net.map(marked), net


TARGETS = (
    {"stamina": 2},
    {"kind": "vampire", "stamina": 3, "fortitude": 2, "armor": (VEST,), "dodge": 2},
)
FIGHTS = [
    {"weapon": weapon, "defence": defence, "dexterity": dexterity} | target
    for weapon, defence, dexterity, target in product(
        (KNIFE, CLAWS, replace(PISTOL, damage=5)), (None, "dodge"), (1, 4), TARGETS
    )
] + [{"weapon": weapon, "defence": "block"} | TARGETS[1] for weapon in (KNIFE, CLAWS, FISTS)]
HOUSE = [
    {"ruleset": SHRUGGING, "weapon": PISTOL, "mods": mods, "kind": "vampire", "stamina": stamina}
    for mods, stamina in product(((), ("target_head",), ("cramped",)), (1, 4))
]
EDGES = [
    {"strength": 0, "weapon": Weapon("feather", Mode.MELEE, 0, "strength")},
    {"mods": (Modifier("circumstance", {"dice": -20}),)},
    {"mods": (Modifier("difficulty", {"by": 9}),), "dexterity": 5},
    {"mods": (Modifier("difficulty", {"by": -9}),), "marks": "XXXX"},
]


@pytest.mark.parametrize("fight", [*FIGHTS, *HOUSE, *EDGES])
def test_a_whole_exchange_is_as_icepool_counts_it(fight):
    """MQ-DEF-1, MQ-DMG-1, MQ-DMG-2, MQ-SOAK-1, MQ-VAMP-1."""
    table, _, against = exchange(**fight)
    ours = odds(against, Game(table.state, table.ruleset))
    halved = table.ruleset is SHRUGGING and against.damage_type == "bashing"
    levels, net = oracle(against, halved)
    assert sum(ours.levels) == 1
    assert ours.hit == 1 - net.probability(0)
    assert {n: chance for n, chance in enumerate(ours.levels) if chance} == {
        int(n): levels.probability(n) for n in levels.outcomes() if levels.probability(n)
    }
    assert ours.botch == thrown(against.attack.pool, against.attack.difficulty).map(lambda read: read[1]).probability(
        True
    )


# ------------------------------------------------------------------ every throw, through decide


@dataclass
class Script:
    """Dice that follow a path through the throws, and report when it ends."""

    path: tuple[Faces, ...]
    _next: int = field(default=0)

    def roll(self, throw: Throw) -> Faces:
        if self._next == len(self.path):
            raise Unwritten(throw)
        self._next += 1
        return self.path[self._next - 1]

    def pick(self, options: int) -> int:
        raise AssertionError("nothing is picked here")


class Unwritten(Exception):
    """The path ends before this throw."""


def _throws(count: int, difficulty: int) -> Iterator[tuple[Faces, int]]:
    """Every throw, with equivalent ones grouped: representative faces, and their count."""
    for hits in range(count + 1):
        for ones in range(count - hits + 1):
            blanks = count - hits - ones
            ways = comb(count, hits) * comb(count - hits, ones) * (11 - difficulty) ** hits * (difficulty - 2) ** blanks
            if ways:
                yield (10,) * hits + (1,) * ones + (2,) * blanks, ways


def played(table: Table, command: Attack, against: Against) -> Iterator[tuple[Fraction, AttackResult, frozenset[str]]]:
    """Every outcome of an attack, with its probability and the target's conditions afterwards."""
    difficulties = {Purpose.ATTACK: against.attack.difficulty, Purpose.DEFENCE: 6, Purpose.DAMAGE: 6, Purpose.SOAK: 6}
    waiting: list[tuple[tuple[Faces, ...], Fraction]] = [((), Fraction(1))]
    while waiting:
        path, chance = waiting.pop()
        try:
            events = decide(table.state, command, table.ruleset, Script(path))
        except Unwritten as end:
            (throw,) = end.args
            for faces, ways in _throws(throw.count, difficulties[throw.purpose]):
                waiting.append(((*path, faces), chance * Fraction(ways, 10**throw.count)))
            continue
        after = replay(table.state, events).combatants["bob"]
        (result,) = only(AttackResolved, events).results
        yield chance, result, after.conditions


SMALL = [
    {"marks": "XXXXX"},
    {"marks": "XXXXXX", "defence": "dodge"},
    {"marks": "******X", "dexterity": 1},
    {"marks": "*****", "weapon": CLAWS, "kind": "vampire", "stamina": 1, "fortitude": 1},
    {"marks": "//////", "weapon": FISTS, "stamina": 2},
    {"marks": "XXXXX", "weapon": replace(PISTOL, damage=2), "kind": "vampire", "ruleset": SHRUGGING},
    {"mods": (Modifier("difficulty", {"by": 2}),), "kind": "vampire", "stamina": 3, "marks": "///"},
]


@pytest.mark.parametrize("fight", SMALL)
def test_the_odds_are_what_comes_of_every_throw(fight):
    """MQ-HEALTH-2, MQ-ATK-6, MQ-ATK-7: decide and odds agree to the last fraction."""
    table, command, against = exchange(**fight)
    ours = odds(against, Game(table.state, table.ruleset))
    levels: Counter[int] = Counter()
    outcomes: Counter[Outcome] = Counter()
    states: Counter[str] = Counter()
    for chance, result, conditions in played(table, command, against):
        levels[result.done.dealt if result.done else 0] += chance
        outcomes[result.outcome] += chance
        states.update(dict.fromkeys(conditions, chance))
    assert sum(levels.values()) == 1
    assert {n: chance for n, chance in enumerate(ours.levels) if chance} == dict(levels)
    assert (ours.hit, ours.botch) == (outcomes[Outcome.HIT], outcomes[Outcome.BOTCH])
    assert {state: chance for state, chance in ours.states.items() if chance} == dict(states)
    assert ours.incapacitates == sum(states.values())
    assert ours.kills == states["dead"]
    assert ours.expected == sum(n * chance for n, chance in levels.items())


def test_ten_faces_a_die_give_the_same_as_throws_taken_together():
    """MQ-DICE-3: one die each of attack, damage and soak, a thousand throws."""
    table, command, against = exchange(weapon=FISTS, dexterity=0, strength=1, stamina=1)
    dealt = Counter()
    for faces in product(range(1, 11), repeat=3):
        events = decide(table.state, command, table.ruleset, Script(tuple((face,) for face in faces)))
        (result,) = only(AttackResolved, events).results
        dealt[result.done.dealt if result.done else 0] += 1
    assert odds(against, Game(table.state, table.ruleset)).levels == (
        Fraction(dealt[0], 1000),
        Fraction(dealt[1], 1000),
    )


# ------------------------------------------------------------------ by hand


def test_the_odds_of_one_die_by_hand():
    """MQ-DICE-3, MQ-DMG-2: a half to hit, a half to wound, nothing to soak with; a tenth to botch."""
    table, _, against = exchange(dexterity=0, strength=0)
    ours = odds(against, Game(table.state, MASQUERADE))
    assert (ours.hit, ours.botch) == (Fraction(1, 2), Fraction(1, 10))
    assert ours.levels == (Fraction(3, 4), Fraction(1, 4))
    assert (ours.harms, ours.expected) == (Fraction(1, 4), Fraction(1, 4))
    assert (ours.at_least(0), ours.at_least(1), ours.at_least(2)) == (1, Fraction(1, 4), 0)


def test_who_is_down_already_is_down_for_certain():
    """MQ-HEALTH-2."""
    table, _, against = exchange(marks="XXXXXXX")
    ours = odds(against, Game(table.state, MASQUERADE))
    assert (ours.incapacitates, ours.kills) == (1, 0)


def test_every_state_out_of_action_counts_and_only_death_kills():
    """MQ-HEALTH-2."""
    states = {"incapacitated": Fraction(1, 2), "torpor": Fraction(1, 4), "dead": Fraction(1, 8)}
    chances = Odds(Fraction(1, 2), Fraction(0), (Fraction(1),), states)
    assert (chances.incapacitates, chances.kills) == (Fraction(7, 8), Fraction(1, 8))


def test_one_roll_wins_over_another():
    coin = Outcomes((1, 1), 0, 2)
    assert wins(coin, coin) == Fraction(1, 4)
    assert wins(coin, None) == Fraction(1, 2)
    assert wins(coin, coin, ahead=1) == Fraction(3, 4)
    assert wins(coin, coin, ahead=-1) == 0
