"""Open places: accounts that nobody signs in to, and what passes to those who take them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from django.core import mail
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from campaigns import access, open_places, services
from campaigns.errors import Refused
from campaigns.forms.accounts import SignUpForm
from campaigns.models import (
    Answer,
    Attendance,
    Chronicle,
    Invitation,
    Membership,
    Page,
    Passage,
    PassageAudience,
    Readership,
    Reveal,
    Role,
    Session,
    SignIn,
    User,
)
from campaigns.viewing import viewable
from characters.models import Character, ExperienceEntry, SheetChange, Tie, TieReadership
from combat.models import DeskKeys, LogRow
from tests.kept import kept

pytestmark = pytest.mark.servers

NOW = datetime(2026, 3, 1, 20, tzinfo=UTC)

MOVED = {
    *((Page, "author"), (Passage, "author"), (Reveal, "by"), (Invitation, "created_by"), (Attendance, "user")),
    *((Character, "owner"), (SheetChange, "by"), (Tie, "author"), (Membership, "user")),
}
"""What passes to the account that takes a place."""
SEALED = {(ExperienceEntry, "by"), (LogRow, "actor")}
"""What stays with the place's account."""
NEVER = {
    "SignIn.user",
    "DeskKeys.user",
    "Transfer.user",
    "LogEntry.user",
    "User_groups.user",
    "User_user_permissions.user",
}
"""What only somebody who has signed in can have, and the administration's."""

READERS = {(Readership, "membership"), (TieReadership, "membership"), (Reveal.to.through, "membership")}
WITH_THE_PLACE = {"Invitation.place", "Looked.membership", "CalendarFeed.membership"}


@pytest.fixture
@kept
def place(chronicle: Any) -> Membership:
    """Ana's place, open."""
    return open_place(chronicle, "Ana")


def open_place(chronicle: Chronicle, name: str, role: str = Role.PLAYER) -> Membership:
    user = open_places.account_for(chronicle, name)
    user.save()
    return Membership.objects.create(chronicle=chronicle, user=user, role=role)


def relations(model: Any) -> set[str]:
    """Everything that refers to a model, as "Model.field"."""
    return {
        f"{each.related_model.__name__}.{each.field.name}"
        for each in model._meta.get_fields(include_hidden=True)
        if each.auto_created and not each.concrete and (each.one_to_many or each.one_to_one)
    }


def named(pairs: Any) -> set[str]:
    return {f"{model.__name__}.{field}" for model, field in pairs}


def test_it_is_decided_of_every_relation_of_an_account_where_it_goes() -> None:
    assert relations(User) == named(MOVED) | named(SEALED) | NEVER
    # Many-to-many relations count by the rows that hold them.
    assert relations(Membership) == named(READERS) | WITH_THE_PLACE
    assert SignIn, DeskKeys


def test_nobody_signs_in_to_an_open_place(place: Any, client_of: Any) -> None:
    guest = client_of(None)
    name = place.user.username
    for password in ("", place.user.password, "!"):
        answer = guest.post(reverse("campaigns:sign-in"), {"username": name, "password": password})
        assert answer.status_code == 422
    # Not even with the session of an account.
    guest.force_login(place.user, backend="django.contrib.auth.backends.ModelBackend")
    assert guest.get(reverse("campaigns:chronicle", args=[place.chronicle_id])).status_code == 302
    assert access.membership_of(place.user, place.chronicle_id) is None
    assert not place.user.has_perm("campaigns.change_user")


def test_nobody_signs_up_with_such_a_name(place: Any, client_of: Any, db: Any) -> None:
    for name in (place.user.username, "open:anything", "OPEN:x"):
        form = SignUpForm({"username": name, "password": "a-long-password-7"})
        assert "username" in form.errors
    chief = User.objects.create_superuser("chief", password="a-long-password-7")
    said = {"username": "open:x", "password1": "a-long-password-7", "password2": "a-long-password-7"}
    client_of(chief).post(reverse("admin:campaigns_user_add"), {**said, "usable_password": "true"})
    assert not User.objects.filter(username="open:x").exists()


def test_an_open_place_gets_no_mail(place: Any, client_of: Any) -> None:
    place.user.email = "ana@example.org"
    place.user.save()
    client_of(None).post(reverse("campaigns:password-reset"), {"email": "ana@example.org"})
    assert not mail.outbox


def test_the_administration_lists_people_alone(place: Any, client_of: Any) -> None:
    chief = client_of(User.objects.create_superuser("chief", password="a-long-password-7"))
    page = chief.get(reverse("admin:campaigns_user_changelist")).content.decode()
    assert "chief" in page
    assert place.user.username not in page
    assert chief.get(reverse("admin:campaigns_user_change", args=[place.user.pk])).status_code == 302


def test_an_open_place_of_a_storyteller_runs_no_chronicle(chronicle: Any, member: Any, storyteller: Any) -> None:
    other = open_place(chronicle, "Ana", Role.STORYTELLER)
    with pytest.raises(Refused, match="needs a Storyteller"):
        services.leave(member=member(storyteller))
    assert not access.is_last_storyteller(other)
    assert access.is_last_storyteller(member(storyteller))
    services.change_role(by=member(storyteller), member=other, role=Role.PLAYER)
    other.refresh_from_db()
    assert other.role == Role.PLAYER


