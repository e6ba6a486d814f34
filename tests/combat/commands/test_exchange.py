"""Answers to an attack: by the person asked, by default, and at the deadline."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from django.urls import reverse

from rules.model.attack import Attack
from rules.model.choices import Defence
from rules.model.gear import Damage
from rules.topics import commands
from rules.topics.commands import ProposeAttack
from tests.combat.commands.announcing import HTMX, announced, page, post, sentences
from tests.combat.conftest import TRUE_NAME, FixedDice, Table

pytestmark = pytest.mark.django_db

# ------------------------------------------------------------------ the question


def test_a_choice_says_what_it_does_to_the_odds(fight: Table, player: Any, other_player: Any) -> None:
    """Another player's dice are no secret: the chances are exact."""
    announced(fight, player)
    fight.do(commands.ApproveAttack("mine"))
    for audience in ("storyteller", other_player):
        (ask,) = fight.view(audience).asks.defences  # type: ignore[union-attr]
        chances = {choice.kind: dict(choice.chances) for choice in ask.choices if choice.allowed}
        assert set(chances) >= {"", "dodge"}
        assert float(chances["dodge"]["hits"].rstrip("%")) < float(chances[""]["hits"].rstrip("%"))


def test_what_a_player_is_told_of_the_odds_comes_from_their_own_dice_alone(fight: Table, player: Any) -> None:
    """The question is the same whether the thug is a weakling or a titan in plate armour."""
    fight.do(ProposeAttack("x", Attack(fight["Thug 1"], (fight["Ilya"],))))
    (weak,) = fight.view(player).asks.defences  # type: ignore[union-attr]
    sheet = fight.state.combatants[fight["Thug 1"]].sheet
    titan = replace(sheet, traits={**sheet.traits, "strength": 10, "dexterity": 10, "brawl": 10})
    fight.do(commands.ReviseSheet(fight["Thug 1"], titan))
    (strong,) = fight.view(player).asks.defences  # type: ignore[union-attr]
    assert strong == weak
    dodge = next(choice for choice in weak.choices if choice.kind == "dodge")
    assert [label for label, _text in dodge.chances] == ["cancels 1+", "cancels 2+", "cancels 3+"]
    (hers,) = fight.view("storyteller").asks.defences  # type: ignore[union-attr]
    assert [label for label, _text in hers.choices[0].chances][:2] == ["hits", "harms"]


def test_why_an_attack_cannot_be_made_is_not_for_its_target(fight: Table, player: Any) -> None:
    """The thug falls while the player is asked: every answer stays open, and nothing reveals why the attack fails."""
    fight.do(ProposeAttack("x", Attack(fight["Thug 1"], (fight["Ilya"],))))
    fight.do(commands.ChangeConditions(fight["Thug 1"], add=frozenset({"incapacitated"})))
    (ask,) = fight.view(player).asks.defences  # type: ignore[union-attr]
    assert all(choice.allowed for choice in ask.choices)
    fight.do(commands.AnswerAttack("x", fight["Ilya"], Defence("dodge")), by=player)
    assert fight.view("storyteller").asks.waiting  # type: ignore[union-attr]


# ------------------------------------------------------------------ defences by default


def test_a_default_is_set_for_one_or_for_the_group(
    draft: Table, storyteller: Any, signed_in: Callable[[Any], Any]
) -> None:
    """Already in the draft."""
    said = {"who": draft["Thug 1"], "defence": "dodge", "group": "on"}
    assert post(draft, signed_in(storyteller), "default-defence", **said).status_code == 200
    rows = {row.name: row.answers for row in draft.view("storyteller").order.rows()}
    assert (rows["Thug 1"], rows["Thug 2"], rows["Ilya"]) == ("Dodge", "Dodge", "")


def test_approving_an_attack_on_somebody_with_a_default_rolls_it(fight: Table, player: Any) -> None:
    fight.do(commands.SetDefaultDefence((fight["Thug 1"],), "dodge"))
    announced(fight, player, at="Thug 1")
    fight.do(commands.ApproveAttack("mine"))
    assert fight.state.exchanges == ()
    assert any("answers by default: dodge" in sentence for sentence in sentences(fight, "storyteller"))
    assert not any("by default" in sentence for sentence in sentences(fight, player))


def test_a_default_that_cannot_be_is_said_plainly(fight: Table, player: Any) -> None:
    fight.do(commands.SetDefaultDefence((fight["Thug 1"],), "parry"))
    announced(fight, player, at="Thug 1", weapon="Test pistol")
    fight.do(commands.ApproveAttack("mine"))
    (told,) = [sentence for sentence in sentences(fight, "storyteller") if "can’t" in sentence]
    assert told.startswith("Thug 1 would answer with parry but can’t: ")


def test_a_player_settles_their_own_default(
    fight: Table, player: Any, other_player: Any, signed_in: Callable[[Any], Any]
) -> None:
    said = {"who": fight["Ilya"], "defence": "dodge"}
    assert post(fight, signed_in(player), "default-defence", **said).status_code == 200
    assert fight.state.combatants[fight["Ilya"]].default_defence == "dodge"
    assert any("Default defence" in sentence for sentence in sentences(fight, player))
    assert not any("Default defence" in sentence for sentence in sentences(fight, other_player))
    fight.do(ProposeAttack("x", Attack(fight["Thug 1"], (fight["Ilya"],))))
    assert fight.view(player).asks.defences  # type: ignore[union-attr]


