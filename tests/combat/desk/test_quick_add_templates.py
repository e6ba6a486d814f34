"""“3 gunmen, knives” from the library: the chronicle's own templates first, then the ruleset's, in every language."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from characters.models import Character, Template
from characters.tables import load
from combat.desk.quick_add import close_to, find_begun, find_whole
from rules.systems.classic.masquerade.system import MASQUERADE
from tests.combat.conftest import Table, make_character
from tests.combat.desk.test_quick_add import add, names

__all__ = ["add"]

pytestmark = [pytest.mark.servers, pytest.mark.django_db]


def newest(fight: Table, count: int) -> list[Any]:
    return list(fight.state.combatants.values())[-count:]


def test_copies_of_a_shipped_template_join_as_a_group(fight: Table, add: Callable[..., Any]) -> None:
    load()
    cast = Character.objects.count()
    assert add("5 soldiers, clubs").status_code == 200
    joined = newest(fight, 5)
    assert [each.sheet.name for each in joined] == [f"Soldier {number}" for number in range(1, 6)]
    assert len({each.band for each in joined}) == 1
    assert {each.group for each in joined} == {"template:soldier"}
    assert all(each.character == "" and not each.player for each in joined)
    sheet = joined[0].sheet
    assert [weapon.name for weapon in sheet.weapons] == ["Club", "Assault rifle", "Knife"]
    assert [armor.name for armor in sheet.armor] == ["Flak jacket"]
    assert sheet.traits["firearms"] == 3
    assert Character.objects.count() == cast, "nothing is added to the cast"


def test_fixed_pools_join_too(fight: Table, add: Callable[..., Any]) -> None:
    assert add("2 dogs").status_code == 200
    (dog, _other) = newest(fight, 2)
    assert dog.sheet.pools == {"attack": 5, "perception": 6, "health": 5}
    assert len(MASQUERADE.health.levels(dog.sheet)) == 5
    assert dog.sheet.traits["wits"] == 3


@pytest.mark.parametrize("words", ["2 officers", "2 Polizisten", "2x officer", "2 Polizist", "2 offi"])
def test_singular_plural_and_each_language(fight: Table, add: Callable[..., Any], words: str) -> None:
    assert add(words).status_code == 200
    assert names(fight)[-2:] == ["Officer 1", "Officer 2"]


def test_a_plural_of_its_own(fight: Table, add: Callable[..., Any]) -> None:
    assert add("2 Werwölfe").status_code == 200
    assert names(fight)[-1] == "Werewolf 2"


def test_a_single_one_has_no_number_while_the_name_is_free(fight: Table, add: Callable[..., Any]) -> None:
    assert add("hunter?").status_code == 200
    assert (names(fight)[-1], newest(fight, 1)[0].hidden) == ("Hunter", True)
    assert add("hunter").status_code == 200
    assert names(fight)[-1] == "Hunter 2"


def test_own_templates_go_before_shipped_ones_and_the_cast_before_both(
    fight: Table, add: Callable[..., Any], chronicle: Any
) -> None:
    Template.objects.create(chronicle=chronicle, name="Guard", traits={"brawl": 5})
    assert add("2 guards").status_code == 200
    assert newest(fight, 1)[0].sheet.traits == {"brawl": 5}
    guard = make_character(chronicle, "Guard")
    assert add("guard").status_code == 200
    assert newest(fight, 1)[0].character == guard.pk


def test_what_is_in_the_bin_or_elsewhere_is_not_found(
    fight: Table, add: Callable[..., Any], chronicle: Any, storyteller: Any
) -> None:
    Template.objects.create(chronicle=chronicle, name="Zombie", binned=timezone.now())
    assert "No character is called “zombies” yet" in add("2 zombies").content.decode()


def test_what_nobody_is_called_suggests_what_was_meant(fight: Table, add: Callable[..., Any]) -> None:
    answer = add("3 soldeirs")
    assert answer.status_code == 422
    assert "Did you mean Soldier?" in answer.content.decode()
    assert 'name="plain"' in answer.content.decode(), "it can still be created"


def test_names_are_suggested_to_storytellers_only(
    fight: Table, signed_in: Any, storyteller: Any, player: Any, chronicle: Any
) -> None:
    Template.objects.create(chronicle=chronicle, name="Zzyzx template")
    page = reverse("combat:encounter", args=[fight.encounter_id])
    seen = signed_in(storyteller).get(page).content.decode()
    assert '<option value="Zzyzx template">' in seen
    assert '<option value="Gunman">' in seen
    theirs = signed_in(player).get(page).content.decode()
    assert "Zzyzx template" not in theirs
    assert "quick-add-names" not in theirs


def test_a_whole_name_a_beginning_and_a_likeness() -> None:
    known = [("a", "Guard"), ("b", "Guard captain")]
    assert find_whole("guards", known) == ("a",)
    assert find_whole("captain", known) == ()
    assert find_begun("guard c", known) == ("b",)
    assert find_begun("gu", known) == ()
    assert close_to("gaurds", ["Guard", "Dog"]) == ["Guard"]
