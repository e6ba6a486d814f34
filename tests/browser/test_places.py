"""Drafts are put in order on the chronicle's page: by touch, by keyboard, and without scripts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from campaigns.models import Membership
from combat.commands import drafts
from tests.browser.hands import Keyboard
from tests.browser.table import CONFLICT, DESK, PHONE

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def by(chronicle: Any, storyteller: Any) -> Membership:
    by = Membership.objects.get(chronicle=chronicle, user=storyteller)
    for name in ("The crypt under the old hospital", "The pier", "The mill"):
        drafts.create_encounter(by=by, name=name)
    return by


def up(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=f"Move {name} up")


def shows(page: Page, *names: str) -> None:
    expect(page.locator(".encounters .name")).to_have_text(names)


def opened(by: Membership, page_for: Callable[..., Any], **options: Any) -> Page:
    page: Page = page_for(by.user, f"/chronicles/{by.chronicle_id}/", **options)
    shows(page, "The mill", "The pier", "The crypt under the old hospital")
    return page


@pytest.mark.servers
def test_a_press_each_by_touch_and_other_storytellers_see_it(by: Membership, page_for: Callable[..., Any]) -> None:
    phone, desk = opened(by, page_for, **PHONE), opened(by, page_for, **DESK)
    desk.wait_for_timeout(600)
    desk.evaluate("window.notReloaded = true")
    up(phone, "The crypt under the old hospital").tap()
    for page in (phone, desk):
        shows(page, "The mill", "The crypt under the old hospital", "The pier")
    assert desk.evaluate("window.notReloaded")
    phone.get_by_role("button", name="Move The mill down").tap()
    shows(phone, "The crypt under the old hospital", "The mill", "The pier")
    for button in phone.locator(".move button").all():
        box = button.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 44
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_by_keyboard_the_button_keeps_the_focus(by: Membership, page_for: Callable[..., Any]) -> None:
    page = opened(by, page_for, **DESK)
    button = up(page, "The crypt under the old hospital")
    Keyboard(page).press(button)
    shows(page, "The mill", "The crypt under the old hospital", "The pier")
    expect(button).to_be_focused()
    page.keyboard.press("Enter")
    shows(page, "The crypt under the old hospital", "The mill", "The pier")
    expect(button).to_be_focused()
    expect(button).to_have_attribute("aria-disabled", "true")
    page.keyboard.press("Enter")
    shows(page, "The crypt under the old hospital", "The mill", "The pier")


def test_without_scripts_the_button_keeps_the_focus_too(by: Membership, page_for: Callable[..., Any]) -> None:
    page = opened(by, page_for, java_script_enabled=False, **DESK)
    up(page, "The crypt under the old hospital").click()
    shows(page, "The mill", "The crypt under the old hospital", "The pier")
    page.keyboard.press("Enter")
    shows(page, "The crypt under the old hospital", "The mill", "The pier")


def test_a_press_on_an_old_list_says_so_and_shows_the_new_one(by: Membership, page_for: Callable[..., Any]) -> None:
    page = opened(by, page_for, **DESK)
    mill, pier, _crypt = (line.pk for line in by.chronicle.encounters.fights().order_by("-place"))
    # As from a page that another Storyteller's move hasn't reached yet: its button names the former neighbour.
    page.route("**/move/", lambda sent: sent.continue_(post_data=sent.request.post_data.replace(pier, mill)))
    with page.expect_response(lambda answer: "/move/" in answer.url) as answer:
        up(page, "The crypt under the old hospital").click()
    assert answer.value.status == CONFLICT
    expect(page.locator("#messages")).to_contain_text("The order of the drafts has changed")
    shows(page, "The mill", "The pier", "The crypt under the old hospital")
    page.problems[:] = [each for each in page.problems if "409" not in each]  # type: ignore[attr-defined]
