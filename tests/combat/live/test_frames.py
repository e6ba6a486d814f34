"""Frames: the panes that have changed since a page's version."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.core.management import call_command

from combat.commands.errors import StaleEncounter
from combat.live.frames import frame
from combat.panes import versions
from combat.secrecy.access import audience_of
from rules.model.gear import Damage
from rules.topics import commands
from tests.combat.conftest import Table

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_panes"), pytest.mark.servers]


def test_a_frame_has_what_changed_since(fight: Table, player: Any) -> None:
    audience = audience_of(fight.encounter.chronicle.memberships.get(user=player))
    have = versions.version_of(fight.encounter, audience)
    assert frame(fight.encounter, audience, have) is None
    fight.do(commands.Harm(fight["Ilya"], 1, Damage.LETHAL))
    lacking = frame(fight.encounter, audience, have)
    assert lacking is not None
    assert lacking.version == have + 1
    assert "_log.html" in lacking.html
    assert "_bar.html" not in lacking.html


def test_a_fight_that_was_put_back_is_news_to_every_page(fight: Table, player: Any) -> None:
    audiences = ("storyteller", "table", f"player-{player.pk}")
    everything = [len(panes_in(fight.encounter, audience, None)) for audience in audiences]
    lost: dict[str, set[int]] = {audience: {9, 57, 9999} for audience in audiences}
    for _time in range(2):
        call_command("restored")
        put_back = fight.encounter
        for audience, wholly in zip(audiences, everything, strict=True):
            for have in lost[audience]:
                assert len(panes_in(put_back, audience, have)) == wholly
            assert panes_in(put_back, audience, versions.version_of(put_back, audience)) == []
        fight.do(commands.Harm(fight["Ilya"], 1, Damage.LETHAL))
        for audience in audiences:
            before, now = (versions.version_of(each, audience) for each in (put_back, fight.encounter))
            assert now == before + 1
            assert "_scene.html" not in "".join(panes_in(fight.encounter, audience, before))
            lost[audience] |= {before, now}


def test_what_a_page_of_a_lost_time_presses_is_stale(fight: Table, storyteller: Any) -> None:
    stood_at = versions.version_of(fight.encounter, "storyteller")
    call_command("restored")
    with pytest.raises(StaleEncounter):
        fight.do(commands.RollInitiative(), expected_version=stood_at)


def panes_in(encounter: Any, audience: str, have: int | None) -> list[str]:
    """The panes in the frame for a page with this version."""
    found = frame(encounter, audience, have)
    return re.findall(r"_\w+\.html", found.html) if found else []


def test_who_claims_more_than_there_is_gets_everything(fight: Table) -> None:
    whole = frame(fight.encounter, "table", 10_000)
    assert whole is not None
    assert whole.html == frame(fight.encounter, "table", None).html  # type: ignore[union-attr]


def test_a_pane_is_drawn_once(fight: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    fight.do(commands.Harm(fight["Ilya"], 1, Damage.LETHAL))
    drawn: list[str] = []

    def draw(template: str, _context: Any) -> str:
        drawn.append(template)
        return template

    monkeypatch.setattr("combat.live.frames.render_to_string", draw)
    for _ in range(3):
        frame(fight.encounter, "table", None)
    assert drawn.count("combat/panes/_log.html") == 1
