"""Views rendered before the server listens are served to the first pages, and errors don't prevent the start."""

from __future__ import annotations

import logging
from typing import Any

import pytest
from django.db import OperationalError
from django.utils import translation

from combat.cache import Kept
from combat.live import frames, warmup
from combat.live.warmup import warm_up
from combat.panes import versions
from tests.combat.conftest import Table

pytestmark = [pytest.mark.django_db, pytest.mark.servers]


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> None:
    """Clear cached views and frames, as in a new process."""
    monkeypatch.setattr(versions, "_views", Kept(100))
    monkeypatch.setattr(frames, "_kept", Kept(100))


@pytest.mark.usefixtures("started")
def test_everybody_at_a_running_fight_is_given_what_was_drawn(fight: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    encounter = fight.encounter
    with translation.override("en-gb"):
        found = {each: frames.frame(encounter, each, None) for each in versions.audiences_of(encounter)}
    assert len(found) > 3
    monkeypatch.setattr(versions, "_views", Kept(100))
    warm_up()

    def late(*_given: Any) -> Any:
        raise AssertionError("it should be there already")

    monkeypatch.setattr(frames, "view_for", late)
    with translation.override("en-gb"):
        assert {each: frames.frame(fight.encounter, each, None) for each in found} == found


def test_a_database_that_is_away_keeps_nobody_from_serving(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def away() -> Any:
        raise OperationalError("the connection is closed")

    monkeypatch.setattr(warmup.Encounter.objects, "without_state", away)
    with caplog.at_level(logging.WARNING, "combat.live.warmup"):
        warm_up()
    assert "the connection is closed" in caplog.text
