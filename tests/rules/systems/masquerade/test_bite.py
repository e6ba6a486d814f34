"""Bites, drinking and the Kiss (MQ-BITE-1 to MQ-BITE-3)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.model.gear import Damage
from rules.model.system import Game
from rules.strike.attack import plan_attack
from rules.systems.classic.masquerade.bite import DRUNK
from rules.systems.classic.masquerade.system import MASQUERADE
from rules.topics.commands import ChangeConditions, EndTurn, Harm, Leave
from rules.topics.events import BloodDrunk, CheckRolled, Harmed, MoveMade, ResourceChanged
from rules.topics.grapples.grapple import GRAPPLES
from tests.rules.table import Table, does, mortal, only, parts, strike_at, vampire

PLAYED = MASQUERADE.with_options({"manoeuvres": True, "bite": True})


def table(ruleset=PLAYED, **sheets):
    ann = vampire(strength=2, brawl=1, generation=13, resources={"blood": 4})
    return Table(ruleset, **({"ann": ann, "bob": mortal(willpower=1)} | sheets))


def bitten(how="kiss", check=(2,), **sheets):
    """Ann has seized and bitten Bob."""
    made = table(**sheets)
    made.attacks("ann", "bob", "", "grapple", attack=[6, 2])
    dice = {"check": list(check)} if check else {}
    made.does(strike_at("ann", "bob", "", how), attack=[6, 2], **dice)
    return made


def test_teeth_are_a_part_of_the_damage_and_aggravated():
    """MQ-BITE-1."""
    made = table()
    made.attacks("ann", "bob", "", "grapple", attack=[6, 2])
    (against,) = plan_attack(Game(made.state, PLAYED), strike_at("ann", "bob", "", "bite")).against
    assert (against.damage_type, against.damage.pool) == (Damage.AGGRAVATED, 3)
    assert parts(against.damage)["bite"] == ("MQ-BITE-1", 1)
    (against,) = plan_attack(Game(made.state, PLAYED), strike_at("ann", "bob", "", "kiss")).against
    assert (against.damage.pool, against.damage.outright) == (0, True)


def test_a_bite_is_told_and_a_miss_is_none():
    """MQ-BITE-1."""
    made = table()
    made.attacks("ann", "bob", "", "grapple", attack=[6, 2])
    told = made.does(strike_at("ann", "bob", "", "kiss"), attack=[2, 2])
    assert not [event for event in told if isinstance(event, MoveMade)]
    told = made.does(strike_at("ann", "bob", "", "kiss"), attack=[6, 2], check=[8])
    assert (only(MoveMade, told).move, only(CheckRolled, told).passed) == ("bite", True)
    assert made.conditions("ann") == {"feeding", "grappled"}


def test_only_the_kind_bites_and_kinds_like_it():
    """MQ-BITE-1: a chronicle's own kind that is like a vampire bites too."""
    table(ann=mortal()).refuses("MQ-BITE-1", strike_at("ann", "bob", "", "bite"))
    own = replace(MASQUERADE.kinds["vampire"], key="revenant", like="vampire")
    made = table(PLAYED.with_kinds([own]), ann=mortal(kind="revenant"))
    made.does(ChangeConditions("bob", frozenset({"unconscious"})))
    made.does(strike_at("ann", "bob", "", "kiss"), attack=[6])
    assert made.conditions("ann") == {"feeding", "grappled"}


def test_a_waived_rule_seizes_whom_it_bites():
    """MQ-BITE-1: nobody is in two grapples, and the biter has the grip."""
    made = table(cyd=mortal(brawl=1))
    made.attacks("cyd", "ann", "", "grapple", attack=[6, 2])
    both = {"MQ-BITE-1", "MQ-MAN-4"}
    made.does(strike_at("ann", "bob", "", "kiss"), waive=both, attack=[6, 2], check=[2])
    (grapple,) = GRAPPLES.of(made.state)
    assert (grapple.one, grapple.other, made.conditions("cyd")) == ("ann", "bob", set())
    made.does(does("ann", "drink"))
    assert made.health("bob") == "XXX"


def test_what_is_drunk_is_neither_spent_nor_regained():
    """MQ-BITE-2: neither limit of the turn changes."""
    made = bitten(check=None, bob=vampire(resources={"blood": 9}))
    told = made.does(does("ann", "drink", points=2))
    assert only(BloodDrunk, told).points == 2
    changed = [event for event in told if isinstance(event, ResourceChanged)]
    assert [(event.who, event.left, event.spent) for event in changed] == [("ann", 6, 0), ("bob", 7, 0)]
    assert not [event for event in told if isinstance(event, Harmed)]


