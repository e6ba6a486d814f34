"""The sheet's form: what is saved, what is refused with a message, and that typed text is never lost."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from characters import changes
from characters.models import Armor, CarriedWeapon, Cause, Character, Weapon, WornArmor
from characters.sheets import sheet_of, sheets_of, write_back
from rules.model.gear import Damage, Fault
from rules.systems import RULESETS
from tests.kept import kept


@pytest.fixture
def url(ilya: Character) -> str:
    return reverse("characters:edit", args=[ilya.pk])


@pytest.fixture
@kept
def opened(player: Any, url: str, fields: Any) -> dict[str, str]:
    """What the player's form contains when it is opened."""
    client = Client()
    client.force_login(player)
    return fields(client.get(url))


@pytest.fixture
def typed(signed_in: Any, player: Any, opened: dict[str, str]) -> dict[str, str]:
    """The same, and the player's browser is signed in."""
    signed_in(player)
    return opened


def value_in(response: Any, name: str) -> Any:
    """A field's value in the returned form, rows included."""
    form = response.context["form"]
    for part in (form, *form.weapons, *form.armor):
        for bound in part:
            if bound.html_name == name:
                return bound.value()
    raise AssertionError(name)


def read(character: Character) -> Any:
    """Everything that the rules read of the saved character, including dots that nobody ever set."""
    kept = Character.objects.get(pk=character.pk)
    sheet, layout = sheet_of(kept), RULESETS["masquerade"].layout
    return replace(sheet, traits={trait.key: layout.dots(sheet, trait.key) for trait in layout.traits()})


def test_saving_what_is_there_changes_nothing(client: Any, ilya: Character, url: str, typed: dict[str, str]) -> None:
    before = read(ilya)
    assert client.post(url, typed).status_code == 302
    assert read(ilya) == before
    ilya.refresh_from_db()
    assert ilya.version == 2
    assert ilya.storyteller_notes == "The Prince is dead: CANARY-NOTES."


def test_everything_on_the_sheet_can_be_changed(client: Any, ilya: Character, url: str, typed: dict[str, str]) -> None:
    sword = ilya.weapons.get(order=0)
    axe = Weapon.objects.get(ruleset="masquerade", name="Axe")
    vest = Armor.objects.get(ruleset="masquerade", name="Kevlar vest")
    typed |= {
        "name": "Ilya the Grey",
        "concept": "Caitiff",
        "trait-strength": "5",
        "trait-potence": "1",
        "trait-generation": "8",
        "points-blood": "15",
        "points-willpower": "",
        "box-0": "bashing",
        "box-1": "aggravated",
        "box-2": "",
        "list-merits-0-name": "Ambidextrous",
        "list-merits-1-name": "Eat food",
        "list-merits-1-dots": "1",
        "list-merits-2-name": "ambidextrous",
        "notes": "Owes nobody.",
        "weapons-0-item": str(axe.pk),
        "weapons-0-name": "Cleaver",
        "weapons-1-remove": "on",
        "weapons-2-item": str(Weapon.objects.get(ruleset="masquerade", name="Crossbow").pk),
        "weapons-2-rounds": "0",
        "armor-1-item": str(vest.pk),
    }
    assert client.post(url, typed).status_code == 302
    ilya = Character.objects.get(pk=ilya.pk)
    assert (ilya.name, ilya.concept, ilya.notes) == ("Ilya the Grey", "Caitiff", "Owes nobody.")
    assert ilya.traits["strength"] == 5
    assert ilya.traits["potence"] == 1
    assert ilya.resources == {"blood": 15}
    assert ilya.marks == ["aggravated", "bashing"]
    assert ilya.merits == ["ambidextrous", "eat_food"]
    carried = [(row.pk, row.shown_name, row.rounds) for row in ilya.weapons.all()]
    assert carried[0] == (sword.pk, "Cleaver", None)
    assert [row[1:] for row in carried[1:]] == [("Crossbow", 0)]
    assert [row.shown_name for row in ilya.armor.all()] == ["Reinforced clothing", "Kevlar vest"]


