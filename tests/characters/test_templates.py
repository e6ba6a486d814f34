"""The library of templates: the chronicle's own and the ruleset's, the short form, and growing into a character."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from campaigns import bins
from campaigns.errors import EditConflict, Refused
from campaigns.models import Chronicle, Membership
from characters import library_services
from characters.library import fight_sheet, library
from characters.library_services import TemplateData, save_template
from characters.models import Armor, Character, Template, Weapon
from characters.rulesets import ruleset_for
from characters.sheets import sheet_of
from rules.systems import RULESETS
from tests.kept import kept

pytestmark = pytest.mark.django_db

HOUND = {
    "name": "Hound",
    "plural": "Pack",
    "kind": "mortal",
    "health": "5",
    "pools": "Attack 6, Defense 4\nsoak: 3; Strength 3",
    "traits": "Stamina 3",
    "weapons": "club, Knife",
    "armor": "",
    "notes": "Bites first.",
    "version": "0",
}


@pytest.fixture
def url(chronicle: Chronicle) -> str:
    return reverse("characters:templates", args=[chronicle.pk])


@pytest.fixture
def desk(signed_in: Any, storyteller: Any, shipped: None) -> Any:
    return signed_in(storyteller)


@pytest.fixture
def by(chronicle: Chronicle, storyteller: Any) -> Membership:
    return Membership.objects.get(chronicle=chronicle, user=storyteller)


def typed_in(answer: Any) -> dict[str, str]:
    """What a browser would send if the form on a page were saved as it is."""
    return {bound.html_name: "" if bound.value() is None else str(bound.value()) for bound in answer.context["form"]}


def errors(answer: Any) -> dict[str, str]:
    assert answer.status_code == 422
    return {name: found[0] for name, found in answer.context["form"].errors.items()}


def test_the_short_form_makes_a_template_for_fights(desk: Any, url: str, chronicle: Chronicle) -> None:
    assert desk.post(f"{url}new/", HOUND).status_code == 302
    row = Template.objects.get()
    assert row.pools == {"attack": 6, "defence": 4, "soak": 3, "health": 5}
    assert row.traits == {"strength": 3, "stamina": 3}
    assert row.weapons == ["Club", "Knife"]
    entry = library(chronicle)[0]
    assert (entry.own, entry.names) == (row.pk, ("Hound", "Pack"))
    sheet = fight_sheet(chronicle, entry.person)
    assert (sheet.traits["strength"], sheet.traits["dexterity"], sheet.traits["brawl"]) == (3, 2, 2)
    assert [weapon.name for weapon in sheet.weapons] == ["Club", "Knife"]
    assert sheet.pools == row.pools
    page = desk.get(url).content.decode()
    assert "Attack 6, Defence 4, Soak 3, Health 5" in page
    assert "Club: 6 dice, Knife: 6 dice, Unarmed: 6 dice, 5 health boxes" in page


def test_what_a_form_shows_can_be_saved_again(desk: Any, url: str) -> None:
    desk.post(f"{url}new/", HOUND)
    row = Template.objects.get()
    before = (row.pools, row.traits, row.weapons)
    address = reverse("characters:template-edit", args=[row.chronicle_id, row.pk])
    assert desk.post(address, typed_in(desk.get(address))).status_code == 302
    row.refresh_from_db()
    assert ((row.pools, row.traits, row.weapons), row.version) == (before, 2)


@pytest.mark.parametrize("ruleset", [key for key in RULESETS if key != "hollow"])
@pytest.mark.parametrize("language", ["en", "de"])
def test_every_shipped_template_can_be_changed_as_it_is(
    desk: Any, url: str, chronicle: Chronicle, ruleset: str, language: str
) -> None:
    chronicle.ruleset = ruleset
    chronicle.save()
    people = [entry.person for entry in library(chronicle)]
    spoken = {"accept-language": language}
    for person in people:
        address = f"{url}new/?from={person.key}"
        saved = desk.post(address, typed_in(desk.get(address, headers=spoken)), headers=spoken)
        assert saved.status_code == 302, saved.context["form"].errors
        row = Template.objects.get(shipped=person.key)
        assert (row.traits, row.pools) == (dict(person.traits), dict(person.pools))
        assert [*row.weapons, *row.armor] == [each.item for each in (*person.weapons, *person.armor)]
    assert {entry.own != "" for entry in library(chronicle)} == {True}, "each replaces the shipped one"


def test_a_template_without_anything_is_an_ordinary_person(desk: Any, url: str, chronicle: Chronicle) -> None:
    assert desk.post(f"{url}new/", {"name": "Nobody", "kind": "mortal"}).status_code == 302
    sheet = fight_sheet(chronicle, library(chronicle)[0].person)
    assert (sheet.traits["strength"], sheet.traits["firearms"], sheet.pools) == (2, 2, {})


@pytest.mark.parametrize(
    ("field", "typed", "sentence"),
    [
        ("name", "", "This field is required."),
        ("kind", "djinn", "Select a valid choice"),
        ("health", "0", "Enter a whole number from 1 to 30."),
        ("health", "many", "Enter a whole number from 1 to 30."),
        ("pools", "Atack 6", "Unknown name: “Atack”. Did you mean Attack?"),
        ("pools", "Xyzzy 6", "Unknown name: “Xyzzy”."),
        ("pools", "Attack", "Write a number after “Attack”, such as “Attack 4”."),
        ("pools", "Attack 6, attack 5", "“attack” is there twice."),
        ("pools", "Attack 51", "Attack must be from 0 to 50."),
        ("pools", "Health 0", "Health must be from 1 to 30."),
        ("pools", "Strength 9", "Strength must be from 0 to 5."),
        ("traits", "Brawl 6", "Brawl must be from 0 to 5."),
        ("traits", "Celerity 2", "Unknown name: “Celerity”."),
        ("weapons", "teapot", "Unknown name: “teapot”."),
        ("armor", "Kevlar vst", "Unknown name: “Kevlar vst”. Did you mean Kevlar vest?"),
        ("pools", "7", "Unknown name: “7”."),
    ],
)
def test_what_cannot_be_read_is_said_at_its_field_and_nothing_lost(
    desk: Any, url: str, field: str, typed: str, sentence: str
) -> None:
    answer = desk.post(f"{url}new/", HOUND | {"health": ""} | {field: typed})
    found = errors(answer)
    where = "traits" if field == "pools" and typed.startswith("Strength") else field
    assert sentence in found[where]
    assert answer.context["form"][field].value() == typed
    assert not Template.objects.exists()


def test_injuries_one_by_one_ask_for_no_boxes(desk: Any, url: str, chronicle: Chronicle) -> None:
    chronicle.ruleset = "wounds"
    chronicle.save()
    assert "health" not in desk.get(f"{url}new/").context["form"].fields
    assert "Unknown name: “Health”." in errors(desk.post(f"{url}new/", HOUND | {"pools": "Health 5"}))["pools"]


def test_names_may_contain_commas(desk: Any, url: str, chronicle: Chronicle) -> None:
    chronicle.ruleset = "wounds"
    chronicle.save()
    typed = HOUND | {"pools": "", "weapons": "Shotgun, slug\nKnife, Club"}
    assert desk.post(f"{url}new/", typed).status_code == 302
    assert Template.objects.get().weapons == ["Shotgun, slug", "Knife", "Club"]


def test_a_name_is_taken_once(desk: Any, url: str) -> None:
    desk.post(f"{url}new/", HOUND)
    assert errors(desk.post(f"{url}new/", HOUND | {"name": "HOUND"}))["name"] == "This name is already taken."


def test_two_who_edit_at_once(desk: Any, url: str, chronicle: Chronicle, by: Membership) -> None:
    desk.post(f"{url}new/", HOUND)
    row = Template.objects.get()
    save_template(by=by, data=TemplateData("Wolf", "mortal"), row_id=row.pk, version=1)
    answer = desk.post(reverse("characters:template-edit", args=[chronicle.pk, row.pk]), HOUND | {"version": "1"})
    assert answer.status_code == 422
    page = answer.content.decode()
    assert "Somebody else saved this while you were editing." in page
    assert "Name: Wolf" in page
    again = HOUND | {"version": str(answer.context["form"]["version"].value())}
    assert desk.post(reverse("characters:template-edit", args=[chronicle.pk, row.pk]), again).status_code == 302
    with pytest.raises(EditConflict):
        save_template(by=by, data=TemplateData("Wolf", "mortal"), row_id=row.pk, version=1)


def test_a_library_has_room_for_so_many(by: Membership, monkeypatch: Any) -> None:
    monkeypatch.setattr(library_services, "MOST_TEMPLATES", 1)
    save_template(by=by, data=TemplateData("One", "mortal"), version=0)
    with pytest.raises(Refused, match="at most 1"):
        save_template(by=by, data=TemplateData("Two", "mortal"), version=0)


def test_what_is_deleted_can_be_restored_and_the_shipped_one_is_there_meanwhile(
    desk: Any, url: str, chronicle: Chronicle, by: Membership
) -> None:
    desk.post(f"{url}new/?from=thug", HOUND)
    row = Template.objects.get()
    assert "Thug" not in [entry.person.name for entry in library(chronicle)]
    address = reverse("characters:template-delete", args=[chronicle.pk, row.pk])
    assert "takes its place" in desk.get(address).content.decode()
    assert desk.post(address).status_code == 302
    assert desk.post(address).status_code == 404
    assert "Thug" in [entry.person.name for entry in library(chronicle)]
    (line,) = bins.lines(chronicle, timezone.now())
    assert (line.what, line.name) == ("template", "Hound")
    bins.restore(by=by, what="template", row_id=row.pk)
    assert library(chronicle)[0].own == row.pk


def test_a_template_grows_into_a_character(desk: Any, url: str, chronicle: Chronicle) -> None:
    desk.post(f"{url}new/", HOUND)
    row = Template.objects.get()
    address = reverse("characters:template-grow", args=[chronicle.pk, row.pk])
    assert errors(desk.post(address, {"name": ""}))
    answer = desk.post(address, {"name": "Cerberus"})
    made = Character.objects.get()
    assert answer["Location"] == reverse("characters:edit", args=[made.pk])
    assert desk.get(answer["Location"]).status_code == 200
    assert (made.name, made.is_npc, made.kind) == ("Cerberus", True, "mortal")
    sheet = sheet_of(made)
    assert (sheet.traits["dexterity"], sheet.traits["brawl"], sheet.traits["dodge"]) == (2, 4, 2)
    assert sheet.traits["stamina"] == 3
    assert [weapon.name for weapon in sheet.weapons] == ["Club", "Knife"]
    assert made.storyteller_notes == "Attack 6, Defence 4, Soak 3, Health 5"
    assert sheet.pools == {}
    assert Template.objects.filter(pk=row.pk).exists()


def test_every_shipped_template_grows(desk: Any, url: str, chronicle: Chronicle) -> None:
    for entry in library(chronicle):
        address = reverse("characters:template-grow", args=[chronicle.pk, entry.person.key])
        assert desk.post(address, {"name": entry.person.name}).status_code == 302
    assert Character.objects.filter(owner=None).count() == 12
    assert desk.get(reverse("characters:template-grow", args=[chronicle.pk, "nobody"])).status_code == 404


def test_gear_that_is_gone_is_left_out(chronicle: Chronicle, shipped: None) -> None:
    Weapon.objects.filter(ruleset="masquerade", name="Club").delete()
    Armor.objects.filter(ruleset="masquerade", name="Kevlar vest").delete()
    own = Weapon.objects.create(
        ruleset="masquerade", chronicle=chronicle, name="Light pistol", mode="firearm", damage=9
    )
    officer = next(entry.person for entry in library(chronicle) if entry.person.key == "officer")
    sheet = fight_sheet(chronicle, officer)
    assert [(weapon.name, weapon.damage) for weapon in sheet.weapons] == [(own.name, 9)]
    assert sheet.armor == ()


def test_a_page_of_the_library_takes_few_queries(
    desk: Any, url: str, by: Membership, django_assert_max_num_queries: Any
) -> None:
    desk.get(url)
    for number in range(20):
        save_template(by=by, data=TemplateData(f"T{number}", "mortal", weapons=("Club",)), version=0)
    with django_assert_max_num_queries(14):
        desk.get(url)


@pytest.mark.parametrize("who", ["player", "other_player", "observer"])
def test_players_know_nothing_of_the_library(
    who: str, request: Any, signed_in: Any, chronicle: Chronicle, url: str, by: Membership
) -> None:
    client = signed_in(request.getfixturevalue(who))
    row = save_template(by=by, data=TemplateData("CANARY", "mortal"), version=0)
    for page in ("", "new/", f"{row.pk}/", f"{row.pk}/delete/", f"{row.pk}/character/", "thug/character/"):
        for answer in (client.get(f"{url}{page}"), client.post(f"{url}{page}", HOUND)):
            assert answer.status_code in (404, 405), page
            assert "CANARY" not in answer.content.decode()
    assert url not in client.get(reverse("campaigns:chronicle", args=[chronicle.pk])).content.decode()
    assert Template.objects.get() == row


# ------------------------------------------------------------------ from a character


@pytest.fixture
@kept
def known(ilya: Character) -> Character:
    """The player's vampire with an identity, lists, specialties and a private past."""
    ilya.details = {"clan": "Tremere", "sire": "CANARY-SIRE"}
    ilya.specialties = {"melee": ["sabres"]}
    ilya.lists = {"backgrounds": [["Resources", 3], ["Mentor", 0]], "merits": [["Iron Will", 3]]}
    ilya.merits = ["iron_will"]
    ilya.scars = [{"level": 2, "cause": "CANARY-SCAR", "turn": 3, "fight": ""}]
    ilya.lasting = [{"condition": "stunned", "rule": "", "fight": "", "why": "CANARY-WHY"}]
    ilya.save()
    return ilya


