"""Acting from sheets outside fights: a Storyteller's screen, and a player's phone in one hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from characters.models import Character
from tests.browser.table import DESK, PHONE, Demo

pytestmark = pytest.mark.django_db(transaction=True)

THUMB = 44
"""The least height of what a thumb presses, in CSS pixels."""


def told(page: Page, words: str) -> None:
    expect(page.locator("#sheet-told")).to_contain_text(words)


def act(page: Page, name: str) -> None:
    page.locator(".sheet-acts-bar").get_by_role("link", name=name, exact=True).click()
    expect(page.locator("#drawer")).to_be_visible()


@pytest.mark.parametrize("screen", [DESK, PHONE], ids=["desk", "phone"])
def test_a_vampire_feeds_a_point_is_spent_and_somebody_falls(
    demo: Demo, page_for: Callable[..., Any], screen: Any
) -> None:
    """Outside any fight, each with an entry in the log and an undo."""
    one = Character.objects.get(name="Marguerite")
    before = (one.marks, one.resources)
    log = f"/chronicles/{one.chronicle_id}/rolls/"
    page: Page = page_for(demo.people["storyteller"], f"/characters/{one.pk}/", **screen)
    act(page, "Spend")
    page.locator("#drawer").get_by_label("Willpower").check()
    page.locator("#drawer .primary").click()
    told(page, "Marguerite spends 1 Willpower.")
    act(page, "Damage")
    page.locator("#drawer").get_by_role("link", name="Fall").click()
    expect(page.locator("#drawer #id_reason")).to_have_value("Fall")
    page.locator("#drawer .primary").click()
    told(page, "Marguerite takes 1 bashing. (Fall)")
    expect(page.locator(".health .box.bashing")).to_have_count(1)
    act(page, "Regain")
    page.locator("#drawer").get_by_label("Blood").check()
    page.locator("#drawer").get_by_label("Reason").fill("Feeding")
    page.locator("#drawer .primary").click()
    told(page, "Marguerite regains 1 blood. (Feeding)")
    page.locator("#sheet-told").get_by_role("button", name="Undo").click()
    told(page, "Undone.")
    one.refresh_from_db()
    assert one.resources["blood"] == before[1]["blood"]
    page.goto(page.url.replace(f"/characters/{one.pk}/", log))
    entries = page.locator("#pane-log .entry")
    expect(entries).to_have_count(3)
    for left in ("takes 1 bashing", "spends 1 Willpower"):
        page.locator("#pane-levers").get_by_role("button", name="Undo").click()
        expect(page.locator("#pane-log .entry.undone", has_text=left)).to_be_attached()
    one.refresh_from_db()
    assert (one.marks, one.resources) == before


def test_two_traits_are_tapped_and_rolled_with_a_thumb(demo: Demo, page_for: Callable[..., Any]) -> None:
    one = Character.objects.get(name="Marguerite")
    phone: Page = page_for(one.owner, f"/characters/{one.pk}/", **PHONE)
    bar = phone.locator(".roll-bar")
    for trait in ("Wits", "Stealth"):
        line = phone.locator(f".sheet [data-trait={trait.lower()}]").first
        line.tap()
        expect(line).to_have_attribute("aria-pressed", "true")
        expect(bar).to_contain_text(trait)  # a tap before the answer would abort it, which the console complains about
    expect(bar).to_contain_text("Wits")
    for button in phone.locator(".sheet-acts :is(a.button, button):visible, .sheet-main [data-trait]").all():
        box = button.bounding_box()
        assert box is not None
        assert box["height"] >= THUMB
    bar.get_by_role("button", name="Roll").tap()
    told(phone, "Marguerite, Wits + Stealth:")
    expect(phone.locator("#sheet-told .die").first).to_be_visible()
    expect(phone.locator(".sheet [aria-pressed=true]")).to_have_count(0)
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