BAD = [
    ("trait-strength", "6", "Enter a whole number from 0 to 5."),
    ("trait-strength", "0", ""),
    ("trait-strength", "", "Enter a whole number from 0 to 5."),
    ("trait-strength", "four", "Enter a whole number from 0 to 5."),
    ("trait-strength", "2.5", "Enter a whole number from 0 to 5."),
    ("trait-strength", "9" * 5000, "Enter a whole number from 0 to 5."),
    ("trait-generation", "3", "Enter a whole number from 4 to 15."),
    ("trait-generation", "16", "Enter a whole number from 4 to 15."),
    ("trait-willpower", "11", "Enter a whole number from 0 to 10."),
    ("points-blood", "-1", "Enter a whole number, at least 0."),
    ("points-blood", "15", "Enter 14 or less."),
    ("points-blood", "a lot", "Enter a whole number, at least 0."),
    ("points-willpower", "7", "Enter 6 or less."),
    ("name", "", "This field is required."),
    ("name", "x" * 81, "Use at most 80 characters. This has 81."),
    ("name", "two\nlines", "Use a single line."),
    ("concept", "x" * 81, "Use at most 80 characters. This has 81."),
    ("notes", "x" * 20_001, "Use at most 20000 characters. This has 20001."),
    ("kind", "lich", "Choose a kind from the list."),
    ("box-0", "sunburn", "Choose bashing, lethal or aggravated, or leave the box empty."),
    ("weapons-0-item", "999999", "Choose an item from this chronicle’s tables."),
    ("weapons-0-item", "", "Choose an item, or leave the whole row empty."),
    ("weapons-1-rounds", "19", "Enter at most 18 rounds."),
    ("weapons-1-rounds", "-1", "Enter a whole number, at least 0."),
    ("weapons-1-rounds", "some", "Enter a whole number, at least 0."),
    ("weapons-0-rounds", "3", "This weapon doesn’t use ammunition. Leave this empty."),
    ("name", "\u200b\u2060", "This has no visible characters. Use letters or digits."),
    ("weapons-0-name", "\u3164", "This has no visible characters. Use letters or digits."),
    ("weapons-0-name", "x" * 81, "Use at most 80 characters. This has 81."),
    ("weapons-0-fault", "haunted", "Select a valid choice."),
    ("weapons-0-row", "x", "Enter a whole number."),
    ("armor-0-item", "x", "Choose an item from this chronicle’s tables."),
    ("list-merits-0-name", "…", "“…” needs at least one letter or digit."),
    ("list-merits-0-name", "x" * 81, "Use at most 80 characters. This has 81."),
    ("list-merits-1-dots", "8", "Enter a whole number from 0 to 7."),
    ("list-backgrounds-1-dots", "six", "Enter a whole number from 0 to 5."),
]


@pytest.mark.parametrize(("name", "value", "sentence"), BAD, ids=lambda value: str(value)[:30])
def test_bad_input_gets_the_form_back_with_a_sentence_and_all_that_was_typed(
    client: Any, ilya: Character, url: str, typed: dict[str, str], name: str, value: str, sentence: str
) -> None:
    typed |= {"trait-melee": "5", "weapons-2-name": "", "armor-0-name": "Old coat", "notes": "Kept."} | {name: value}
    before = Character.objects.filter(pk=ilya.pk).values().get()
    response = client.post(url, typed)
    if not sentence:
        assert response.status_code == 302
        return
    assert response.status_code == 422
    assert sentence in response.content.decode()
    for field, text in typed.items():
        if field not in ("kind", "weapons-0-row") and not field.endswith(("_FORMS", "-remove")):
            assert str(value_in(response, field)) == text, field
    assert Character.objects.filter(pk=ilya.pk).values().get() == before


