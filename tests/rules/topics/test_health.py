"""Damage and healing, points, conditions, narration (MQ-HEALTH-2, MQ-HEAL-1, MQ-NARR-1)."""

from __future__ import annotations

import pytest

from rules.engine.messages import command_type
from rules.model.gear import Damage
from rules.model.roll import RollTraits
from rules.model.state import Encounter
from rules.model.system import Game
from rules.topics.changes import MOST_UNNARRATED, with_resolution
from rules.topics.commands import Act, ChangeConditions, End, Harm, Heal, Narrate, SetHealth, ShowRoll, Spend
from rules.topics.events import Harmed, Healed, HealthSet, Narrated, ResourceChanged, RollShown
from tests.rules.table import Table, boxes, marked, mortal, only, strike_at, vampire

B, L, A = Damage.BASHING, Damage.LETHAL, Damage.AGGRAVATED


# ------------------------------------------------------------------ harm


def test_harm_marks_what_it_says():
    """MQ-HEALTH-2: no soak, no armour."""
    table = Table(ann=vampire("//", stamina=5))
    told = table.does(Harm("ann", 2, L, why=" fell "))
    assert only(Harmed, told) == Harmed("ann", 2, L, "fell")
    assert marked(told) == "XX//"


def test_harm_brings_the_condition_that_follows_and_healing_takes_it_away():
    """MQ-HEALTH-2."""
    table = Table(ann=mortal())
    table.does(ChangeConditions("ann", add=frozenset({"prone"})))
    table.does(Harm("ann", 7, B))
    assert table.conditions("ann") == {"prone", "incapacitated"}
    table.does(Harm("ann", 7, B))
    assert table.conditions("ann") == {"prone", "dying"}
    table.does(Heal("ann", 1, L))
    assert table.conditions("ann") == {"prone"}


@pytest.mark.parametrize("amount", [0, -1, 101, 10**30])
def test_damage_has_a_sensible_amount(amount):
    Table(ann=mortal()).refuses("input", Harm("ann", amount, L))
    Table(ann=mortal()).refuses("input", Harm("zed", 1, L))


# ------------------------------------------------------------------ healing


def test_levels_of_a_mortal_are_healed_as_they_are_said():
    """MQ-HEAL-1."""
    table = Table(ann=mortal("*X///"))
    assert only(Healed, table.does(Heal("ann", 5, B))).healed == {"bashing": 3}
    assert table.health("ann") == "*X"
    table.refuses("input", Heal("ann", 1, B))


def test_mortals_heal_by_the_hour():
    """MQ-HEAL-1."""
    table = Table(ann=mortal("X///"))
    told = only(Healed, table.does(Heal("ann", hours=24)))
    assert (told.healed, told.hours, table.health("ann")) == ({"bashing": 3, "lethal": 1}, 24, "")


@pytest.mark.parametrize(
    "heal",
    [
        Heal("ann"),
        Heal("ann", 1),
        Heal("ann", None, B),
        Heal("ann", 0, B),
        Heal("ann", -1, B),
        Heal("ann", 101, B),
        Heal("ann", 1, B, 1),
        Heal("ann", hours=0),
        Heal("ann", hours=-5),
        Heal("ann", hours=10**12),
        Heal("zed", 1, B),
    ],
)
def test_healing_is_by_levels_or_by_time(heal):
    Table(ann=mortal("//")).refuses("input", heal)


def test_players_heal_with_blood_alone_and_let_no_time_pass():
    """MQ-HEAL-1."""
    table, reserved = Table(ann=vampire("*X/"), bob=mortal("X")), command_type(Heal).reserved
    game = Game(table.state, table.ruleset)
    assert not reserved(Heal("ann", 1, L), game)
    assert all(reserved(each, game) for each in (Heal("bob", 1, L), Heal("ann", 1, A), Heal("ann", hours=24)))
    table.does(End())
    assert reserved(Heal("ann", 1, L), Game(table.state, table.ruleset))


@pytest.mark.parametrize(("damage", "after"), [(B, "*X"), (L, "*/")])
def test_a_blood_point_heals_a_vampire_one_bashing_or_lethal_level(damage, after):
    """MQ-HEAL-1."""
    table = Table(ann=vampire("*X/", resources={"blood": 3}))
    table.does(Heal("ann", 1, damage))
    assert (table.health("ann"), table.sheet("ann").resources["blood"]) == (after, 2)


