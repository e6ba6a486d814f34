"""A rule's mark opens the rule over the page, without losing what is filled in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from rules.systems import RULESETS
from tests.browser.table import PHONE, Demo, live, settled

pytestmark = pytest.mark.django_db(transaction=True)

BOOK = RULESETS["masquerade"].book


def test_a_rule_is_read_from_a_plan_with_unsaved_values(demo: Demo, desk: Page) -> None:
    at = desk.locator("#attack [name=at]")
    at.select_option(index=1)
    settled(desk)
    target, page = at.input_value(), desk.url
    mark = desk.locator("#plan a.rule").first
    named = mark.get_attribute("title") or ""
    rule = BOOK[named.rpartition("(")[2].rstrip(")")]
    assert named == f"Rule: {rule.title} ({rule.id})"
    expect(mark).to_have_accessible_name(named)
    mark.focus()
    desk.keyboard.press("Enter")
    opened = desk.get_by_role("dialog", name=rule.title)
    expect(opened).to_contain_text(rule.text)
    expect(opened.get_by_role("heading", name=rule.title)).to_be_focused()
    # Keys of the desk do nothing meanwhile.
    desk.keyboard.press("n")
    desk.keyboard.press("Escape")
    expect(opened).not_to_be_visible()
    expect(desk.locator(f'#plan a.rule[title="{named}"]').first).to_be_focused()
    assert (desk.url, at.input_value()) == (page, target)


def test_a_rule_opens_over_the_drawer_on_a_phone(demo: Demo, desk: Page, page_for: Callable[..., Any]) -> None:
    phone = live(page_for(demo.people["marguerite"], demo.path, **PHONE))
    phone.locator("#pane-me .me-do a[href*='/attack/']").first.tap()
    drawer = phone.locator("#drawer")
    drawer.locator("[name=at]").select_option(index=1)
    settled(phone)
    target = drawer.locator("[name=at]").input_value()
    mark = drawer.locator("a.rule").first
    box = mark.bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= 24
    mark.tap()
    opened = phone.locator("#rule-dialog")
    expect(opened).to_be_visible()
    opened.get_by_role("button", name="Close").tap()
    expect(opened).not_to_be_visible()
    expect(drawer).to_be_visible()
    assert drawer.locator("[name=at]").input_value() == target


def test_a_rule_that_cannot_be_fetched_leaves_the_page(demo: Demo, desk: Page) -> None:
    at = desk.locator("#attack [name=at]")
    at.select_option(index=1)
    settled(desk)
    target = at.input_value()
    desk.route("**/rules/**", lambda route: route.abort())
    desk.locator("#plan a.rule").first.click()
    expect(desk.locator("#messages .note.error")).to_be_visible()
    assert at.input_value() == target
    desk.problems.clear()  # type: ignore[attr-defined]
