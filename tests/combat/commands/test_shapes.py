"""A Garou's shape and points on the screens: a player changes and spends them, all see it, undo reverts it."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from characters.models import Character
from characters.sheets import sheets_of
from combat.commands import revising
from rules.topics import commands
from rules.topics.commands import TakeAction
from tests.combat.conftest import Table

pytestmark = pytest.mark.django_db


def do(table: Table, name: str) -> str:
    return reverse("combat:do", args=[table.encounter_id, name])


def page(table: Table, client: Any) -> str:
    return client.get(reverse("combat:encounter", args=[table.encounter_id])).content.decode()


def named(table: Table) -> tuple[str, str]:
    """The ids of the Garou and of the other combatant."""
    people = table.state.combatants
    wolf = next(who for who, each in people.items() if each.sheet.kind == "garou")
    return wolf, next(who for who in people if who != wolf)


def test_a_player_changes_shape_and_everybody_sees_it(
    hunt: Table, player: Any, observer: Any, storyteller: Any, signed_in: Any
) -> None:
    """AP-SHAPE-1."""
    wolf, man = named(hunt)
    form = signed_in(player).get(reverse("combat:form", args=[hunt.encounter_id, "action"]), {"who": wolf})
    assert "Change shape" in form.content.decode()
    sent = {"action": "shape", "who": wolf, "figure_shape": "crinos", "figure_free": "on"}
    signed_in(player).post(do(hunt, "action"), sent)
    assert hunt.state.combatants[wolf].sheet.shape.key == "crinos"
    for who in (player, observer, storyteller):
        assert '<span class="chip">Crinos</span>' in page(hunt, signed_in(who))
    assert "claws" in page(hunt, signed_in(player))
    shaped = hunt.state.combatants[wolf]
    signed_in(storyteller).post(do(hunt, "undo"))
    assert hunt.state.combatants[wolf].sheet.shape is None
    assert shaped.sheet.weapons == hunt.state.combatants[wolf].sheet.weapons
    mine = signed_in(storyteller).get(reverse("combat:form", args=[hunt.encounter_id, "action"]), {"who": man})
    assert "Change shape" not in mine.content.decode()


def test_a_sheet_edited_meanwhile_leaves_the_shape(hunt: Table, storyteller: Any) -> None:
    """AP-SHAPE-1: and the shape is not written to the sheet."""
    wolf, _man = named(hunt)
    hunt.do(TakeAction("shape", wolf, figures={"shape": "hispo", "free": True}))
    row = Character.objects.get(pk=hunt.state.combatants[wolf].character)
    row.traits = {**row.traits, "wits": 5}
    row.save()
    revising.revise_sheets(encounter_id=hunt.encounter_id, characters=[row.pk])
    sheet = hunt.state.combatants[wolf].sheet
    assert (sheet.shape.key, sheet.traits["wits"]) == ("hispo", 5)
    hunt.do(commands.End())
    assert hunt.state.combatants[wolf].sheet.shape is None


def test_the_sheets_own_page_shows_the_shape(hunt: Table, player: Any, signed_in: Any) -> None:
    """AP-SHAPE-1: the shape's dots, there and on the phone's sheet, and the original ones after the fight."""
    wolf, _man = named(hunt)
    address = reverse("characters:sheet", args=[hunt.state.combatants[wolf].character])
    assert "Stamina: 3 of 5" in signed_in(player).get(address).content.decode()
    hunt.do(TakeAction("shape", wolf, figures={"shape": "crinos", "free": True}))
    shaped = signed_in(player).get(address).content.decode()
    assert "Stamina: 6 of 6" in shaped
    assert "currently in Crinos shape" in shaped
    (whole,) = hunt.view(player).traits.sheets
    stamina = next(trait for group in whole.groups for trait in group.traits if trait.label == "Stamina")
    assert (stamina.value, stamina.most, stamina.shaped) == (6, 6, 3)
    hunt.do(commands.End())
    assert "Stamina: 3 of 5" in signed_in(player).get(address).content.decode()


def test_a_player_spends_willpower_on_a_roll(hunt: Table, player: Any, signed_in: Any) -> None:
    """AP-WILL-1: it is on the sheet at once, and a second point in the same turn is refused with its rule."""
    wolf, _man = named(hunt)
    row = Character.objects.get(pk=hunt.state.combatants[wolf].character)
    row.traits = {**row.traits, "willpower": 4}
    row.save()
    hunt.do(commands.ReviseSheet(wolf, sheets_of([row.pk])[row.pk]))
    hunt.do(commands.RollInitiative())
    said = {"who": wolf, "traits": ["wits"], "willpower": "on"}
    assert signed_in(player).post(do(hunt, "roll"), said).status_code == 302
    row.refresh_from_db()
    assert row.resources["willpower"] == 3
    again = signed_in(player).post(do(hunt, "roll"), said)
    assert again.status_code == 422
    assert "AP-WILL-1" in again.content.decode()
