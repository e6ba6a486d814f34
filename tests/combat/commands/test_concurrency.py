"""Concurrent requests: nobody is refused because of them, nothing is lost, nothing counts twice."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from threading import Event
from time import sleep
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.urls import reverse
from django.utils import timezone

from campaigns.errors import EditConflict
from campaigns.models import Chronicle, Membership
from campaigns.words import said
from characters.models import Character
from characters.services import SheetData, update_sheet
from combat.commands import checking, perform, writing
from combat.commands.outside import open_log
from combat.models import LogRow
from rules.engine.violations import RuleViolation
from rules.model.gear import Damage
from rules.topics import commands
from tests.combat.conftest import Table

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.servers]

WRITERS = 6


def at_once(work: Callable[[int], Any]) -> list[Any]:
    """Run every writer on its own thread and connection."""

    def one(number: int) -> Any:
        try:
            return work(number)
        finally:
            connection.close()

    with ThreadPoolExecutor(WRITERS) as pool:
        return list(pool.map(one, range(WRITERS)))


def test_every_write_counts_and_is_numbered(fight: Table) -> None:
    before = fight.encounter.seq

    def harm(_number: int) -> list[int]:
        return [fight.do(commands.Spend(fight["Ilya"], "blood", 1)).seq, fight.do(harm_thug).seq]

    harm_thug = commands.Harm(fight["Thug 1"], 1, Damage.BASHING)
    numbers = sorted(seq for pair in at_once(harm) for seq in pair)
    assert numbers == list(range(before + 1, before + 1 + 2 * WRITERS))
    assert fight.state.combatants[fight["Ilya"]].sheet.resources["blood"] == 10 - WRITERS
    assert list(fight.encounter.rows.values_list("seq", flat=True)) == list(range(1, fight.encounter.seq + 1))


def test_the_same_press_at_the_same_moment_counts_once(fight: Table) -> None:
    command = commands.Spend(fight["Ilya"], "blood", 1)
    done = at_once(lambda _number: fight.do(command, key="one press"))
    assert len({performed.seq for performed in done}) == 1
    assert sum(not performed.repeated for performed in done) == 1
    assert fight.state.combatants[fight["Ilya"]].sheet.resources["blood"] == 9


def test_words_that_are_sent_again_at_once_make_one_somebody(
    fight: Table, signed_in: Callable[[Any], Any], storyteller: Any
) -> None:
    """As a page resends when the first response takes too long."""
    address = reverse("combat:do", args=[fight.encounter_id, "add"])
    words = {"words": "2 bouncers", "plain": "Bouncer", "key": "one press"}
    clients = [signed_in(storyteller) for _writer in range(WRITERS)]
    answers = at_once(lambda number: clients[number].post(address, words, headers={"HX-Request": "true"}))
    assert {answer.status_code for answer in answers} == {200}
    assert Character.objects.filter(name="Bouncer").count() == 1
    assert [each.sheet.name for each in fight.state.combatants.values()][-2:] == ["Bouncer 1", "Bouncer 2"]


def test_sheets_are_edited_while_the_fight_writes_on_them(
    fight: Table, characters: dict[str, Character], storyteller: Any
) -> None:
    """Both lock the fight before the sheet, so there is no deadlock."""
    ilya, by = characters["Ilya"], Membership.objects.get(user=storyteller)
    saved: list[int] = []

    def both(number: int) -> None:
        for dots in range(1, 4):
            fight.do(commands.Spend(fight["Ilya"], "blood", 1) if number % 2 else harm)
            now = Character.objects.get(pk=ilya.pk)
            sheet = SheetData(
                now.name, now.kind, traits={**now.traits, "wits": dots}, resources=now.resources, marks=now.marks
            )
            with suppress(EditConflict):
                update_sheet(by=by, character=now, sheet=sheet, version=now.version)
                saved.append(number)

    harm = commands.Harm(fight["Thug 1"], 1, Damage.BASHING)
    at_once(both)
    assert saved
    assert fight.state.combatants[fight["Ilya"]].sheet.resources["blood"] == 10 - 3 * WRITERS // 2
    assert list(checking.check_everything()) == []


def test_time_passes_before_a_fight_begins_or_is_refused_with_its_name(
    draft: Table, chronicle: Any, storyteller: Any, characters: dict[str, Character]
) -> None:
    ilya, log = characters["Ilya"], open_log(chronicle)
    refused: list[str] = []

    def either(number: int) -> bool:
        try:
            if number == WRITERS // 2:
                draft.begin()
            else:
                night = commands.PassTime((ilya.pk,), 24, dusk=True)
                perform.perform(encounter_id=log.pk, actor=storyteller, command=night)
        except RuleViolation as violation:
            refused.append(said(violation.message))
            return False
        return True

    done = at_once(either)
    assert done[WRITERS // 2]
    assert len(refused) == done.count(False)
    assert all("Ilya" in each and "The chapel" in each for each in refused)
    nights = sum(row.command["is"] == "PassTime" for row in LogRow.objects.filter(encounter=log))
    assert nights == done.count(True) - 1
    ilya.refresh_from_db()
    assert ilya.resources["blood"] == 10 - nights
    assert draft.state.combatants[draft["Ilya"]].sheet.resources["blood"] == 10 - nights
    assert list(checking.check_everything()) == []
    with pytest.raises(RuleViolation):
        perform.perform(
            encounter_id=log.pk, actor=storyteller, command=commands.PassTime((ilya.pk, characters["Thug"].pk), 24)
        )


def test_a_press_that_waits_for_the_lock_sees_what_changed_meanwhile(fight: Table, player: Any) -> None:
    """The membership and the house rules are those under the lock, not those when the press began to wait."""
    command = commands.Spend(fight["Ilya"], "blood", 1)
    mine = Membership.objects.get(user=player)
    begun = Event()

    def press() -> Any:
        begun.set()
        try:
            return perform.perform(encounter_id=fight.encounter_id, actor=player, command=command)
        finally:
            connection.close()

    def meanwhile(change_it: Callable[[], Any]) -> Future[Any]:
        begun.clear()
        with writing.change(fight.encounter_id):
            pressed = pool.submit(press)
            begun.wait()
            sleep(0.2)  # long enough to reach the lock, and harmless if it isn't
            change_it()
            return pressed

    with ThreadPoolExecutor(1) as pool:
        renamed = meanwhile(lambda: Chronicle.objects.filter(pk=mine.chronicle_id).update(name="Renamed"))
        assert renamed.result().seen.encounter.chronicle.name == "Renamed"
        removed = meanwhile(lambda: Membership.objects.filter(pk=mine.pk).update(removed_at=timezone.now()))
        with pytest.raises(PermissionDenied):
            removed.result()
