"""Reinforcements on the desk: prepared in the drawer, brought in with one press, and back again with undo."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.hands import Hand, Keyboard, Pointer
from tests.browser.table import DESK, PHONE, Demo, begin, expected_refusals, live

pytestmark = pytest.mark.django_db(transaction=True)


def pane(page: Page) -> Locator:
    return page.locator("#pane-reinforcements")


def prepare(hand: Hand, label: str, words: str) -> None:
    """Fill in the form and save it."""
    page = hand.page
    hand.press(page.get_by_role("link", name="Prepare reinforcements"))
    drawer = page.locator("#drawer")
    hand.write(drawer.get_by_label("Name", exact=True), label)
    hand.write(drawer.get_by_label("Who", exact=True), words)
    hand.press(drawer.get_by_role("button", name="Save"))
    expect(drawer).not_to_be_visible()
    expect(pane(page)).to_contain_text(label)


@pytest.mark.servers
@pytest.mark.parametrize("device", ["desk", "phone", "keyboard"])
def test_a_wave_waits_joins_and_waits_again(demo: Demo, page_for: Callable[..., Any], device: str) -> None:
    page: Page = live(page_for(demo.people["storyteller"], demo.path, **(PHONE if device == "phone" else DESK)))
    hand: Hand = Keyboard(page) if device == "keyboard" else Pointer(page, touch=device == "phone")
    rows = page.locator("#pane-order .order-row")
    expect(pane(page)).to_be_visible()
    before = rows.count()
    # In the draft, and after the fight has begun.
    prepare(hand, "Second wave", "3 dogs")
    begin(page)
    expect(pane(page)).to_contain_text("3 dogs")
    hand.press(page.get_by_role("button", name="Bring in Second wave"))
    expect(rows).to_have_count(before + 3)
    expect(pane(page)).not_to_contain_text("Second wave")
    expect(page.locator("#pane-log .entry").first).to_contain_text("Dog 1")
    hand.press(page.locator("#do-undo"))
    expect(pane(page)).to_contain_text("Second wave")
    expect(rows).to_have_count(before)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_another_desk_follows_and_the_player_hears_nothing(demo: Demo, page_for: Callable[..., Any]) -> None:
    desk = live(page_for(demo.people["storyteller"], demo.path, **DESK))
    begin(desk)
    other = live(page_for(demo.people["storyteller"], demo.path, **DESK))
    seat = live(page_for(demo.people["ilya"], demo.path, **PHONE))
    version = seat.locator("#version").get_attribute("data-version")
    prepare(Pointer(desk), "Zzyzx wave", "2 dogs?")
    expect(pane(other)).to_contain_text("Zzyzx wave")
    pane(desk).get_by_role("link", name="Zzyzx wave").click()
    drawer = desk.locator("#drawer")
    expect(drawer.get_by_label("Who", exact=True)).to_have_value("2 dogs?")
    drawer.get_by_label("Who", exact=True).fill("1 dog?")
    drawer.get_by_role("button", name="Save").click()
    expect(pane(other)).to_contain_text("1 dog?")
    pane(other).get_by_role("button", name="Bring in").click()
    expect(pane(desk)).not_to_contain_text("Zzyzx")
    expect(desk.locator("#pane-order")).to_contain_text("Dog")
    seat.wait_for_timeout(300)
    assert seat.locator("#version").get_attribute("data-version") == version
    assert "Zzyzx" not in seat.content()
    assert "Dog" not in seat.locator("#main").inner_text()


def test_an_unknown_name_is_created_and_a_wave_is_deleted(demo: Demo, page_for: Callable[..., Any]) -> None:
    page = live(page_for(demo.people["storyteller"], demo.path, **DESK))
    page.get_by_role("link", name="Prepare reinforcements").click()
    drawer = page.locator("#drawer")
    drawer.get_by_label("Name", exact=True).fill("The doormen")
    drawer.get_by_label("Who", exact=True).fill("2 bouncers\nAda")
    drawer.get_by_role("button", name="Save").click()
    expect(drawer).to_contain_text("No character is called “bouncers” yet")
    drawer.get_by_role("button", name="Create “Bouncer”").click()
    drawer.get_by_role("button", name="Create “Ada”").click()
    expect(drawer).not_to_be_visible()
    expect(pane(page)).to_contain_text("2 bouncers · Ada")
    expected_refusals(page)
    pane(page).get_by_role("link", name="The doormen").click()
    drawer.get_by_role("button", name="Delete").click()
    expect(pane(page)).not_to_contain_text("The doormen")
