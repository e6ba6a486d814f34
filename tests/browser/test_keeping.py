"""Other people's actions don't disturb a player: focus, half-typed text and scroll position are kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from rules.topics import commands
from tests.browser.hands import row_of
from tests.browser.table import PHONE, TRUE_NAME, Demo, live, pick

pytestmark = pytest.mark.django_db(transaction=True)


def harm(desk: Page, name: str) -> None:
    """Deal one bashing level with the Storyteller's keys."""
    desk.locator("body").press("d")
    desk.locator("#drawer [name=who]").select_option(label=name)
    desk.locator("#drawer [name=amount]").fill("1")
    desk.locator("#drawer").get_by_text("bashing", exact=True).click()
    desk.get_by_role("button", name="Mark damage").click()
    expect(desk.locator("#drawer")).not_to_be_visible()


def test_the_focus_stays_where_it_was(demo: Demo, desk: Page, page_for: Callable[..., Any]) -> None:
    phone = live(page_for(demo.people["ilya"], demo.path, **PHONE))
    boxes = phone.locator("#pane-me .box.bashing")
    phone.locator(".me-do a", has_text="Wait").focus()
    harm(desk, "Ilya Voss")
    expect(boxes).to_have_count(1)
    expect(phone.locator(".me-do a", has_text="Wait")).to_be_focused()
    # Closing a drawer returns the focus to its opener, although that was redrawn in the meantime.
    phone.keyboard.press("Enter")
    phone.locator("#drawer [name=text]").fill("if he dr")
    harm(desk, "Ilya Voss")
    expect(boxes).to_have_count(2)
    expect(phone.locator("#drawer [name=text]")).to_have_value("if he dr")
    phone.keyboard.press("Escape")
    expect(phone.locator("#drawer")).not_to_be_visible()
    expect(phone.locator(".me-do a", has_text="Wait")).to_be_focused()


def test_an_answer_by_keyboard_leaves_the_focus_in_sight(demo: Demo, desk: Page, page_for: Callable[..., Any]) -> None:
    phone = live(page_for(demo.people["ilya"], demo.path, **PHONE))
    pick(desk, TRUE_NAME, "Ilya Voss", "Verger’s axe", "ask")
    desk.get_by_role("button", name="Ask, then type dice").click()
    answer = phone.locator("#pane-asks button", has_text="No defence")
    expect(answer).to_be_visible()
    answer.focus()
    phone.keyboard.press("Enter")
    expect(phone.locator("#pane-asks .ask")).to_have_count(0)
    expect(phone.locator("main :focus")).to_have_count(1)
    outline = phone.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline != "none"


def test_whoever_reads_the_log_keeps_their_place(demo: Demo, desk: Page, page_for: Callable[..., Any]) -> None:
    marguerite = row_of(desk, "Marguerite").get_attribute("data-who") or ""
    prone = frozenset({"prone"})
    for time in range(28):
        command = commands.ChangeConditions(marguerite, **{"remove" if time % 2 else "add": prone})
        demo.do(command)
    phone = live(page_for(demo.people["ilya"], demo.path, **PHONE))
    phone.locator("[data-tab-link=log]").click()
    entry = phone.locator("#pane-log .entry").nth(12)
    name = entry.get_attribute("id")
    entry.evaluate("(element) => element.scrollIntoView({ block: 'center' })")
    read = phone.locator(f"#{name}")
    before = read.bounding_box()
    harm(desk, "Thug 1")
    expect(phone.locator("#pane-log .entry").first).to_contain_text("Thug 1")
    assert before is not None
    phone.wait_for_function(
        "([id, y]) => Math.abs(document.getElementById(id).getBoundingClientRect().y - y) < 2", arg=[name, before["y"]]
    )
