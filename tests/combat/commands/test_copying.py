"""Copies of ended fights: who is in the new draft, and in what state."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.urls import reverse

from combat.commands import drafts
from combat.commands.copying import copy_encounter
from combat.desk.storage import keep_notes, notes_of
from combat.log import rows
from combat.models import Encounter, Status
from rules.engine.violations import RuleViolation
from rules.model.gear import Damage
from rules.model.state import Combatant
from rules.topics.commands import ChangeConditions, End, Harm, SetDefaultDefence, SetVisibility
from tests.combat.conftest import SECRET, Table
from tests.kept import kept

pytestmark = pytest.mark.django_db


@pytest.fixture
@kept
def ended(fight: Table) -> Table:
    """A fight after which Ilya and a thug are hurt, another thug is dead, and the hidden one is still hidden."""
    fight.do(Harm(fight["Ilya"], 2, Damage.LETHAL))
    fight.do(Harm(fight["Thug 1"], 1, Damage.LETHAL))
    fight.do(ChangeConditions(fight["Thug 2"], add=frozenset({"dead"})))
    fight.do(SetDefaultDefence((fight["Thug 1"],), "none"))
    fight.do(SetVisibility(fight["Thug 1"], mask="A man in a coat", dice_shown=True))
    keep_notes(by=_by(fight), encounter=fight.encounter, text="The back door is open.", version=0)
    fight.do(End())
    return fight


def _by(table: Table) -> Any:
    return table.encounter.chronicle.memberships.get(user=table.storyteller)


def cast_of(encounter: Encounter) -> dict[str, Combatant]:
    return {each.sheet.name: each for each in rows.state_now(encounter).combatants.values()}


def test_a_copy_has_the_same_cast_healed(ended: Table) -> None:
    before = ended.encounter.seal
    made = copy_encounter(by=_by(ended), encounter=ended.encounter, name="Again")
    cast, then = cast_of(made), cast_of(ended.encounter)
    assert (made.status, made.name, made.scene) == (Status.DRAFT, "Again", ended.encounter.scene)
    assert notes_of(made).text == "The back door is open."
    assert cast.keys() == then.keys()
    assert not {each.id for each in cast.values()} & {each.id for each in then.values()}
    thug = cast["Thug 1"]
    assert (thug.sheet.marks, thug.mask, thug.dice_shown, thug.default_defence) == ((), "A man in a coat", True, "none")
    assert not cast["Thug 2"].conditions
    assert cast[SECRET].hidden
    # Ilya's wounds are on the sheet.
    assert cast["Ilya"].sheet.marks == then["Ilya"].sheet.marks == (Damage.LETHAL, Damage.LETHAL)
    assert cast["Ilya"].player
    assert ended.encounter.seal == before


def test_a_copy_as_the_fight_left_them_leaves_out_the_dead(ended: Table) -> None:
    made = copy_encounter(by=_by(ended), encounter=ended.encounter, name="Later", scene=False, healed=False)
    cast = cast_of(made)
    assert cast.keys() == cast_of(ended.encounter).keys() - {"Thug 2"}
    assert cast["Thug 1"].sheet.marks == (Damage.LETHAL,)
    assert (made.scene, notes_of(made).text) == ("", "")


def test_who_is_in_the_bin_is_left_out_and_groups_stay_together(draft: Table, characters: dict[str, Any]) -> None:
    drafts.add_copies(
        encounter_id=draft.encounter_id, actor=draft.storyteller, character=characters["Thug"], count=2, together=True
    )
    draft.begin()
    draft.do(End())
    characters["Ilya"].binned = draft.encounter.created
    characters["Ilya"].save()
    cast = cast_of(copy_encounter(by=_by(draft), encounter=draft.encounter, name="Again"))
    assert "Ilya" not in cast
    bands = [each.band for each in cast.values() if each.band]
    assert len(bands) == 2
    assert len(set(bands) & {each.id for each in cast.values()}) == 1


def test_only_ended_fights_are_copied_and_only_by_storytellers(fight: Table, player: Any) -> None:
    with pytest.raises(RuleViolation, match="ended"):
        copy_encounter(by=_by(fight), encounter=fight.encounter, name="Again")
    fight.do(End())
    mine = fight.encounter.chronicle.memberships.get(user=player)
    with pytest.raises(PermissionDenied):
        copy_encounter(by=mine, encounter=fight.encounter, name="Again")


def test_the_page_copies_and_names_what_is_wrong(ended: Table, storyteller: Any, signed_in: Any) -> None:
    client, url = signed_in(storyteller), reverse("combat:copy", args=[ended.encounter_id])
    assert f'href="{url}"' in client.get(reverse("combat:report", args=[ended.encounter_id])).content.decode()
    assert f'href="{url}"' in client.get(reverse("combat:encounter", args=[ended.encounter_id])).content.decode()
    assert "Copy The chapel" in client.get(url).content.decode()
    assert client.post(url, {"name": "", "healed": "yes"}).status_code == 422
    answer = client.post(url, {"name": "Again", "healed": "no", "scene": "on"})
    made = Encounter.objects.get(name="Again")
    assert answer.url == reverse("combat:encounter", args=[made.pk])
    # A draft can't be copied: the page says so.
    late = client.post(reverse("combat:copy", args=[made.pk]), {"name": "Third", "healed": "yes"})
    assert late.status_code == 422
    assert "Only ended fights can be copied" in late.content.decode()
    assert not Encounter.objects.filter(name="Third").exists()