def test_a_name_of_a_megabyte_comes_back_with_a_sentence(client: Any, url: str, typed: dict[str, str]) -> None:
    response = client.post(url, typed | {"name": "x" * 1_000_000, "concept": "Still here"})
    assert response.status_code == 422
    assert "Use at most 80 characters. This has 1000000." in response.content.decode()
    assert value_in(response, "concept") == "Still here"


def test_several_faults_are_all_said_at_once(client: Any, url: str, typed: dict[str, str]) -> None:
    body = client.post(
        url, typed | {"trait-wits": "9", "points-blood": "-3", "weapons-1-rounds": "99"}
    ).content.decode()
    assert "Enter a whole number from 0 to 5." in body
    assert "Enter a whole number, at least 0." in body
    assert "Enter at most 18 rounds." in body


def test_merits_keep_the_letters_of_every_script(
    client: Any, ilya: Character, url: str, typed: dict[str, str], fields: Any
) -> None:
    merits = ("Gedächtniskünstler", "Железная воля", "Iron Will")
    rows = {f"list-merits-{place}-name": name for place, name in enumerate(merits)}
    assert client.post(url, typed | rows).status_code == 302
    ilya.refresh_from_db()
    assert ilya.merits == ["gedächtniskünstler", "железная_воля", "iron_will"]
    page = client.get(reverse("characters:sheet", args=[ilya.pk])).content.decode()
    assert "Gedächtniskünstler" in page
    assert "Железная воля" in page
    again = fields(client.get(url))
    assert rows.items() <= again.items()
    assert client.post(url, again).status_code == 302
    assert Character.objects.get(pk=ilya.pk).merits == ilya.merits


def test_marks_beyond_the_boxes_are_refused(client: Any, url: str, typed: dict[str, str]) -> None:
    response = client.post(url, typed | {"box-7": "lethal"})
    assert response.status_code == 422
    assert "Mark at most 7 boxes." in response.content.decode()


def test_a_removed_row_may_be_as_wrong_as_it_likes(
    client: Any, ilya: Character, url: str, typed: dict[str, str]
) -> None:
    typed |= {"weapons-1-rounds": "99", "weapons-1-remove": "on"}
    assert client.post(url, typed).status_code == 302
    assert ilya.weapons.count() == 1


def test_another_chronicles_weapon_cannot_be_picked(
    client: Any, ilya: Character, url: str, typed: dict[str, str], storyteller: Any
) -> None:
    from campaigns.services import create_chronicle

    elsewhere = create_chronicle(user=storyteller, name="Elsewhere", ruleset="masquerade")
    theirs = Weapon.objects.create(chronicle=elsewhere, ruleset="masquerade", name="CANARY blade", mode="melee")
    response = client.post(url, typed | {"weapons-2-item": str(theirs.pk)})
    assert response.status_code == 422
    assert "CANARY" not in response.content.decode()


def test_another_characters_row_is_not_taken_over(
    client: Any, lurker: Character, weapon: Any, url: str, typed: dict[str, str]
) -> None:
    theirs = CarriedWeapon.objects.create(character=lurker, weapon=weapon("Sword"), name="Mine")
    assert client.post(url, typed | {"weapons-0-row": str(theirs.pk)}).status_code == 302
    theirs.refresh_from_db()
    assert (theirs.character_id, theirs.name) == (lurker.pk, "Mine")


def test_a_stale_form_is_answered_with_both(client: Any, ilya: Character, url: str, typed: dict[str, str]) -> None:
    Character.objects.filter(pk=ilya.pk).update(version=5, marks=["aggravated"], concept="Ancilla")
    response = client.post(url, typed | {"trait-wits": "5", "notes": "My long text."})
    assert response.status_code == 409
    body = response.content.decode()
    assert "This sheet was changed while you were editing" in body
    assert "Concept: Ancilla" in body
    assert value_in(response, "notes") == "My long text."
    assert value_in(response, "trait-wits") == "5"
    assert Character.objects.get(pk=ilya.pk).concept == "Ancilla"
    again = typed | {"version": str(value_in(response, "version")), "notes": "My long text."}
    assert client.post(url, again).status_code == 302
    assert Character.objects.get(pk=ilya.pk).notes == "My long text."


