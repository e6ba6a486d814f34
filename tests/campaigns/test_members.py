"""Members of a chronicle: roles, leaving, removing, and the Storyteller who must remain."""

from __future__ import annotations

import random
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.urls import reverse
from django.utils import timezone

from campaigns import page_services, services
from campaigns.errors import InvitationDead, Refused
from campaigns.models import Membership, Role
from campaigns.signals import membership_changed

pytestmark = pytest.mark.servers


def test_a_player_becomes_storyteller_and_the_first_one_may_then_leave(
    member: Any, storyteller: Any, player: Any
) -> None:
    services.change_role(by=member(storyteller), member=member(player), role=Role.STORYTELLER)
    services.leave(member=member(storyteller))
    assert member(player).is_storyteller
    assert not Membership.objects.filter(user=storyteller).exists()


def test_the_last_storyteller_can_neither_leave_nor_be_demoted_nor_removed(member: Any, storyteller: Any) -> None:
    last = member(storyteller)
    with pytest.raises(Refused, match="needs a Storyteller"):
        services.leave(member=last)
    with pytest.raises(Refused, match="needs a Storyteller"):
        services.change_role(by=last, member=last, role=Role.PLAYER)
    with pytest.raises(Refused, match="needs a Storyteller"):
        services.remove_member(by=last, member=last, now=timezone.now())
    assert member(storyteller).is_storyteller


@pytest.mark.parametrize("route", ["change-role", "remove-member"])
def test_the_page_says_why_the_last_storyteller_stays(
    route: str, chronicle: Any, member: Any, storyteller: Any, client_of: Any
) -> None:
    address = reverse(f"campaigns:{route}", args=[chronicle.pk, member(storyteller).pk])
    response = client_of(storyteller).post(address, {"role": "player"}, follow=True)
    assert "A chronicle needs a Storyteller. Make somebody else a Storyteller first." in response.content.decode()
    response = client_of(storyteller).post(reverse("campaigns:leave", args=[chronicle.pk]), follow=True)
    assert "A chronicle needs a Storyteller. Make somebody else a Storyteller first." in response.content.decode()
    assert member(storyteller).is_storyteller


@pytest.mark.parametrize("seed", range(6))
def test_whatever_they_do_a_storyteller_remains_and_only_storytellers_make_storytellers(
    seed: int, chronicle: Any, person: Any
) -> None:
    chance = random.Random(seed)
    person("extra")
    for _step in range(60):
        members = list(chronicle.memberships.select_related("user").all())
        by, target = chance.choice(members), chance.choice(members)
        storytellers = {one.pk for one in members if one.is_storyteller}
        role = chance.choice(list(Role))
        action = chance.choice(
            [
                lambda by=by, target=target, role=role: services.change_role(by=by, member=target, role=role),
                lambda by=by, target=target: services.remove_member(by=by, member=target, now=timezone.now()),
                lambda by=by, target=target: services.restore_member(by=by, member=target),
                lambda by=by: services.leave(member=by),
            ]
        )
        try:
            action()
        except (Refused, PermissionDenied):
            continue
        finally:
            now = {one.pk for one in chronicle.memberships.storytellers()}
            assert now
            assert now <= storytellers or by.pk in storytellers


def test_a_right_lost_meanwhile_is_lost(member: Any, storyteller: Any, player: Any, other_player: Any) -> None:
    """The service checks again: a membership read before a demotion has no rights."""
    stale = member(storyteller)
    services.change_role(by=stale, member=member(player), role=Role.STORYTELLER)
    services.change_role(by=member(player), member=stale, role=Role.OBSERVER)
    with pytest.raises(PermissionDenied):
        services.remove_member(by=stale, member=member(other_player), now=timezone.now())
    assert member(other_player).removed_at is None


def test_the_removed_come_back_only_by_a_storyteller(
    chronicle: Any, member: Any, storyteller: Any, player: Any, client_of: Any
) -> None:
    by = member(storyteller)
    expires = timezone.now() + timezone.timedelta(days=1)
    _old, old = services.invite(by=by, role=Role.PLAYER, expires=expires, max_uses=5)
    services.remove_member(by=by, member=member(player), now=timezone.now())
    _new, new = services.invite(by=by, role=Role.PLAYER, expires=expires, max_uses=5)
    client = client_of(player)
    for token in (old, new):
        with pytest.raises(InvitationDead):
            services.join(user=player, token=token, now=timezone.now())
        assert client.get(reverse("campaigns:join", args=[token])).status_code == 404
        assert client.post(reverse("campaigns:join", args=[token])).status_code == 404
    assert client.get(reverse("campaigns:chronicle", args=[chronicle.pk])).status_code == 404
    services.restore_member(by=by, member=member(player))
    assert client.get(reverse("campaigns:chronicle", args=[chronicle.pk])).status_code == 200


