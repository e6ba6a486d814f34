"""Powers that hide somebody or keep others from attacking them."""

from __future__ import annotations

import pytest

from rules.model.conditions import condition_of
from rules.model.power_words import duration_of, effects_of, end_of
from rules.model.system import Game
from rules.systems.classic.apocalypse.system import APOCALYPSE
from rules.topics.commands import ChangeConditions, SetDefaultDefence
from rules.topics.events import PowersChanged
from rules.topics.powers.beholding import BEGUILED, UNSEEN, beguiled, unseen
from tests.rules.table import MASQUERADE, PISTOL, Table, does, mortal, only, strike_at, vampire

POWERFUL = MASQUERADE.with_options({"powers": True})


@pytest.mark.parametrize("ruleset", [MASQUERADE, APOCALYPSE], ids=["off", "without the rule"])
def test_being_unseen_is_a_note_without_its_rule(ruleset):
    """MQ-POW-8: in Masquerade it belongs to the house rule of powers."""
    table = Table(ruleset, ann=mortal(), bob=mortal())
    table.does(ChangeConditions("bob", frozenset({UNSEEN})))
    assert unseen(Game(table.state, ruleset), "ann", "bob") is None
    assert table.attacks("ann", "bob", attack=[2]).outcome == "miss"


def test_the_storyteller_makes_somebody_unseen_without_a_power():
    """MQ-POW-8: any dot of Auspex in effect sees them."""
    table = Table(POWERFUL, ann=vampire(auspex=1), bob=mortal())
    table.does(ChangeConditions("bob", frozenset({UNSEEN})))
    table.refuses("MQ-POW-8", strike_at("ann", "bob"))
    table.does(does("ann", "heightened_senses"))
    assert unseen(Game(table.state, POWERFUL), "ann", "bob") is None


def test_the_storyteller_lets_somebody_strike_at_random():
    """MQ-POW-8: the rule can be waived."""
    table = Table(POWERFUL, ann=mortal(), bob=vampire(obfuscate=2))
    table.does(does("bob", "unseen_presence"))
    command = strike_at("ann", "bob")
    table.refuses("MQ-POW-8", command)
    table.does(command, waive=["MQ-POW-8"], attack=[2])


def test_only_the_one_who_entranced_is_spared():
    """MQ-POW-12: others who entrance the same target take the place of the first."""
    table = Table(POWERFUL, ann=vampire(presence=3, appearance=3), bob=mortal(), cid=vampire(presence=3, appearance=3))
    table.does(does("ann", "entrancement", "bob"), roll=[10, 10, 10])
    game = Game(table.state, POWERFUL)
    assert beguiled(game, "bob", "ann") is not None
    assert beguiled(game, "bob", "cid") is None
    assert beguiled(game, "ann", "bob") is None
    table.does(does("cid", "entrancement", "bob"), roll=[10, 10, 10])
    game = Game(table.state, POWERFUL)
    assert beguiled(game, "bob", "ann") is None
    assert beguiled(game, "bob", "cid") is not None


def test_darkness_hinders_shots_as_its_ruleset_says():
    """AP-SIT-2, MQ-POW-5: in Masquerade being blinded is no more than a note."""
    for ruleset, refused in ((APOCALYPSE, True), (POWERFUL, False)):
        table = Table(ruleset, ann=mortal(weapons=(PISTOL,)), bob=mortal())
        table.does(ChangeConditions("ann", frozenset({"blinded"})))
        if refused:
            table.refuses("AP-SIT-2", strike_at("ann", "bob", "pistol"))
        else:
            assert table.attacks("ann", "bob", "pistol", attack=[2]).outcome == "miss"


def test_these_conditions_are_more_than_notes():
    assert condition_of(UNSEEN).works
    assert condition_of(BEGUILED).works


@pytest.mark.parametrize("power", ["unseen_presence", "cloak_of_shadows"])
def test_nobody_answers_an_attack_that_they_cant_see(power):
    """MQ-POW-8, MQ-POW-16: neither by default nor with the best defence."""
    table = Table(POWERFUL, ann=vampire(obfuscate=2), bob=mortal(dexterity=4, dodge=4))
    table.does(does("ann", power))
    table.does(SetDefaultDefence(("bob",), "dodge"))
    command = strike_at("ann", "bob")
    answer, why = POWERFUL.answers(Game(table.state, POWERFUL), command, "bob")
    assert (answer, why.rule) == ("", "MQ-POW-8")
    table.does(command, attack=[2])
    assert table.sheet("ann").powers == ()


def test_a_power_until_the_next_action_outlasts_what_takes_none():
    """MQ-POW-16: it isn't ended by its own use, but by any further action."""
    table = Table(POWERFUL, ann=vampire(obfuscate=1, presence=1, auspex=1), bob=mortal())
    table.does(does("ann", "cloak_of_shadows"))
    table.does(does("ann", "heightened_senses"))
    assert UNSEEN in table.conditions("ann")
    events = table.does(does("ann", "awe"), roll=[2])
    (gone,) = only(PowersChanged, events).ended
    assert (gone.key, table.conditions("ann")) == ("cloak_of_shadows", set())


def test_powers_say_when_they_end_and_what_they_need():
    """MQ-POW-11, MQ-POW-16."""
    powers = {each.key: each for each in POWERFUL.powers}
    cloak = powers["cloak_of_shadows"]
    assert duration_of(cloak) == "until the next action"
    assert end_of(cloak.in_effect(cloak.effects), 1) == "next action"
    assert [end_of(powers[key].in_effect(()), 1) for key in ("awe", "shadow_play")] == ["next attack", "scene"]
    assert duration_of(powers["dread_gaze"]) == "for 1 turn, and this one"
    assert duration_of(powers["mesmerise"]) == "a turn per success, and this one"
    assert effects_of(powers["dread_gaze"], POWERFUL)[1].endswith("put to flight (from 3 successes)")
