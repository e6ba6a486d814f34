"""The wall screen: holders of its link see the table's view, follow its fights, and can do nothing else."""

from __future__ import annotations

from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.core.cache import cache
from django.core.exceptions import PermissionDenied
from django.urls import reverse
from django.utils import timezone

from campaigns.models import Membership
from combat.commands import drafts
from combat.live import wall
from combat.live.consumers import NOT_FOUND, NOT_YOURS, WallConsumer
from combat.models import Wall
from combat.panes import versions
from combat.secrecy.audiences import TABLE
from rules.model.gear import Damage
from rules.topics import commands
from tests.combat.conftest import SECRET, TRUE_NAME, Table
from tests.combat.sockets import play
from tests.communicator import Communicator

pytestmark = [pytest.mark.django_db, pytest.mark.servers]


@pytest.fixture(autouse=True)
def nothing_tried_yet() -> None:
    """Clear the cache, which counts wrong links over tests."""
    cache.clear()


@pytest.fixture
def by(fight: Table) -> Membership:
    return fight.encounter.chronicle.memberships.get(user=fight.storyteller)


@pytest.fixture
def token(by: Membership) -> str:
    return wall.open_wall(by=by)


def page_of(client: Any, token: str) -> str:
    answer = client.get(reverse("combat:wall", args=[token]))
    assert answer.status_code == 200
    return str(answer.content.decode())


def test_the_wall_shows_the_tables_view_to_whoever_has_the_link(client, fight, token):
    shown = page_of(client, token)
    assert "Ilya" in shown
    assert "a tall man" in shown
    assert SECRET not in shown
    assert TRUE_NAME not in shown
    assert 'data-audience="table"' in shown
    assert "/do/" not in shown


def test_of_the_link_only_a_hash_is_kept_and_a_new_one_ends_it(client, by, token):
    assert token not in str(list(Wall.objects.values()))
    other = wall.open_wall(by=by)
    assert Wall.objects.count() == 1
    assert client.get(reverse("combat:wall", args=[token])).status_code == 404
    assert client.get(reverse("combat:wall", args=[other])).status_code == 200


def test_a_revoked_link_opens_nothing(client, fight, by, token):
    wall.close_wall(by=by)
    assert client.get(reverse("combat:wall", args=[token])).status_code == 404
    assert client.get(reverse("combat:wall-since", args=[token, fight.encounter_id, 0])).status_code == 404


def test_only_storytellers_open_and_close_it(fight, player, by, token):
    theirs = fight.encounter.chronicle.memberships.get(user=player)
    for service in (wall.open_wall, wall.close_wall):
        with pytest.raises(PermissionDenied):
            service(by=theirs)
    assert Wall.objects.count() == 1


def test_wrong_links_cannot_be_tried_for_ever(client, token):
    for number in range(31):
        answer = client.get(reverse("combat:wall", args=[f"wrong{number}"]))
    assert answer.status_code == 429
    assert client.get(reverse("combat:wall", args=[token])).status_code == 429


def test_the_wall_waits_for_the_first_fight_and_shows_no_draft(client, draft, storyteller):
    by = draft.encounter.chronicle.memberships.get(user=storyteller)
    token = wall.open_wall(by=by)
    waiting = page_of(client, token)
    assert draft.encounter.name not in waiting
    assert 'http-equiv="refresh"' in waiting
    draft.begin()
    assert draft.encounter.name in page_of(client, token)


def test_it_follows_to_the_next_fight(client, fight, by, token, characters):
    address = reverse("combat:wall-since", args=[token, fight.encounter_id, 9999])
    assert client.get(address).status_code == 200
    fight.do(commands.End())
    following = drafts.create_encounter(by=by, name="The roof", scene="")
    drafts.add_character(encounter_id=following.pk, actor=fight.storyteller, character=characters["Ilya"])
    Table(following.pk, fight.storyteller, {}).begin()
    assert "The roof" in page_of(client, token)
    assert client.get(address).status_code == 404


def test_of_two_fights_it_shows_the_one_that_goes_on_and_at_last_the_one_that_went_on_longer(
    client, fight, by, token, characters
):
    roof = drafts.create_encounter(by=by, name="The roof", scene="")
    drafts.add_character(encounter_id=roof.pk, actor=fight.storyteller, character=characters["Thug"])
    following = Table(roof.pk, fight.storyteller, {}).begin()
    assert "The roof" in page_of(client, token)
    following.do(commands.End())
    assert fight.encounter.name in page_of(client, token)
    fight.do(commands.End())
    assert fight.encounter.name in page_of(client, token)


def test_what_is_lacking_comes_as_the_tables_frame(client, fight, token):
    version = versions.version_of(fight.encounter, TABLE)
    address = reverse("combat:wall-since", args=[token, fight.encounter_id, version])
    assert client.get(address).status_code == 204
    fight.do(commands.Harm(fight["Ilya"], 1, Damage.LETHAL))
    answer = client.get(address)
    assert answer.status_code == 200
    assert "Ilya" in answer.content.decode()


class WallSocket(Communicator):
    def __init__(self, token: str, encounter_id: str) -> None:
        super().__init__(WallConsumer.as_asgi(), f"/ws/wall/{token}/{encounter_id}/")
        self.scope["cookies"] = {}
        self.scope["url_route"] = {"args": (), "kwargs": {"token": token, "encounter_id": encounter_id}}

    async def code(self) -> int:
        closed = await self.receive_output()
        assert closed["type"] == "websocket.close", closed
        return int(closed["code"])


def test_its_socket_brings_what_changes_and_closes_when_the_link_is_revoked(fight, by, token):
    async def scenario() -> None:
        socket = WallSocket(token, fight.encounter_id)
        await socket.connect()
        first = await socket.receive_from()
        assert "Ilya" in first
        assert SECRET not in first
        await sync_to_async(fight.do)(commands.Harm(fight["Ilya"], 1, Damage.LETHAL))
        await socket.send_to(text_data='{"have": 1}')
        assert "Ilya" in await socket.receive_from()
        await sync_to_async(wall.close_wall)(by=by)
        await socket.send_to(text_data='{"have": 1}')
        assert await socket.code() == NOT_YOURS

    play(scenario)


def test_no_socket_without_a_link(fight):
    async def scenario() -> None:
        socket = WallSocket("wrong", fight.encounter_id)
        await socket.connect()
        assert await socket.code() == NOT_FOUND

    play(scenario)


def test_the_link_is_made_shown_once_and_revoked_by_its_page(signed_in, storyteller, fight):
    client = signed_in(storyteller)
    address = reverse("combat:wall-link", args=[fight.encounter.chronicle_id])
    assert "Create a link" in client.get(address).content.decode()
    made = client.post(address).context["link"]
    assert client.get(made).status_code == 200
    assert made not in client.get(address).content.decode()
    client.post(reverse("combat:wall-close", args=[fight.encounter.chronicle_id]))
    assert client.get(made).status_code == 404


def test_a_link_ends_by_itself(client, fight, token):
    address = reverse("combat:wall", args=[token])
    assert client.get(address).status_code == 200
    Wall.objects.update(expires=timezone.now())
    assert client.get(address).status_code == 404