def test_a_character_becomes_a_template(desk: Any, url: str, chronicle: Chronicle, known: Character) -> None:
    sheet = reverse("characters:sheet", args=[known.pk])
    address = f"{url}new/?character={known.pk}"
    assert f'href="{address}"' in desk.get(sheet).content.decode()
    page = desk.get(address)
    body = page.content.decode()
    for line in ("Melee (sabres)", "Backgrounds: Resources 3, Mentor", "Merits: Iron Will 3"):
        assert line in body
    for private in ("CANARY", "Tremere", "favour"):
        assert private not in body
    assert desk.post(address, typed_in(page) | {"name": "Sabreur", "notes": "Holds the door."}).status_code == 302
    row = Template.objects.get()
    entry = library(chronicle)[0]
    assert (row.name, row.shipped, row.notes, entry.own) == ("Sabreur", "", "Holds the door.", row.pk)
    assert (row.weapons, row.armor) == (["Sword", "Light pistol"], ["Reinforced clothing"])
    made, theirs = fight_sheet(chronicle, entry.person), sheet_of(known)
    layout = ruleset_for(chronicle).layout
    assert {key.key: layout.dots(made, key.key) for key in layout.traits()} == {
        key.key: layout.dots(theirs, key.key) for key in layout.traits()
    }
    assert (made.merits, made.specialties) == (theirs.merits, theirs.specialties)
    assert (made.marks, made.scars, made.lasting, made.resources) == ((), (), (), {})
    # Changing it keeps what the form only shows, and it grows into a sheet with all of that.
    edit = reverse("characters:template-edit", args=[chronicle.pk, row.pk])
    assert desk.post(edit, typed_in(desk.get(edit))).status_code == 302
    desk.post(reverse("characters:template-grow", args=[chronicle.pk, row.pk]), {"name": "Grown"})
    grown = Character.objects.get(name="Grown")
    assert (grown.specialties, grown.lists, grown.merits) == (known.specialties, known.lists, ["iron_will"])
    assert (grown.details, grown.is_npc) == ({}, True)
    known.refresh_from_db()
    assert known.scars


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("language", ["en", "de"])
def test_every_trait_of_every_kind_goes_through_the_form(
    desk: Any, url: str, chronicle: Chronicle, ruleset: str, language: str
) -> None:
    chronicle.ruleset = ruleset
    chronicle.save()
    system = RULESETS[ruleset]
    spoken = {"accept-language": language}
    for kind in system.kinds:
        groups = [group for section in system.layout.for_kind(kind) for group in section.groups]
        most = {trait.key: trait.maximum for group in groups for trait in group.traits}
        one = Character.objects.create(chronicle=chronicle, name=f"Most {kind}", kind=kind, traits=most)
        address = f"{url}new/?character={one.pk}"
        saved = desk.post(address, typed_in(desk.get(address, headers=spoken)), headers=spoken)
        assert saved.status_code == 302, saved.context["form"].errors
        row = Template.objects.get(name=one.name)
        assert row.traits | most == row.traits