def test_the_desk_attacks_whoever_answers_by_themselves_in_one_press(
    fight: Table, storyteller: Any, signed_in: Callable[[Any], Any]
) -> None:
    fight.do(commands.SetDefaultDefence((fight["Thug 1"],), "dodge"))
    client = signed_in(storyteller)
    asked = {"who": fight["Ilya"], "at": fight["Thug 1"]}
    answer = client.get(page(fight), asked, **HTMX)
    assert "Default: Dodge" in answer.content.decode()
    assert answer.context["form"].value("defence") == "ask"
    said = asked | {"weapon": "unarmed", "defence": "ask"}
    assert post(fight, client, "attack", **said).status_code == 200
    assert fight.state.exchanges == ()
    (entry, *_before) = fight.view("storyteller").log.entries
    assert {roll.purpose for roll in entry.rolls} >= {"attack", "dodge"}


def test_another_target_on_the_desk_answers_as_they_do(
    fight: Table, storyteller: Any, signed_in: Callable[[Any], Any]
) -> None:
    fight.do(commands.SetDefaultDefence((fight["Thug 1"],), "dodge"))
    client, old = signed_in(storyteller), fight["Thug 2"]

    def defence(at: str, chosen: str, of: str) -> str:
        said = {"who": fight["Ilya"], "at": fight[at], "defence": chosen, "defence_of": of}
        answer = client.get(page(fight), said, **HTMX)
        assert f'name="defence_of" value="{fight[at]}"' in answer.content.decode()
        return str(answer.context["form"].value("defence"))

    assert defence("Thug 1", "", old) == "ask"
    assert defence("Marguerite", "dodge", old) == "ask"
    assert defence("Thug 2", "ask", fight["Thug 1"]) == ""
    assert defence("Thug 2", "dodge", old) == "dodge"


def test_rolling_goes_on_without_an_answer(fight: Table, player: Any) -> None:
    fight.do(ProposeAttack("x", Attack(fight["Thug 1"], (fight["Ilya"],))))
    fight.do(commands.ResolveAttack("x"), dice=FixedDice(9))
    assert fight.state.exchanges == ()


def test_whoever_is_down_is_the_last_to_be_struck_at_and_marked(
    fight: Table, player: Any, storyteller: Any, signed_in: Callable[[Any], Any]
) -> None:
    fight.do(commands.Harm(fight["Thug 1"], 7, Damage.LETHAL))
    fight.do(commands.Harm(fight[TRUE_NAME], 7, Damage.LETHAL))
    fight.do(commands.SetVisibility(fight[TRUE_NAME], health_shown="nothing"))
    for user, last in ((storyteller, {"Thug 1 (down)", f"{TRUE_NAME} (down)"}), (player, {"Thug 1 (down)"})):
        form = signed_in(user).get(page(fight), {"who": fight["Ilya"]}, **HTMX).context["form"]
        names = [name for _who, name in form.fields["at"].choices]
        assert set(names[-len(last) :]) == last
        assert not any("(down)" in name for name in names[: -len(last)])


def test_a_player_is_told_how_many_dice_to_roll_and_types_them(
    fight: Table, signed_in: Any, player: Any, other_player: Any
) -> None:
    ilya, thug = fight["Ilya"], fight["Thug 1"]
    fight.do(commands.ProposeAttack("own", Attack(ilya, (thug,)), by_hand=True), by=player)
    client, address = signed_in(player), [fight.encounter_id, "resolve"]
    said: dict[str, Any] = {"exchange": "own", "dice": "type", "key": "k"}
    assert client.post(reverse("combat:do", args=address), said, HTTP_HX_REQUEST="true").status_code == 403
    fight.do(commands.ApproveAttack("own"))
    if fight.state.exchanges[0].asked:
        assert client.post(reverse("combat:do", args=address), said, HTTP_HX_REQUEST="true").status_code == 403
        fight.do(commands.AnswerAttack("own", thug, Defence()))
    (waiting,) = fight.view(player).asks.waiting  # type: ignore[union-attr]
    assert (waiting.pool, waiting.difficulty) == (6, 6)
    page = client.get(reverse("combat:encounter", args=[fight.encounter_id])).content.decode()
    assert "Roll 6 dice against difficulty 6." in page
    form = client.get(reverse("combat:form", args=address), said, HTTP_HX_REQUEST="true").content.decode()
    assert form.count(f'name="die-attack-{ilya}"') == 6
    said[f"die-attack-{ilya}"] = ["8", "8", "8", "2", "2", "2"]
    assert signed_in(other_player).post(reverse("combat:do", args=address), said).status_code in (403, 422)
    said[f"die-damage-{ilya}"] = ["10"]  # ignored: its number would tell how the defence went
    assert signed_in(player).post(reverse("combat:do", args=address), said, HTTP_HX_REQUEST="true").status_code == 200
    (roll,) = (each for each in fight.view(player).log.entries[0].rolls if each.purpose == "attack")
    assert sorted(die.face for die in roll.dice) == [2, 2, 2, 8, 8, 8]
