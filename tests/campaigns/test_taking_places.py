"""Open places on the pages: invitations to them, giving them to members, removing them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.urls import reverse
from django.utils import timezone

from campaigns import open_places, page_services, place_services, services
from campaigns.errors import InvitationDead, Refused
from campaigns.models import Chronicle, Invitation, Membership, Page, Role, User
from campaigns.signals import membership_changed
from tests.campaigns.conftest import page_of
from tests.campaigns.test_open_places import open_place

pytestmark = pytest.mark.servers


@pytest.fixture
def place(chronicle: Any) -> Membership:
    """Ana's place, open, with a journal of hers."""
    made = open_place(chronicle, "Ana")
    page = Page.objects.create(chronicle=chronicle, title="Diary", folded="diary", kind="journal", author=made.user)
    page.passages.create(text="I fear her.", author=made.user, audience="author", written=timezone.now())
    return made


@pytest.fixture
def link(place: Membership, member: Any, storyteller: Any) -> Any:
    """link() -> (invitation to Ana's place, its token, its path)."""

    def make() -> tuple[Invitation, str, str]:
        expires = timezone.now() + timedelta(days=1)
        invitation, token = place_services.invite_to(by=member(storyteller), place=place, expires=expires)
        return invitation, token, reverse("campaigns:join", args=[token])

    return make


def test_the_members_list_says_that_a_place_is_open(
    place: Any, chronicle: Any, storyteller: Any, player: Any, client_of: Any
) -> None:
    own = page_of(client_of(storyteller), chronicle)
    assert '<b>Ana</b> <span class="faint">place is open</span>' in own
    assert "Invite Ana" in own
    assert "This is …" in own
    others = page_of(client_of(player), chronicle)
    assert "place is open" in others
    assert "Invite Ana" not in others


def test_who_follows_the_link_takes_the_place(
    place: Any, chronicle: Any, storyteller: Any, stranger: Any, client_of: Any
) -> None:
    address = reverse("campaigns:invite-to-place", args=[chronicle.pk, place.pk])
    client = client_of(storyteller)
    assert "Invite Ana" in client.get(address).content.decode()
    assert client.post(address, {"lifetime": "x"}).status_code == 422
    made = client.post(address, {"lifetime": "24"}).content.decode()
    assert "One person can join with it, as Player." in made
    assert address in made
    invitation = Invitation.objects.get()
    assert (invitation.max_uses, invitation.label, invitation.place) == (1, "Ana", place)
    path = made.partition("/join/")[2].partition("/")[0]
    there = client_of(stranger)
    offer = there.get(reverse("campaigns:join", args=[path])).content.decode()
    assert "The place of Ana is kept for you" in offer
    answer = there.post(reverse("campaigns:join", args=[path]))
    assert answer["Location"] == reverse("campaigns:chronicle", args=[chronicle.pk])
    place.refresh_from_db()
    assert place.user == stranger
    assert (
        "I fear her."
        in there.get(reverse("campaigns:page", args=[chronicle.pk, Page.objects.get().pk])).content.decode()
    )
    assert "place is open" not in page_of(client, chronicle)


def test_the_link_works_once_and_takes_the_others_with_it(link: Any, stranger: Any, person: Any, place: Any) -> None:
    first, other, late = link(), link(), person("late")
    services.join(user=stranger, token=first[1], now=timezone.now())
    for token in (first[1], other[1]):
        with pytest.raises(InvitationDead):
            services.join(user=late, token=token, now=timezone.now())
    assert Membership.objects.filter(chronicle=place.chronicle).count() == 5


def test_a_link_to_a_place_that_was_given_away_is_dead(
    link: Any, place: Any, member: Any, storyteller: Any, player: Any, stranger: Any, client: Any
) -> None:
    _invitation, token, path = link()
    place_services.give(by=member(storyteller), place=place, member=member(player))
    with pytest.raises(InvitationDead):
        services.join(user=stranger, token=token, now=timezone.now())
    assert client.get(path).status_code == 404


def test_a_link_to_a_removed_place_is_dead_for_good(
    link: Any, place: Any, member: Any, storyteller: Any, stranger: Any, client: Any
) -> None:
    _invitation, token, path = link()
    services.remove_member(by=member(storyteller), member=place, now=timezone.now())
    assert client.get(path).status_code == 404
    with pytest.raises(InvitationDead):
        services.join(user=stranger, token=token, now=timezone.now())
    place.refresh_from_db()
    services.restore_member(by=member(storyteller), member=place)
    assert client.get(path).status_code == 404
    # Let back in, it is open again, for a new link.
    services.join(user=stranger, token=link()[1], now=timezone.now())
    place.refresh_from_db()
    assert (place.user, place.removed_at) == (stranger, None)


def test_a_link_gives_the_role_that_the_place_has_now(
    link: Any, place: Any, member: Any, storyteller: Any, stranger: Any, client: Any
) -> None:
    _invitation, token, path = link()
    services.change_role(by=member(storyteller), member=place, role=Role.OBSERVER)
    assert "as Observer" in client.get(path).content.decode()
    assert services.join(user=stranger, token=token, now=timezone.now()).role == Role.OBSERVER


def test_members_and_removed_ones_take_no_place_by_a_link(
    link: Any, place: Any, member: Any, storyteller: Any, player: Any, other_player: Any
) -> None:
    _invitation, token, _path = link()
    assert services.join(user=player, token=token, now=timezone.now()) == member(player)
    services.remove_member(by=member(storyteller), member=member(other_player), now=timezone.now())
    with pytest.raises(InvitationDead):
        services.join(user=other_player, token=token, now=timezone.now())
    place.refresh_from_db()
    assert place.is_open


