"""A player on a phone brings a character in from Foundry, and takes it out again."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from characters.models import Character
from tests.browser.table import PHONE, Demo

pytestmark = pytest.mark.django_db(transaction=True)

FILE = Path(__file__).parents[1] / "characters" / "foundry" / "vampire.json"


def test_a_character_comes_from_foundry_and_goes_there(
    demo: Demo, page_for: Callable[..., Any], tmp_path: Path
) -> None:
    owner = Character.objects.get(name="Marguerite").owner
    chronicle = Character.objects.get(name="Marguerite").chronicle_id
    page: Page = page_for(owner, f"/chronicles/{chronicle}/characters/new/", **PHONE)
    page.get_by_role("link", name="Bring in from a file").click()
    page.get_by_label("File").set_input_files(FILE)
    page.get_by_role("button", name="Show preview").click()
    expect(page.get_by_role("heading", name="Bring in Tamsin Oakley")).to_be_visible()
    expect(page.get_by_text("Only a Storyteller can add it")).to_be_visible()
    sideways = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
    assert not page.evaluate(sideways)
    page.get_by_label("Name", exact=True).fill("Tamsin")
    page.get_by_role("button", name="Create character").click()
    expect(page.get_by_text("Tamsin has been created.")).to_be_visible()
    made = Character.objects.get(name="Tamsin")
    assert (made.owner, made.traits["celerity"]) == (owner, 2)

    page.get_by_role("button", name="More").click()
    page.get_by_role("link", name="Take out").click()
    with page.expect_download() as downloading:
        page.get_by_role("region", name="Foundry").get_by_role("link", name="Download").click()
    assert downloading.value.suggested_filename == "tamsin-foundry.json"
    downloading.value.save_as(tmp_path / "tamsin.json")
    file = json.loads((tmp_path / "tamsin.json").read_text(encoding="utf-8"))
    assert (file["type"], file["system"]["abilities"]["melee"]["value"]) == ("Vampire", 3)

    page.goto(page.url.partition("/characters/")[0] + f"/chronicles/{chronicle}/characters/bring-in/")
    page.get_by_label("File").set_input_files(tmp_path / "tamsin.json")
    page.get_by_role("button", name="Show preview").click()
    expect(page.get_by_text("Nothing: everything was understood.")).to_be_visible()
