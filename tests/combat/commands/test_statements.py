"""The statements of one press of a button and of one push: each costs time, and most of it isn't the database's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from combat.commands.outside import open_log
from combat.live import wall
from combat.live.consumers import EncounterConsumer, WallConsumer
from combat.live.frames import Frame
from combat.panes import versions
from combat.secrecy.access import audience_of
from tests.combat.conftest import Table
from tests.combat.live.test_rooms import socket_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.servers]

FRAMING = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE")


def statements(work: Callable[[], Any]) -> list[str]:
    """What the database is asked in a second run of `work`, when everything is compiled and cached."""
    work()
    with CaptureQueriesContext(connection) as queries:
        work()
    return [each["sql"] for each in queries if not each["sql"].startswith(FRAMING)]


def at_most(most: int, work: Callable[[], Any]) -> None:
    found = statements(work)
    assert len(found) <= most, "\n".join(each[:300] for each in found)


@pytest.fixture
def press(fight: Table) -> Callable[..., Callable[[], None]]:
    """press(user, "damage", **fields) -> a function that presses the button once more each time."""

    def make(user: Any, name: str, **fields: Any) -> Callable[[], None]:
        client, count = Client(), iter(range(9))
        client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
        client.get(reverse("combat:encounter", args=[fight.encounter_id]))  # notes the day in the session
        audience = audience_of(fight.encounter.chronicle.memberships.get(user=user))
        url = reverse("combat:do", args=[fight.encounter_id, name])

        def once() -> None:
            version = versions.version_of(fight.encounter, audience)
            said = {**fields, "key": f"press {next(count)}", "version": version}
            answer = client.post(url, said, headers={"HX-Request": "true"})
            assert answer.status_code == 200, answer.content

        return once

    return make


def most_of_a_press() -> int:
    # One is the test's own, for the version. PostgreSQL locks with another: see `writing.change_asked`.
    return 11 + connection.features.has_select_for_update


def test_a_press(fight: Table, storyteller: Any, press: Any, chronicle: Any) -> None:
    open_log(chronicle)
    who = fight["Ilya"]
    at_most(most_of_a_press(), press(storyteller, "damage", who=who, amount=1, type="bashing", reason=""))


def test_a_players_press(fight: Table, player: Any, press: Any) -> None:
    # Their form reads first who plays whom.
    at_most(most_of_a_press() + 1, press(player, "spend", who=fight["Ilya"], resource="blood", amount=1))


def test_a_push(fight: Table, player: Any, other_player: Any, storyteller: Any) -> None:
    sockets = [socket_of(fight, each, f"player-{each.pk}") for each in (player, player, other_player)]
    sockets.append(socket_of(fight, storyteller, "storyteller"))

    def push() -> None:
        assert [type(each) for each in EncounterConsumer.lacking(sockets)] == [Frame] * len(sockets)

    at_most(2, push)


def test_a_push_to_the_wall(fight: Table, storyteller: Any) -> None:
    token = wall.open_wall(by=fight.encounter.chronicle.memberships.get(user=storyteller))
    socket = socket_of(fight, storyteller, "table")
    socket.scope = {"url_route": {"kwargs": {"token": token}}}
    at_most(1, lambda: WallConsumer.lacking([socket, socket]))
