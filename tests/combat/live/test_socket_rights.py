"""Who may open a socket, and how it closes when the right is gone."""

from __future__ import annotations

import json
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import Client
from django.urls import reverse

from campaigns import sign_ins
from campaigns.session_store import SessionStore
from rules.model.gear import Damage
from rules.topics import commands
from tests.combat.conftest import SECRET, Table
from tests.combat.sockets import no_hints, opened, play

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("plain_panes", "nobody_is_there_yet"), pytest.mark.servers]


def test_who_may_not_is_told_by_a_code(fight: Table, stranger: Any, admin: Any) -> None:
    async def scenario() -> None:
        assert await (await opened(None, fight.encounter_id)).code() == 4401
        for somebody in (stranger, admin):
            socket = await opened(somebody, fight.encounter_id)
            assert await socket.code() == 4404
        assert await (await opened(stranger, "nosuchthing")).code() == 4404

    play(scenario)


def test_a_draft_opens_for_the_storyteller_alone(draft: Table, player: Any, storyteller: Any) -> None:
    async def scenario() -> None:
        assert await (await opened(player, draft.encounter_id)).code() == 4404
        socket = await opened(storyteller, draft.encounter_id)
        assert SECRET in await socket.receive_from()
        await socket.disconnect()

    play(scenario)


def remove(fight: Table, user: Any) -> None:
    from django.utils import timezone

    from campaigns import services

    memberships = fight.encounter.chronicle.memberships
    services.remove_member(
        by=memberships.get(user=fight.storyteller), member=memberships.get(user=user), now=timezone.now()
    )


def demote(fight: Table, user: Any) -> None:
    from campaigns import services

    memberships = fight.encounter.chronicle.memberships
    services.change_role(by=memberships.get(user=fight.storyteller), member=memberships.get(user=user), role="observer")


def sign_out(fight: Table, user: Any) -> None:
    from django.contrib.auth import logout
    from django.test import RequestFactory

    from campaigns.models import SignIn

    request = RequestFactory().post("/")
    request.session = SessionStore(SignIn.objects.get().session_key)
    request.user = user
    logout(request)


def change_password(fight: Table, user: Any) -> None:
    user.set_password("another one")
    user.save()


def password_by_an_administrator(fight: Table, user: Any) -> None:
    office = Client()
    office.force_login(type(user).objects.create_superuser("office"))
    new = {"usable_password": "true", "password1": "another long phrase 9", "password2": "another long phrase 9"}
    assert office.post(reverse("admin:auth_user_password_change", args=[user.pk]), new).status_code == 302


def disable(fight: Table, user: Any) -> None:
    type(user).objects.filter(pk=user.pk).update(is_active=False)


LOSSES = [
    *((remove, 4403), (demote, 4403), (sign_out, 4401), (change_password, 4401)),
    *((password_by_an_administrator, 4401), (disable, 4401)),
]


@pytest.mark.parametrize(("lose", "code"), LOSSES, ids=[lose.__name__ for lose, _ in LOSSES])
def test_no_frame_after_the_right_is_gone(
    fight: Table, player: Any, acts: Any, lose: Any, code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With all hints lost: closed at the next heartbeat. With an unrelated hint: closed before it is shown."""
    no_hints(monkeypatch)

    async def scenario() -> None:
        socket = await opened(player, fight.encounter_id)
        await socket.receive_from()
        await sync_to_async(lose)(fight, player)
        await acts(commands.Harm(fight["Ilya"], 1, Damage.LETHAL))
        await socket.send_to(json.dumps({"have": 1}))
        assert await socket.code() == code

    play(scenario)


def end_elsewhere(fight: Table, user: Any) -> None:
    sign_ins.end_others(user=user, here=None)


AT_ONCE = [*LOSSES[:5], (end_elsewhere, 4401)]


@pytest.mark.parametrize(("lose", "code"), AT_ONCE, ids=[lose.__name__ for lose, _ in AT_ONCE])
def test_losing_a_right_closes_at_once(
    fight: Table, player: Any, lose: Any, code: int, django_capture_on_commit_callbacks: Any
) -> None:
    def change() -> None:
        with django_capture_on_commit_callbacks(execute=True):
            lose(fight, player)

    async def scenario() -> None:
        socket = await opened(player, fight.encounter_id)
        await socket.receive_from()
        await sync_to_async(change)()
        assert await socket.code() == code

    play(scenario)
