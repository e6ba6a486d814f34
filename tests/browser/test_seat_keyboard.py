"""A player's seat by keyboard alone: everything is reachable, the focus is visible, and a turn can be played."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.table import MASK, PHONE, TRUE_NAME, Demo, live
from tests.browser.test_seat import act_until

pytestmark = pytest.mark.django_db(transaction=True)

MARK = """() => [...document.querySelectorAll("main :is(a[href], button, input, select, summary, [tabindex='0'])")]
    .filter((each) => each.checkVisibility() && !each.closest("dialog")).map((each, index) => {
        each.dataset.tabTest = index;
        return each.textContent.trim();
    })"""

FOCUSED = """() => {
    const at = document.activeElement;
    const style = getComputedStyle(at);
    const ring = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2;
    return [at.dataset.tabTest ?? null, ring];
}"""


def tab_to(page: Page, words: str) -> None:
    """Press Tab until the element with this text has the focus."""
    for _press in range(80):
        page.keyboard.press("Tab")
        if words in (page.evaluate("document.activeElement.textContent") or ""):
            return
    raise AssertionError(f"Tab never reached “{words}”")


@pytest.fixture
def desk(desk: Page) -> Page:
    """The moment when Ilya acts."""
    act_until(desk, "Ilya Voss")
    return desk


def test_tab_reaches_every_action_and_shows_where_it_is(demo: Demo, desk: Page, page_for: Callable[..., Any]) -> None:
    phone = live(page_for(demo.people["ilya"], demo.path, **PHONE))
    controls = phone.evaluate(MARK)
    assert len(controls) > 8
    reached, unseen = set[str](), []
    for _press in range(3 * len(controls)):
        phone.keyboard.press("Tab")
        index, ring = phone.evaluate(FOCUSED)
        if index is not None:
            reached.add(index)
            if not ring:
                unseen.append(controls[int(index)])
    assert [name for index, name in enumerate(controls) if str(index) not in reached] == []
    assert unseen == []


def test_a_turn_is_played_by_keyboard(demo: Demo, desk: Page, page_for: Callable[..., Any]) -> None:
    phone = live(page_for(demo.people["ilya"], demo.path, **PHONE))
    tab_to(phone, "Strike with Sabre")
    phone.keyboard.press("Enter")
    expect(phone.locator("#drawer .attack-form")).to_be_visible()
    target = phone.locator("#drawer [name=at]")
    target.focus()
    before = target.locator("option:checked").inner_text()
    with phone.expect_response(lambda answer: "/attack/" in answer.url):
        phone.keyboard.press("ArrowDown")
    expect(target.locator("option:checked")).not_to_have_text(before)
    expect(target).to_be_focused()
    name = target.locator("option:checked").inner_text().replace(MASK, TRUE_NAME)
    tab_to(phone, "Attack with")
    phone.keyboard.press("Enter")
    expect(phone.locator("#drawer")).not_to_be_visible()
    expect(desk.locator("#pane-asks")).to_contain_text(f"Ilya Voss wants to attack {name}")
    tab_to(phone, "Sheet")
    phone.keyboard.press("Enter")
    expect(phone.locator(".whole")).to_be_visible()
    tab_to(phone, "Log")
    phone.keyboard.press("Enter")
    expect(phone.locator("#pane-log")).to_be_visible()
