"""Called shots, stakes, disarming, grapples and falls in Masquerade (MQ-MAN-1 to MQ-MAN-6)."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction

import pytest

from rules.model import points
from rules.model.gear import Fault
from rules.model.results import Outcome
from rules.model.system import Game
from rules.odds.attacks import odds
from rules.strike.attack import plan_attack
from rules.systems.classic.masquerade.system import MASQUERADE
from rules.topics.actions import why_not
from rules.topics.attacks.prepare import FISTS
from rules.topics.commands import ChangeConditions, Leave, Spend
from rules.topics.events import Disarmed, GrappleEnded, Hurt, MoveMade
from rules.topics.grapples.grapple import GRAPPLES
from tests.rules.odds.test_odds import exchange, played
from tests.rules.table import KNIFE, PISTOL, Table, does, mortal, only, parts, strike_at, vampire

PLAYED = MASQUERADE.with_options({"manoeuvres": True})
STAKE = replace(KNIFE, name="stake", tags=frozenset({"stake"}))


def table(**sheets):
    return Table(PLAYED, **({"ann": mortal(strength=3, brawl=1), "bob": mortal()} | sheets))


def clinched(**sheets):
    """Ann has seized Bob."""
    made = table(**sheets)
    made.attacks("ann", "bob", "", "grapple", attack=[6, 2])
    return made


def planned(made, by, at, weapon="", *mods, **more):
    (against,) = plan_attack(Game(made.state, made.ruleset), strike_at(by, at, weapon, *mods, **more)).against
    return against


# ------------------------------------------------------------------ called shots and stakes


@pytest.mark.parametrize(
    ("aim", "difficulty", "dice"),
    [
        ("target_medium", 7, 2),
        ("called_hand", 8, 3),
        ("called_head", 8, 3),
        ("target_head", 8, 3),
        ("target_precise", 9, 4),
        ("stake", 9, 4),
    ],
)
def test_an_aim_is_a_part_of_both_pools(aim, difficulty, dice):
    """MQ-MAN-1, MQ-MAN-2."""
    made = table(ann=mortal(weapons=(STAKE,)))
    against = planned(made, "ann", "bob", "stake", aim)
    assert (against.attack.difficulty, against.damage.pool) == (difficulty, dice)
    key = "called_head" if aim == "target_head" else aim
    assert parts(against.attack)[key] == ("MQ-MAN-2" if aim == "stake" else "MQ-MAN-1", difficulty - 6)
    assert parts(against.damage).get(key, ("", 0))[1] == dice - 2


def test_the_head_is_free_where_only_the_older_house_rule_is_played():
    """MQ-VAMP-1."""
    assert MASQUERADE.circumstances.rule("head").key == "target_head"
    assert PLAYED.circumstances.rule("head").key == "called_head"
    assert "target_head" not in PLAYED.circumstances.played


def test_a_stake_is_offered_with_a_stake_only():
    """MQ-MAN-2."""
    fits = PLAYED.modifiers["stake"].fits
    assert fits is not None
    assert [fits(each) for each in (STAKE, KNIFE)] == [True, False]


def test_conditions_count_only_with_the_house_rule():
    """MQ-MAN-2, MQ-MAN-5, MQ-MAN-6."""
    for key in ("held", "staked", "prone", "immobilized"):
        assert PLAYED.conditions[key].rule
        assert not MASQUERADE.conditions[key].rule
    assert "held" in {each.key for each in PLAYED.conditions.offered}
    assert "held" not in {each.key for each in MASQUERADE.conditions.offered}
    assert "held" in {each.key for each in MASQUERADE.conditions}


# ------------------------------------------------------------------ disarming


def test_a_disarm_takes_successes_by_strength():
    """MQ-MAN-3."""
    needed = {}
    for strength in (0, 1, 2, 3, 4, 5):
        made = table(ann=mortal(weapons=(KNIFE,)), bob=mortal(strength=strength, weapons=(KNIFE,)))
        against = planned(made, "ann", "bob", "knife", "disarm")
        needed[strength] = against.needed
        assert [part.rule for part in against.needs] == ["MQ-MAN-3"]
    assert needed == {0: 1, 1: 1, 2: 1, 3: 2, 4: 2, 5: 3}


@pytest.mark.parametrize(("distance", "difficulty"), [(None, 8), (1, 6), (30, 10)])
def test_a_shot_at_a_weapon_is_harder(distance, difficulty):
    """MQ-MAN-3."""
    made = table(ann=mortal(weapons=(PISTOL,)), bob=mortal(weapons=(KNIFE,)))
    assert planned(made, "ann", "bob", "pistol", "disarm", distance=distance).attack.difficulty == difficulty


def test_what_is_knocked_away_is_told_and_is_no_damage():
    """MQ-MAN-3."""
    made = table(ann=mortal(weapons=(KNIFE,)), bob=mortal(weapons=(PISTOL, KNIFE)))
    told = made.does(strike_at("ann", "bob", "knife", "disarm"), attack=[7])
    lost = only(Disarmed, told)
    assert (lost.who, lost.weapon, lost.rule, lost.taken) == ("bob", "pistol", "MQ-MAN-3", False)
    assert (made.weapon("bob", "pistol").fault, made.health("bob")) == (Fault.DROPPED, "")
    made.attacks("ann", "bob", "knife", "disarm", attack=[7])
    assert made.weapon("bob", "knife").fault is Fault.DROPPED
    made.refuses("MQ-MAN-3", strike_at("ann", "bob", "knife", "disarm"))
    # If the Storyteller allows it anyway, there is still nothing to lose.
    told = made.does(strike_at("ann", "bob", "knife", "disarm"), waive={"MQ-MAN-3"}, attack=[7])
    assert not [event for event in told if isinstance(event, Disarmed)]


# ------------------------------------------------------------------ grapples


def test_a_grapple_has_one_with_the_grip():
    """MQ-MAN-4."""
    made = clinched()
    (grapple,) = GRAPPLES.of(made.state)
    assert (grapple.one, grapple.other, grapple.holders) == ("ann", "bob", frozenset())
    assert made.conditions("ann") == made.conditions("bob") == {"grappled"}


def test_a_miss_seizes_nobody():
    """MQ-MAN-4."""
    made = table()
    made.attacks("ann", "bob", "", "grapple", attack=[2, 2])
    assert not GRAPPLES.of(made.state)


def test_squeezing_is_rolled_and_soaked():
    """MQ-MAN-4."""
    made = clinched(bob=mortal(stamina=2))
    told = made.does(does("ann", "grapple_damage"), damage=[6, 6, 6], soak=[6, 2])
    done = only(Hurt, told).done
    assert (done.levels, done.soaked, done.dealt, only(Hurt, told).rule) == (3, 1, 2, "MQ-MAN-4")
    assert made.health("bob") == "//"


def test_who_may_do_what():
    """MQ-MAN-4, MQ-MAN-5."""
    made = clinched()

    def possible(who):
        game = Game(made.state, PLAYED)
        return {key for key in ("break_free", "grapple_damage", "hold", "let_go") if why_not(game, key, who) is None}

    assert possible("ann") == {"grapple_damage", "hold", "let_go"}
    assert possible("bob") == {"break_free", "grapple_damage"}
    made.does(does("ann", "hold"), roll=[6, 6, 2, 2], resist=[2])
    assert possible("ann") == {"grapple_damage", "let_go"}
    assert possible("bob") == {"break_free"}


@pytest.mark.parametrize("key", ["break_free", "grapple_damage", "hold", "let_go"])
def test_nothing_is_done_in_a_grapple_that_there_is_not(key):
    """MQ-MAN-4: the Storyteller's word alone is not a grapple."""
    made = table()
    made.does(ChangeConditions("ann", frozenset({"grappled"})))
    made.refuses("MQ-MAN-5" if key == "hold" else "MQ-MAN-4", does("ann", key))


