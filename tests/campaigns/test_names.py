"""Names that are invisible, show something else than they contain, or look like somebody else's."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from campaigns import page_services, services
from campaigns.models import Chronicle, Membership, Page, User
from campaigns.names import is_seen, printable, skeleton
from characters.models import Character
from combat.models import Encounter

UNSEEN = ["\u200b", "\u2060\ufeff", " \u00a0\u3000", "\u3164", "\u2800\u115f", "\u202e\u200f", "\u034f\ufe0f"]


@pytest.mark.parametrize("name", UNSEEN)
def test_of_some_nothing_shows(name: str) -> None:
    assert not is_seen(name)


@pytest.mark.parametrize("name", ["A", "7", "…", "🦇", "Ö", "न्", "한", "王", "\u202eA", "‘", "☠\ufe0f"])
def test_of_others_something_does(name: str) -> None:
    assert is_seen(name)


@pytest.mark.parametrize("name", UNSEEN)
def test_a_chronicle_a_note_and_a_fight_have_names_that_show(
    name: str, chronicle: Any, storyteller: Any, client_of: Any
) -> None:
    client, at = client_of(storyteller), [chronicle.pk]
    asked = {
        reverse("campaigns:create"): {"name": name, "ruleset": "masquerade"},
        reverse("campaigns:edit", args=at): {"name": name, "version": "1"},
        reverse("campaigns:write-page", args=at): {"title": name, "kind": "note", "audience": "everyone"},
        reverse("combat:create", args=at): {"name": name},
    }
    for address, typed in asked.items():
        assert client.post(address, typed).status_code == 422
    assert [each.name for each in Chronicle.objects.all()] == ["Ash and Amber"]
    assert not Page.objects.exists()
    assert not Encounter.objects.fights().exists()


# ------------------------------------------------------------------ what is not drawn

UNDRAWN = {
    "Il\x00ya": "Ilya",
    "\x1b[31mIlya\x1b[0m": "[31mIlya[0m",
    "Ilya\x07\x7f\x9b": "Ilya",
    "\u202eaylI\u202c": "aylI",
    "\u2066Ilya\u2069\u200f": "Ilya",
    "Il\u200bya\u2060\ufeff": "Ilya",
    "Il\u200dya": "Ilya",
    "Il\u00adya\u034f": "Ilya",
    "Ilya\U000e0041\ufe01\ue000": "Ilya",
    "Ilya\u2028\u3164": "Ilya",
}


@pytest.mark.parametrize(("typed", "kept"), UNDRAWN.items())
def test_what_is_not_drawn_is_left_out(typed: str, kept: str) -> None:
    assert printable(typed) == kept


@pytest.mark.parametrize("name", ["Ilya Voss", "Zoë", "न्‍द", "می‌خواهم", "👩‍👧", "☠\ufe0f", "王", "O’Neil", "😀"])
def test_what_is_drawn_stays(name: str) -> None:
    assert printable(name) == name


@pytest.mark.parametrize(
    ("typed", "kept"),
    # PostgreSQL rejects the first one.
    [pytest.param(*each, marks=pytest.mark.servers if "\0" in each[0] else ()) for each in UNDRAWN.items()],
)
def test_every_name_is_cleaned(typed: str, kept: str, chronicle: Any, storyteller: Any, client_of: Any) -> None:
    client, at = client_of(storyteller), [chronicle.pk]
    asked = {
        reverse("campaigns:account"): {"first_name": typed},
        reverse("campaigns:edit", args=at): {"name": typed, "version": "1"},
        reverse("campaigns:write-page", args=at): {"title": typed, "kind": "note", "audience": "everyone"},
        reverse("combat:create", args=at): {"name": typed},
        reverse("characters:create", args=at): {
            "name": typed,
            "kind": "mortal",
            **{f"{rows}-{figure}_FORMS": "0" for rows in ("weapons", "armor") for figure in ("TOTAL", "INITIAL")},
        },
    }
    for address, form in asked.items():
        assert client.post(address, form).status_code == 302, address
    made = [User.objects.get(pk=storyteller.pk).first_name, Chronicle.objects.get().name, Page.objects.get().title]
    assert [*made, Encounter.objects.fights().get().name, Character.objects.get().name] == [kept] * 5


def test_a_name_that_was_saved_before_is_cleaned_where_it_is_shown(player: Any) -> None:
    player.first_name = "\u202e\x1b[2JIl\u200bya\n"
    assert player.display_name == "[2JIlya"
    player.first_name = "\u200b"
    assert player.display_name == player.username


# ------------------------------------------------------------------ lookalikes

ANNA = ["Anna", "ANNA", "Аnnа", "Αnna", "Ａnna", "𝐀𝐧𝐧𝐚", "An na", "Änna", "An.na", "аnna", "Аппа"]


@pytest.mark.parametrize("name", ANNA)
def test_names_that_look_the_same_have_one_skeleton(name: str) -> None:
    assert skeleton(name) == skeleton("anna")


@pytest.mark.parametrize("name", ["Hanna", "Ann", "Bnna", "王", "😀", "Ivan", ""])
def test_names_that_look_different_differ(name: str) -> None:
    assert skeleton(name) != skeleton("anna")


@pytest.mark.parametrize(
    "pair", [("Ilya", "llya"), ("Bob", "В0b"), ("MOTH", "МОТН"), ("rnarie", "Marie"), ("😀", "😀")]
)
def test_pairs_that_are_taken_for_each_other(pair: tuple[str, str]) -> None:
    assert skeleton(pair[0]) == skeleton(pair[1])


@pytest.fixture
def lookalikes(player: Any, other_player: Any) -> tuple[str, str]:
    """Two players whose display names look the same, and how they are shown."""
    for user, name in ((player, "Anna"), (other_player, "Аnnа")):
        user.first_name = name
        user.save()
    return f"Anna ({player.username})", f"Аnnа ({other_player.username})"


@pytest.mark.servers
def test_lookalikes_are_told_apart_wherever_members_are_shown(
    chronicle: Any, storyteller: Any, player: Any, other_player: Any, client_of: Any, lookalikes: tuple[str, str]
) -> None:
    theirs = [
        Character.objects.create(chronicle=chronicle, name=f"{who}'s", owner=who) for who in (player, other_player)
    ]
    notes = [
        page_services.create_page(
            by=Membership.objects.get(user=who, chronicle=chronicle), title="T", text="", audience="everyone"
        )
        for who in (player, other_player)
    ]
    fight = Encounter.objects.create(chronicle=chronicle, name="Church", status="running")
    member = Membership.objects.get(user=other_player, chronicle=chronicle)
    client = client_of(storyteller)
    at = [chronicle.pk]
    both = [
        reverse("campaigns:chronicle", args=at),
        reverse("characters:create", args=at),
        reverse("characters:hand-over", args=[theirs[0].pk]),
        reverse("combat:cast", args=[fight.pk]),
    ]
    for address in both:
        shown = client.get(address).content.decode()
        assert [name in shown for name in lookalikes] == [True, True], address
    each = [(reverse("characters:sheet", args=[one.pk]), name) for one, name in zip(theirs, lookalikes, strict=True)]
    each += [(reverse("campaigns:page", args=[*at, one.pk]), name) for one, name in zip(notes, lookalikes, strict=True)]
    each.append((reverse("campaigns:remove-member", args=[*at, member.pk]), lookalikes[1]))
    for address, name in each:
        assert name in client.get(address).content.decode(), address
    said = client.post(reverse("campaigns:change-role", args=[*at, member.pk]), {"role": "observer"}, follow=True)
    assert f"New role for {lookalikes[1]}" in said.content.decode()


def test_the_dice_of_lookalikes_are_told_apart(
    chronicle: Any, storyteller: Any, player: Any, other_player: Any, client_of: Any, lookalikes: tuple[str, str]
) -> None:
    from combat.commands import outside
    from combat.commands.perform import perform
    from rules.model.roll import RollTraits

    for user in (player, other_player):
        one = Character.objects.create(chronicle=chronicle, name=str(user), owner=user, traits={"wits": 2})
        log = outside.open_log(chronicle)
        perform(encounter_id=log.pk, actor=user, command=RollTraits(one.pk, ("wits",)))
    shown = client_of(storyteller).get(reverse("combat:dice", args=[chronicle.pk])).content.decode()
    assert all(name in shown for name in lookalikes)


def test_who_was_removed_still_counts_and_who_looks_like_nobody_is_shown_as_ever(
    chronicle: Any, storyteller: Any, player: Any, other_player: Any, client_of: Any, lookalikes: tuple[str, str]
) -> None:
    gone = Membership.objects.get(user=other_player, chronicle=chronicle)
    services.remove_member(by=Membership.objects.get(user=storyteller), member=gone, now=gone.joined)
    page = client_of(storyteller).get(reverse("campaigns:chronicle", args=[chronicle.pk])).content.decode()
    assert all(name in page for name in lookalikes)
    other_player.first_name = "Bruno"
    other_player.save()
    page = client_of(storyteller).get(reverse("campaigns:chronicle", args=[chronicle.pk])).content.decode()
    assert "Anna" in page
    assert "Bruno" in page
    assert f"({player.username})" not in page
    assert f"({other_player.username})" not in page


@pytest.mark.parametrize("shown", ["{username}", "{first_name} ({username})"])
def test_somebody_elses_user_name_is_no_disguise(
    shown: str, chronicle: Any, player: Any, other_player: Any, client_of: Any
) -> None:
    """If a display name equals somebody else's username or display name, the member's own username is added."""
    player.first_name = "Bruno"
    player.save()
    other_player.first_name = shown.format(username=player.username, first_name="Bruno")
    other_player.save()
    page = client_of(player).get(reverse("campaigns:chronicle", args=[chronicle.pk])).content.decode()
    assert f"{other_player.first_name} ({other_player.username})" in page
    assert "<b>Bruno</b>" in page


@pytest.mark.servers
@pytest.mark.django_db
@pytest.mark.parametrize(("name", "taken"), [("аnna", True), ("Annа", True), ("ann\u3164a", True), ("zoë", False)])
def test_nobody_signs_up_under_a_name_that_looks_like_anothers(name: str, taken: bool) -> None:
    from campaigns.forms.accounts import SignUpForm

    User.objects.create_user("anna")
    form = SignUpForm({"username": name, "password": "correct horse staple"})
    assert ("username" in form.errors) is taken