def test_the_turn_remembers_who_drank():
    """MQ-BITE-2."""
    made = table()
    made.initiative(ann=9, bob=2)
    made.attacks("ann", "bob", "", "grapple", attack=[6, 2])
    made.does(EndTurn())
    made.initiative(ann=9, bob=2)
    made.does(strike_at("ann", "bob", "", "kiss"), attack=[6, 2], check=[2])
    made.does(does("ann", "drink", points=1))
    assert DRUNK.of(made.turn("ann"))
    made.refuses("MQ-BITE-2", does("ann", "drink"))
    made.does(EndTurn())
    assert not DRUNK.of(made.turn("ann"))


@pytest.mark.parametrize(
    ("blood", "bob"), [(10, mortal(willpower=1)), (4, vampire(resources={"blood": 0}))], ids=["full", "empty"]
)
def test_there_is_room_and_blood_or_none_is_drunk(blood, bob):
    """MQ-BITE-2."""
    ann = vampire(strength=2, brawl=1, generation=13, resources={"blood": blood})
    made = bitten(check=None if bob.kind == "vampire" else (2,), ann=ann, bob=bob)
    made.refuses("MQ-BITE-2", does("ann", "drink"))


def test_nobody_drinks_from_the_dead():
    """MQ-BITE-2, MQ-MAN-4."""
    made = bitten(bob=mortal("******", willpower=1), check=None)
    made.does(Harm("bob", 1, Damage.AGGRAVATED))
    assert (made.conditions("ann"), made.conditions("bob")) == (set(), {"dead"})
    made.refuses("MQ-BITE-2", does("ann", "drink"))


@pytest.mark.parametrize("key", ["drink", "stop_drinking"])
def test_nothing_is_drunk_without_a_bite(key):
    """MQ-BITE-2: the Storyteller's word alone is not a bite."""
    made = table()
    made.does(ChangeConditions("ann", frozenset({"feeding"})))
    made.refuses("MQ-BITE-2", does("ann", key))


def test_the_one_bitten_does_not_drink():
    """MQ-BITE-2."""
    made = bitten(check=None, bob=vampire(resources={"blood": 3}))
    made.does(ChangeConditions("bob", frozenset({"feeding"})))
    made.refuses("MQ-BITE-2", does("bob", "drink"))


@pytest.mark.parametrize("leaver", ["ann", "bob"])
def test_a_bite_is_over_when_one_leaves(leaver):
    """MQ-BITE-2, MQ-BITE-3."""
    made = bitten()
    assert made.conditions("bob") == {"entranced", "grappled"}
    made.does(Leave(leaver))
    (left,) = made.state.combatants
    assert made.conditions(left) == set()


def test_a_bite_is_over_when_the_storyteller_loosens_the_grip():
    """MQ-BITE-2, MQ-BITE-3."""
    made = bitten()
    made.does(ChangeConditions("bob", remove=frozenset({"grappled"})))
    assert made.conditions("ann") == made.conditions("bob") == set()


def test_a_bite_is_over_when_the_biter_goes_down():
    """MQ-BITE-2, MQ-BITE-3, MQ-MAN-4."""
    made = bitten()
    made.does(Harm("ann", 7, Damage.LETHAL))
    assert (made.conditions("ann"), made.conditions("bob")) == ({"torpor"}, set())


def test_the_entranced_lose_their_turn():
    """MQ-BITE-3."""
    made = bitten()
    made.refuses("MQ-BITE-3", strike_at("bob", "ann"))
    assert PLAYED.turns.hindrance(made.state, "bob") == "entranced"


# ------------------------------------------------------------------ by the Storyteller's leave


@pytest.mark.parametrize("key", ["drink", "stop_drinking"])
def test_without_a_grapple_there_is_nobody_to_drink_from(key):
    """MQ-BITE-2, even if the rule is waived."""
    made = table()
    made.does(ChangeConditions("ann", frozenset({"feeding"})))
    made.refuses("input", does("ann", key), waive={"MQ-BITE-2"})


def test_what_the_full_drink_is_wasted_and_the_empty_give_nothing():
    """MQ-BITE-2."""
    ann = vampire(strength=2, brawl=1, generation=13, resources={"blood": 10})
    made = bitten(check=None, ann=ann, bob=vampire(resources={"blood": 2}))
    made.does(does("ann", "drink"), waive={"MQ-BITE-2"})
    assert [made.sheet(who).resources["blood"] for who in ("ann", "bob")] == [10, 0]
    made.refuses("input", does("ann", "drink"), waive={"MQ-BITE-2"})
