"""Sockets served together: their rights are checked in one query, frames are rendered once, and nobody waits for
others."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.db import connection
from django.test.utils import CaptureQueriesContext

from combat.history.records import read
from combat.live.consumers import NOT_YOURS, SIGNED_OUT, EncounterConsumer, Refused
from combat.live.frames import Frame, view_of
from combat.live.rooms import Together
from combat.panes import versions
from combat.panes.build import view_for
from rules.model.gear import Damage
from rules.topics import commands
from tests.combat.conftest import Table
from tests.combat.sockets import cookies_of, session_of

pytestmark = pytest.mark.django_db


def socket_of(fight: Table, user: Any, audience: str, session: Any = None) -> Any:
    """The parts of a user's socket that are needed to serve it."""
    scope = {"cookies": cookies_of(session or session_of(user))}
    return SimpleNamespace(scope=scope, encounter_id=fight.encounter_id, audience=audience, language="en-gb", have=None)


@pytest.mark.servers
def test_many_sockets_ask_as_much_as_one(fight: Table, player: Any, other_player: Any) -> None:
    def asked(*sockets: Any) -> int:
        with CaptureQueriesContext(connection) as queries:
            frames = EncounterConsumer.lacking(sockets)
        assert [type(each) for each in frames] == [Frame] * len(sockets)
        return len(queries)

    def mine() -> Any:
        return socket_of(fight, player, f"player-{player.pk}")

    theirs = socket_of(fight, other_player, f"player-{other_player.pk}")
    asked(mine(), theirs)  # rendered frames are cached from here on
    assert asked(mine()) == asked(*(mine() for _ in range(9)), theirs) <= 4


@pytest.mark.servers
def test_each_is_judged_by_their_own_rights(fight: Table, player: Any, other_player: Any, stranger: Any) -> None:
    mine = socket_of(fight, player, f"player-{player.pk}")
    anothers_view = socket_of(fight, player, f"player-{other_player.pk}")
    strangers = socket_of(fight, stranger, "table")
    over = session_of(other_player)
    ended = socket_of(fight, other_player, f"player-{other_player.pk}", over)
    over.delete()
    found = EncounterConsumer.lacking([mine, anothers_view, strangers, ended])
    assert isinstance(found[0], Frame)
    assert [each.code for each in found[1:] if isinstance(each, Refused)] == [NOT_YOURS, NOT_YOURS, SIGNED_OUT]


@pytest.mark.servers
def test_a_session_that_says_another_than_its_row_opens_nothing(fight: Table, player: Any, storyteller: Any) -> None:
    forged = session_of(player)
    type(forged).get_model_class().objects.update(user=storyteller)
    (found,) = EncounterConsumer.lacking([socket_of(fight, player, "storyteller", forged)])
    assert isinstance(found, Refused)
    assert found.code == SIGNED_OUT


@pytest.mark.servers
def test_a_view_is_kept_when_its_change_is_true_and_not_before(
    fight: Table, django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks() as waiting:
        fight.do(commands.Harm(fight["Ilya"], 1, Damage.LETHAL))
    encounter = fight.encounter
    built = view_for(read(encounter), "table")
    assert versions.view_of(encounter, "table", lambda: built) is built, "nothing was kept: it could be taken back"
    for call in waiting:
        call()
    assert view_of(encounter, "table") is not built
    assert view_of(encounter, "table") == built


class Listener:
    """A socket that records what it is sent; the one called "broken" fails on everything."""

    def __init__(self, audience: str) -> None:
        self.audience = audience
        self.given: list[tuple[str, bool]] = []

    @classmethod
    def lacking(cls, sockets: Any) -> list[str]:
        return [f"{socket.audience}, one of {len(sockets)}" for socket in sockets]

    async def give(self, found: str, *, answer: bool) -> None:
        if self.audience == "broken":
            raise OSError("gone")
        self.given.append((found, answer))


def test_a_round_serves_who_was_hinted_and_who_asks_and_nobody_stops_the_others() -> None:
    async def scenario() -> None:
        everybody = Together()
        broken, table, player, asking = (Listener(each) for each in ("broken", "table", "player-1", "player-2"))
        for each in (broken, table, player, asking):
            everybody.enter(each, (each.audience,))
        everybody.hinted({"audience": "table"})
        everybody.hinted({"audience": "broken"})
        await everybody.ask(asking, answer=True)
        assert asking.given == [("player-2, one of 3", True)]
        assert table.given == [("table, one of 3", False)]
        assert player.given == []
        everybody.hinted({"audience": "rights"})
        async with asyncio.timeout(10):
            while not player.given:
                await asyncio.sleep(0)
        assert player.given == [("player-1, one of 4", False)]
        assert everybody.leave(table) == {"table"}
        assert bool(everybody)

    async_to_sync(scenario)()


def test_those_who_ask_hear_that_they_could_not_be_served(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(_sockets: Any) -> Any:
        raise OSError("the disk is gone")

    async def scenario() -> None:
        everybody, socket = Together(), Listener("table")
        everybody.enter(socket, ("table",))
        with monkeypatch.context() as patched:
            patched.setattr(Listener, "lacking", fails)
            with pytest.raises(OSError, match="the disk is gone"):
                await everybody.ask(socket, answer=False)
        await everybody.ask(socket, answer=False)
        assert socket.given == [("table, one of 1", False)]

    async_to_sync(scenario)()


def test_a_round_that_fails_is_not_tried_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = []

    async def fails(_self: Together, _asking: Any) -> None:
        tried.append(True)
        raise RuntimeError("the database is away")

    async def hint() -> None:
        together = Together()
        together.hinted({"audience": "table"})
        await together._rounds
        together.hinted({"audience": "table"})
        await together._rounds

    monkeypatch.setattr(Together, "_round", fails)
    async_to_sync(hint)()
    assert len(tried) == 2
