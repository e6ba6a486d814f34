"""Deleting one's account: the page, the administration and the command, and when it is refused."""

from __future__ import annotations

import re
from io import StringIO
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.core.management import CommandError, call_command
from django.urls import reverse
from django.utils import timezone

from campaigns import leaving, open_places, services
from campaigns.errors import InvitationDead, Refused
from campaigns.models import Chronicle, Invitation, Membership, Role, User
from campaigns.views.accounts import PASSWORDS_AN_HOUR
from characters.models import Character

pytestmark = pytest.mark.django_db

ADDRESS = "campaigns:delete-account"


def press(client: Any, who: str, **more: str) -> Any:
    data = {"password": f"{who}'s password", "sure": "on"} | more
    return client.post(reverse(ADDRESS), {name: value for name, value in data.items() if value})


def test_the_page_says_what_happens_and_then_it_does(chronicle, player, client_of):
    Character.objects.create(chronicle=chronicle, name="Ilya", owner=player)
    services.create_chronicle(user=player, name="Only mine", ruleset="masquerade")
    client = client_of(player)
    account = client.get(reverse("campaigns:account")).content.decode()
    assert reverse(ADDRESS) in account
    page = client.get(reverse(ADDRESS)).content.decode()
    assert "Your characters stay and become the Storyteller’s: Ilya." in page
    assert re.search(r"since nobody else is there:</strong> Only mine\.", page)
    assert f"You leave {chronicle.name}." in page
    answer = press(client, "player")
    assert (answer.status_code, answer["Location"]) == (302, reverse("campaigns:home"))
    assert "Your account has been deleted." in client.get(reverse("campaigns:home")).content.decode()
    assert not User.objects.filter(username="player").exists()
    assert Character.objects.get(name="Ilya").owner is None
    assert not Chronicle.objects.filter(name="Only mine").exists()
    assert client.get(reverse("campaigns:account")).status_code == 302


@pytest.mark.parametrize("wrong", [{"password": "0ther-Wrong"}, {"password": ""}, {"sure": ""}, {"password": "\x00"}])
def test_it_needs_the_password_and_the_tick(wrong, player, client_of):
    answer = press(client_of(player), "player", **wrong)
    assert answer.status_code == 422
    assert "0ther-Wrong" not in answer.content.decode()
    assert User.objects.filter(pk=player.pk).exists()


def test_a_get_deletes_nothing(player, client_of):
    client_of(player).get(reverse(ADDRESS), {"password": "player's password", "sure": "on"})
    assert User.objects.filter(pk=player.pk).exists()


def test_passwords_cannot_be_guessed_in_an_open_session(player, client_of):
    client = client_of(player)
    answers = [press(client, "player", password=f"guess {number}").status_code for number in range(PASSWORDS_AN_HOUR)]
    assert set(answers) == {422}
    assert press(client, "player").status_code == 429
    assert User.objects.filter(pk=player.pk).exists()


def test_the_last_storyteller_of_others_is_needed(chronicle, storyteller, player, client_of):
    client = client_of(storyteller)
    page = client.get(reverse(ADDRESS)).content.decode()
    assert f"You are the only Storyteller of “{chronicle.name}”" in page
    assert 'name="password"' not in page
    assert press(client, "storyteller").status_code == 200
    with pytest.raises(Refused, match=chronicle.name):
        leaving.delete_account(storyteller)
    assert User.objects.filter(pk=storyteller.pk).exists()
    Membership.objects.filter(user=player).update(role=Role.STORYTELLER)
    assert press(client, "storyteller").status_code == 302
    assert Membership.objects.get(chronicle=chronicle, role=Role.STORYTELLER).user == player


def test_removed_members_do_not_keep_anybody(chronicle, storyteller):
    others = Membership.objects.filter(chronicle=chronicle).exclude(user=storyteller)
    others.update(removed_at=timezone.now())
    assert leaving.farewell(storyteller).alone == (chronicle.name,)
    leaving.delete_account(storyteller)
    assert not Chronicle.objects.filter(pk=chronicle.pk).exists()


def test_a_disabled_storyteller_is_no_storyteller(chronicle, storyteller, player, observer):
    Membership.objects.filter(user=player).update(role=Role.STORYTELLER)
    User.objects.filter(pk=player.pk).update(is_active=False)
    with pytest.raises(Refused, match=chronicle.name):
        leaving.delete_account(storyteller)


def test_open_places_are_nobody(storyteller):
    mine = services.create_chronicle(user=storyteller, name="Brought in", ruleset="masquerade")
    place = open_places.account_for(mine, "Ana")
    place.save()
    Membership.objects.create(chronicle=mine, user=place, role=Role.STORYTELLER)
    leaving.delete_account(storyteller)
    assert not Chronicle.objects.filter(pk=mine.pk).exists()
    assert not User.objects.filter(pk=place.pk).exists()


def test_the_last_administrator_stays(admin, person, client_of):
    assert "only account that can manage this server" in client_of(admin).get(reverse(ADDRESS)).content.decode()
    with pytest.raises(Refused):
        leaving.delete_account(admin)
    person("disabled", is_superuser=True, is_staff=True, is_active=False)
    with pytest.raises(Refused):
        leaving.delete_account(admin)
    person("second", is_superuser=True, is_staff=True)
    leaving.delete_account(admin)
    assert not User.objects.filter(pk=admin.pk).exists()


