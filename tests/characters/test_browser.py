"""The sheet and the tables in a browser: with and without scripts, and within the content security policy."""

from __future__ import annotations

import re
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse
from PIL import ExifTags, Image

from campaigns.pictures import MOST_BYTES
from characters import tables
from characters.models import Character, Portrait, Weapon

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


@pytest.fixture
def opened(page_for: Callable[..., Any], ilya: Character, player: Any) -> Callable[..., Any]:
    """opened("edit", **options) -> that page of Ilya's in the player's browser."""
    return lambda view, **options: page_for(player, reverse(f"characters:{view}", args=[ilya.pk]), **options)


def test_a_sheet_is_filled_in_by_pressing(opened: Any, ilya: Character) -> None:
    page = opened("edit")
    strength = page.locator("#id_trait-strength")
    dots = page.locator(".dots-input", has=strength).locator(".dots-row > span")
    dots.nth(3).click()
    assert strength.input_value() == "4"
    strength.fill("5")
    assert page.locator(".dots-input", has=strength).locator(".on").count() == 5
    page.locator(".box-press").nth(3).click()
    assert page.get_by_label("Wounded").input_value() == "bashing"
    page.get_by_label("Notes").fill("Typed before the rows.")
    page.get_by_role("button", name="Add a weapon").click()
    page.locator("#id_weapons-3-item").wait_for()
    assert page.get_by_label("Notes").input_value() == "Typed before the rows."
    page.locator("#id_weapons-2-item").select_option(label="Stake")
    page.locator("#id_weapons-3-item").select_option(label="Axe")
    page.get_by_role("button", name="Save the sheet").click()
    page.get_by_role("heading", name="Ilya Voss").wait_for()
    ilya = Character.objects.get(pk=ilya.pk)
    assert ilya.traits["strength"] == 5
    assert ilya.marks == ["lethal", "bashing", "bashing", "bashing"]
    assert [row.shown_name for row in ilya.weapons.all()][2:] == ["Stake", "Axe"]
    assert ilya.notes == "Typed before the rows."


def test_another_kind_lays_the_sheet_out_at_once(opened: Any) -> None:
    page = opened("edit")
    page.locator("#id_trait-auspex").fill("4")
    page.locator("#id_concept").fill("On the way out")
    page.locator("#id_kind").select_option("mortal")
    page.get_by_text("Disciplines", exact=True).wait_for(state="detached")
    page.locator("#id_kind").select_option("vampire")
    page.get_by_text("Disciplines", exact=True).wait_for()
    assert page.locator("#id_trait-auspex").input_value() == "4"
    assert page.locator("#id_concept").input_value() == "On the way out"


def test_a_fault_is_said_by_the_field_and_led_to(opened: Any) -> None:
    page = opened("edit")
    page.locator("#id_trait-wits").fill("6")
    page.locator("#id_trait-wits").press("Enter")
    page.locator(".form-errors").get_by_role("link", name="Wits").click()
    page.problems[:] = [problem for problem in page.problems if "422" not in problem]
    wits = page.locator("#id_trait-wits")
    assert wits.input_value() == "6"
    assert wits.get_attribute("aria-invalid") == "true"
    described = page.locator(f"#{wits.get_attribute('aria-describedby')}")
    assert "Enter a whole number from 0 to 5." in described.inner_text()


def test_it_all_works_without_scripts(opened: Any, ilya: Character) -> None:
    page = opened("edit", java_script_enabled=False)
    page.locator("#id_trait-melee").fill("5")
    page.get_by_role("button", name="Add a weapon").click()
    page.locator("#id_weapons-3-item").select_option(label="Axe")
    page.locator("#id_kind").select_option("ghoul")
    page.get_by_role("button", name="Show this kind’s Traits").click()
    assert page.locator("#id_trait-melee").input_value() == "5"
    page.get_by_role("button", name="Save the sheet").click()
    ilya = Character.objects.get(pk=ilya.pk)
    assert (ilya.kind, ilya.traits["melee"]) == ("ghoul", 5)
    assert [row.shown_name for row in ilya.weapons.all()][2:] == ["Axe"]


