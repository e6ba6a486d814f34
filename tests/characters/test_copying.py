"""Copies of characters: what they take along, what they leave behind, and that a press makes one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.urls import reverse
from playwright.sync_api import expect

from campaigns.models import Chronicle, Membership
from campaigns.tokens import ALPHABET, PUBLIC_ID_LENGTH, id_for
from characters import copying, experience, services
from characters.access import character_or_404
from characters.models import CarriedWeapon, Character, ExperienceEntry, SheetChange, WornArmor
from characters.pages import sheet_page
from characters.sheets import sheet_of
from tests.kept import kept

PAST = {
    "scars": [{"level": 2, "cause": "a bear", "turn": 3, "fight": ""}],
    "lasting": [{"condition": "stunned", "rule": "", "fight": "", "why": "CANARY-WHY"}],
}
SHEET = {
    "details": {"clan": "Tremere", "sire": "Etrius"},
    "specialties": {"melee": ["sabres"]},
    "lists": {"backgrounds": [["Resources", 3], ["Mentor", 0]]},
    "merits": ["iron_will"],
}


@pytest.fixture
@kept
def marked(ilya: Character) -> Character:
    """Ilya with all that a sheet can hold, a jammed pistol, a torn coat, and a past."""
    for name, value in (SHEET | PAST).items():
        setattr(ilya, name, value)
    ilya.save()
    CarriedWeapon.objects.filter(character=ilya, order=1).update(fault="jammed")
    WornArmor.objects.filter(character=ilya).update(destroyed=True)
    return ilya


@pytest.fixture
def by(chronicle: Chronicle, storyteller: Any) -> Membership:
    return Membership.objects.get(chronicle=chronicle, user=storyteller)


@pytest.fixture
def mine(chronicle: Chronicle, player: Any) -> Membership:
    return Membership.objects.get(chronicle=chronicle, user=player)


def address(character: Character) -> str:
    return reverse("characters:copy", args=[character.pk])


def typed(client: Any, character: Character) -> dict[str, Any]:
    form = client.get(address(character)).context["form"]
    return {bound.html_name: bound.value() or "" for bound in form}


def copied(client: Any, character: Character, **more: str) -> Character:
    there = set(Character.objects.values_list("pk", flat=True))
    assert client.post(address(character), typed(client, character) | more).status_code == 302
    return Character.objects.exclude(pk__in=there).get()


def history(client: Any, character: Character) -> list[tuple[str, tuple[str, ...]]]:
    lines = client.get(reverse("characters:history", args=[character.pk])).context["lines"]
    return [(line.cause, line.changes) for line in lines]


def test_a_copy_has_the_sheet_and_none_of_its_past(
    signed_in: Any, player: Any, by: Membership, marked: Character
) -> None:
    experience.award(by=by, to=[marked.pk], amount=5, reason="CANARY-REASON")
    client = signed_in(player)
    made = copied(client, marked)
    assert (made.name, made.owner, made.kind, made.concept) == ("Ilya Voss (2)", player, "vampire", "Tremere")
    for name in ("traits", "notes", *SHEET):
        assert getattr(made, name) == getattr(marked, name), name
    assert (made.marks, made.injuries, made.scars, made.impairments, made.lasting) == ([], [], [], [], [])
    assert (made.resources, made.fought, made.storyteller_notes, made.version) == ({}, {}, "", 1)
    sheet = sheet_of(made)
    assert [(weapon.name, weapon.rounds, weapon.fault) for weapon in sheet.weapons] == [
        ("Grandfather's sabre", None, None),
        ("Light pistol", 18, None),
    ]
    assert [(coat.name, coat.destroyed) for coat in sheet.armor] == [("Reinforced clothing", False)]
    page = sheet_page(character_or_404(player, made.pk))
    assert [(each.value, each.most) for each in page.points] == [(6, 6), (14, 14)]
    assert experience.balance(made) == 0
    assert not ExperienceEntry.objects.filter(character=made).exists()
    assert history(client, made) == [("Created", ("Copied from Ilya Voss",))]
    marked.refresh_from_db()
    assert (marked.marks, marked.lasting) == (["lethal", "bashing", "bashing"], PAST["lasting"])


def test_a_storytellers_copy_is_hidden_and_keeps_both_notes(
    signed_in: Any, storyteller: Any, player: Any, marked: Character
) -> None:
    made = copied(signed_in(storyteller), marked)
    assert (made.is_npc, made.notes, made.storyteller_notes) == (True, marked.notes, marked.storyteller_notes)
    client = signed_in(player)
    assert client.get(reverse("characters:sheet", args=[made.pk])).status_code == 404
    assert made.pk not in client.get(reverse("campaigns:chronicle", args=[made.chronicle_id])).content.decode()


def test_notes_and_hidden_names_reach_nobody_who_did_not_know_them(
    signed_in: Any, storyteller: Any, player: Any, other_player: Any, marked: Character, lurker: Character
) -> None:
    lurker.notes = "CANARY-PLANS"
    lurker.save()
    desk = signed_in(storyteller)
    for_other = copied(desk, marked, owner=str(other_player.pk), name="Nell")
    assert (for_other.owner, for_other.notes) == (other_player, "")
    own = copied(desk, marked, owner=str(player.pk), name="Ilya again")
    assert (own.owner, own.notes) == (player, marked.notes)
    guest = copied(desk, lurker, owner=str(other_player.pk), name="Guest")
    assert (guest.notes, guest.traits) == ("", lurker.traits)
    assert history(desk, copied(desk, lurker)) == [("Created", ("Copied from CANARY Lurker",))]
    reader = signed_in(other_player)
    assert history(reader, for_other) == [("Created", ("Copied from Ilya Voss",))]
    assert history(reader, guest) == [("Created", ())]
    for one in (for_other, guest):
        for page in ("sheet", "history", "edit", "notes"):
            body = reader.get(reverse(f"characters:{page}", args=[one.pk])).content.decode()
            assert "CANARY" not in body, page
            assert "favour" not in body, page


def test_two_presses_are_one_copy(signed_in: Any, player: Any, ilya: Character) -> None:
    client = signed_in(player)
    form = typed(client, ilya)
    first, second = (client.post(address(ilya), form) for _press in range(2))
    assert first["Location"] == second["Location"]
    assert Character.objects.count() == 2
    assert SheetChange.objects.filter(character__name="Ilya Voss (2)").count() == 1
    assert client.post(address(ilya), typed(client, ilya)).status_code == 302
    assert sorted(Character.objects.values_list("name", flat=True)) == [
        "Ilya Voss",
        "Ilya Voss (2)",
        "Ilya Voss (3)",
    ]


def test_a_copy_in_the_bin_is_not_made_from_the_same_form_again(
    signed_in: Any, player: Any, mine: Membership, ilya: Character
) -> None:
    client = signed_in(player)
    form = typed(client, ilya)
    client.post(address(ilya), form)
    services.delete_character(by=mine, character=Character.objects.get(name="Ilya Voss (2)"))
    answer = client.post(address(ilya), form)
    assert answer.status_code == 422
    assert "Ilya Voss (2) was made from this form before and is in the bin." in answer.content.decode()


def test_two_members_may_use_the_same_key(by: Membership, mine: Membership, ilya: Character) -> None:
    for one in (by, mine):
        copying.copy_character(by=one, character=ilya, name="Twin", owner=None if one is by else one.user, key="k")
    assert Character.objects.filter(name="Twin").count() == 2
    made = {id_for("character", one.pk, "k") for one in (by, mine)}
    assert made <= set(Character.objects.values_list("pk", flat=True))
    assert all(len(key) == PUBLIC_ID_LENGTH and set(key) <= set(ALPHABET) for key in made)


def test_a_suggested_name_tells_nothing_of_hidden_characters(
    signed_in: Any, player: Any, storyteller: Any, chronicle: Chronicle, ilya: Character
) -> None:
    before = typed(signed_in(player), ilya)["name"]
    Character.objects.create(chronicle=chronicle, kind="vampire", name="Ilya Voss (2)")
    assert typed(signed_in(player), ilya)["name"] == before == "Ilya Voss (2)"
    assert typed(signed_in(storyteller), ilya)["name"] == "Ilya Voss (3)"
    Character.objects.filter(name="Ilya Voss (2)").update(owner=player)
    assert typed(signed_in(player), Character.objects.get(name="Ilya Voss (2)"))["name"] == "Ilya Voss (3)"


def test_a_long_name_gets_its_number_too(mine: Membership) -> None:
    assert copying.free_name(mine, "x" * 80) == f"{'x' * 76} (2)"


def test_only_its_player_and_storytellers_copy(
    chronicle: Chronicle, other_player: Any, mine: Membership, ilya: Character
) -> None:
    theirs = Membership.objects.get(chronicle=chronicle, user=other_player)
    for one, owner in ((theirs, other_player), (mine, other_player), (mine, None)):
        with pytest.raises(PermissionDenied):
            copying.copy_character(by=one, character=ilya, name="Mine now", owner=owner)
    assert Character.objects.count() == 1


def test_a_name_is_asked_for(signed_in: Any, player: Any, ilya: Character) -> None:
    client = signed_in(player)
    assert client.post(address(ilya), typed(client, ilya) | {"name": " "}).status_code == 422
    assert Character.objects.count() == 1


# ------------------------------------------------------------------ guided creation


def test_guided_creation_starts_from_a_character_of_ones_own(
    signed_in: Any, player: Any, storyteller: Any, chronicle: Chronicle, marked: Character, fields: Any
) -> None:
    url = reverse("characters:create", args=[chronicle.pk])
    client = signed_in(player)
    page = client.get(url).content.decode()
    start = f"{url}?copy={marked.pk}"
    assert f'href="{start}"' in page
    form = client.get(start).context["form"]
    assert (form["name"].value(), form["trait-dexterity"].value()) == ("Ilya Voss (2)", 4)
    assert form["detail-clan"].value() == "Tremere"
    sent = fields(client.get(start))
    first, second = (client.post(start, sent | {"trait-strength": "3"}) for _press in range(2))
    assert first["Location"] == second["Location"]
    made = Character.objects.get(name="Ilya Voss (2)")
    assert made.traits == made.traits | marked.traits | {"strength": 3}
    assert (made.marks, made.scars, made.lasting, made.storyteller_notes) == ([], [], [], "")
    assert (made.details, made.specialties, made.merits) == (marked.details, marked.specialties, marked.merits)
    assert made.lists == marked.lists | {"merits": [["Iron will", 0]]}
    assert history(client, made) == [("Created", ("Copied from Ilya Voss",))]
    desk = signed_in(storyteller).get(start).context["form"]
    assert desk["storyteller_notes"].value() == marked.storyteller_notes


def test_nobody_starts_from_somebody_elses_character(
    signed_in: Any, player: Any, other_player: Any, chronicle: Chronicle, ilya: Character, lurker: Character
) -> None:
    url = reverse("characters:create", args=[chronicle.pk])
    for who, one in ((other_player, ilya), (player, lurker), (other_player, lurker)):
        client = signed_in(who)
        empty, page = client.get(url), client.get(f"{url}?copy={one.pk}")
        assert one.pk not in empty.content.decode()
        assert page.context["form"]["name"].value() is None
        assert "CANARY" not in page.content.decode()


def test_a_hidden_kind_of_ones_own_is_copied_too(
    signed_in: Any, player: Any, chronicle: Chronicle, ilya: Character, fields: Any
) -> None:
    chronicle.own_kinds = {"revenant": {"label": "Revenant", "like": "vampire", "open": False}}
    chronicle.save()
    Character.objects.filter(pk=ilya.pk).update(kind="revenant")
    url = reverse("characters:create", args=[chronicle.pk])
    client = signed_in(player)
    assert "Revenant" not in client.get(url).content.decode()
    start = f"{url}?copy={ilya.pk}"
    assert client.post(start, fields(client.get(start))).status_code == 302
    assert Character.objects.get(name="Ilya Voss (2)").kind == "revenant"


@pytest.mark.parametrize("device", ["desk", "phone"])
def test_a_copy_is_made_from_the_sheet_by_pressing_twice(
    page_for: Callable[..., Any], player: Any, ilya: Character, device: str
) -> None:
    sizes = {"desk": {"width": 1366, "height": 768}, "phone": {"width": 390, "height": 844}}
    page = page_for(player, reverse("characters:sheet", args=[ilya.pk]), viewport=sizes[device])
    page.get_by_role("button", name="More").click()
    page.get_by_role("link", name="Copy", exact=True).click()
    expect(page.get_by_label("Name", exact=True)).to_have_value("Ilya Voss (2)")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("button", name="Copy", exact=True).dblclick()
    expect(page.get_by_role("heading", name="Ilya Voss (2)")).to_be_visible()
    assert Character.objects.count() == 2