def test_what_a_fight_did_to_the_gear_stands_beside_what_was_typed(
    client: Any, player: Any, ilya: Character, weapon: Any, url: str, typed: dict[str, str]
) -> None:
    before = sheets_of([ilya.pk])[ilya.pk]
    hit = tuple(replace(each, rounds=2, fault=Fault.JAMMED) if each.rounds else each for each in before.weapons)
    after = replace(before, marks=(Damage.AGGRAVATED, *before.marks), weapons=hit)
    write_back(ilya.pk, before, after)
    sabre, coat = ilya.weapons.get(order=0), ilya.armor.get()
    WornArmor.objects.filter(pk=coat.pk).update(destroyed=True)
    Character.objects.filter(pk=ilya.pk).update(kind="ghoul")
    response = client.post(url, typed | {"notes": typed["notes"] + "\r\n", "list-merits-0-name": "Deaf"})
    assert response.status_code == 409
    told = response.context["form"].theirs
    assert told[:2] == ["Kind: Ghoul", "Bruised: aggravated"]
    assert told[-3:] == ["Light pistol, Rounds: 2", "Light pistol, State: jammed", f"{coat}, Destroyed: on"]
    assert "Merits 1: —" in told
    assert not any(line.startswith(("Notes", str(sabre))) for line in told)
    player.language = "de"
    player.save()
    told = client.post(url, typed).context["form"].theirs
    assert {"Blaue Flecken: schwer heilbar", "Light pistol, Zustand: Ladehemmung"} <= set(told)


@pytest.mark.parametrize(("strength", "late"), [("4", False), ("four", False), ("4", True)])
def test_what_was_typed_before_a_fight_began_waits_for_its_end(
    client: Any, ilya: Character, fights: Any, url: str, typed: Any, monkeypatch: Any, strength: str, late: bool
) -> None:
    fights[ilya.pk] = "Alley"
    if late:  # it begins while the sheet is being saved
        monkeypatch.setattr("characters.access.fight_that_locks", lambda _seen: "")
    typed |= {"notes": "A long evening’s notes.", "trait-strength": strength}
    response = client.post(url, typed)
    assert response.status_code == 409
    assert "“Alley” is running. Until it ends" in response.content.decode()
    assert (value_in(response, "notes"), value_in(response, "trait-strength")) == (typed["notes"], strength)
    assert client.post(url, typed | {"add-weapon": "1"}).status_code == 200
    fights.clear()
    again = client.post(url, typed | {"version": str(value_in(response, "version"))})
    assert again.status_code == (422 if strength == "four" else 302)


def test_rows_that_came_and_went_meanwhile_are_told(
    client: Any, ilya: Character, weapon: Any, url: str, typed: dict[str, str]
) -> None:
    sabre, pistol = ilya.weapons.all()
    CarriedWeapon.objects.create(character=ilya, weapon=weapon("Axe"), name="Cleaver")
    pistol.delete()
    Character.objects.filter(pk=ilya.pk).update(version=5)
    new = {"weapons-2-item": str(weapon("Axe").pk)}
    told = client.post(url, typed | new | {"weapons-0-remove": "on"}).context["form"].theirs
    assert told == ["Light pistol: —", f"Weapon: {sabre}", "Weapon: Cleaver"]


def test_another_kind_is_laid_out_without_losing_what_was_typed(
    client: Any, ilya: Character, url: str, typed: dict[str, str], fields: Any
) -> None:
    typed |= {"trait-auspex": "4", "name": "x" * 100, "points-blood": "nine"}
    mortal = client.post(url, typed | {"kind": "mortal", "lay": "1"})
    assert mortal.status_code == 200
    form = mortal.context["form"]
    assert form["trait-auspex"].is_hidden
    assert not mortal.context["wrong"]
    back = client.post(url, fields(mortal) | {"kind": "vampire", "lay": "1"})
    assert back.context["form"]["trait-auspex"].value() == "4"
    assert back.context["form"]["points-blood"].value() == "nine"
    assert value_in(back, "name") == "x" * 100
    assert Character.objects.get(pk=ilya.pk).kind == "vampire"


