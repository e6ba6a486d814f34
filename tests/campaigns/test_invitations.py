"""Invitation links: what one opens, for whom, how often, and who is notified."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.urls import reverse
from django.utils import timezone

from campaigns import services
from campaigns.errors import InvitationDead, Refused
from campaigns.models import Invitation, Membership, Role, User
from campaigns.tokens import ALPHABET, hash_token, new_token, public_id

pytestmark = pytest.mark.servers


@pytest.fixture
def invite(member: Any, storyteller: Any) -> Any:
    """invite(**changes) -> (invitation, token, the link's path)."""

    def make(**changes: Any) -> tuple[Invitation, str, str]:
        given = {"role": Role.PLAYER, "expires": timezone.now() + timedelta(days=1), "max_uses": 1, **changes}
        invitation, token = services.invite(by=member(storyteller), **given)
        return invitation, token, reverse("campaigns:join", args=[token])

    return make


def test_a_guest_sees_what_it_is_and_the_way_in_keeps_the_link(invite: Any, client: Any, chronicle: Any) -> None:
    _invitation, _token, path = invite()
    response = client.get(path)
    page = response.content.decode()
    assert chronicle.name in page
    assert "storyteller invites you to" in page
    assert f'href="/account/sign-up/?next={path}"' in page
    assert f'href="/account/sign-in/?next={path}"' in page
    assert response["Referrer-Policy"] == "same-origin"


def test_signing_up_on_the_way_leads_back_and_then_in(invite: Any, client: Any, chronicle: Any) -> None:
    _invitation, _token, path = invite(role=Role.OBSERVER)
    data = {"username": "newcomer", "password": "a long enough phrase", "next": path}
    assert client.post(reverse("campaigns:sign-up"), data)["Location"] == path
    response = client.post(path)
    assert response["Location"] == reverse("campaigns:chronicle", args=[chronicle.pk])
    assert Membership.objects.get(user__username="newcomer").role == Role.OBSERVER


def test_looking_uses_nothing_up(invite: Any, stranger: Any, client_of: Any) -> None:
    invitation, _token, path = invite()
    for _look in range(10):
        assert client_of(stranger).get(path).status_code == 200
    invitation.refresh_from_db()
    assert invitation.uses == 0
    assert not Membership.objects.filter(user=stranger).exists()


def test_members_keep_their_place_and_the_link_its_uses(invite: Any, member: Any, player: Any) -> None:
    invitation, token, _path = invite(role=Role.OBSERVER)
    assert services.join(user=player, token=token, now=timezone.now()).role == Role.PLAYER
    invitation.refresh_from_db()
    assert invitation.uses == 0


@pytest.mark.parametrize("end", ["used", "expired", "revoked"])
def test_a_dead_link_still_leads_members_to_their_table(
    end: str, invite: Any, member: Any, storyteller: Any, person: Any, client_of: Any
) -> None:
    invitation, token, path = invite()
    guest = person("guest")
    services.join(user=guest, token=token, now=timezone.now())  # which uses it up
    if end == "expired":
        Invitation.objects.update(expires=timezone.now() - timedelta(seconds=1))
    if end == "revoked":
        services.revoke_invitation(by=member(storyteller), invitation=invitation, now=timezone.now())
    home = reverse("campaigns:chronicle", args=[invitation.chronicle_id])
    for answer in (client_of(guest).get(path), client_of(guest).post(path)):
        assert answer.status_code == 302
        assert answer["Location"] == home


def test_a_dead_link_leads_nobody_back_who_was_removed(
    invite: Any, member: Any, storyteller: Any, person: Any, client_of: Any
) -> None:
    _invitation, token, path = invite()
    guest = person("guest")
    membership = services.join(user=guest, token=token, now=timezone.now())
    services.remove_member(by=member(storyteller), member=membership, now=timezone.now())
    assert client_of(guest).get(path).status_code == 404
    assert client_of(guest).post(path).status_code == 404


def test_every_dead_link_is_the_same_nothing(
    invite: Any, member: Any, storyteller: Any, stranger: Any, person: Any, client_of: Any
) -> None:
    revoked, _token, revoked_path = invite()
    services.revoke_invitation(by=member(storyteller), invitation=revoked, now=timezone.now())
    _used, token, used_path = invite()
    services.join(user=person("quick"), token=token, now=timezone.now())
    _expired, _token, expired_path = invite(expires=timezone.now() - timedelta(seconds=1))
    unknown_path = reverse("campaigns:join", args=[new_token()])
    client = client_of(stranger)
    bodies = set()
    for path in (revoked_path, used_path, expired_path, unknown_path):
        response = client.get(path)
        assert response.status_code == 404
        assert response["Referrer-Policy"] == "same-origin"
        assert client.post(path).status_code == 404
        bodies.add(re.sub(rb'csrftoken": "[^"]+|value="[^"]{64}"', b"", response.content))
    assert len(bodies) == 1
    assert not Membership.objects.filter(user=stranger).exists()


def test_the_thirty_first_wrong_link_in_a_minute_waits(client: Any, invite: Any) -> None:
    _invitation, _token, path = invite()
    for _try in range(30):
        assert client.get(reverse("campaigns:join", args=[new_token()])).status_code == 404
    response = client.get(reverse("campaigns:join", args=[new_token()]))
    assert response.status_code == 429
    assert response["Retry-After"] == "60"
    forged = client.get(path, headers={"x-forwarded-for": "198.51.100.7"})
    assert forged.status_code == 429


def test_of_the_token_only_its_hash_is_kept(invite: Any) -> None:
    invitation, token, _path = invite()
    assert len(token) >= 43
    assert invitation.token_hash == hash_token(token)
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM campaigns_invitation")
        assert token not in str(cursor.fetchall())


def test_the_link_is_shown_once_with_a_code(chronicle: Any, storyteller: Any, client_of: Any) -> None:
    client = client_of(storyteller)
    response = client.post(
        reverse("campaigns:invite", args=[chronicle.pk]), {"role": "player", "max_uses": "5", "lifetime": "24"}
    )
    page = response.content.decode()
    (link,) = re.findall(r'value="(http://testserver/join/[\w-]{43}/)"', page)
    (code,) = re.findall(r'<svg[^>]*class="qr".*?</svg>', page, re.DOTALL)
    assert "style" not in code
    assert "script" not in code
    assert 'fill="#fff"' in code
    assert "5 people can join with it, as Player." in page
    assert "no-store" in response["Cache-Control"]
    assert link.split("/")[-2] not in client.get(reverse("campaigns:chronicle", args=[chronicle.pk])).content.decode()


@pytest.mark.parametrize(("host", "warned"), [("localhost", True), ("127.0.0.1", True), ("testserver", False)])
def test_a_link_that_phones_cannot_follow_says_so(
    host: str, warned: bool, chronicle: Any, storyteller: Any, client_of: Any
) -> None:
    data = {"role": "player", "max_uses": "1", "lifetime": "24"}
    response = client_of(storyteller).post(
        reverse("campaigns:invite", args=[chronicle.pk]), data, headers={"host": host}
    )
    assert ("only works on this computer" in response.content.decode()) is warned


def test_a_link_for_a_storyteller_works_once(chronicle: Any, member: Any, storyteller: Any, client_of: Any) -> None:
    data = {"role": "storyteller", "max_uses": "2", "lifetime": "24"}
    response = client_of(storyteller).post(reverse("campaigns:invite", args=[chronicle.pk]), data)
    assert response.status_code == 422
    assert "A Storyteller invitation can only be used once" in response.content.decode()
    with pytest.raises(Refused):
        services.invite(by=member(storyteller), role=Role.STORYTELLER, expires=timezone.now(), max_uses=2)
    assert not Invitation.objects.exists()


@pytest.mark.parametrize(
    "bad",
    [
        {"role": "prince"},
        {"max_uses": "0"},
        {"max_uses": "51"},
        {"max_uses": "x"},
        {"lifetime": "9999"},
        {"label": "x" * 81},
    ],
)
def test_bad_input_comes_back(bad: dict[str, str], chronicle: Any, storyteller: Any, client_of: Any) -> None:
    data = {"role": "player", "max_uses": "1", "lifetime": "24", "label": "Friday", **bad}
    response = client_of(storyteller).post(reverse("campaigns:invite", args=[chronicle.pk]), data)
    assert response.status_code == 422
    assert set(response.context["form"].errors) == set(bad)
    assert not Invitation.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_of_twelve_who_press_at_once_one_joins(invite: Any, person: Any) -> None:
    invitation, token, _path = invite()
    people = [person(f"quick{number}") for number in range(12)]

    def press(user: User) -> bool:
        try:
            services.join(user=user, token=token, now=timezone.now())
        except InvitationDead:
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(6) as pool:
        joined = list(pool.map(press, people))
    assert joined.count(True) == 1
    assert Membership.objects.filter(user__in=people).count() == 1
    invitation.refresh_from_db()
    assert invitation.uses == 1


def test_public_ids_are_random_and_plain() -> None:
    ids = {public_id() for _ in range(500)}
    assert len(ids) == 500
    assert all(len(one) == 10 and set(one) <= set(ALPHABET) for one in ids)
