"""What fights and the chronicle's log write into the histories of sheets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse

from characters.models import Cause, Character, SheetChange
from combat.commands import perform
from combat.models import LogRow
from rules.model.gear import Damage
from rules.topics.commands import End, Harm, Spend
from rules.topics.health.commands import PassTime
from tests.combat.conftest import Table

pytestmark = pytest.mark.django_db


def kept() -> list[Any]:
    rows = SheetChange.objects.order_by("character__name", "at")
    return [(row.character.name, row.cause, row.fight, [change[0] for change in row.changes]) for row in rows]


def test_a_fight_that_ends_leaves_one_row_for_each_sheet(fight: Table) -> None:
    for blow in range(2):
        fight.do(Harm(fight["Ilya"], 1, Damage.LETHAL))
        fight.do(Spend(fight["Ilya"], "blood", 1))
        fight.do(Harm(fight["Marguerite"], 1, Damage.BASHING))
        assert kept() == [], blow
    perform.undo(encounter_id=fight.encounter_id, actor=fight.storyteller)
    fight.do(End())
    rows = [("Ilya", "fight", fight.encounter_id, ["marks", "resources:blood"])]
    assert kept() == [*rows, ("Marguerite", "fight", fight.encounter_id, ["marks"])]
    assert not Character.objects.exclude(fought={}).exists()
    perform.undo(encounter_id=fight.encounter_id, actor=fight.storyteller)
    perform.undo(encounter_id=fight.encounter_id, actor=fight.storyteller)
    fight.do(End())
    (_first, again) = SheetChange.objects.filter(character__name="Ilya").order_by("at")
    assert [change[0] for change in again.changes] == ["resources:blood"]


def test_what_happens_outside_fights_is_kept_at_once_with_its_entry(log: Table, player: Any) -> None:
    ilya = log["Ilya"]
    log.do(Harm(ilya, 2, Damage.BASHING), by=log.storyteller)
    log.do(Spend(ilya, "blood", 2), by=player)
    log.do(PassTime((ilya,), 24, dusk=True))
    perform.undo(encounter_id=log.encounter_id, actor=log.storyteller)
    rows = list(SheetChange.objects.order_by("at"))
    assert [row.cause for row in rows] == [Cause.PLAY, Cause.PLAY, Cause.TIME, Cause.PLAY]
    assert [row.by for row in rows] == [log.storyteller, player, log.storyteller, log.storyteller]
    tokens = set(LogRow.objects.filter(encounter=log.encounter_id).values_list("token", flat=True))
    assert len({row.entry for row in rows} & tokens) == 4
    assert rows[2].changes == [[name, after, before] for name, before, after in rows[3].changes]


def test_a_history_gives_the_reasons_that_its_reader_is_told(
    log: Table, signed_in: Callable[[Any], Any], player: Any
) -> None:
    ilya = log["Ilya"]
    log.do(Harm(ilya, 2, Damage.BASHING, why="A stair"))
    log.do(PassTime((ilya,), 24, dusk=True, why="CANARY of the Prince"))
    log.do(Spend(ilya, "blood", 2))
    address = reverse("characters:history", args=[ilya])
    read = {who: signed_in(who).get(address) for who in (log.storyteller, player)}
    reasons = {who: [line.reason for line in page.context["lines"]][:3] for who, page in read.items()}
    assert reasons == {log.storyteller: ["", "CANARY of the Prince", "A stair"], player: ["", "", "A stair"]}
    assert "A stair" in read[player].content.decode()
    assert "CANARY" not in read[player].content.decode()