def test_who_leaves_lets_go():
    """MQ-MAN-4."""
    made = clinched()
    made.does(Leave("ann"))
    assert made.conditions("bob") == set()


def test_a_waived_rule_ends_the_grapple_before():
    """MQ-MAN-4: nobody is in two."""
    made = clinched(cyd=mortal(brawl=1))
    told = made.does(strike_at("cyd", "bob", "", "grapple"), waive={"MQ-MAN-4"}, attack=[6, 2])
    assert only(GrappleEnded, told)
    (grapple,) = GRAPPLES.of(made.state)
    assert (grapple.one, grapple.other, made.conditions("ann")) == ("cyd", "bob", set())


def test_somebody_in_a_grapple_may_still_give_no_answer():
    """MQ-MAN-4."""
    made = clinched(cyd=mortal(brawl=1))
    made.refuses("MQ-MAN-4", strike_at("cyd", "bob", defence="dodge"))
    assert made.attacks("cyd", "bob", defence="", attack=[2, 2]).outcome is Outcome.MISS


def test_moves_are_told_with_their_rule():
    """MQ-MAN-4, MQ-MAN-5."""
    made = clinched()
    told = made.does(does("ann", "hold"), roll=[6, 6, 2, 2], resist=[2])
    assert only(MoveMade, told).rule == "MQ-MAN-5"
    told = made.does(does("bob", "break_free"), roll=[6], resist=[2, 2, 2, 2])
    assert (only(MoveMade, told).move, only(MoveMade, told).rule) == ("break_free", "MQ-MAN-4")


def test_without_the_house_rule_there_are_no_such_actions():
    """MQ-MAN-4 to MQ-MAN-6."""
    made = Table(MASQUERADE, ann=mortal(), bob=mortal())
    made.does(ChangeConditions("ann", frozenset({"grappled", "prone"})))
    for key in ("break_free", "grapple_damage", "hold", "let_go", "knockdown", "rise", "drink", "stop_drinking"):
        made.refuses("input", does("ann", key))