def test_healing_by_blood_is_an_action_of_its_own_for_each_level():
    """MQ-HEAL-1."""
    table = Table(ann=vampire("//", resources={"blood": 5}), bob=mortal())
    table.initiative(ann=9, bob=1)
    table.does(Act())
    table.refuses("MQ-HEAL-1", Heal("ann", 2, B))
    table.does(Heal("ann", 1, B))
    table.refuses("MQ-MULTI-1", Heal("ann", 1, B))
    table.refuses("MQ-MULTI-1", strike_at("ann", "bob"))


def test_nobody_in_torpor_heals_as_an_action():
    """MQ-HEAL-1, MQ-HEALTH-1."""
    Table(ann=vampire("XXXXXXX", resources={"blood": 5})).refuses("MQ-HEALTH-1", Heal("ann", 1, L))


def test_after_the_fight_healing_takes_nobodys_turn():
    """MQ-HEAL-1."""
    table = Table(ann=vampire("//", dexterity=2, resources={"blood": 5}), bob=mortal())
    table.initiative(ann=9, bob=1)
    table.attacks("ann", "bob", attack=[2])
    table.does(End())
    table.does(Heal("ann", 2, B))
    assert (table.health("ann"), table.sheet("ann").resources["blood"]) == ("", 3)


def test_without_the_blood_a_vampire_does_not_heal():
    """MQ-HEAL-1."""
    table = Table(ann=vampire("XX", resources={"blood": 1, "willpower": 0}))
    table.refuses("MQ-HEAL-1", Heal("ann", 2, L))
    table.refuses("input", Heal("ann", 1, A))
    table.does(Heal("ann", 2, L), waive={"MQ-HEAL-1"})
    assert (table.health("ann"), table.sheet("ann").resources["blood"]) == ("", 0)


def test_an_aggravated_level_takes_five_blood_points_and_a_point_of_willpower():
    """MQ-HEAL-1: and a day's rest."""
    table = Table(ann=vampire("**", resources={"blood": 7, "willpower": 2}))
    table.refuses("MQ-HEAL-1", Heal("ann", 2, A))
    told = only(Healed, table.does(Heal("ann", 1, A)))
    assert (told.healed, told.hours) == ({"aggravated": 1}, 24)
    assert table.sheet("ann").resources == {"blood": 2, "willpower": 1}
    poor = Table(ann=vampire("*", resources={"blood": 5, "willpower": 0}))
    poor.refuses("MQ-HEAL-1", Heal("ann", 1, A))


@pytest.mark.parametrize(
    ("hours", "blood", "willpower", "after"),
    [
        (23, 20, 5, "***"),
        (24, 20, 5, "**"),
        (72, 20, 5, ""),
        (72, 9, 5, "**"),
        (72, 20, 2, "*"),
        (240, 20, 5, ""),
        (24, 4, 5, "***"),
    ],
)
def test_each_day_of_rest_heals_the_dead_one_aggravated_level_that_they_pay_for(hours, blood, willpower, after):
    """MQ-HEAL-1."""
    table = Table(ann=vampire("***", resources={"blood": blood, "willpower": willpower}))
    table.does(Heal("ann", hours=hours))
    days = 3 - len(after)
    assert table.health("ann") == after
    assert table.sheet("ann").resources == {"blood": blood - 5 * days, "willpower": willpower - days}


# ------------------------------------------------------------------ the Storyteller's boxes


def test_the_storyteller_puts_the_boxes_as_she_says():
    """MQ-HEALTH-2: worst first, in any order given."""
    table = Table(ann=mortal("///////"))
    told = table.does(SetHealth("ann", boxes("/*X"), " a miracle "))
    assert only(HealthSet, told).why == "a miracle"
    assert (table.health("ann"), table.conditions("ann")) == ("*X/", set())
    table.does(SetHealth("ann", ()))
    assert table.health("ann") == ""
    table.refuses("input", SetHealth("ann", (B,) * 8))
    table.refuses("input", SetHealth("zed", ()))


# ------------------------------------------------------------------ points