def test_a_template_is_made_from_a_character_of_the_same_chronicle(
    desk: Any, signed_in: Any, player: Any, other_player: Any, url: str, known: Character
) -> None:
    elsewhere = Chronicle.objects.create(name="Elsewhere", ruleset="masquerade")
    foreign = Character.objects.create(chronicle=elsewhere, name="CANARY")
    assert desk.get(f"{url}new/?character={foreign.pk}").status_code == 404
    assert desk.get(f"{url}new/?character=nosuchthing").status_code == 404
    sheet = signed_in(player).get(reverse("characters:sheet", args=[known.pk])).content.decode()
    assert "templates/" not in sheet
    assert signed_in(player).get(f"{url}new/?character={known.pk}").status_code == 404


@pytest.mark.parametrize("size", [(1366, 768), (390, 844)])
def test_a_template_is_made_from_the_sheet_by_pressing(
    page_for: Any, storyteller: Any, known: Character, size: tuple[int, int]
) -> None:
    width, height = size
    sheet = reverse("characters:sheet", args=[known.pk])
    page = page_for(storyteller, sheet, viewport={"width": width, "height": height})
    page.get_by_role("button", name="More").click()
    page.get_by_role("link", name="Make a template").click()
    assert page.get_by_label("Name", exact=True).input_value() == "Ilya Voss"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("button", name="Save").click()
    page.get_by_role("row", name="Ilya Voss").wait_for()
    assert Template.objects.get().traits["dexterity"] == 4
