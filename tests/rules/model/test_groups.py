"""Combatants that act and roll together: one initiative, one rank, one press for all their attacks."""

from __future__ import annotations

import pytest

from rules.engine.dice import Purpose, Throw
from rules.model.attack import Attack
from rules.model.choices import Defence
from rules.model.gear import Damage
from rules.model.groups import OneRoll
from rules.model.state import Side
from rules.systems.classic.apocalypse.system import APOCALYPSE
from rules.systems.classic.masquerade.system import MASQUERADE
from rules.systems.storytelling.first_edition.system import DARKNESS
from rules.systems.storytelling.second_edition.system import CHRONICLES
from rules.systems.wound_levels.system import WOUNDS
from rules.topics.attacks.mishaps import allies
from rules.topics.commands import (
    ChooseSide,
    Declare,
    EndTurn,
    Group,
    Harm,
    Join,
    Leave,
    Newcomer,
    ProposeAttack,
    RollInitiative,
    SetOrder,
    Ungroup,
)
from rules.topics.events import AttackResolved, Declared
from tests.rules.table import Table, Written, mortal


def gang(ruleset=MASQUERADE, **more) -> Table:
    """Three copies in a group, and a player's Ann."""
    thug = mortal(dexterity=2, wits=2, brawl=2, strength=2, composure=2, size=5, stamina=1)
    table = Table(ruleset, players=("ann",), ann=mortal(dexterity=2, wits=2, **more), one=thug, two=thug, six=thug)
    table.does(Group(("one", "two", "six")))
    return table


def bands(table: Table) -> dict[str, str]:
    return {who: each.band for who, each in table.state.combatants.items()}


@pytest.mark.parametrize("ruleset", [MASQUERADE, APOCALYPSE, DARKNESS, CHRONICLES])
def test_one_die_and_one_rank_for_all_of_them(ruleset):
    table = gang(ruleset)
    table.does(RollInitiative(), initiative={"ann": [2], "one": [9]})
    assert table.state.order == (("one", "two", "six"), ("ann",))
    scores = table.state.initiative
    assert {scores[who].total for who in ("one", "two", "six")} == {scores["one"].total}
    assert [scores[who].shared for who in ("one", "two", "six")] == [False, True, True]


def test_where_initiative_is_a_pool_it_is_rolled_once_too():
    table = gang(WOUNDS)
    table.does(RollInitiative(), initiative={"ann": [2, 2, 2, 2], "one": [9, 9, 2, 2]})
    assert table.state.order == (("one", "two", "six"), ("ann",))


@pytest.mark.parametrize(("ruleset", "wound"), [(MASQUERADE, 2), (APOCALYPSE, 2), (CHRONICLES, 4)])
@pytest.mark.parametrize(
    ("hurt", "order"),
    [
        (("one",), (("two", "six"), ("ann",), ("one",))),
        (("two", "six"), (("one",), ("ann",), ("two", "six"))),
    ],
)
def test_wounds_slow_only_those_of_a_group_who_have_them(ruleset, wound, hurt, order):
    """MQ-INIT-3, AP-INIT-3, CD-HEALTH-4: 9 + 4 for the unhurt, 8 + 4 for Ann, 9 + 3 for the hurt."""
    table = gang(ruleset, composure=2)
    for who in hurt:
        table.does(Harm(who, wound, Damage.LETHAL))
    table.does(RollInitiative(), initiative={"ann": [8], "one": [9]})
    assert table.state.order == order
    scores = table.state.initiative
    assert {who: (each.total, each.rating, each.wounds) for who, each in scores.items() if who != "ann"} == {
        who: (12, 3, -1) if who in hurt else (13, 4, 0) for who in ("one", "two", "six")
    }


def test_a_place_of_their_own_is_settled_like_any_other():
    """CD-INIT-2, CD-HEALTH-4: two and six tie with Ann, and roll once against her."""
    table = gang(CHRONICLES, composure=2)
    table.does(Harm("one", 4, Damage.LETHAL))
    table.does(RollInitiative(), initiative={"ann": [9], "one": [9]}, tie={"ann": [8], "two": [3]})
    assert table.state.order == (("ann",), ("two", "six"), ("one",))
    assert table.state.initiative["ann"].ties == (8,)


