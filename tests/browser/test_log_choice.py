"""The log's filter: by keyboard, over updates and reloads, and without scripts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.table import DESK, Demo, begin, live

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_choice_stays_over_updates_and_reloads(demo: Demo, page_for: Callable[..., Any]) -> None:
    desk = live(page_for(demo.people["storyteller"], demo.path, **DESK))
    begin(desk)
    desk.locator("button.next", has_text="Roll initiative").click()
    log = desk.locator("#pane-log")
    expect(log).to_contain_text("Initiative:")
    log.locator("#log-choice summary").focus()
    desk.keyboard.press("Enter")
    desk.keyboard.press("Tab")
    expect(log.locator("#log-who")).to_be_focused()
    log.locator("#log-kind").select_option("attack")
    expect(log.locator(".entry:visible")).to_have_count(0)
    expect(log.locator("[data-log-none]")).to_be_visible()
    assert "log_kind=attack" in desk.url
    with desk.expect_response(lambda answer: "/do/" in answer.url):
        desk.locator("button.next").click()
    expect(log.locator(".entry:visible")).to_have_count(0)
    expect(log.locator("#log-kind")).to_have_value("attack")
    desk.reload()
    live(desk)
    expect(log.locator(".entry:visible")).to_have_count(0)
    expect(log.locator("[data-log-chosen]")).to_have_text("Attacks")
    log.locator("#log-choice summary").click()
    log.locator("#log-kind").select_option("turn")
    expect(log.locator(".entry:visible", has_text="Initiative:")).to_have_count(1)


def test_without_scripts_the_server_looks_through_it(demo: Demo, page_for: Callable[..., Any]) -> None:
    from rules.topics.commands import Begin, End, RollInitiative

    for command in (Begin(), RollInitiative(), End()):
        demo.do(command)
    page = page_for(demo.people["ilya"], demo.path, java_script_enabled=False, **DESK)
    page.locator("#log-choice summary").click()
    page.locator("#log-kind").select_option("turn")
    page.get_by_role("button", name="Show").click()
    expect(page.locator(".entry", has_text="Initiative:")).to_have_count(1)
    page.goto(f"{demo.path}entries/?log_kind=attack")
    expect(page.locator(".entry")).to_have_count(0)
    expect(page.locator(".pane-empty")).to_have_text("No matching entries.")
