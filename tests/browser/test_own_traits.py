"""A Trait of the chronicle's own: added by the Storyteller, bought into the sheet by its player, and tapped to roll."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from characters.models import Character
from tests.browser.table import DESK, PHONE, Demo

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("screen", [DESK, PHONE], ids=["desk", "phone"])
def test_a_trait_is_added_given_dots_and_rolled(demo: Demo, page_for: Callable[..., Any], screen: Any) -> None:
    one = Character.objects.get(name="Marguerite")
    desk: Page = page_for(demo.people["storyteller"], f"/chronicles/{one.chronicle_id}/", **screen)
    desk.get_by_role("button", name="Manage").click()
    desk.get_by_role("link", name="Traits and sections").click()
    desk.get_by_role("link", name="Add").click()
    desk.get_by_label("Name", exact=True).fill("Sea craft")
    desk.get_by_role("button", name="Save").click()
    # Neither a place nor a section: told at its field, and what was typed stays.
    refused = "Enter the name of its section, or choose a place among the Abilities."
    expect(desk.get_by_text(refused, exact=True)).to_be_visible()
    desk.problems[:] = [each for each in desk.problems if "status of 422" not in each]  # type: ignore[attr-defined]
    expect(desk.get_by_label("Name", exact=True)).to_have_value("Sea craft")
    desk.get_by_label("Where on the sheet").select_option(label="Abilities: Skills")
    desk.get_by_role("button", name="Save").click()
    expect(desk.get_by_role("row", name="Sea craft")).to_be_visible()

    sheet: Page = page_for(one.owner, f"/characters/{one.pk}/edit/", **screen)
    sheet.get_by_label("Sea craft", exact=True).fill("3")
    sheet.get_by_role("button", name="Save the sheet").click()
    bar = sheet.locator(".roll-bar")
    for trait in ("Dexterity", "Sea craft"):
        sheet.locator(".sheet [data-trait]", has_text=trait).first.click()
        expect(bar).to_contain_text(trait)
    bar.get_by_role("button", name="Roll").click()
    expect(sheet.locator("#sheet-told")).to_contain_text("Sea craft")

    desk.get_by_role("link", name="Remove Sea craft").click()
    expect(desk.get_by_text("still show it: Marguerite.")).to_be_visible()
    desk.get_by_role("button", name="Remove").click()
    desk.get_by_role("link", name="Put back Sea craft").click()
    desk.get_by_role("button", name="Put back").click()
    expect(desk.get_by_role("row", name="Sea craft")).to_be_visible()