def test_a_second_press_finds_it_done(player):
    again = User.objects.get(pk=player.pk)
    leaving.delete_account(player)
    leaving.delete_account(again)
    assert not User.objects.filter(pk=again.pk).exists()


def test_its_invitations_stop_working(chronicle, storyteller, player, stranger):
    Membership.objects.filter(user=player).update(role=Role.STORYTELLER)
    by = Membership.objects.get(chronicle=chronicle, user=player)
    soon = timezone.now() + timezone.timedelta(days=1)
    _made, token = services.invite(by=by, role=Role.PLAYER, expires=soon, max_uses=1)
    leaving.delete_account(player)
    assert Invitation.objects.get(token_hash=_made.token_hash).state(timezone.now()) == "revoked"
    with pytest.raises(InvitationDead):
        services.join(user=stranger, token=token, now=timezone.now())


def test_a_receiver_that_fails_keeps_the_account(player, monkeypatch):
    def fail(_user: User) -> None:
        raise RuntimeError

    monkeypatch.setattr(leaving, "_forget_sign_ins", fail)
    before = list(Membership.objects.values_list("pk", flat=True))
    with pytest.raises(RuntimeError):
        leaving.delete_account(player)
    assert User.objects.filter(pk=player.pk).exists()
    assert list(Membership.objects.values_list("pk", flat=True)) == before


def test_the_page_in_german(chronicle, player, client_of):
    player.language = "de"
    player.save()
    page = client_of(player).get(reverse(ADDRESS)).content.decode()
    assert "Konto löschen" in page
    assert "You" not in re.sub(r"<[^>]*>", "", page.partition("<main")[2])


# ------------------------------------------------------------------ administration


def deletion_of(user: Any) -> str:
    return reverse("admin:campaigns_user_delete", args=[user.pk])


def test_the_administration_deletes_with_the_same_service(chronicle, admin, player, client_of):
    Character.objects.create(chronicle=chronicle, name="Ilya the unknown", owner=player)
    client = client_of(admin)
    page = client.get(deletion_of(player)).content.decode()
    # Running a server doesn't include reading its games.
    assert "Ilya" not in page
    assert chronicle.name not in page
    assert "Characters that become the Storytellers’: 1" in re.sub(r"<[^>]*>", "", page)
    answer = client.post(deletion_of(player), {"post": "yes"})
    assert answer.status_code == 302
    assert not User.objects.filter(pk=player.pk).exists()
    assert Character.objects.get(name="Ilya the unknown").owner is None
    assert not LogEntry.objects.filter(object_repr__icontains="player").exists()


def test_the_administration_refuses_what_the_page_refuses(chronicle, storyteller, admin, client_of):
    client = client_of(admin)
    for one in (storyteller, admin):
        client.post(deletion_of(one), {"post": "yes"})
        assert User.objects.filter(pk=one.pk).exists()


def test_one_that_is_needed_since_the_page_was_drawn(player, admin, client_of, monkeypatch):
    def refuse(_user: User) -> None:
        raise Refused("Now it is needed.")

    monkeypatch.setattr(leaving, "delete_account", refuse)
    answer = client_of(admin).post(deletion_of(player), {"post": "yes"}, follow=True)
    assert "Now it is needed." in answer.content.decode()


def test_there_is_no_deletion_of_many(player, admin, client_of):
    data = {"action": "delete_selected", "_selected_action": [player.pk], "post": "yes"}
    client_of(admin).post(reverse("admin:campaigns_user_changelist"), data)
    assert User.objects.filter(pk=player.pk).exists()


def test_staff_do_not_delete_staff(player, admin, person, client_of):
    clerk = person("clerk", is_staff=True)
    rights = Permission.objects.filter(codename__in=["delete_user", "view_user", "change_user"])
    clerk.user_permissions.set(rights)
    client = client_of(clerk)
    assert client.post(deletion_of(admin), {"post": "yes"}).status_code == 403
    assert client.post(deletion_of(player), {"post": "yes"}).status_code == 302
    assert not User.objects.filter(pk=player.pk).exists()


# ------------------------------------------------------------------ the command


def test_the_command_says_what_happens_and_asks(chronicle, player, monkeypatch):
    Character.objects.create(chronicle=chronicle, name="Ilya", owner=player)
    said = StringIO()
    monkeypatch.setattr("builtins.input", lambda _prompt: "no")
    with pytest.raises(CommandError, match="Nothing was deleted"):
        call_command("delete_account", "PLAYER", stdout=said)
    assert "Characters that become the Storytellers': “Ilya”" in said.getvalue()
    monkeypatch.setattr("builtins.input", lambda _prompt: "player")
    call_command("delete_account", "player", stdout=said)
    assert "The account has been deleted." in said.getvalue()
    assert not User.objects.filter(pk=player.pk).exists()


def test_the_command_refuses_what_the_page_refuses(chronicle, storyteller, admin):
    for name, sentence in (
        ("storyteller", "only Storyteller"),
        ("admin", "manage this server"),
        ("nobody-here", "There is no account"),
    ):
        with pytest.raises(CommandError, match=sentence):
            call_command("delete_account", name, "--yes")
