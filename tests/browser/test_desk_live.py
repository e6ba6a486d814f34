"""The desk on two screens of a Storyteller: what one does the other shows at once, without a reload, and reads out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.table import DESK, Demo, begin, live
from tests.browser.test_announcements import hears, listening, said

pytestmark = pytest.mark.django_db(transaction=True)

NOTES = "#id_text"


def press(desk: Any, name: str) -> None:
    desk.get_by_label("More about this fight").click()
    desk.get_by_role("button", name=name).click()


def test_pause_and_end_come_without_a_reload(demo: Demo, page_for: Callable[..., Any]) -> None:
    storyteller = demo.people["storyteller"]
    desk = live(page_for(storyteller, demo.path, **DESK))
    other = listening(page_for(storyteller, None, **DESK), demo.path)
    begin(desk)
    # A draft becomes another page, which reads out what the draft had no time for.
    hears(other, "The fight begins")
    expect(other.locator("#attack-form")).to_be_visible()
    live(other).evaluate("window.stays = true")
    press(desk, "Pause the fight")
    expect(desk.get_by_role("heading", name="Paused")).to_be_visible()
    expect(other.get_by_role("heading", name="Paused")).to_be_visible()
    desk.locator("#do-next").click()
    expect(other.locator("#attack-form")).to_be_visible()
    expect(other.locator("#attack-form .attack-foot kbd").first).not_to_be_empty()
    press(desk, "End the fight")
    expect(other.get_by_role("heading", name="The fight is over")).to_be_visible()
    hears(other, "The fight is over")
    assert other.evaluate("window.stays")
    assert sum("is over" in words for words in said(other)) == 1


def test_notes_of_another_screen_come_by_themselves(demo: Demo, page_for: Callable[..., Any]) -> None:
    storyteller = demo.people["storyteller"]
    first, second = (live(page_for(storyteller, demo.path, **DESK)) for _screen in range(2))
    first.locator(NOTES).fill("The lamp hangs by a rope.")
    expect(second.locator(NOTES)).to_have_value("The lamp hangs by a rope.")
    with second.expect_response(lambda answer: answer.url.endswith("/notes/")) as answer:
        second.locator(NOTES).fill("The lamp fell.")
    assert answer.value.status == 200
    expect(first.locator(NOTES)).to_have_value("The lamp fell.")
    # Who is writing others keeps them, and is shown the other's as they are kept.
    first.locator(NOTES).evaluate("each => { each.value = 'Half a wo'; }")
    with second.expect_response(lambda answer: answer.url.endswith("/notes/")) as answer:
        second.locator(NOTES).fill("Nobody saw it.")
    assert answer.value.status == 200
    first.wait_for_timeout(1500)
    expect(first.locator(NOTES)).to_have_value("Half a wo")
    first.locator(NOTES).press_sequentially("rd")
    expect(first.locator("#notes-state")).to_contain_text("Nobody saw it.")
    first.problems[:] = []
