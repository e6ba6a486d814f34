"""Changes outside a fight that are visible in it: accounts, owners, house rules."""

from __future__ import annotations

from typing import Any

import pytest

from campaigns import services as campaigns
from campaigns.models import Membership
from characters import services as sheets
from combat.history import records
from combat.live import frames
from combat.panes.build import view_for
from rules.model.gear import Damage
from rules.model.roll import Extended, RollTraits
from rules.topics import commands
from tests.combat.conftest import FixedDice, Table

pytestmark = [pytest.mark.django_db, pytest.mark.servers]


@pytest.mark.parametrize(
    ("fields", "asks"),
    [
        (None, True),
        (["password"], True),
        (["is_active", "first_name"], True),
        (["last_login"], False),
        (["time_zone"], False),
        (["first_name", "email"], False),
    ],
)
def test_sockets_ask_again_where_a_right_may_have_changed(
    fields: Any, asks: bool, player: Any, chronicle: Any, monkeypatch: Any, django_capture_on_commit_callbacks: Any
) -> None:
    hinted: list[Any] = []
    monkeypatch.setattr("combat.live.receivers.hint", lambda *to: hinted.append(to))
    with django_capture_on_commit_callbacks(execute=True):
        player.save(update_fields=fields)
    assert bool(hinted) is asks


def is_seen(table: Table, audience: str) -> bool:
    """Whether this audience's pages show the current fight."""
    return bool(frames.view_of(table.encounter, audience) == view_for(records.read(table.encounter), audience))


@pytest.mark.parametrize("ended", [False, True])
def test_a_character_that_changes_hands_takes_its_fights_along(
    fight: Table,
    log: Table,
    ended: bool,
    storyteller: Any,
    player: Any,
    other_player: Any,
    characters: dict[str, Any],
    django_capture_on_commit_callbacks: Any,
) -> None:
    fight.do(commands.End() if ended else commands.Pause())
    picking = RollTraits(log["Ilya"], ("wits",), label="pick the lock", extended=Extended("x", 20, 0, ""))
    log.do(picking, dice=FixedDice(6))
    before, after = f"player-{player.pk}", f"player-{other_player.pk}"
    has_ilya = {who: len(fight.view(who).me.sheets) for who in (before, after)}  # type: ignore[union-attr]
    assert frames.view_of(log.encounter, before).rolls.going[0].mine
    by = Membership.objects.get(user=storyteller)
    with django_capture_on_commit_callbacks(execute=True):
        sheets.hand_over(by=by, character=characters["Ilya"], owner=other_player)
    assert all(is_seen(table, who) for table in (fight, log) for who in (before, after, "table", "storyteller"))
    now = {who: len(frames.view_of(fight.encounter, who).me.sheets) for who in (before, after)}  # type: ignore[union-attr]
    assert now == {before: has_ilya[before] - 1, after: has_ilya[after] + 1}
    assert not frames.view_of(log.encounter, before).rolls.going[0].mine


def test_house_rules_count_at_once_in_every_fight(
    fight: Table, storyteller: Any, django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        fight.do(commands.Harm(fight["Ilya"], 3, Damage.LETHAL))
    ruleset, by = records.ruleset_for(fight.encounter), Membership.objects.get(user=storyteller)
    levels = next(option.key for option in ruleset.options if "level" in option.key)
    harsh = [[name, penalty if penalty is None else -9] for name, penalty in ruleset.settings[levels]]
    before = frames.view_of(fight.encounter, "storyteller")
    with django_capture_on_commit_callbacks(execute=True):
        campaigns.change_options(by=by, options={levels: harsh}, version=by.chronicle.version)
    assert is_seen(fight, "storyteller")
    assert frames.view_of(fight.encounter, "storyteller") != before