def test_the_page_says_whom_it_lets_back_in(
    chronicle: Any, member: Any, storyteller: Any, player: Any, client_of: Any
) -> None:
    services.remove_member(by=member(storyteller), member=member(player), now=timezone.now())
    page = client_of(storyteller).get(reverse("campaigns:chronicle", args=[chronicle.pk])).content.decode()
    assert '<button>Let back in<span class="sr-only"> player</span></button>' in page


def test_a_removed_storyteller_comes_back_as_a_player(member: Any, storyteller: Any, player: Any) -> None:
    by = member(storyteller)
    services.change_role(by=by, member=member(player), role=Role.STORYTELLER)
    services.remove_member(by=by, member=member(player), now=timezone.now())
    services.restore_member(by=by, member=member(player))
    assert member(player).role == Role.PLAYER


def test_who_leaves_may_be_invited_again(member: Any, storyteller: Any, player: Any) -> None:
    services.leave(member=member(player))
    expires = timezone.now() + timezone.timedelta(days=1)
    _invitation, token = services.invite(by=member(storyteller), role=Role.OBSERVER, expires=expires, max_uses=1)
    assert services.join(user=player, token=token, now=timezone.now()).role == Role.OBSERVER


@pytest.fixture
def twice(monkeypatch: pytest.MonkeyPatch) -> Any:
    """twice(name): this service finds that the same press was already handled a moment ago."""

    def quicker(name: str) -> None:
        real = getattr(services, name)

        def one_then_the_other(**how: Any) -> Any:
            real(**how)
            return real(**how)

        monkeypatch.setattr(services, name, one_then_the_other)

    return quicker


def test_of_two_who_remove_or_restore_somebody_the_second_reads_so(
    twice: Any, chronicle: Any, member: Any, storyteller: Any, player: Any, client_of: Any
) -> None:
    client, at = client_of(storyteller), [chronicle.pk, member(player).pk]
    twice("remove_member")
    said = client.post(reverse("campaigns:remove-member", args=at), follow=True).content.decode()
    assert "player is no longer at this table." in said
    twice("restore_member")
    said = client.post(reverse("campaigns:restore-member", args=at), follow=True).content.decode()
    assert "player is already back at the table." in said


def test_who_has_left_already_has_left(twice: Any, chronicle: Any, member: Any, player: Any, client_of: Any) -> None:
    twice("leave")
    said = client_of(player).post(reverse("campaigns:leave", args=[chronicle.pk]), follow=True).content.decode()
    assert "You have left Ash and Amber." in said
    assert not chronicle.memberships.filter(user=player).exists()


def test_who_is_removed_meanwhile_stays_removed_by_leaving(member: Any, storyteller: Any, player: Any) -> None:
    mine = member(player)
    services.remove_member(by=member(storyteller), member=mine, now=timezone.now())
    services.leave(member=mine)
    assert member(player).removed_at is not None


def test_a_chronicle_that_is_gone_is_not_found(
    twice: Any, chronicle: Any, member: Any, storyteller: Any, client_of: Any
) -> None:
    by = member(storyteller)
    note = page_services.create_page(by=by, title="T", text="", audience="everyone")
    page_services.delete_page(by=by, page=note)
    with pytest.raises(Http404):
        page_services.edit_page(by=by, page=note, title="T", kind="note", session=None, version=1)
    twice("delete_chronicle")
    gone = client_of(storyteller).post(reverse("campaigns:delete", args=[chronicle.pk]), {"typed_name": chronicle.name})
    assert gone.status_code == 404


def test_an_unknown_role_changes_nothing(
    chronicle: Any, member: Any, storyteller: Any, player: Any, client_of: Any
) -> None:
    address = reverse("campaigns:change-role", args=[chronicle.pk, member(player).pk])
    response = client_of(storyteller).post(address, {"role": "prince"}, follow=True)
    assert "Choose one of the roles." in response.content.decode()
    assert member(player).role == Role.PLAYER


def test_others_are_told_after_the_commit(
    member: Any, storyteller: Any, player: Any, chronicle: Any, django_capture_on_commit_callbacks: Any
) -> None:
    heard = []

    def hear(chronicle_id: str, user_id: int, **_more: Any) -> None:
        heard.append((chronicle_id, user_id))

    membership_changed.connect(hear)
    try:
        with django_capture_on_commit_callbacks(execute=True):
            services.remove_member(by=member(storyteller), member=member(player), now=timezone.now())
            assert heard == []
        assert heard == [(chronicle.pk, player.pk)]
    finally:
        membership_changed.disconnect(hear)