def test_a_kept_roll_keeps_the_traits_of_whoever_rolled_it():
    """AP-INIT-3: from the next turn on, wounds slow only the one who has them."""
    table = Table(APOCALYPSE, one=mortal(dexterity=3, wits=3), two=mortal(), six=mortal())
    table.does(Group(("one", "two", "six")))
    table.does(RollInitiative(), initiative={"one": [5]})
    table.does(Harm("two", 2, Damage.LETHAL))
    table.does(EndTurn())
    assert table.state.order == (("one", "six"), ("two",))
    assert {who: each.total for who, each in table.state.initiative.items()} == {"one": 11, "six": 11, "two": 10}


def test_who_is_named_again_brings_nobody_else_along():
    table = gang()
    table.does(RollInitiative(), initiative={"ann": [2], "one": [9]})
    table.does(RollInitiative(("two", "six")), initiative={"two": [1]})
    assert table.state.order == (("one",), ("ann",), ("two", "six"))


def test_who_acts_alone_again_rolls_alone_again():
    table = gang()
    table.does(Ungroup("two"))
    assert bands(table) == {"ann": "", "one": "one", "two": "", "six": "one"}
    table.does(RollInitiative(), initiative={"ann": [2], "one": [9], "two": [5]})
    assert table.state.order == (("one", "six"), ("two",), ("ann",))


def test_a_group_is_on_one_side_and_may_change_it():
    table = gang()
    assert {who: each.side for who, each in table.state.combatants.items()} == {
        "ann": Side.ALLIES,
        **dict.fromkeys(("one", "two", "six"), Side.ENEMIES),
    }
    assert not allies(table.state, "ann", "two")
    table.does(ChooseSide("two", "allies"))
    assert {each.side for each in table.state.combatants.values()} == {Side.ALLIES}
    assert allies(table.state, "ann", "two") == ("one", "six")
    table.does(ChooseSide("ann", "others"))
    assert not allies(table.state, "ann", "two")
    table.refuses("input", ChooseSide("ann", "nobody"))
    table.does(Join((Newcomer("cat", mortal(), side="allies"),)))
    assert table.state.combatants["cat"].side is Side.ALLIES


def test_a_group_outlives_whoever_led_it_but_not_its_last_but_one():
    table = gang()
    table.does(Ungroup("one"))
    assert bands(table) == {"ann": "", "one": "", "two": "two", "six": "two"}
    table.does(Ungroup("six"))
    assert set(bands(table).values()) == {""}


def test_a_group_outlives_one_who_leaves_the_fight():
    table = gang()
    table.does(Leave("one"))
    assert bands(table) == {"ann": "", "two": "two", "six": "two"}
    table.does(Leave("two"))
    assert bands(table) == {"ann": "", "six": ""}


def test_who_goes_over_to_another_group_leaves_the_first():
    table = gang()
    table.does(Join((Newcomer("ten", mortal()),)))
    table.does(Group(("ten", "six")))
    assert bands(table) == {"ann": "", "one": "one", "two": "one", "six": "ten", "ten": "ten"}
    table.does(Leave("ten"))
    table.does(Group(("one", "two", "six")))
    assert {bands(table)[who] for who in ("one", "two", "six")} == {"one"}


@pytest.mark.parametrize(
    "who", [("one",), ("one", "one"), ("one", "ann"), ("one", "nobody"), ("one", "two", "six"), ()]
)
def test_what_is_no_group(who):
    gang().refuses("input", Group(who))


def test_nobody_leaves_a_group_twice():
    table = gang()
    table.does(Ungroup("two"))
    table.refuses("input", Ungroup("two"))


# ------------------------------------------------------------------ declarations


def test_one_declaration_for_all_of_them():
    table = gang()
    table.initiative(ann=9, one=5)
    told = table.does(Declare("one", "we rush her", ("unarmed",), others=("two", "six", "one")))
    assert [event.by for event in told if isinstance(event, Declared)] == ["one", "two", "six"]
    assert {table.state.combatants[who].turn.declaration.text for who in ("one", "two", "six")} == {"we rush her"}


def test_each_of_them_declares_by_the_rules():
    table = gang()
    table.initiative(ann=9, one=5)
    table.does(SetOrder((("two",), ("ann",), ("one", "six"))))
    table.refuses("MQ-DECL-1", Declare("two", others=("one", "six")))
    table.does(Declare("one", others=("six",)))


# ------------------------------------------------------------------ attacks


