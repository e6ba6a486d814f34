"""A power of the chronicle's own: made on the form with few clicks and its preview in view, and used in a fight."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from campaigns.models import Chronicle
from characters.models import Character
from tests.browser.table import DESK, PHONE, Demo, begin, live

pytestmark = pytest.mark.django_db(transaction=True)

CLICKS, TYPED = 7, 2
"""What docs/powers.md says it takes."""


class Counted:
    """Does what a person does, and counts it."""

    def __init__(self) -> None:
        self.clicks = self.typed = 0

    def click(self, what: Locator) -> None:
        what.click()
        self.clicks += 1

    def choose(self, what: Locator, label: str) -> None:
        what.select_option(label=label)
        self.clicks += 1

    def write(self, what: Locator, words: str) -> None:
        what.fill(words)
        self.typed += 1


def make(page: Page) -> Counted:
    """Make a power from the chronicle's page on."""
    hand, menu = Counted(), page.locator("#chronicle-menu")
    hand.click(page.get_by_role("button", name="Manage"))
    hand.click(menu.get_by_role("link", name="Powers"))
    hand.click(page.get_by_role("link", name="New power"))
    hand.write(page.get_by_label("Name", exact=True), "Iron skin")
    effect = page.get_by_role("group", name="Effect 1")
    hand.choose(effect.get_by_role("combobox", name="Effect"), "More or fewer dice")
    hand.write(effect.get_by_role("textbox", name="Amount"), "2")
    hand.click(effect.get_by_role("checkbox", name="Soak"))
    preview = page.locator("#power-preview")
    expect(preview).to_contain_text("+2 dice to soak")
    expect(preview.get_by_role("row", name="Iron skin")).to_contain_text("2")
    hand.choose(page.get_by_role("combobox", name="Cost", exact=False).first, "Blood pool")
    expect(preview).to_contain_text("1 blood")
    hand.click(page.locator("button.primary", has_text="Save"))
    expect(page.get_by_role("row", name="Iron skin")).to_contain_text("+2 dice to soak")
    return hand


@pytest.mark.parametrize("screen", [DESK, PHONE], ids=["desk", "phone"])
def test_a_power_takes_few_clicks_and_shows_what_it_does(demo: Demo, page_for: Callable[..., Any], screen: Any) -> None:
    one = Character.objects.get(name="Marguerite")
    page: Page = page_for(demo.people["storyteller"], f"/chronicles/{one.chronicle_id}/", **screen)
    hand = make(page)
    assert (hand.clicks, hand.typed) == (CLICKS, TYPED)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("button", name="The Storyteller").click()
    page.get_by_role("button", name="Deutsch").click()
    expect(page.get_by_role("link", name="Neue Kraft")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("button", name="The Storyteller").click()
    page.get_by_role("button", name="English").click()
    # A second effect gets a row of its own; what was typed stays.
    page.get_by_role("link", name="Edit Iron skin").click()
    page.get_by_role("button", name="Add an effect").click()
    second = page.get_by_role("group", name="Effect 2")
    second.get_by_role("combobox", name="Effect").select_option(label="A natural weapon")
    second.get_by_label("Name of the weapon or armour").fill("Iron fist")
    expect(page.locator("#power-preview")).to_contain_text("Attack: Iron fist")
    expect(page.get_by_label("Name", exact=True)).to_have_value("Iron skin")
    expect(second.get_by_role("checkbox", name="Soak")).to_be_hidden()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    second.get_by_label("Name of the weapon or armour").fill("")
    page.locator("button.primary", has_text="Save").click()
    expect(second.locator(".errorlist")).to_contain_text("Enter a name.")
    page.problems[:] = [each for each in page.problems if "status of 422" not in each]  # type: ignore[attr-defined]
    second.get_by_role("checkbox", name="Remove this effect").check()
    page.locator("button.primary", has_text="Save").click()
    expect(page.get_by_role("row", name="Iron skin")).to_be_visible()


def test_it_is_used_in_a_fight_and_stays_in_effect_when_it_is_removed(demo: Demo, page_for: Callable[..., Any]) -> None:
    one = Character.objects.get(name="Marguerite")
    storyteller = demo.people["storyteller"]
    make(page_for(storyteller, f"/chronicles/{one.chronicle_id}/", **DESK))
    desk = live(page_for(storyteller, demo.path, **DESK))
    begin(desk)
    phone: Page = live(page_for(one.owner, demo.path, **PHONE))
    phone.get_by_role("button", name="Iron skin").first.click()
    expect(desk.locator("#pane-log")).to_contain_text("Iron skin")
    expect(phone.locator("body")).to_contain_text("Iron skin · scene")
    page: Page = page_for(storyteller, f"/chronicles/{one.chronicle_id}/powers/own_iron_skin/delete/", **DESK)
    page.get_by_role("button", name="Remove").click()
    expect(page.get_by_text("Iron skin has been removed.")).to_be_visible()
    assert Chronicle.objects.get(pk=one.chronicle_id).own_powers["own_iron_skin"]["gone"]
    phone.reload()
    expect(phone.locator("body")).to_contain_text("Iron skin · scene")
    expect(desk.locator("#pane-log")).to_contain_text("Iron skin")
