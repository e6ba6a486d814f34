"""A page whose reader signs out, returns, or loses access is never left dead."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.hashers import make_password
from playwright.sync_api import Page, expect

from tests import against
from tests.browser.table import DESK, Demo, live
from tests.browser.test_desk_live import DRAWER, NOTES

pytestmark = pytest.mark.django_db(transaction=True)

PASSWORD = "the-lamp-hangs-by-a-rope"
GOES = "dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))"
COMES = "dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))"


def sign_out(page: Page) -> None:
    """Sign out elsewhere, so that the page doesn't know."""
    name = against.cookie_name(settings.SESSION_COOKIE_NAME)
    key = next(each["value"] for each in page.context.cookies() if each["name"] == name)
    import_module(settings.SESSION_ENGINE).SessionStore(key).delete()


def sign_in(page: Page, user: Any) -> None:
    """Sign in in another window of the same browser."""
    user.password = make_password(PASSWORD, hasher="argon2")  # the server doesn't have the tests' hasher
    user.save()
    other = page.context.new_page()
    other.goto("/account/sign-in/")
    other.locator("[name=username]").fill(user.username)
    other.locator("[name=password]").fill(PASSWORD)
    other.locator("main button.primary").click()
    expect(other.locator("main [name=password]")).to_have_count(0)
    other.close()


def test_what_was_typed_outlives_a_sign_in(demo: Demo, page_for: Callable[..., Any]) -> None:
    storyteller = demo.people["storyteller"]
    desk = page_for(storyteller, None, **DESK)
    # Only the press itself tells the page.
    desk.route_web_socket("**/ws/**", lambda _socket: None)
    desk.goto(demo.path)
    who = desk.locator(".order-row").first.get_attribute("data-who")
    desk.evaluate(DRAWER, f"{demo.path}form/boxes/?who={who}")
    desk.locator("#drawer [name=bashing]").fill("2")
    sign_out(desk)
    for _time in range(2):
        with desk.expect_response(lambda answer: "/do/boxes" in answer.url):
            desk.get_by_role("button", name="Apply").click()
        expect(desk.locator("#messages")).to_contain_text("You’re signed out")
    expect(desk.locator("#drawer [name=bashing]")).to_have_value("2")
    desk.evaluate("address => htmx.ajax('GET', address, '#attack').catch(() => {})", f"{demo.path}attack/")
    sign_in(desk, storyteller)
    desk.get_by_role("button", name="Apply").click()
    expect(desk.locator(f"#row-{who} .box.bashing")).to_have_count(2)
    expect(desk.locator("#messages")).to_be_empty()
    expect(desk.locator("[name=password]")).to_have_count(0)
    desk.problems[:] = []


def test_a_fight_that_is_not_theirs_twice_in_a_row(demo: Demo, page_for: Callable[..., Any]) -> None:
    page = live(page_for(demo.people["storyteller"], demo.path, **DESK))
    for _time in range(2):
        with page.expect_event("load", timeout=30_000):
            page.evaluate("document.dispatchEvent(new CustomEvent('vesper:gone'))")
    live(page)


def test_notes_of_a_page_that_comes_back_are_its_own(demo: Demo, page_for: Callable[..., Any]) -> None:
    desk = live(page_for(demo.people["storyteller"], demo.path, **DESK))
    desk.locator(NOTES).fill("The lamp")
    with desk.expect_response(lambda answer: answer.url.endswith("/notes/")):
        desk.evaluate(GOES)
    desk.evaluate(COMES)
    with desk.expect_response(lambda answer: answer.url.endswith("/notes/")) as kept:
        desk.locator(NOTES).press_sequentially(" fell.", delay=30)
    assert kept.value.status == 200
    desk.reload()
    expect(desk.locator(NOTES)).to_have_value("The lamp fell.")
