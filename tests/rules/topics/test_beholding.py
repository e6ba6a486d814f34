"""Powers that hide somebody or keep others from attacking them."""

from __future__ import annotations

import pytest

from rules.model.conditions import condition_of
from rules.model.system import Game
from rules.systems.classic.apocalypse.system import APOCALYPSE
from rules.topics.commands import ChangeConditions
from rules.topics.powers.beholding import BEGUILED, UNSEEN, beguiled, unseen
from tests.rules.table import MASQUERADE, PISTOL, Table, does, mortal, strike_at, vampire

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
