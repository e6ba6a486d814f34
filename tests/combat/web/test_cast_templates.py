"""“Add to the fight” offers the library's templates: how many, under which name and mask, and for which side."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse

from characters.library import library
from characters.models import Character, Template
from characters.tables import load
from combat.commands import perform
from combat.models import Encounter
from rules.topics.commands import Begin
from tests.combat.conftest import Table
from tests.kept import kept

HTMX = {"HTTP_HX_REQUEST": "true"}

pytestmark = [pytest.mark.servers, pytest.mark.django_db]


@pytest.fixture
@kept
def empty(chronicle: Any, storyteller: Any) -> Table:
    load()
    return Table(Encounter.objects.create(chronicle=chronicle, name="Empty").pk, storyteller, {})


@pytest.fixture
def join(empty: Table, signed_in: Callable[[Any], Any], storyteller: Any) -> Callable[..., Any]:
    url = reverse("combat:do", args=[empty.encounter_id, "join"])
    return lambda **said: signed_in(storyteller).post(url, said, **HTMX)


def people(table: Table) -> list[Any]:
    return list(table.state.combatants.values())


def test_several_join_masked_as_a_group_in_one_step(empty: Table, join: Callable[..., Any]) -> None:
    cast = Character.objects.count()
    said = {"count": 3, "name": "Vinnie", "mask": "a suit", "side": "others", "health_shown": "nothing"}
    assert join(template="template:gunman", together="on", key="k", **said).status_code == 200
    joined = people(empty)
    assert [each.sheet.name for each in joined] == ["Vinnie 1", "Vinnie 2", "Vinnie 3"]
    assert [each.mask for each in joined] == ["a suit 1", "a suit 2", "a suit 3"]
    assert {(each.side, each.health_shown, each.group, each.character) for each in joined} == {
        ("others", "nothing", "template:gunman", "")
    }
    assert len({each.band for each in joined}) == 1
    assert joined[0].band
    assert [weapon.name for weapon in joined[0].sheet.weapons] == ["Light pistol", "Knife"]
    assert empty.encounter.seq == 1, "one undo takes them back"
    assert Character.objects.count() == cast, "nothing is added to the cast"
    assert join(template="template:gunman", together="on", key="k", **said).status_code == 200
    assert empty.encounter.seq == 1, "a repeated press adds nobody"


def test_a_single_one_has_the_templates_name(empty: Table, join: Callable[..., Any]) -> None:
    assert join(template="template:gunman", hidden="on").status_code == 200
    (one,) = people(empty)
    assert (one.sheet.name, one.hidden, one.band) == ("Gunman", True, "")
    assert join(template="template:gunman", count=2).status_code == 200
    assert [each.sheet.name for each in people(empty)] == ["Gunman", "Gunman 2", "Gunman 3"]
    assert not any(each.band for each in people(empty))


def test_a_template_of_the_chronicle_joins_a_running_fight(
    empty: Table, join: Callable[..., Any], chronicle: Any, storyteller: Any
) -> None:
    own = Template.objects.create(
        chronicle=chronicle, name="Hound", pools={"attack": 6, "health": 5}, specialties={"brawl": ["biting"]}
    )
    join(template="template:gunman")
    perform.perform(encounter_id=empty.encounter_id, actor=storyteller, command=Begin())
    assert join(template=f"template:{own.pk}", count=2).status_code == 200
    hound = people(empty)[-1]
    assert (hound.sheet.name, hound.sheet.pools, hound.side) == ("Hound 2", {"attack": 6, "health": 5}, "enemies")
    assert hound.sheet.specialties == {"brawl": ("biting",)}


@pytest.mark.parametrize("said", [{"template": "template:nobody"}, {"template": "thug"}, {"template": "x" * 81}])
def test_an_unknown_template_adds_nobody(empty: Table, join: Callable[..., Any], said: dict[str, str]) -> None:
    assert join(**said).status_code == 422
    assert people(empty) == []


def test_too_many_or_an_invisible_name_are_refused(empty: Table, join: Callable[..., Any]) -> None:
    assert join(template="template:gunman", count=21).status_code == 422
    answer = join(template="template:gunman", name="\u3164")
    assert answer.status_code == 422
    assert "This has no visible characters." in answer.content.decode()
    assert people(empty) == []


def test_templates_of_other_chronicles_and_of_the_bin_are_not_offered(
    empty: Table, join: Callable[..., Any], chronicle: Any, signed_in: Callable[[Any], Any], storyteller: Any
) -> None:
    elsewhere = type(chronicle).objects.create(name="Elsewhere", ruleset="masquerade")
    foreign = Template.objects.create(chronicle=elsewhere, name="Foreign")
    assert join(template=f"template:{foreign.pk}").status_code == 422
    Template.objects.create(chronicle=chronicle, name="Hound")
    page = signed_in(storyteller).get(reverse("combat:cast", args=[empty.encounter_id]), **HTMX).content.decode()
    assert "Foreign" not in page
    for entry in library(chronicle):
        assert f'<option value="{entry.group}">{entry.person.name}</option>' in page


def test_players_learn_of_a_masked_one_by_its_mask_alone(
    empty: Table,
    join: Callable[..., Any],
    chronicle: Any,
    signed_in: Callable[[Any], Any],
    storyteller: Any,
    player: Any,
    characters: dict[str, Any],
) -> None:
    join(character=characters["Ilya"].pk)
    join(template="template:gunman", name="CANARY", mask="a suit")
    join(template="template:hunter", name="CANARY too", hidden="on")
    perform.perform(encounter_id=empty.encounter_id, actor=storyteller, command=Begin())
    seen = signed_in(player).get(reverse("combat:encounter", args=[empty.encounter_id])).content.decode()
    assert "a suit" in seen.lower()
    assert "CANARY" not in seen
    assert "template:" not in seen
