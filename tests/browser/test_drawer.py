"""The drawer over a fight: what closes it, and what comes while it is open or once it is closed again."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.table import Demo

pytestmark = pytest.mark.django_db(transaction=True)

OPEN = "address => htmx.ajax('GET', address, { target: '#drawer-body', swap: 'innerHTML' })"


def who(desk: Page, name: str) -> str:
    return desk.locator(".order-row", has_text=name).first.get_attribute("data-who") or ""


def words_in(desk: Page, demo: Demo) -> Locator:
    """Where somebody's boxes are put right, with a reason half typed."""
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
    desk.mouse.move(text["x"] + 80, text["y"] + 10)
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
