"""Exact odds with steps between successes and boxes, verified with icepool."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import icepool
import pytest

from rules.model.damage_steps import wound
from rules.model.gear import Armor, Damage, Mode, Weapon
from rules.model.system import Game
from rules.odds.attacks import odds
from rules.strike.attack import plan_attack
from rules.systems.storytelling.second_edition.system import CHRONICLES
from rules.topics.commands import ChangeConditions
from tests.rules.table import Table, mortal, strike_at

CERTAIN = 12
"""Successes up to which icepool counts; the averages cover the rest."""

MACHETE = Weapon("machete", Mode.MELEE, 2, type=Damage.LETHAL, form="slashing")
AX = Weapon("ax", Mode.MELEE, 3, type=Damage.LETHAL, form="slashing", again=9)
RIFLE = Weapon("rifle", Mode.FIREARM, 4, type=Damage.LETHAL, form="ballistic", range=(200, 400, 800), clip=5, rounds=5)
KEVLAR = Armor("kevlar", 1, ballistic=3)


def die(again: int):
    """The die of one die's successes, rerolled to a depth at which the remainder is negligible."""
    one = icepool.Die({0: 7, 1: 3})
    for _ in range(CERTAIN):
        deeper = one + 1

        def read(face: int, deeper: object = deeper) -> object:
            return deeper if face >= again else int(face >= 8)

        one = icepool.d10.map(read, star=False)
    return one


def planned(weapon: Weapon, dots: int, **target):
    table = Table(
        CHRONICLES,
        ann=mortal(strength=dots, weaponry=dots, brawl=dots, dexterity=dots, firearms=dots, weapons=(weapon,)),
        bob=mortal(kind=target.pop("kind", "mortal"), dexterity=2, wits=2, **target),
    )
    (against,) = plan_attack(Game(table.state, CHRONICLES), strike_at("ann", "bob", weapon.name)).against
    return table, against


FIGHTS = [
    (weapon, dots, target)
    for weapon, dots, target in product(
        (MACHETE, AX, RIFLE), (1, 2, 4), ({}, {"armor": (KEVLAR,)}, {"kind": "vampire"}, {"marks": "XX///"})
    )
]


@pytest.mark.parametrize(("weapon", "dots", "target"), FIGHTS)
def test_steps_are_costed_as_icepool_counts_them(weapon, dots, target):
    """CD-DICE-1, CD-DMG-1, CD-ARM-1, CD-ARM-2, CD-VAMP-2."""
    marks = target.get("marks", "")
    table, against = planned(weapon, dots, **{key: value for key, value in target.items() if key != "marks"})
    if marks:
        table, against = hurt(weapon, dots, marks)
    found = odds(against, Game(table.state, CHRONICLES))
    if against.attack.chance:
        assert found.hit == Fraction(1, 10)
        assert found.dramatic == Fraction(1, 10)
        return
    pool = against.attack.pool @ die(against.attack.again)
    for successes in range(CERTAIN):
        points, _told = wound(successes, against.damage_type, against.steps)
        same = [
            n
            for n in range(CERTAIN)
            if sum(wound(n, against.damage_type, against.steps)[0].values()) == sum(points.values())
        ]
        chance = sum((pool.probability(n) for n in same), Fraction(0))
        assert found.levels[sum(points.values())] == pytest.approx(float(chance), abs=1e-9)
    expected = sum(
        (
            float(chance) * sum(wound(n, against.damage_type, against.steps)[0].values())
            for n, chance in zip(pool.outcomes(), pool.probabilities(), strict=True)
        ),
        0.0,
    )
    assert float(found.expected) == pytest.approx(expected, abs=1e-6)
    assert sum(found.levels) == 1
    assert found.kills <= found.incapacitates <= 1


def hurt(weapon: Weapon, dots: int, marks: str):
    table = Table(
        CHRONICLES,
        ann=mortal(strength=dots, weaponry=dots, dexterity=dots, firearms=dots, weapons=(weapon,)),
        bob=mortal(marks, dexterity=2, wits=2),
    )
    (against,) = plan_attack(Game(table.state, CHRONICLES), strike_at("ann", "bob", weapon.name)).against
    return table, against


def test_what_puts_somebody_out_of_action_is_counted_box_by_box():
    """CD-HEALTH-2, CD-HEALTH-5."""
    table, against = hurt(MACHETE, 3, "XXXX")
    found = odds(against, Game(table.state, CHRONICLES))
    # Seven boxes, four of them lethal: one success and the bonus of two fill the track with lethal damage.
    assert found.incapacitates == found.hit
    assert set(found.states) == {"unconscious", "dead"}
    assert found.kills == found.states["dead"] < found.hit


def test_a_killing_blow_is_certain():
    """CD-DEF-3."""
    table, _against = planned(MACHETE, 3)
    table.does(ChangeConditions("bob", frozenset({"unconscious"})))
    (against,) = plan_attack(Game(table.state, CHRONICLES), strike_at("ann", "bob", "machete", "killing_blow")).against
    found = odds(against, Game(table.state, CHRONICLES))
    assert found.hit == 1
    assert found.levels[8] == 1
    assert found.expected == 8
    assert found.dramatic == found.exceptional == 0