def test_a_storyteller_says_who_it_is(
    place: Any, chronicle: Any, member: Any, storyteller: Any, player: Any, client_of: Any
) -> None:
    address = reverse("campaigns:give-place", args=[chronicle.pk, place.pk])
    client = client_of(storyteller)
    form = client.get(address).content.decode()
    assert "Who is Ana?" in form
    assert "player (Player)" in form
    assert f'value="{place.pk}"' not in form
    for wrong in ("", "x", str(place.pk), "9" * 30):
        assert client.post(address, {"member": wrong}).status_code == 422
    answer = client.post(address, {"member": str(member(player).pk)}, follow=True).content.decode()
    assert "The place of Ana belongs to player now." in answer
    assert Page.objects.get().author == player
    assert not Membership.objects.filter(pk=place.pk).exists()
    assert client.get(address).status_code == 404


def test_only_an_open_place_can_be_given(
    chronicle: Any, member: Any, storyteller: Any, player: Any, client_of: Any
) -> None:
    for route in ("give-place", "invite-to-place"):
        address = reverse(f"campaigns:{route}", args=[chronicle.pk, member(player).pk])
        assert client_of(storyteller).get(address).status_code == 404
    with pytest.raises(Refused, match="isn’t open any more"):
        place_services.give(by=member(storyteller), place=member(player), member=member(storyteller))
    with pytest.raises(Refused, match="isn’t open any more"):
        place_services.invite_to(by=member(storyteller), place=member(player), expires=timezone.now())


def test_a_place_is_given_to_present_members_of_its_chronicle(
    place: Any, chronicle: Any, member: Any, storyteller: Any, player: Any, stranger: Any
) -> None:
    by = member(storyteller)
    elsewhere = services.create_chronicle(user=stranger, name="Elsewhere", ruleset="masquerade")
    gone = member(player)
    services.remove_member(by=by, member=gone, now=timezone.now())
    for nobody in (Membership.objects.get(chronicle=elsewhere), gone, open_place(chronicle, "Ben")):
        with pytest.raises(Refused, match="no longer at this table"):
            place_services.give(by=by, place=place, member=nobody)
    with pytest.raises(PermissionDenied):
        place_services.give(by=member(player), place=place, member=by)


def test_both_who_join_and_who_are_given_a_place_get_their_rights_at_once(
    link: Any, place: Any, chronicle: Any, member: Any, storyteller: Any, player: Any, stranger: Any,
    django_capture_on_commit_callbacks: Any,
) -> None:  # fmt: skip
    told: list[tuple[str, int]] = []

    def hear(chronicle_id: str, user_id: int, **_more: Any) -> None:
        told.append((chronicle_id, user_id))

    membership_changed.connect(hear)
    try:
        with django_capture_on_commit_callbacks(execute=True):
            services.join(user=stranger, token=link()[1], now=timezone.now())
        other = open_place(chronicle, "Ben")
        with django_capture_on_commit_callbacks(execute=True):
            place_services.give(by=member(storyteller), place=other, member=member(player))
    finally:
        membership_changed.disconnect(hear)
    assert told == [(chronicle.pk, stranger.pk), (chronicle.pk, player.pk)]


def test_what_the_removal_of_an_open_place_says(place: Any, chronicle: Any, storyteller: Any, client_of: Any) -> None:
    address = reverse("campaigns:remove-member", args=[chronicle.pk, place.pk])
    page = client_of(storyteller).get(address).content.decode()
    assert "Links to this place stop working" in page
    client_of(storyteller).post(address)
    place.refresh_from_db()
    assert place.removed_at is not None


def test_a_players_own_words_wait_for_them(place: Any, member: Any, storyteller: Any) -> None:
    passage = Page.objects.get().passages.get()
    with pytest.raises(PermissionDenied):
        page_services.edit_passage(
            by=member(storyteller), passage=passage, text="x", audience="everyone", version=passage.version
        )


def test_an_open_place_is_no_other_chronicles(place: Any, stranger: Any, client_of: Any) -> None:
    other = services.create_chronicle(user=stranger, name="Elsewhere", ruleset="masquerade")
    assert "Ana" not in page_of(client_of(stranger), other)
    assert not Membership.objects.filter(user=place.user).exclude(chronicle=place.chronicle).exists()


@pytest.mark.django_db(transaction=True)
def test_of_two_who_take_a_place_at_once_one_gets_it(storyteller: Any, person: Any) -> None:
    chronicle = services.create_chronicle(user=storyteller, name="Autumn", ruleset="masquerade")
    place = open_place(Chronicle.objects.get(pk=chronicle.pk), "Ana")
    by = Membership.objects.get(user=storyteller)
    expires = timezone.now() + timedelta(days=1)
    tokens = [place_services.invite_to(by=by, place=place, expires=expires)[1] for _each in range(2)]
    people = [person("one"), person("two")]

    def join(at: int) -> bool:
        try:
            services.join(user=people[at], token=tokens[at], now=timezone.now())
        except InvitationDead:
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(join, range(2))) == [False, True]
    place.refresh_from_db()
    assert place.user in people
    assert User.objects.filter(username__startswith=open_places.PREFIX).count() == 1