def test_points_are_spent_and_brought_back():
    table = Table(ann=vampire(willpower=6, resources={"willpower": 4, "blood_pool": 8}))
    assert only(ResourceChanged, table.does(Spend("ann", "willpower", 3, " anger "))) == ResourceChanged(
        "ann", "willpower", 1, 3, "anger"
    )
    table.does(Spend("ann", "willpower", -5))
    table.does(Spend("ann", "blood_points", 2))
    resources = table.sheet("ann").resources
    assert (resources["willpower"], resources["blood"]) == (6, 6)


@pytest.mark.parametrize(
    ("resource", "amount"),
    [
        ("willpower", 0),
        ("willpower", -3),
        ("willpower", -(10**40)),
        ("blood", 1),
        ("luck", 1),
        ("", 1),
    ],
)
def test_nobody_spends_what_they_have_not_or_holds_more_than_their_most(resource, amount):
    Table(ann=mortal(willpower=6, resources={"willpower": 4})).refuses("input", Spend("ann", resource, amount))


@pytest.mark.parametrize("amount", [5, 10**40])
def test_a_rule_refuses_more_than_there_is(amount):
    """MQ-WILL-1; if the Storyteller waives it, all remaining points are spent."""
    table = Table(ann=mortal(willpower=6, resources={"willpower": 4}))
    table.refuses("MQ-WILL-1", Spend("ann", "willpower", amount))
    told = only(ResourceChanged, table.does(Spend("ann", "willpower", amount), waive=["MQ-WILL-1"]))
    assert (told.left, told.spent) == (0, 4)


def test_points_of_a_sheets_own_are_spent_too():
    table = Table(ann=mortal(resources={"good_luck": 2}))
    table.does(Spend("ann", "good_luck"))
    assert table.sheet("ann").resources["good_luck"] == 1
    table.refuses("input", Spend("ann", "good_luck", 2))
    table.refuses("input", Spend("zed", "good_luck", 2))


# ------------------------------------------------------------------ conditions and words


def test_conditions_come_and_go():
    table = Table(ann=mortal())
    told = table.does(ChangeConditions("ann", frozenset({"prone", "blinded"}), frozenset({"deafened"})))[0]
    assert (told.conditions, told.added, told.removed) == ({"prone", "blinded"}, {"prone", "blinded"}, set())
    table.does(ChangeConditions("ann", remove=frozenset({"prone"})))
    assert table.conditions("ann") == {"blinded"}


@pytest.mark.parametrize("names", [frozenset(), frozenset({""}), frozenset({"  "}), frozenset({"x" * 41})])
def test_a_condition_has_a_name(names):
    Table(ann=mortal()).refuses("input", ChangeConditions("ann", names))
    Table(ann=mortal()).refuses("input", ChangeConditions("zed", frozenset({"prone"})))


def test_every_attack_waits_for_the_storytellers_words():
    """MQ-NARR-1."""
    table = Table(ann=mortal(), bob=mortal())
    table.attacks("ann", "bob", attack=[2])
    table.does(RollTraits("ann", ("strength",)), roll=[2])
    assert table.state.unnarrated == ("r1",)
    assert only(Narrated, table.does(Narrate("r1", " Wide. "))).text == "Wide."
    assert table.state.unnarrated == ()
    table.does(Narrate("r2", "She strains."))


def test_the_dice_of_an_entry_are_shown_by_its_name():
    """No rule: the Storyteller decides."""
    table = Table(ann=mortal())
    assert table.does(ShowRoll("aw3fk2", shown=False)) == (RollShown("aw3fk2", False),)
    table.refuses("input", ShowRoll(""))


def test_only_the_newest_attacks_wait_for_words():
    """MQ-NARR-1."""
    state = Encounter()
    for number in range(MOST_UNNARRATED + 2):
        state = with_resolution(state, f"r{number}")
    assert state.unnarrated == tuple(f"r{number}" for number in range(2, MOST_UNNARRATED + 2))
    assert state.resolutions == MOST_UNNARRATED + 2


@pytest.mark.parametrize("resolution", ["", "r", "r0", "r2", "1", "r01", "rr1", "r-1", "r1 ", "r١", "r" + "9" * 5000])
def test_only_what_was_resolved_is_narrated(resolution):
    """MQ-NARR-1."""
    table = Table(ann=mortal(), bob=mortal())
    table.attacks("ann", "bob", attack=[2])
    table.refuses("input", Narrate(resolution, "Words."))
