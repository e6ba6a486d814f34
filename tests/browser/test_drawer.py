"""The drawer over a fight: what closes it, and what arrives while it is open or just closed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.hands import row_of
from tests.browser.table import PHONE, Demo, holding, live, settled

pytestmark = pytest.mark.django_db(transaction=True)

OPEN = "address => htmx.ajax('GET', address, { target: '#drawer-body', swap: 'innerHTML' })"


def who(desk: Page, name: str) -> str:
    return row_of(desk, name).first.get_attribute("data-who") or ""


def words_in(desk: Page, demo: Demo) -> Locator:
    """The form to correct somebody's boxes, with a half-typed reason."""
    desk.evaluate(OPEN, f"{demo.path}form/boxes/?who={who(desk, 'Marguerite')}")
    field = desk.locator("#drawer [name=reason]")
    field.fill("It was a fall.")
    return field


def box_of(each: Locator) -> Any:
    box = each.bounding_box()
    assert box is not None
    return box


def test_only_a_press_on_the_veil_closes_it(demo: Demo, desk: Page) -> None:
    field = words_in(desk, demo)
    text, drawer = box_of(field), box_of(desk.locator("#drawer"))
    desk.mouse.move(text["x"] + 80, text["y"] + text["height"] / 2)
    desk.mouse.down()
    desk.mouse.move(drawer["x"] - 60, text["y"] + 12, steps=5)
    desk.mouse.up()
    expect(field).to_be_visible()
    assert desk.evaluate("getSelection().toString()")
    desk.mouse.click(drawer["x"] + 5, drawer["y"] + 60)  # beside the fields
    expect(field).to_have_value("It was a fall.")
    expect(field).to_be_visible()
    desk.mouse.click(drawer["x"] - 60, drawer["y"] + 60)
    expect(desk.locator("#drawer")).not_to_be_visible()


def test_dice_that_are_shown_by_themselves_disturb_nobody(demo: Demo, desk: Page, page_for: Callable[..., Any]) -> None:
    phone = live(page_for(demo.people["marguerite"], demo.path, **PHONE))
    with holding(phone, "**/do/let-go") as held:
        phone.get_by_role("link", name="Roll", exact=True).first.tap()
        phone.locator("#drawer .roll-foot .primary").tap()
        expect(phone.locator("#drawer")).not_to_be_visible()
        phone.get_by_role("link", name="Spend", exact=True).first.tap()
        expect(phone.locator("#drawer")).to_be_visible()
    # The Storyteller's page does it if the phone doesn't, and nothing else waits for it.
    with holding(desk, "**/do/let-go") as theirs:
        desk.locator("#pane-log [data-let-go]").click()
    expect(desk.locator("#do-next")).to_be_enabled()
    theirs.pop().fulfill(status=204)
    with phone.expect_response(lambda answer: "/do/let-go" in answer.url):
        held.pop().continue_()
    expect(phone.locator("[data-let-go]")).to_have_count(0)
    expect(phone.locator("#drawer")).to_be_visible()


def test_what_was_pressed_before_it_opened_does_not_close_it(demo: Demo, desk: Page) -> None:
    with holding(desk, "**/do/act") as held:
        desk.locator("#do-next").click()
    field = words_in(desk, demo)
    with desk.expect_response(lambda answer: "/do/act" in answer.url):
        held.pop().continue_()
    expect(desk.locator("#do-next")).to_be_enabled()
    expect(field).to_be_visible()
    expect(field).to_have_value("It was a fall.")


def test_a_late_answer_does_not_open_it_again(demo: Demo, desk: Page, page_for: Callable[..., Any]) -> None:
    phone = live(page_for(demo.people["marguerite"], demo.path, **PHONE))
    phone.locator("#pane-me .me-do a[href*='/attack/']").first.tap()
    with holding(phone, "**/attack/?**") as held:
        phone.locator("#drawer [name=at]").select_option(index=1)
    phone.locator("#drawer [command=close]").tap()
    expect(phone.locator("#drawer")).not_to_be_visible()
    with phone.expect_response("**/attack/?**"):
        held.pop().continue_()
    settled(phone)
    phone.wait_for_timeout(300)
    expect(phone.locator("#drawer")).not_to_be_visible()


def test_of_two_that_are_asked_for_the_last_one_comes(demo: Demo, desk: Page, page_for: Callable[..., Any]) -> None:
    phone = live(page_for(demo.people["marguerite"], demo.path, **PHONE))
    with holding(phone, "**/form/roll/**"):
        phone.get_by_role("link", name="Roll", exact=True).first.tap()
    phone.get_by_role("link", name="Spend", exact=True).first.tap()
    expect(phone.locator("#drawer .form-spend")).to_be_visible()
    phone.problems[:] = [each for each in phone.problems if "bort" not in each and "afterRequest" not in each]


def test_a_form_that_was_left_is_answered_behind_the_next(demo: Demo, desk: Page) -> None:
    struck = who(desk, "Marguerite")
    desk.evaluate(OPEN, f"{demo.path}form/damage/?who={struck}")
    desk.locator("#drawer [name=amount]").fill("2")
    with holding(desk, "**/do/damage") as held:
        desk.locator("#drawer button.primary").click()
    desk.keyboard.press("Escape")
    expect(desk.locator("#drawer")).not_to_be_visible()
    desk.locator(f"#name-{struck}").click()
    desk.wait_for_timeout(500)
    held.pop().continue_()
    expect(desk.locator(f"#row-{struck} .box:is(.bashing, .lethal)")).to_have_count(2)
    expect(desk.locator("#drawer .sheet-facts")).to_be_visible()
    # And if it failed, it is still resent.
    desk.keyboard.press("Escape")
    desk.evaluate(OPEN, f"{demo.path}form/damage/?who={struck}")
    with holding(desk, "**/do/damage") as held:
        desk.locator("#drawer button.primary").click()
    desk.keyboard.press("Escape")
    expect(desk.locator("#drawer")).not_to_be_visible()
    held.pop().abort()
    expect(desk.locator(f"#row-{struck} .box:is(.bashing, .lethal)")).to_have_count(3)
    expect(desk.locator("#drawer")).not_to_be_visible()
    desk.problems[:] = []


SPOKEN = """() => [...document.querySelectorAll("#messages, #announce, #announce-now")]
    .every((place) => Boolean(place.closest("dialog")) === document.querySelector("#drawer").open)"""
HIT = """note => {
    const { x, y, width, height } = note.getBoundingClientRect();
    return note.contains(document.elementFromPoint(x + width / 2, y + height / 2));
}"""


def test_what_is_said_is_said_in_front(demo: Demo, desk: Page, page_for: Callable[..., Any]) -> None:
    phone = live(page_for(demo.people["marguerite"], demo.path, **PHONE))
    phone.get_by_role("link", name="Spend", exact=True).first.tap()
    button = phone.locator("#drawer .form-spend button.primary")
    expect(button).to_be_visible()
    phone.route("**/do/spend", lambda route: route.fulfill(status=500))
    button.tap()
    note = phone.locator("#messages .note")
    expect(note).to_be_visible()
    assert note.evaluate(HIT)
    assert button.evaluate(HIT)
    # Assistive technology doesn't see what is behind a dialog.
    expect(phone.get_by_role("status").filter(has=phone.locator(".note"))).to_have_count(1)
    assert phone.evaluate(SPOKEN)
    phone.locator("#drawer [command=close]").tap()
    expect(phone.locator("#drawer")).not_to_be_visible()
    expect(note).to_be_visible()
    assert phone.evaluate(SPOKEN)
    phone.problems[:] = []
