"""Conditions that outlast a fight: on the sheet, in the next fight, and back again when the end is undone."""

from __future__ import annotations

from typing import Any

import pytest

from characters.models import Character
from characters.sheets import sheets_of
from combat.commands import drafts, perform
from combat.commands.copying import copy_encounter
from combat.commands.revising import parts_apart
from combat.history.tell.sentences import text_of
from combat.log import rows
from combat.models import Encounter
from rules.model.state import Combatant
from rules.topics.commands import ChangeConditions, End
from tests.combat.conftest import Table
from tests.kept import kept

pytestmark = pytest.mark.django_db

STAKED = frozenset({"staked"})


def lasting(fight: Table, name: str = "Ilya") -> list[dict[str, str]]:
    character = fight.state.combatants[fight[name]].character
    return list(Character.objects.get(pk=character).lasting)


def by_of(fight: Table) -> Any:
    return fight.encounter.chronicle.memberships.get(user=fight.storyteller)


def combatant(encounter: Encounter, name: str) -> Combatant:
    return next(each for each in rows.state_now(encounter).combatants.values() if each.sheet.name == name)


@pytest.fixture
@kept
def over(fight: Table) -> Table:
    """A fight after which Ilya and a thug, who has no sheet of his own, are staked."""
    for who in ("Ilya", "Thug 1"):
        fight.do(ChangeConditions(fight[who], STAKED | {"prone"}))
    fight.do(End())
    return fight


def test_what_stays_is_written_on_the_sheet_and_undoing_the_end_takes_it_off_again(over: Table) -> None:
    stake = {"condition": "staked", "rule": "", "fight": over.encounter_id, "why": ""}
    assert lasting(over) == [stake]
    ilya = over.state.combatants[over["Ilya"]]
    assert parts_apart(over.encounter, ilya.sheet, sheets_of([ilya.character])[ilya.character]) == []
    perform.undo(encounter_id=over.encounter_id, actor=over.storyteller)
    assert lasting(over) == []
    perform.redo(encounter_id=over.encounter_id, actor=over.storyteller)
    assert lasting(over) == [stake]


def test_it_enters_the_next_fight_and_is_over_once_somebody_ends_it_there(over: Table) -> None:
    ilya = Character.objects.get(name="Ilya")
    crypt = drafts.create_encounter(by=by_of(over), name="The crypt")
    drafts.add_character(encounter_id=crypt.pk, actor=over.storyteller, character=ilya)
    there = Table.of(crypt, over.storyteller).begin()
    who = there["Ilya"]
    assert there.state.combatants[who].conditions == STAKED
    there.do(ChangeConditions(who, remove=STAKED, why="pulled"))
    assert lasting(over) == []
    perform.undo(encounter_id=crypt.pk, actor=over.storyteller)
    assert [each["fight"] for each in lasting(over)] == [over.encounter_id]
    there.do(End({who: frozenset()}))
    assert lasting(over) == []


def test_a_copy_of_the_fight_brings_it_except_for_those_who_are_healed(over: Table) -> None:
    healed = copy_encounter(by=by_of(over), encounter=over.encounter, name="Again")
    assert combatant(healed, "Ilya").conditions == STAKED
    assert combatant(healed, "Thug 1").conditions == frozenset()
    as_it_ended = copy_encounter(by=by_of(over), encounter=over.encounter, name="Still", healed=False)
    assert combatant(as_it_ended, "Thug 1").conditions == STAKED


def test_a_draft_follows_what_stays(fight: Table, django_capture_on_commit_callbacks: Any) -> None:
    ilya = Character.objects.get(name="Ilya")
    crypt = drafts.create_encounter(by=by_of(fight), name="The crypt")
    drafts.add_character(encounter_id=crypt.pk, actor=fight.storyteller, character=ilya)
    fight.do(ChangeConditions(fight["Ilya"], STAKED))
    with django_capture_on_commit_callbacks(execute=True):
        fight.do(End())
    crypt.refresh_from_db()
    assert combatant(crypt, "Ilya").conditions == STAKED


def test_the_log_says_what_stays_to_those_who_may_read_the_sheet(over: Table, player: Any, other_player: Any) -> None:
    def entries(audience: Any) -> list[str]:
        return [text_of(line) for line in over.view(audience).log.entries[0].lines]

    ends, stays = "The fight is over.", "After the fight, Ilya is still staked."
    assert entries("storyteller") == [stays, "After the fight, Thug 1 is still staked.", ends]
    assert entries(player) == [stays, ends]
    assert entries(other_player) == entries("table") == [ends]
