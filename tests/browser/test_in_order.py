"""Presses before the previous one is answered: all are performed, in the order in which they were pressed."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from rules.topics.commands import Act, SetOrder
from tests.browser.table import CONFLICT, Demo, holding

pytestmark = pytest.mark.django_db(transaction=True)

ROWS = "#pane-order .order-row[draggable]"


@pytest.fixture
def desk(demo: Demo, desk: Page) -> Page:
    """People act one after another, regardless of the dice."""
    order = tuple((who,) for who in order_of(desk))
    demo.do(SetOrder(order[1:] + order[:1]))
    expect(desk.locator(ROWS).last).to_have_attribute("data-who", order[0][0], timeout=30_000)
    return desk


def order_of(desk: Page) -> list[str]:
    return list(desk.locator(ROWS).evaluate_all("rows => rows.map((row) => row.dataset.who)"))


def is_order(desk: Page, wanted: list[str]) -> None:
    for _tenth in range(100):
        if order_of(desk) == wanted:
            return
        desk.wait_for_timeout(100)
    assert order_of(desk) == wanted


def row(desk: Page, who: str) -> Locator:
    return desk.locator(f"#row-{who}")


def drag_to_the_end(desk: Page, who: str) -> None:
    row(desk, who).drag_to(desk.locator(ROWS).last, target_position={"x": 80, "y": 40})


def test_rows_dragged_before_the_first_is_answered(desk: Page) -> None:
    first, second, third, *others = order_of(desk)
    with holding(desk, "**/do/move") as held:
        drag_to_the_end(desk, first)
    drag_to_the_end(desk, second)
    drag_to_the_end(desk, third)
    held[0].continue_()
    is_order(desk, [*others, first, second, third])
    expect(desk.locator("#messages")).to_be_empty()


def test_a_dragged_row_outlives_what_else_is_asked_for(desk: Page) -> None:
    first, second, *others = order_of(desk)
    with holding(desk, "**/do/move") as held:
        drag_to_the_end(desk, first)
    drag_to_the_end(desk, second)
    # An attack on somebody the form doesn't list: the whole form is fetched.
    desk.evaluate("document.querySelector('#attack-form [name=at]').replaceChildren()")
    row(desk, others[0]).locator(".quick-open").click()
    row(desk, others[0]).locator("[data-do=target]").click()
    held[0].continue_()
    is_order(desk, [*others, first, second])


def test_a_refused_row_says_so_and_the_next_goes_on(demo: Demo, desk: Page) -> None:
    first, second, *others = order_of(desk)
    with holding(desk, "**/do/move") as held:
        drag_to_the_end(desk, first)
    drag_to_the_end(desk, second)
    # A change in between makes both drags stale, since both started from the previous order.
    demo.do(Act())
    expect(desk.locator(f"#row-{first}.now")).to_be_visible(timeout=30_000)
    with desk.expect_response(lambda answer: "/do/move" in answer.url and "who=" + second in answer.request.post_data):
        held[0].continue_()
    expect(desk.locator("#messages")).to_contain_text("try again")
    assert order_of(desk) == [first, second, *others]
    # After another look, dragging again works.
    drag_to_the_end(desk, second)
    is_order(desk, [first, *others, second])
    desk.problems[:] = [each for each in desk.problems if str(CONFLICT) not in each]  # type: ignore[attr-defined]


def test_buttons_that_came_with_a_frame_before_the_answer(demo: Demo, desk: Page) -> None:
    shown = desk.locator(".order-row:not(.hidden) .quick [data-do=hide]")
    names = [str(shown.nth(place).get_attribute("value")) for place in range(4)]
    answers: list[Any] = []

    def answer_late(route: Route) -> None:
        answers.append((route, route.fetch()))

    desk.route("**/do/hide", answer_late, times=1)
    for name in names:
        press = desk.locator(f"#quick-{name} [data-do=hide]:enabled")
        expect(press).to_have_count(1)
        press.evaluate("button => { button.focus(); button.click(); }")
        expect(desk.locator(f"#row-{names[0]}.hidden")).to_have_count(1)
    route, answer = answers.pop()
    route.fulfill(response=answer)
    for name in names:
        expect(desk.locator(f"#row-{name}.hidden")).to_have_count(1)
    expect(desk.locator("#messages")).to_be_empty()


def test_dice_to_type_come_whatever_else_is_asked_for(demo: Demo, desk: Page) -> None:
    with holding(desk, "**/attack/") as held:
        demo.do(Act())
        desk.evaluate("dispatchEvent(new Event('online'))")
    desk.locator(".order-row.now .quick [data-do=roll]").evaluate("link => link.click()")
    desk.locator("#drawer [data-type-dice]").click()
    acting = str(desk.locator(".order-row.now").get_attribute("data-who"))
    demo.do(Act())
    desk.evaluate("dispatchEvent(new Event('online'))")
    expect(desk.locator(".order-row.now")).not_to_have_attribute("data-who", acting)
    desk.wait_for_timeout(200)
    held[0].continue_()
    expect(desk.locator("#drawer .face").first).to_be_visible()
