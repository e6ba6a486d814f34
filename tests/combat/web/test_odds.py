"""The odds in the attack's form: all of them for the Storyteller, for players only what they may know."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse

from rules.topics.commands import ChangeConditions
from tests.combat.conftest import TRUE_NAME, Table, bar_fight

pytestmark = pytest.mark.django_db


@pytest.fixture
def plan(signed_in: Callable[[Any], Any]) -> Callable[..., str]:
    """plan(table, user, **fields) -> the plan in the attack's form, as text."""

    def shown(table: Table, user: Any, **fields: Any) -> str:
        answer = signed_in(user).get(reverse("combat:attack-plan", args=[table.encounter_id]), fields)
        assert answer.status_code == 200
        return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", answer.content.decode())).split())

    return shown


def test_the_storyteller_sees_every_chance_with_the_best_defence_and_without(
    fight: Table, storyteller: Any, plan: Callable[..., str]
) -> None:
    """MQ-DEF-1: Marguerite dodges with five dice, and cannot block blades."""
    words = plan(fight, storyteller, who=fight["Ilya"], at=fight["Marguerite"], defence="")
    for told in ("no defence", "best:", "average", "hits", "harms", "fells", "kills", "botch"):
        assert told in words
    assert "that many or more" in words


def test_a_defence_that_was_picked_stands_beside_the_best(
    fight: Table, storyteller: Any, plan: Callable[..., str]
) -> None:
    weapon = next(each.key for each in fight.state.combatants[fight["Ilya"]].sheet.weapons if each.mode == "melee")
    best = plan(fight, storyteller, who=fight["Ilya"], at=fight["Marguerite"], weapon=weapon, defence="dodge")
    assert "no defence best: Dodge" in best
    fists = plan(fight, storyteller, who=fight["Ilya"], at=fight["Thug 1"], weapon="unarmed", defence="dodge")
    assert "no defence Dodge best: Block" in fists


def test_players_learn_nothing_of_how_well_a_target_defends(
    fight: Table, player: Any, plan: Callable[..., str]
) -> None:
    words = plan(fight, player, who=fight["Ilya"], at=fight[TRUE_NAME])
    assert "hits if undefended" in words
    for secret in ("best:", "no defence", "fells", "kills", "average", "harms"):
        assert secret not in words


@pytest.mark.parametrize("whose", ["storyteller", "player"])
def test_what_hits_by_itself_shows_no_chance_of_a_botch(
    hunt: Table,
    plan: Callable[..., str],
    request: pytest.FixtureRequest,
    whose: str,
) -> None:
    """AP-SIT-7."""
    hunt.do(ChangeConditions(hunt["Gunman"], frozenset({"immobilized"})))
    words = plan(hunt, request.getfixturevalue(whose), who=hunt["Wolf"], at=hunt["Gunman"])
    assert "Hits automatically" in words
    assert re.search(r"hits(?: if undefended)? 100%", words)
    titles = r"Rule: .*?\([A-Z]+-[A-Z]+-\d+\)"
    assert "botch" not in re.sub(titles, "", words)


def test_a_defense_that_applies_by_itself_is_compared_to_the_best_answer(
    chronicle: Any, storyteller: Any, plan: Callable[..., str]
) -> None:
    """CD-DEF-1, CD-DODGE-1: Defense 2 is what a target has who does nothing; a dodge is better, and costs the turn."""
    traits = {"strength": 4, "brawl": 4, "dexterity": 2, "wits": 2, "size": 5}
    bar = bar_fight(chronicle, storyteller, {"Mara": None, "Thug": None}, traits, name="Test knife", mode="melee")
    asked = {"who": bar["Mara"], "at": bar["Thug"], "weapon": "unarmed"}
    words = plan(bar, storyteller, **asked)
    assert "Defense best: Dodge" in words
    assert "no defence" not in words
    bar.do(ChangeConditions(bar["Thug"], frozenset({"dodging"})))
    assert "without Defense Defense average" in plan(bar, storyteller, **asked)
    bar.do(ChangeConditions(bar["Thug"], frozenset({"surprised"})))
    assert "no defence average" in plan(bar, storyteller, **asked)
    assert "Nobody is asked" in plan(bar, storyteller, **asked, defence="ask")