def test_each_rolls_for_themselves():
    table = gang()
    faces = {"one": [6, 2, 2, 2], "two": [2, 2, 2, 2], "six": [6, 6, 2, 2]}
    events = table.does(
        Attack("one", ("ann",), others=("two", "six")),
        attack=faces,
        damage={"one": [6, 2], "six": [6, 6, 2]},
        soak={"ann": [2, 2]},
    )
    rolled = [event for event in events if isinstance(event, AttackResolved)]
    assert [(event.resolution, event.plan.by) for event in rolled] == [("r1", "one"), ("r2", "two"), ("r3", "six")]
    assert table.health("ann") == "///"


def test_one_roll_counts_for_all_of_them():
    table = gang()
    table.does(
        Attack("one", ("ann",), others=("two",), one_roll=True),
        attack={"one": [6, 2, 2, 2]},
        damage={"one": [6, 2], "two": [6, 6]},
        soak={"ann": [2, 2]},
    )
    assert table.health("ann") == "///"


def test_one_roll_grows_with_whoever_has_more_dice():
    shared = OneRoll(Written({"attack": [1, 2, 3], "soak": [9]}, picks=[1]))
    assert shared.roll(Throw(Purpose.ATTACK, "one", 2)) == (1, 2)
    assert shared.roll(Throw(Purpose.ATTACK, "two", 3)) == (1, 2, 3)
    assert shared.roll(Throw(Purpose.ATTACK, "six", 1)) == (1,)
    assert shared.roll(Throw(Purpose.SOAK, "ann", 1)) == (9,)
    assert shared.pick(2) == 1


def test_one_roll_goes_on_behind_the_dice_that_are_rolled_again():
    shared = OneRoll(Written({"attack": [10, 1, 2, 3, 4]}))
    assert shared.roll(Throw(Purpose.ATTACK, "one", 2)) == (10, 1)
    assert shared.roll(Throw(Purpose.ATTACK, "one", 1)) == (2,)
    assert shared.roll(Throw(Purpose.ATTACK, "two", 3)) == (10, 1, 2)
    assert shared.roll(Throw(Purpose.ATTACK, "two", 1)) == (3,)
    assert shared.roll(Throw(Purpose.ATTACK, "two", 1, "ann")) == (10,)


@pytest.mark.parametrize("ruleset", [DARKNESS, CHRONICLES])
def test_what_is_rolled_again_in_one_roll_counts_for_all_of_them(ruleset):
    thug = mortal(strength=3, brawl=2, size=5, stamina=1)
    table = Table(ruleset, ann=mortal(size=5, stamina=2), one=thug, two=thug)
    events = table.does(
        Attack("one", ("ann",), others=("two",), one_roll=True),
        attack={"one": [10, 2, 2, 2], "two": [8]},
    )
    # Ann's Defense is lower against the second attacker, who has one die more.
    attacks = [event.results[0].attack for event in events if isinstance(event, AttackResolved)]
    assert [each.roll.faces for each in attacks] == [(10, 2, 2, 2), (10, 2, 2, 2, 8)]
    assert table.health("ann") == "///"


def test_who_cannot_is_passed_over_and_what_is_left_to_defend_with_counts():
    table = gang(dodge=2)
    table.initiative(ann=9, one=1)
    command = Attack("one", ("ann",), others=("two", "six"), defences={"ann": Defence("dodge")})
    events = table.does(
        command,
        waive=["MQ-ORDER-1", "MQ-DECL-1"],
        attack={"one": [2, 2, 2, 2], "two": [2, 2, 2, 2], "six": [2, 2, 2, 2]},
        defence={"ann": [2, 2, 2, 2]},
    )
    kinds = [event.results[0].defence_kind for event in events if isinstance(event, AttackResolved)]
    assert kinds == ["dodge", "", ""]
    table.refuses("MQ-MULTI-1", command, waive=["MQ-ORDER-1", "MQ-DECL-1"])


def test_who_cannot_attack_is_passed_over():
    table = gang()
    table.does(Harm("two", 7, Damage.LETHAL))
    faces = {"one": [2, 2, 2, 2], "six": [2, 2, 2, 2]}
    events = table.does(Attack("one", ("ann",), others=("two", "six")), attack=faces)
    assert [event.plan.by for event in events if isinstance(event, AttackResolved)] == ["one", "six"]


def test_who_cannot_attack_is_not_announced():
    table = gang()
    table.does(Harm("two", 7, Damage.LETHAL))
    table.does(ProposeAttack("x", Attack("one", ("ann",), others=("two", "six"))))
    assert table.state.exchanges[0].attack.others == ("six",)


def test_each_attacks_once():
    gang().refuses("input", Attack("one", ("ann",), others=("two", "one")))