def test_nobody_views_as_an_open_place(place: Any, storyteller: Any, client_of: Any) -> None:
    assert viewable(storyteller, place.pk) is None
    page = client_of(storyteller).get(reverse("campaigns:chronicle", args=[place.chronicle_id])).content.decode()
    assert f"/as/{place.pk}/" not in page


def test_nobody_waits_for_an_open_place_to_answer(chronicle: Any, place: Any, storyteller: Any, client_of: Any) -> None:
    session = Session.objects.create(chronicle=chronicle, number=1, title="Nightfall")
    client = client_of(storyteller)
    address = reverse("story:session", args=[session.pk])
    assert "Ana" not in client.get(address).content.decode()
    Attendance.objects.create(session=session, user=place.user, answer=Answer.MAYBE, word="if I can")
    assert "if I can" in client.get(address).content.decode()


def test_a_place_goes_with_its_chronicle(chronicle: Any, place: Any, member: Any, storyteller: Any) -> None:
    services.delete_chronicle(by=member(storyteller))
    assert not User.objects.filter(pk=place.user_id).exists()
    assert User.objects.filter(pk=storyteller.pk).exists()


# ------------------------------------------------------------------ taking


def fill(place: Membership) -> dict[str, Any]:
    """Something of everything for the account of a place."""
    user, chronicle = place.user, place.chronicle
    session = Session.objects.create(chronicle=chronicle, number=1)
    page = Page.objects.create(chronicle=chronicle, title="T", folded="t", author=user)
    passage = Passage.objects.create(page=page, text="x", author=user, written=NOW, audience=PassageAudience.CHOSEN)
    Readership.objects.create(passage=passage, membership=place, since=NOW)
    reveal = Reveal.objects.create(passage=passage, by=user, at=NOW)
    reveal.to.add(place)
    Attendance.objects.create(session=session, user=user, answer=Answer.NO, word="sorry", came=True)
    one = Character.objects.create(chronicle=chronicle, owner=user, name="Marek")
    binned = Character.with_bin.create(chronicle=chronicle, owner=user, name="Old", binned=NOW)
    SheetChange.objects.create(character=one, by=user)
    entry = ExperienceEntry.objects.create(character=one, seq=1, kind="award", amount=1, by=user, seal="s")
    tie = Tie.objects.create(
        chronicle=chronicle, from_character=one, to_character=binned, author=user, written=NOW, audience="chosen"
    )
    TieReadership.objects.create(tie=tie, membership=place, since=NOW)
    return {"session": session, "passage": passage, "tie": tie, "reveal": reveal, "entry": entry}


def held_by(user: User) -> set[str]:
    """The columns that refer to an account."""
    return {
        f"{model.__name__}.{column}"
        for model, column in MOVED | SEALED
        if model._base_manager.filter(**{column: user}).exists()
    }


def test_who_takes_a_place_gets_everything_but_what_is_sealed(place: Any, person: Any) -> None:
    made, ana, before = fill(place), person("ana2"), place.user
    with transaction.atomic():
        open_places.take(place, ana)
    assert held_by(before) == {"ExperienceEntry.by"}
    assert held_by(ana) == named(MOVED) - {"Invitation.created_by"}
    assert before.display_name == "Ana"
    assert access.membership_of(ana, place.chronicle_id) == place
    assert not Membership.objects.filter(user=before).exists()
    assert list(made["reveal"].to.all()) == [place]


@pytest.mark.parametrize("answered", [False, True])
def test_a_member_who_takes_a_place_keeps_what_is_theirs(answered: bool, place: Any, member: Any, player: Any) -> None:
    made, mine, before = fill(place), member(player), place.user
    early = datetime(2020, 1, 1, tzinfo=UTC)
    Readership.objects.create(passage=made["passage"], membership=mine, since=early if answered else timezone.now())
    own = Attendance.objects.create(
        session=made["session"], user=player, answer="yes" if answered else "", came=False, word="me"
    )
    with transaction.atomic():
        open_places.merge(place, mine)
    own.refresh_from_db()
    assert (own.answer, own.word, own.came) == (("yes", "me", True) if answered else ("no", "sorry", True))
    assert held_by(before) == {"ExperienceEntry.by"}
    assert not Membership.objects.filter(pk=place.pk).exists()
    assert Readership.objects.get(passage=made["passage"]).since == (early if answered else NOW)
    assert TieReadership.objects.get(tie=made["tie"]).membership == mine
    assert list(made["reveal"].to.all()) == [mine]


@pytest.mark.parametrize(
    ("role", "of_place", "then"),
    [
        (Role.OBSERVER, Role.PLAYER, Role.PLAYER),
        (Role.OBSERVER, Role.STORYTELLER, Role.PLAYER),
        (Role.OBSERVER, Role.OBSERVER, Role.OBSERVER),
        (Role.PLAYER, Role.STORYTELLER, Role.PLAYER),
        (Role.PLAYER, Role.OBSERVER, Role.PLAYER),
        (Role.STORYTELLER, Role.PLAYER, Role.STORYTELLER),
    ],
)
def test_a_place_makes_nobody_a_storyteller(role: str, of_place: str, then: str, chronicle: Any, person: Any) -> None:
    place = open_place(chronicle, "Ana", of_place)
    mine = Membership.objects.create(chronicle=chronicle, user=person("ana2"), role=role)
    with transaction.atomic():
        open_places.merge(place, mine)
    mine.refresh_from_db()
    assert mine.role == then