def test_a_mortal_made_of_a_vampire_keeps_disciplines_that_the_rules_do_not_see(
    client: Any, ilya: Character, url: str, typed: dict[str, str]
) -> None:
    assert client.post(url, typed | {"kind": "mortal"}).status_code == 302
    ilya = Character.objects.get(pk=ilya.pk)
    assert ilya.traits["auspex"] == 2
    assert "auspex" not in sheet_of(ilya).traits
    assert "blood" not in sheet_of(ilya).resources


def test_each_row_of_gear_is_a_group_with_a_name(client: Any, url: str, typed: dict[str, str]) -> None:
    page = client.get(url).content.decode()
    for name in ("Weapon 1", "Weapon 2", "Weapon 3", "Armour 1", "Armour 2"):
        assert page.count(f'<div class="gear-row" role="group" aria-label="{name}">') == 1


def test_another_row_can_be_asked_for(client: Any, url: str, typed: dict[str, str]) -> None:
    response = client.post(url, typed | {"add-weapon": "1", "weapons-1-rounds": "oops"})
    assert response.status_code == 200
    assert len(response.context["form"].weapons.forms) == 4
    assert value_in(response, "weapons-1-rounds") == "oops"


@pytest.mark.parametrize("total", ["", "x", "-1", "99999999999", "1000"])
def test_a_tampered_number_of_rows_is_no_error_page(client: Any, url: str, typed: dict[str, str], total: str) -> None:
    typed["weapons-TOTAL_FORMS"] = total
    assert client.post(url, typed).status_code == 422
    assert client.post(url, typed | {"add-weapon": "1"}).status_code == 200


def test_forms_may_come_without_fields_they_never_had(client: Any, ilya: Character, url: str, typed: Any) -> None:
    before = read(ilya)
    kept = {name: text for name, text in typed.items() if not name.startswith(("trait-", "points-", "box-"))}
    assert client.post(url, kept).status_code == 302
    assert read(ilya) == before


def test_no_field_of_the_model_is_taken_that_the_form_does_not_show(
    client: Any, ilya: Character, url: str, typed: dict[str, str], other_player: Any
) -> None:
    forged = {"owner": str(other_player.pk), "owner_id": str(other_player.pk), "chronicle": "x", "id": "x"}
    forged |= {"storyteller_notes": "mine now", "marks": "[]", "traits": "{}", "updated": "2000-01-01"}
    assert client.post(url, typed | forged).status_code == 302
    kept = Character.objects.get(pk=ilya.pk)
    assert kept.owner_id == ilya.owner_id
    assert kept.chronicle_id == ilya.chronicle_id
    assert kept.storyteller_notes == ilya.storyteller_notes
    assert kept.marks == ilya.marks


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_whatever_is_sent_is_saved_or_comes_back(
    data: st.DataObject, client: Any, ilya: Character, url: str, typed: dict[str, str]
) -> None:
    text = st.one_of(
        st.text(max_size=30),
        st.integers(-(10**30), 10**30).map(str),
        st.sampled_from(["", "0", "5", "6", "-1", "1e9", "NaN", "٣", "²", "\0", "=cmd", "null", "[]", "on"]),
    )
    names = st.sampled_from([*sorted(typed), "lay", "add-armor", "weapons-2-remove", "box-9"])
    sent = typed | data.draw(st.dictionaries(names, text, max_size=8))
    sent |= {"version": str(Character.objects.get(pk=ilya.pk).version)}
    response = client.post(url, sent)
    assert response.status_code in (200, 302, 422)
    if response.status_code == 302:
        sheet_of(Character.objects.get(pk=ilya.pk))
        assert client.get(reverse("characters:sheet", args=[ilya.pk])).status_code == 200
    else:
        for name in typed:
            if name.startswith(("name", "concept", "notes", "trait-", "points-")):
                assert value_in(response, name) == sent[name]