# ------------------------------------------------------------------ chances


MIXED = [
    {"mods": ("grapple",), "weapon": FISTS},
    {"mods": ("grapple",), "weapon": FISTS, "defence": "block"},
    {"mods": ("disarm",), "strength": 1, "weapons": (KNIFE,)},
    {"mods": ("disarm",), "weapons": (KNIFE,), "defence": "dodge"},
    {"mods": ("called_head",), "marks": "XXXXX"},
    {"mods": ("knockdown",), "weapon": FISTS, "marks": "//////"},
]


@pytest.mark.parametrize("fight", MIXED)
def test_chances_are_what_comes_of_every_throw(fight):
    """MQ-MAN-1, MQ-MAN-3, MQ-MAN-4, MQ-MAN-6."""
    made, command, against = exchange(PLAYED, **fight)
    ours = odds(against, Game(made.state, made.ruleset))
    levels: Counter[int] = Counter()
    outcomes: Counter[Outcome] = Counter()
    for chance, result, _conditions in _without_falls(made, command, against):
        levels[result.done.dealt if result.done else 0] += chance
        outcomes[result.outcome] += chance
    assert sum(levels.values()) == 1
    assert {n: chance for n, chance in enumerate(ours.levels) if chance} == dict(levels)
    assert (ours.hit, ours.botch) == (outcomes[Outcome.HIT], outcomes[Outcome.BOTCH])


def _without_falls(made, command, against):
    """Every outcome, without the check of a fall, which changes no level that the odds count."""
    plain = replace(command, modifiers=tuple(each for each in command.modifiers if each.key != "knockdown"))
    if plain == command:
        return played(made, command, against)
    harder = replace(plain, modifiers=(*plain.modifiers, replace(command.modifiers[0], key="cramped")))
    return played(made, harder, against)


def test_a_disarm_does_no_damage_at_all():
    """MQ-MAN-3, MQ-MAN-4."""
    made = table(ann=mortal(brawl=1, weapons=(KNIFE,)), bob=mortal(weapons=(KNIFE,)))
    for mods in (("disarm",), ("grapple",)):
        against = planned(made, "ann", "bob", "", *mods)
        assert (against.damage.pool, against.damage.outright, against.overage) == (0, True, False)
        assert odds(against, Game(made.state, made.ruleset)).expected == Fraction(0)


def test_the_house_rule_is_on_in_new_chronicles():
    """MQ-MAN-1, MQ-BITE-1."""
    options = {each.key: each for each in MASQUERADE.options}
    assert [(options[key].default, options[key].begun) for key in ("manoeuvres", "bite")] == [(False, True)] * 2


@pytest.mark.parametrize(("ruleset", "barred"), [(PLAYED, {"staked": "MQ-MAN-2"}), (MASQUERADE, {})])
def test_a_stake_keeps_blood_in_only_with_the_house_rule(ruleset, barred):
    """MQ-MAN-2."""
    made = Table(ruleset, ann=vampire(resources={"blood": 3}))
    assert points.bars(Game(made.state, ruleset), "blood") == barred
    made.does(ChangeConditions("ann", frozenset({"staked"})))
    if barred:
        made.refuses("MQ-MAN-2", Spend("ann", "blood"))
    else:
        made.does(Spend("ann", "blood"))
        assert made.sheet("ann").resources == {"blood": 2}


# ------------------------------------------------------------------ by the Storyteller's leave


@pytest.mark.parametrize("key", ["break_free", "grapple_damage", "hold", "let_go"])
def test_without_a_grapple_there_is_nobody_to_do_it_to(key):
    """MQ-MAN-4, MQ-MAN-5, even if the rule is waived."""
    made = table()
    made.refuses("input", does("ann", key), waive={"MQ-MAN-4", "MQ-MAN-5"})


def test_the_one_seized_turns_the_tables_if_allowed():
    """MQ-MAN-5."""
    made = clinched()
    made.does(does("bob", "hold"), waive={"MQ-MAN-5"}, roll=[6], resist=[2, 2, 2, 2])
    (grapple,) = GRAPPLES.of(made.state)
    assert (grapple.one, grapple.other, grapple.holders) == ("bob", "ann", {"bob"})
    assert made.conditions("ann") == {"grappled", "held"}
    made.refuses("MQ-MAN-5", does("ann", "let_go"))
    made.does(does("ann", "break_free"), roll=[6, 2, 2, 2], resist=[2])
    assert not GRAPPLES.of(made.state)


def test_the_one_with_the_grip_wrestles_free_if_allowed():
    """MQ-MAN-4."""
    made = clinched()
    made.does(does("ann", "break_free"), waive={"MQ-MAN-4"}, roll=[6, 2, 2, 2], resist=[2])
    assert not GRAPPLES.of(made.state)
