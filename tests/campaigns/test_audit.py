"""The security log: one line per event, without secrets."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from campaigns import services
from campaigns.models import Membership, Role
from tests.combat.conftest import characters, draft, fight

__all__ = ["characters", "draft", "fight"]  # fixtures

pytestmark = [pytest.mark.django_db, pytest.mark.servers]

PASSWORD = "a quite long passphrase"


@pytest.fixture
def lines(caplog: Any, settings: Any) -> Any:
    """The log's lines, oldest first."""
    import logging

    logger = logging.getLogger("vesper.security")
    propagates, logger.propagate = logger.propagate, True
    caplog.set_level("INFO", "vesper.security")
    yield lambda: [record.getMessage() for record in caplog.records if record.name == "vesper.security"]
    logger.propagate = propagates


def signed_in(user: Any) -> Client:
    client = Client()
    client.force_login(user)
    return client


def test_coming_in_going_out_and_failing_are_a_line_each(player, client, lines):
    player.set_password(PASSWORD)
    player.save()
    address = reverse("campaigns:sign-in")
    client.post(address, {"username": player.username, "password": "CANARY wrong"})
    client.post(address, {"username": player.username, "password": PASSWORD})
    client.post(reverse("campaigns:sign-out"))
    assert lines() == [
        "sign-in-failed user=- address=127.0.0.1",
        f"signed-in user={player.pk} address=127.0.0.1",
        f"signed-out user={player.pk} address=127.0.0.1",
    ]


def test_whoever_is_turned_away_is_noted_with_the_route_and_not_the_address(player, stranger, chronicle, lines):
    edit = reverse("campaigns:edit", args=[chronicle.pk])
    signed_in(player).get(edit)
    signed_in(stranger).get(edit)
    told = [line for line in lines() if not line.startswith("signed-in")]
    assert told == [
        f"refused user={player.pk} address=127.0.0.1 method=GET route=campaigns:edit",
        f"not-found user={stranger.pk} address=127.0.0.1 method=GET route=campaigns:edit",
    ]


def test_a_guest_who_mistypes_an_address_is_no_news(client, lines):
    client.get("/chronicles/nowhere/")
    client.get("/nowhere/")
    assert lines() == []


def test_rights_that_change_are_noted(storyteller, stranger, chronicle, lines):
    by = Membership.objects.get(chronicle=chronicle, user=storyteller)
    now = timezone.now()
    invitation, token = services.invite(by=by, role=Role.PLAYER, expires=now + timedelta(days=1), max_uses=1)
    member = services.join(user=stranger, token=token, now=now)
    services.change_role(by=by, member=member, role=Role.OBSERVER)
    services.remove_member(by=by, member=member, now=now)
    services.restore_member(by=by, member=member)
    services.revoke_invitation(by=by, invitation=invitation, now=now)
    assert [line.split()[0] for line in lines()] == [
        "invitation-made",
        "invitation-used",
        "role-changed",
        "member-removed",
        "member-restored",
        "invitation-revoked",
    ]
    assert token not in str(lines())
    assert chronicle.name not in str(lines())
    assert all(f"chronicle={chronicle.pk}" in line for line in lines())


def test_a_right_changed_through_a_page_names_who_did_it(storyteller, player, chronicle, lines):
    member = Membership.objects.get(chronicle=chronicle, user=player)
    address = reverse("campaigns:remove-member", args=[chronicle.pk, member.pk])
    signed_in(storyteller).post(address)
    assert (
        f"member-removed user={storyteller.pk} address=127.0.0.1 chronicle={chronicle.pk} member={player.pk}" in lines()
    )


def test_changed_passwords_ended_sign_ins_and_lockouts_are_a_line_each(player, client, lines, settings):
    player.set_password(PASSWORD)
    player.save()
    here, there = signed_in(player), signed_in(player)
    there.get(reverse("campaigns:account"))
    here.post(reverse("campaigns:end-sign-in"), {"others": "1"})
    new = {"old_password": PASSWORD, "new_password1": PASSWORD * 2, "new_password2": PASSWORD * 2}
    here.post(reverse("campaigns:password-change"), new)
    wrong = {"username": "CANARY-typed", "password": "CANARY wrong"}
    for _guess in range(settings.AXES_FAILURE_LIMIT):
        client.post(reverse("campaigns:sign-in"), wrong)
    told = [line for line in lines() if not line.startswith(("signed-in", "sign-in-failed"))]
    assert told == [
        f"sign-in-ended user={player.pk} address=127.0.0.1",
        f"password-changed user={player.pk} address=127.0.0.1",
        "locked-out user=- address=127.0.0.1",
    ]
    assert "CANARY" not in str(lines())


def test_a_calendar_address_is_noted_without_it(player, chronicle, lines):
    client = signed_in(player)
    page = client.post(reverse("campaigns:calendar", args=[chronicle.pk])).content.decode()
    feed = f"/calendar/{page.partition('testserver/calendar/')[2].partition('.ics')[0]}.ics"
    assert client.get(feed).status_code == 200
    client.post(reverse("campaigns:calendar-close", args=[chronicle.pk]))
    assert client.get(feed).status_code == 404
    told = [line for line in lines() if line.startswith("calendar-")]
    about = f"user={player.pk} address=127.0.0.1 chronicle={chronicle.pk}"
    assert told == [f"calendar-opened {about}", f"calendar-closed {about}"]


def test_a_wall_and_an_export_are_noted(storyteller, chronicle, fight, lines):
    client = signed_in(storyteller)
    client.post(reverse("combat:wall-link", args=[chronicle.pk]))
    client.post(reverse("combat:wall-close", args=[chronicle.pk]))
    client.get(reverse("combat:log", args=[fight.encounter_id])).close()
    told = [line.split()[0] for line in lines()]
    assert told[-3:] == ["wall-opened", "wall-closed", "log-exported"]


def test_what_an_administrator_does_to_accounts_is_noted(admin, player, lines):
    client = signed_in(admin)
    account = reverse("admin:campaigns_user_change", args=[player.pk])
    said = {"username": player.username, "date_joined_0": "2026-01-02", "date_joined_1": "00:00:00", "email": ""}
    assert client.post(account, said).status_code == 302  # neither active nor staff: disabled
    password = reverse("admin:auth_user_password_change", args=[player.pk])
    new = {"usable_password": "true", "password1": PASSWORD, "password2": PASSWORD + "!"}
    assert client.post(password, new).status_code == 200
    assert client.post(password, new | {"usable_password": "false", "set-password": "1"}).status_code == 302
    assert client.post(password, new | {"password2": PASSWORD}).status_code == 302
    player.refresh_from_db()
    assert not player.is_active
    assert player.check_password(PASSWORD)
    told = [line for line in lines() if not line.startswith("signed-in")]
    assert told == [
        f"account-changed user={admin.pk} address=127.0.0.1 account={player.pk}",
        f"password-given user={admin.pk} address=127.0.0.1 account={player.pk}",
    ]
