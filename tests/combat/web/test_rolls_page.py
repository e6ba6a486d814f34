"""The page for rolls outside fights: what it offers to whom, and the responses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse

from campaigns import services as campaigns
from campaigns.models import Chronicle, Role
from characters.models import Character
from combat.commands.outside import open_log
from combat.models import LogRow
from rules.model.roll import Extended, RollTraits
from rules.systems import RULESETS
from rules.topics.commands import RollOn
from tests.combat.commands.test_outside import told
from tests.combat.conftest import TRUE_NAME, FixedDice, Table

pytestmark = pytest.mark.django_db
HTMX = {"HTTP_HX_REQUEST": "true"}


def press(client: Any, log: Table, name: str, **said: Any) -> Any:
    return client.post(reverse("combat:do", args=[log.encounter_id, name]), {"key": "k", **said}, **HTMX)


def rolls_page(client: Any, log: Table, **query: Any) -> str:
    answer = client.get(reverse("combat:rolls", args=[log.encounter.chronicle_id]), query)
    assert answer.status_code == 200
    return str(answer.content.decode())


def test_the_page_offers_everybody_their_own(
    log: Table, signed_in: Callable[[Any], Any], storyteller: Any, player: Any, observer: Any
) -> None:
    whole = rolls_page(signed_in(storyteller), log)
    assert all(f'id="who-{pk}"' in whole for pk in log.ids.values())
    mine = rolls_page(signed_in(player), log)
    assert f'id="who-{log["Ilya"]}"' in mine
    assert not any(pk in mine for name, pk in log.ids.items() if name not in ("Ilya", "Marguerite"))
    watching = rolls_page(signed_in(observer), log)
    assert 'name="traits"' not in watching
    assert "You have no character to roll for." in watching


def test_many_are_picked_from_a_list(log: Table, signed_in: Callable[[Any], Any], storyteller: Any) -> None:
    for number in range(4):
        Character.objects.create(chronicle=log.encounter.chronicle, name=f"Extra {number}", kind="mortal")
    assert '<select name="who"' in rolls_page(signed_in(storyteller), log)


def test_a_sheet_that_house_rules_do_not_fit_keeps_nobody_away(
    log: Table, signed_in: Callable[[Any], Any], storyteller: Any, characters: dict[str, Any]
) -> None:
    Character.objects.filter(pk=log["Thug"]).update(marks=["lethal"] * 30)
    page = rolls_page(signed_in(storyteller), log)
    assert f'id="who-{log["Ilya"]}"' in page
    assert f'id="who-{log["Thug"]}"' not in page


def test_the_plan_stands_there_before_the_roll(log: Table, signed_in: Callable[[Any], Any], player: Any) -> None:
    """Wits 3 at difficulty 9. Of 1000 throws 294 show one hit and no 1, 84 two, 12 two and a 1, 8 three: 398."""
    page = rolls_page(signed_in(player), log, picked="1", traits="wits", difficulty="9")
    assert "MQ-DICE-1" in page
    assert "Roll 3 dice" in page
    assert "40%" in page


def test_a_preset_is_one_press(log: Table, signed_in: Callable[[Any], Any], storyteller: Any, player: Any) -> None:
    page = rolls_page(signed_in(storyteller), log, who=log["Ilya"], preset="3")
    assert 'value="charisma" id="trait-charisma" checked' in page
    assert 'value="resisted" id="kind-resisted" checked' in page
    assert '<option value="intimidation" selected>' in page
    page = rolls_page(signed_in(storyteller), log, who=log["Ilya"], preset="2")
    assert 'value="difficulty" id="kind-difficulty" checked' in page
    page = rolls_page(signed_in(player), log, preset="2")  # only the Storyteller may take a difficulty from Traits
    assert 'id="kind-difficulty"' not in page
    assert 'value="plain" id="kind-plain" checked' in page


@pytest.mark.servers
def test_the_chronicles_own_presets_are_there(log: Table, signed_in: Callable[[Any], Any], player: Any) -> None:
    Chronicle.objects.update(options={"own_rolls": ["Picking a lock: Dexterity + Security, 7"]})
    page = rolls_page(signed_in(player), log, preset="8")
    assert "Picking a lock" in page
    assert 'value="security" id="trait-security" checked' in page
    assert 'id="id_difficulty" min="2" max="10" inputmode="numeric" value="7"' in page


@pytest.mark.parametrize("preset", ["99", "-1", "x", "9" * 40, "9" * 5000, "٣"])
def test_an_unknown_preset_is_ignored(log: Table, signed_in: Callable[[Any], Any], player: Any, preset: str) -> None:
    assert "Roll" in rolls_page(signed_in(player), log, preset=preset)


def test_npcs_roll_behind_the_screen_unless_it_is_said_otherwise(
    log: Table, signed_in: Callable[[Any], Any], storyteller: Any
) -> None:
    client = signed_in(storyteller)
    assert 'id="id_secret" checked' in rolls_page(client, log, who=log[TRUE_NAME])
    assert 'id="id_secret" checked' not in rolls_page(client, log, who=log["Ilya"])
    assert 'id="id_secret" checked' not in rolls_page(client, log, who=log[TRUE_NAME], about=log[TRUE_NAME])
    assert 'id="id_secret" checked' in rolls_page(client, log, who=log[TRUE_NAME], about=log["Ilya"])


@pytest.mark.servers
def test_rolling_from_the_page(log: Table, signed_in: Callable[[Any], Any], player: Any) -> None:
    client = signed_in(player)
    answer = press(client, log, "roll", who=log["Ilya"], traits=["dexterity", "brawl"], kind="plain", difficulty="7")
    assert answer.status_code == 200
    assert 'id="pane-log"' in answer.content.decode()
    assert told(log, player)[0].startswith("Ilya, Dexterity + Brawl:")
    again = press(client, log, "roll", who=log["Ilya"], traits=["dexterity", "brawl"], kind="plain", difficulty="7")
    assert again.status_code == 200
    assert len(told(log, player)) == 1  # the same press
    faces = {"dice": "type", f"die-roll-{log['Ilya']}": ["6", "2", "3"]}
    said = {"who": log["Ilya"], "traits": "wits", "kind": "extended", "target": "50", "rolls": "9", **faces}
    long = press(client, log, "roll", **said, key="l")
    assert long.status_code == 200
    (going,) = log.view(player).rolls.going
    for name, key in (("roll-on", "m"), ("give-up", "n")):
        assert press(client, log, name, roll=going.id, key=key, **faces).status_code == 200
    assert told(log, player)[0] == "Ilya gives up: Wits."


def test_without_scripts_the_page_comes_back(log: Table, signed_in: Callable[[Any], Any], player: Any) -> None:
    url = reverse("combat:do", args=[log.encounter_id, "roll"])
    answer = signed_in(player).post(url, {"who": log["Ilya"], "traits": "wits", "key": "k"})
    assert answer.url == reverse("combat:rolls", args=[log.encounter.chronicle_id])
    refused = signed_in(player).post(url, {"who": log["Ilya"], "traits": "brawl", "key": "l"})
    assert refused.status_code == 422
    assert "Roll an Ability together with an Attribute." in refused.content.decode()


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({}, "Choose a Trait to roll."),
        ({"pool": "number"}, "Enter the number of dice."),
        ({"pool": "number", "number": "101"}, "less than or equal to 100"),
        ({"traits": "levitation"}, "Select a valid choice"),
        ({"traits": "generation"}, "Select a valid choice"),
        ({"traits": ["wits", "brawl", "melee"]}, "at most two Traits"),
        ({"traits": "wits", "difficulty": "11"}, "less than or equal to 10"),
        ({"traits": "wits", "kind": "resisted"}, "Choose an opponent."),
        ({"traits": "wits", "kind": "extended"}, "Enter the number of successes needed."),
        ({"traits": "wits", "kind": "extended", "target": "51"}, "less than or equal to 50"),
        ({"traits": "wits", "kind": "extended", "target": "5", "rolls": "0"}, "greater than or equal to 1"),
        ({"traits": "wits", "kind": "odd"}, "Select a valid choice"),
        ({"traits": "wits", "kind": "difficulty"}, "Select a valid choice"),
        ({"traits": "wits", "who": "nobody"}, "Select a valid choice"),
    ],
)
def test_bad_forms_come_back(
    log: Table, signed_in: Callable[[Any], Any], player: Any, said: dict[str, Any], why: str
) -> None:
    answer = press(signed_in(player), log, "roll", **{"who": log["Ilya"], **said})
    assert answer.status_code == 422
    assert answer["HX-Reswap"] == "innerHTML"
    assert why in answer.content.decode()
    assert not LogRow.objects.exists()


def test_dice_of_the_table_are_asked_for_beforehand(log: Table, signed_in: Callable[[Any], Any], player: Any) -> None:
    url = reverse("combat:form", args=[log.encounter_id, "roll"])
    asked = signed_in(player).get(url, {"traits": "wits", "picked": "1", "dice": "type"}, **HTMX).content.decode()
    assert asked.count(f'name="die-roll-{log["Ilya"]}"') == 3
    faces = {f"die-roll-{log['Ilya']}": ["7", "0", "2"]}
    assert (
        press(signed_in(player), log, "roll", who=log["Ilya"], traits="wits", dice="type", **faces).status_code == 200
    )
    assert [die.face for die in log.view(player).log.entries[0].rolls[0].dice] == [7, 10, 2]
    log.do(RollTraits(log["Ilya"], ("wits",), extended=Extended("x", 50)), dice=FixedDice(2))
    url = reverse("combat:form", args=[log.encounter_id, "roll-on"])
    asked = signed_in(player).get(url, {"roll": "x", "dice": "type"}, **HTMX).content.decode()
    assert asked.count(f'name="die-roll-{log["Ilya"]}"') == 3
    assert press(signed_in(player), log, "roll-on", roll="x", dice="type", key="o", **faces).status_code == 200
    assert log.state.extended[0].total == 2


def test_a_number_of_dice_is_rolled_without_traits(
    log: Table, signed_in: Callable[[Any], Any], storyteller: Any, player: Any
) -> None:
    """How many dice somebody else's character rolls isn't told."""
    assert "Roll 12 dice" in rolls_page(signed_in(storyteller), log, pool="number", number="12", picked="1")
    said = {"who": log["Thug"], "pool": "number", "number": "12", "traits": "wits"}
    assert press(signed_in(storyteller), log, "roll", **said).status_code == 200
    assert told(log, player)[0].startswith("Thug, Roll: ")
    (roll,) = log.view(storyteller).log.entries[0].rolls
    assert (len(roll.dice), roll.parts[0].label) == (12, "Number of dice")
    assert 'name="again"' not in rolls_page(signed_in(player), log)


def test_rerolls_are_chosen_and_typed(signed_in: Callable[[Any], Any], storyteller: Any, player: Any) -> None:
    """CD-DICE-5: of 8, 3 the 3 is rolled once more; then the 8 brings another die (8-again)."""
    chronicle = campaigns.create_chronicle(user=storyteller, name="Elsewhere", ruleset="chronicles")
    campaigns.add_member(chronicle=chronicle, user=player, role=Role.PLAYER)
    ann = Character.objects.create(chronicle=chronicle, name="Ann", owner=player, kind="mortal")
    log = Table(open_log(chronicle).pk, storyteller, {"Ann": ann.pk})
    field = f"die-roll-{ann.pk}"
    said = {"who": ann.pk, "pool": "number", "number": "2", "again": "8", "rote": "on", "dice": "type"}
    asked = press(signed_in(player), log, "roll", **said, **{field: ["8", "3"]})
    assert asked.status_code == 422
    assert asked.content.decode().count(f'name="{field}"') == 4
    assert press(signed_in(player), log, "roll", **said, **{field: ["8", "3", "7", "2"]}, key="l").status_code == 200
    (roll,) = log.view(player).log.entries[0].rolls
    assert ([part.label for part in roll.parts], roll.again) == (["Number of dice", "Rote action"], "8-again")
    page = rolls_page(signed_in(player), log, **said)
    assert 'id="id_rote" checked' in page
    assert '<option value="8" selected>8-again</option>' in page


def test_it_has_none_of_a_fights_pages(log: Table, signed_in: Callable[[Any], Any], storyteller: Any) -> None:
    client = signed_in(storyteller)
    for name in ("edit", "copy", "discard", "cast", "keys", "report", "report-markdown", "attack", "attack-plan"):
        address = reverse(f"combat:{name}", args=[log.encounter_id])
        assert client.get(address).status_code in (404, 405), name
        assert client.post(address).status_code in (404, 405), name
    for name in ("visibility", "begin", "declare", "attack"):
        assert press(client, log, name, who=log["Ilya"]).status_code == 404
        assert client.get(reverse("combat:form", args=[log.encounter_id, name])).status_code == 404
    answer = client.get(reverse("combat:encounter", args=[log.encounter_id]))
    assert answer.url == reverse("combat:rolls", args=[log.encounter.chronicle_id])
    assert "/rolls/" in client.get(reverse("campaigns:chronicle", args=[log.encounter.chronicle_id])).content.decode()


@pytest.mark.parametrize("ruleset", sorted(RULESETS))
def test_the_page_is_there_in_every_ruleset(
    signed_in: Callable[[Any], Any], storyteller: Any, player: Any, ruleset: str
) -> None:
    chronicle = campaigns.create_chronicle(user=storyteller, name="Elsewhere", ruleset=ruleset)
    campaigns.add_member(chronicle=chronicle, user=player, role=Role.PLAYER)
    ann = Character.objects.create(chronicle=chronicle, name="Ann", owner=player, kind="mortal", traits={"wits": 3})
    log = Table(open_log(chronicle).pk, storyteller, {"Ann": ann.pk})
    fixed = RULESETS[ruleset].mechanic.lowest == RULESETS[ruleset].mechanic.highest
    page = rolls_page(signed_in(player), log, picked="1", traits="wits", extra="2", difficulty="7")
    assert f"Roll {5 if fixed else 3} dice" in page
    assert ('name="difficulty"' in page, 'name="extra"' in page) == (not fixed, fixed)
    said = {"who": ann.pk, "traits": "wits", "kind": "plain", "extra": "2", "extra_why": "a lamp"}
    assert press(signed_in(player), log, "roll", **said).status_code == 200
    (roll,) = log.view(player).log.entries[0].rolls
    assert roll.pool == (5 if fixed else 3)
    assert all(part.rule for part in roll.parts)


@pytest.mark.servers
def test_an_extended_roll_is_paid_for_once(log: Table, signed_in: Callable[[Any], Any], player: Any) -> None:
    said = {"who": log["Ilya"], "traits": "wits", "kind": "extended", "target": "50", "willpower": "on"}
    page = rolls_page(signed_in(player), log, picked="1", **said)
    assert "(6 left)" in page
    assert "reaches 50" in page
    assert press(signed_in(player), log, "roll", **said).status_code == 200
    log.do(RollOn(log.state.extended[0].asked.id), by=player, dice=FixedDice(2))
    assert Character.objects.get(pk=log["Ilya"]).resources["willpower"] == 5
