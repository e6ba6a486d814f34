"""Requests that the page resends because the server did not answer: the outcome is as if it had answered at once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.table import TO_READ, Demo

pytestmark = pytest.mark.django_db(transaction=True)

GONE = "Failed to load resource", "htmx:afterRequest", "htmx:sendError", "undefined"


@contextmanager
def unanswered(page: Page, address: str) -> Iterator[None]:
    """The first request for a URL fails; the browser logs that."""
    page.route(address, lambda route: route.abort(), times=1)
    yield
    expect(page.locator("#messages [data-complaint]")).to_have_count(1)
    expect(page.locator("#messages [data-complaint]")).to_have_count(0)
    page.problems[:] = [each for each in page.problems if not each.startswith(GONE)]  # type: ignore[attr-defined]


def test_an_attack_leaves_a_fresh_form(demo: Demo, desk: Page) -> None:
    before = desk.locator("#pane-log .entry").count()
    desk.locator("#attack-form").evaluate("form => { form.dataset.sent = ''; }")
    with unanswered(desk, "**/do/attack"):
        desk.locator("#attack-form .attack-foot .primary").click()
    expect(desk.locator("#pane-log .entry")).to_have_count(before + 1)
    desk.wait_for_timeout(500)  # the sent form remains for a moment
    expect(desk.locator("#attack-form:not([data-sent])")).to_be_visible()


@pytest.mark.servers
def test_whoever_is_added_is_added_once(demo: Demo, desk: Page) -> None:
    rows = desk.locator("#pane-order .order-row")
    before = rows.count()
    with unanswered(desk, "**/do/add"):
        desk.locator("#id_words").fill("2 thugs")
        desk.locator("#id_words").press("Enter")
    expect(rows).to_have_count(before + 2)
    expect(desk.locator("#id_words")).to_have_value("")


def test_of_several_none_is_forgotten(demo: Demo, desk: Page) -> None:
    shown = desk.locator(".order-row:not(.hidden) .quick [data-do=hide]")
    names = [shown.nth(place).get_attribute("value") for place in range(3)]
    desk.route("**/do/hide", lambda route: route.abort())
    for name in names:
        desk.locator(f"#quick-{name} [data-do=hide]").evaluate("button => button.click()")
        expect(desk.locator("#messages [data-complaint]")).to_be_visible()
        expect(desk.locator("#do-next")).to_be_enabled()
    # Now they get through, but their responses are delayed.
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    desk.unroute("**/do/hide")
    desk.route("**/do/hide", hold)
    for _tenth in range(100):
        if len(held) >= len(names):
            break
        desk.wait_for_timeout(100)
    for route in held:
        route.continue_()
    for name in names:
        expect(desk.locator(f"#row-{name}.hidden")).to_have_count(1)
    desk.problems[:] = [each for each in desk.problems if not each.startswith(GONE)]  # type: ignore[attr-defined]


@pytest.mark.servers
def test_a_button_that_came_with_what_it_did_is_another(demo: Demo, desk: Page) -> None:
    """The response is lost but the frame arrives: pressing the new button means the next action."""
    bar = desk.locator("#pane-bar")
    before = str(bar.get_attribute("data-acting"))
    sent: list[Route] = []

    def lose(route: Route) -> None:
        sent.append(route)
        if len(sent) == 1:
            route.fetch()
            route.abort()
        elif len(sent) > 2:
            route.continue_()

    desk.route("**/do/act", lose)
    desk.locator("#do-next").click()
    expect(bar).not_to_have_attribute("data-acting", before)
    first = str(bar.get_attribute("data-acting"))
    for _tenth in range(100):
        if len(sent) == 2:
            break
        desk.wait_for_timeout(100)
    # The page resends it, which is not answered either.
    desk.locator("#do-next").click()
    desk.wait_for_timeout(TO_READ)
    desk.locator("#do-next").click()
    expect(bar).not_to_have_attribute("data-acting", first)
    second = str(bar.get_attribute("data-acting"))
    sent[1].continue_()
    desk.wait_for_timeout(500)
    expect(bar).to_have_attribute("data-acting", second)
    expect(desk.locator("#messages")).to_be_empty()
    desk.problems[:] = [each for each in desk.problems if not each.startswith(GONE)]  # type: ignore[attr-defined]


@pytest.mark.servers
def test_what_is_pressed_once_more_by_hand_counts_once(demo: Demo, desk: Page) -> None:
    """Pressed before the page resends it."""
    bar = desk.locator("#pane-bar")
    before = str(bar.get_attribute("data-acting"))
    desk.route("**/do/act", lambda route: route.abort(), times=1)
    desk.locator("#do-next").click()
    expect(desk.locator("#messages [data-complaint]")).to_have_count(1)
    desk.locator("#do-next").click()
    expect(bar).not_to_have_attribute("data-acting", before)
    after = str(bar.get_attribute("data-acting"))
    desk.wait_for_timeout(2500)  # time enough for a resend
    expect(bar).to_have_attribute("data-acting", after)
    desk.problems[:] = [each for each in desk.problems if not each.startswith(GONE)]  # type: ignore[attr-defined]