@pytest.mark.parametrize(("ruleset", "kind"), [("apocalypse", "garou"), ("masquerade", "vampire")])
def test_a_new_character_is_of_the_rulesets_main_kind(
    chronicle: Any, client: Any, player: Any, ruleset: str, kind: str
) -> None:
    chronicle.ruleset = ruleset
    chronicle.save()
    client.force_login(player, backend="django.contrib.auth.backends.ModelBackend")
    form = client.get(reverse("characters:create", args=[chronicle.pk])).context["form"]
    assert form["kind"].value() == kind


def test_the_storyteller_chooses_a_new_characters_kind(
    chronicle: Any, signed_in: Any, storyteller: Any, fields: Any
) -> None:
    """None is preset: until one is chosen, a mortal's Traits are shown."""
    client, url = signed_in(storyteller), reverse("characters:create", args=[chronicle.pk])
    blank = client.get(url)
    assert (blank.context["form"]["kind"].value(), blank.context["form"].laid_for) == ("", "mortal")
    refused = client.post(url, fields(blank) | {"name": "Nell"})
    assert refused.status_code == 422
    assert "Choose a kind." in refused.content.decode()
    assert client.post(url, fields(blank) | {"name": "Nell", "kind": "vampire"}).status_code == 302


# The history of a sheet -----------------------------------------------------------------------------------------


def changes_seen(client: Any, ilya: Character) -> list[tuple[str, tuple[str, ...]]]:
    lines = client.get(reverse("characters:history", args=[ilya.pk])).context["lines"]
    return [(each.by, each.changes) for each in lines]


def test_both_see_which_dots_a_player_changed(
    signed_in: Any, storyteller: Any, player: Any, ilya: Character, url: str, typed: dict[str, str]
) -> None:
    client = signed_in(player)
    client.post(url, typed | {"trait-strength": "4", "kind": "mortal", "list-merits-0-name": "Eat food"})
    client.post(url, typed | {"version": "2", "trait-strength": "4", "kind": "mortal", "notes": "Nothing else."})
    theirs = player.display_name
    assert (
        changes_seen(signed_in(storyteller), ilya)
        == changes_seen(client, ilya)
        == [
            (theirs, ("Merit removed: Eat food",)),
            (theirs, ("Kind: Vampire → Mortal", "Strength: 2 → 4", "Merit added: Eat food")),
        ]
    )


def test_a_change_is_kept_with_its_cause_and_reason(signed_in: Any, storyteller: Any, ilya: Character) -> None:
    before = changes.watched(ilya)
    ilya.traits = ilya.traits | {"strength": 4}
    ilya.save()
    changes.keep(ilya, before, storyteller, cause=Cause.CORRECTION, reason="A typing error.")
    changes.keep(ilya, changes.watched(ilya), storyteller, cause=Cause.TIME)
    page = signed_in(storyteller).get(reverse("characters:history", args=[ilya.pk]))
    [line] = page.context["lines"]
    assert (line.cause, line.reason) == ("corrected", "A typing error.")
    assert "A typing error." in page.content.decode()


def test_the_cast_says_whose_sheet_a_player_changed_since_the_last_fight(
    signed_in: Any, storyteller: Any, player: Any, ilya: Character, url: str, typed: dict[str, str]
) -> None:
    signed_in(player).post(url, typed | {"trait-strength": "4"})
    table, fights = reverse("campaigns:chronicle", args=[ilya.chronicle_id]), ilya.chronicle.encounters
    for begun, marked in ((None, False), (timezone.now() - timedelta(hours=1), True), (timezone.now(), False)):
        fights.create(name="Docks", status="ended" if begun else "draft", begun=begun)
        assert ("sheet changed" in signed_in(storyteller).get(table).content.decode()) is marked
        assert "sheet changed" not in signed_in(player).get(table).content.decode()
