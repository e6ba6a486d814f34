"""Specialties in the roll builder and the attack form: whom they are offered to, and what they do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse

from characters.models import Character
from combat.models import LogRow
from rules.topics.commands import Attack, ProposeAttack
from tests.combat.conftest import TRUE_NAME, Table, bar_fight
from tests.combat.web.test_rolls_page import press, rolls_page
from tests.kept import kept

pytestmark = pytest.mark.django_db


@pytest.fixture
@kept
def ilya(characters: dict[str, Any]) -> Character:
    one: Character = characters["Ilya"]
    Character.objects.filter(pk=one.pk).update(specialties={"wits": ["Traps"], "melee": ["Knives"]})
    return one


def test_a_roll_offers_the_rollers_specialties(
    ilya: Character, log: Table, signed_in: Callable[[Any], Any], player: Any
) -> None:
    client = signed_in(player)
    page = rolls_page(client, log, who=log["Ilya"], picked="1", traits="wits", specialty="Traps")
    assert '<option value="Traps" selected>Traps (Wits)</option>' in page
    assert "MQ-DICE-9" in page
    # One in another Trait does not count.
    page = rolls_page(client, log, who=log["Ilya"], picked="1", traits="wits", specialty="Knives")
    assert "MQ-DICE-9" not in page
    answer = press(client, log, "roll", who=log["Ilya"], traits="wits", specialty="Traps")
    assert answer.status_code == 200
    row = LogRow.objects.filter(encounter_id=log.encounter_id).latest("seq")
    (modifier,) = row.command["modifiers"]
    assert modifier["key"] == "specialty"


def test_a_house_rule_takes_specialties_out_of_rolls(
    ilya: Character, log: Table, signed_in: Callable[[Any], Any], player: Any
) -> None:
    chronicle = ilya.chronicle
    chronicle.options = {"specialties": False}
    chronicle.save()
    assert 'name="specialty"' not in rolls_page(signed_in(player), log, who=log["Ilya"])


def test_an_attack_offers_those_in_its_traits(
    ilya: Character, draft: Table, signed_in: Callable[[Any], Any], player: Any
) -> None:
    fight = draft.begin()
    client = signed_in(player)
    url = reverse("combat:attack", args=[fight.encounter_id])
    about = {"who": fight["Ilya"], "at": fight["Thug 1"]}
    assert 'name="specialty"' not in client.get(url, about | {"weapon": "unarmed"}).content.decode()
    sword = next(each.key for each in fight.state.combatants[fight["Ilya"]].sheet.weapons if each.mode == "melee")
    page = client.get(url, about | {"weapon": sword}).content.decode()
    assert '<option value="Knives">Knives (' in page
    plan = reverse("combat:attack-plan", args=[fight.encounter_id])
    assert "MQ-DICE-9" not in client.get(plan, about | {"weapon": sword}).content.decode()
    told = client.get(plan, about | {"weapon": sword, "specialty": "Knives"}).content.decode()
    assert "MQ-DICE-9" in told
    assert "10-again" in told


@pytest.fixture
@kept
def defender(characters: dict[str, Any]) -> Character:
    one: Character = characters["Ilya"]
    special = {"dodge": ["Sidestep"], "melee": ["Knives"], "wits": ["Traps"]}
    Character.objects.filter(pk=one.pk).update(specialties=special)
    return one


@pytest.fixture
@kept
def attacked(defender: Character, draft: Table) -> Table:
    """The player's vampire has to answer an attack."""
    fight = draft.begin().turn()
    fight.do(ProposeAttack("e1", Attack(fight[TRUE_NAME], (fight["Ilya"],))))
    return fight


def answering(client: Any, fight: Table) -> str:
    url = reverse("combat:form", args=[fight.encounter_id, "answer"])
    return str(client.get(url, {"answer": f"e1 {fight['Ilya']}"}).content.decode())


def test_a_defence_offers_those_in_its_traits(attacked: Table, signed_in: Callable[[Any], Any], player: Any) -> None:
    """MQ-DICE-9."""
    client = signed_in(player)
    page = answering(client, attacked)
    assert '<option value="Sidestep">Sidestep (Dodge)</option>' in page
    assert '<option value="Knives">Knives (Melee)</option>' in page
    assert "Traps" not in page
    said = {"exchange": "e1", "target": attacked["Ilya"], "kind": "dodge"}
    # A dodge isn't rolled with Melee.
    refused = press(client, attacked, "answer", **said, specialty="Knives")
    assert refused.status_code == 422
    assert "Choose a specialty in one of the Traits that are rolled." in refused.content.decode()
    assert press(client, attacked, "answer", **said, specialty="Sidestep").status_code == 200
    row = LogRow.objects.filter(encounter_id=attacked.encounter_id).latest("seq")
    (modifier,) = row.command["defence"]["modifiers"]
    assert (modifier["key"], modifier["figures"]["name"]) == ("specialty", "Sidestep")
    log = client.get(reverse("combat:encounter", args=[attacked.encounter_id])).content.decode()
    assert "Sidestep" in log
    assert "MQ-DICE-9" in log


def test_without_the_house_rule_a_defence_offers_none(
    attacked: Table, signed_in: Callable[[Any], Any], player: Any
) -> None:
    chronicle = attacked.encounter.chronicle
    chronicle.options = {"specialties": False}
    chronicle.save()
    assert 'name="specialty"' not in answering(signed_in(player), attacked)


@pytest.fixture
@kept
def bar(chronicle: Any, storyteller: Any, player: Any) -> Table:
    traits = {"strength": 3, "dexterity": 2, "brawl": 2, "size": 5}
    people = {"Ann": player, "Bob": None, "Cy": None}
    weapon = {"name": "Test bottle", "mode": "melee", "damage": 1}
    return bar_fight(chronicle, storyteller, people, traits, **weapon)


def test_a_grapple_offers_them_and_its_plan_counts_the_die(
    bar: Table, signed_in: Callable[[Any], Any], player: Any
) -> None:
    """CD-DICE-6."""
    client = signed_in(player)
    url = reverse("combat:form", args=[bar.encounter_id, "action"])
    asked = {"who": bar["Ann"], "action": "grapple", "at": bar["Bob"]}
    assert 'name="specialty"' not in client.get(url, asked).content.decode()
    specialise(bar, "Ann", {"brawl": ["Holds"], "athletics": ["Running"]})
    page = client.get(url, asked).content.decode()
    assert '<option value="Holds">Holds (Brawl)</option>' in page
    assert "Running" not in page
    assert "CD-DICE-6" not in page
    planned = client.get(url, asked | {"specialty": "Holds"}).content.decode()
    assert "CD-DICE-6" in planned
    assert press(client, bar, "action", **asked, specialty="Holds").status_code == 200
    row = LogRow.objects.filter(encounter_id=bar.encounter_id).latest("seq")
    (modifier,) = row.command["modifiers"]
    assert (modifier["key"], modifier["figures"]["name"]) == ("specialty", "Holds")


def specialise(fight: Table, name: str, special: dict[str, list[str]]) -> None:
    """Give a combatant's character these specialties, as an edit of the sheet does."""
    from characters import services
    from characters.models import Character as Sheet

    one = Sheet.objects.get(name=name)
    by = one.chronicle.memberships.get(user=fight.storyteller)
    data = services.SheetData(name=one.name, kind=one.kind, traits=one.traits, specialties=special)
    services.update_sheet(by=by, character=one, sheet=data, version=one.version)