@pytest.mark.parametrize("view", ["sheet", "edit", "notes", "delete"])
def test_pages_fit_a_phone_and_are_pressed_by_fingers(opened: Any, view: str) -> None:
    page = opened(view, **PHONE)
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    small = page.evaluate(
        """() => [...document.querySelectorAll('main :is(button, input, select, a.button, summary)')]
            .filter((one) => one.offsetParent && one.type !== 'checkbox' && !one.classList.contains('sr-only'))
            .filter((one) => one.getBoundingClientRect().height < 44)
            .map((one) => one.outerHTML)"""
    )
    assert small == []


def test_the_paper_sheet_has_the_sheet_and_no_buttons(opened: Any) -> None:
    page = opened("sheet")
    page.emulate_media(media="print")
    assert page.get_by_text("Dexterity", exact=True).is_visible()
    assert not page.get_by_role("link", name="Edit").is_visible()
    assert not page.get_by_role("button", name="Print").is_visible()


def test_a_chronicles_own_weapon_is_made(page_for: Any, storyteller: Any, chronicle: Any) -> None:
    tables.load()
    page = page_for(storyteller, reverse("characters:gear", args=[chronicle.pk]))
    page.get_by_role("link", name="Weapon", exact=True).click()
    page.get_by_label("Name").fill("Fang")
    page.get_by_label("Attack type").select_option("melee")
    page.get_by_label("Added Attribute").select_option("strength")
    page.get_by_role("button", name="Save").click()
    page.get_by_text("Fang has been saved.").wait_for()
    assert Weapon.objects.get(chronicle=chronicle).damage_from == "strength"


def test_the_administration_obeys_the_policy(page_for: Any, admin: Any, tmp_path: Path) -> None:
    tables.load()
    page = page_for(admin, reverse("admin:characters_weapon_changelist") + "?ruleset=masquerade")
    page.locator("#id_form-0-damage").fill("7")
    page.get_by_role("button", name="Save", exact=True).first.click()
    page.get_by_text("1 weapon was changed successfully.").wait_for()
    page.get_by_role("link", name=re.compile("^Import")).click()
    file = tmp_path / "more.csv"
    file.write_text("name,mode,damage\nHalberd,melee,4\nSap,melee,2\n")
    page.locator("#id_import_file").set_input_files(file)
    page.locator("#id_ruleset").select_option("masquerade")
    page.get_by_role("button", name="Submit").click()
    page.get_by_text("Halberd").wait_for()
    page.get_by_role("button", name="Confirm import").click()
    page.get_by_text("Import finished: 1 new, 1 updated").wait_for()
    with page.expect_download() as caught:
        page.get_by_role("link", name=re.compile("^Export")).click()
    assert "Halberd" in Path(caught.value.path()).read_text()
    page.goto(reverse("admin:characters_weapon_changelist") + "?q=Halberd")
    page.get_by_role("link", name="Halberd").click()
    page.get_by_role("link", name="Delete").first.click()
    page.get_by_role("button", name=re.compile("sure")).click()
    page.get_by_text("was deleted successfully").wait_for()
    page.goto(reverse("admin:characters_armor_add"))
    assert not Weapon.objects.filter(name="Halberd").exists()


def test_a_phones_photo_is_scaled_down_before_it_is_sent(opened: Any, ilya: Character, tmp_path: Path) -> None:
    """It is larger than the server accepts, and lies on its side: 6 is turned a quarter to the right."""
    photo = Image.effect_noise((2400, 1800), 120).convert("RGB")
    turned = Image.Exif()
    turned[ExifTags.Base.Orientation] = 6
    photo.save(tmp_path / "photo.jpg", quality=100, exif=turned)
    assert (tmp_path / "photo.jpg").stat().st_size > MOST_BYTES
    page = opened("portrait")
    page.get_by_label("Picture").set_input_files(tmp_path / "photo.jpg")
    page.get_by_role("button", name="Use this picture").click()
    page.get_by_text("The portrait has been saved.").wait_for()
    kept = Image.open(BytesIO(Portrait.objects.get(character=ilya).picture))
    assert kept.height > kept.width
