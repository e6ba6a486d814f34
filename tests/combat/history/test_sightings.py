"""Whom players' characters saw in a fight: proposed as meetings under the mask's name, and nobody else."""

from __future__ import annotations

import pytest
from django.db import transaction

from campaigns.models import Membership
from characters import face_services
from combat.commands import perform
from combat.history.sightings import sightings
from rules.topics import commands
from tests.combat.conftest import SECRET, TRUE_NAME, Table

pytestmark = pytest.mark.django_db


def seen(table: Table) -> dict[str, str]:
    """The names under which Ilya saw others, by the names of their characters."""
    people = {each.character: each.sheet.name for each in table.state.combatants.values() if each.character}
    found = sightings(table.encounter.chronicle)
    return {people[each.character]: each.name for each in found if people[each.by] == "Ilya"}


def test_a_draft_shows_nobody(draft: Table) -> None:
    assert sightings(draft.encounter.chronicle) == ()


def test_masks_are_names_until_they_fall_and_the_hidden_were_seen_by_nobody(fight: Table) -> None:
    mask = fight.state.combatants[fight[TRUE_NAME]].mask
    assert seen(fight) == {TRUE_NAME: mask}
    with transaction.atomic():
        fight.do(commands.SetVisibility(fight[SECRET], hidden=False, mask="A shape"))
        assert seen(fight) == {TRUE_NAME: mask, SECRET: "A shape"}
        fight.do(commands.SetVisibility(fight[SECRET], hidden=True))
        assert seen(fight) == {TRUE_NAME: mask, SECRET: "A shape"}
        transaction.set_rollback(True)
    fight.do(commands.SetVisibility(fight[SECRET], hidden=False))
    perform.undo(encounter_id=fight.encounter_id, actor=fight.storyteller)
    assert seen(fight) == {TRUE_NAME: mask}
    fight.do(commands.SetVisibility(fight[TRUE_NAME], mask=""))
    fight.do(commands.SetVisibility(fight[TRUE_NAME], mask="Another"))
    assert seen(fight) == {TRUE_NAME: TRUE_NAME}


def test_they_are_proposed_to_the_storyteller(fight: Table) -> None:
    mask = fight.state.combatants[fight[TRUE_NAME]].mask
    by = Membership.objects.get(chronicle=fight.encounter.chronicle, user=fight.storyteller)
    lines = face_services.proposed(by)
    assert {(line.name, line.by_name, line.known_as) for line in lines} == {
        (TRUE_NAME, "Ilya", mask),
        (TRUE_NAME, "Marguerite", mask),
    }
