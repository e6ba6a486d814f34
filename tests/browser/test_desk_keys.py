"""The desk's keys: when they act, what they say instead, and which card has them."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from rules.model.attack import Attack
from rules.model.gear import Damage
from rules.topics import commands
from tests.browser.table import DESK, TO_READ, holding, live, settled
from tests.browser.test_desk import path, ready
from tests.combat.conftest import Table, characters, draft, fight

__all__ = ["characters", "draft", "fight", "ready"]  # fixtures

pytestmark = pytest.mark.django_db(transaction=True)

AT_ONCE = 1.5
"""Seconds that a key may take; behind a preview it took four."""


@pytest.fixture
def desk(ready: Table, page_for: Callable[..., Any]) -> Page:
    page = live(page_for(ready.storyteller, path(ready), **DESK))
    page.keyboard.press("n")
    expect(page.locator(".order-row.now")).to_contain_text("Ilya")
    expect(page.locator("#attack-form [name=who] option:checked")).to_have_text("Ilya")
    settled(page)
    return page


def propose(ready: Table, exchange: str, target: str) -> None:
    ready.do(commands.ProposeAttack(exchange, Attack(ready["Ilya"], (ready[target],)), by_hand=True, approval=True))


def test_a_preview_on_its_way_blocks_no_key(desk: Page) -> None:
    with holding(desk, "**/attack/plan/**") as held:
        desk.locator("#attack-form [name=defence]").select_option("dodge")
        desk.locator("#attack-form [name=defence]").press("Escape")
        desk.wait_for_timeout(100)
        before = monotonic()
        desk.keyboard.press("d")
        expect(desk.locator("#drawer [name=amount]")).to_be_focused()
        assert monotonic() - before < AT_ONCE
    held[0].continue_()


def test_a_preview_whose_form_was_replaced_blocks_no_key(desk: Page) -> None:
    with holding(desk, "**/attack/plan/**") as held:
        desk.locator("#attack-form [name=defence]").select_option("dodge")
        target = desk.locator("#attack-form [name=at]")
        target.select_option(index=1)
        settled(desk)
        held[0].continue_()
        before = monotonic()
        desk.locator("#attack-form [name=at]").press("Escape")
        desk.keyboard.press("j")
        expect(desk.locator(".order-row.picked")).to_have_count(1)
        assert monotonic() - before < AT_ONCE


def test_a_key_without_anything_to_do_says_so(desk: Page) -> None:
    desk.keyboard.press("y")
    expect(desk.locator("#keys-said")).to_have_text("There is nothing to do with “y” now.")
    desk.keyboard.press("j")
    expect(desk.locator("#keys-said")).to_have_text("")


def test_a_press_that_waits_too_long_is_dropped_and_says_so(desk: Page) -> None:
    with holding(desk, "**/form/damage/**") as held:
        desk.keyboard.press("d")
        desk.wait_for_timeout(100)
        desk.keyboard.press("n")
        expect(desk.locator("#keys-said")).to_have_text("The server is slow, so “n” did nothing. Press it again.")
    held[0].continue_()
    expect(desk.locator("#drawer [name=amount]")).to_be_focused()
    expect(desk.locator(".order-row.now")).to_contain_text("Ilya")


def test_a_press_for_a_screen_that_has_changed_is_dropped(desk: Page, ready: Table) -> None:
    rolled = desk.locator("#pane-log .entry", has_text="Test sword").count()
    with holding(desk, "**/do/hide*") as held:
        desk.keyboard.press("v")
        desk.wait_for_timeout(100)
        desk.keyboard.press("r")
        propose(ready, "first", "Thug 1")
        held[0].continue_()
        expect(desk.locator("#keys-said")).to_have_text("The screen has changed, so “r” did nothing. Press it again.")
    expect(desk.locator("#pane-asks .pending")).to_be_visible()
    assert desk.locator("#pane-log .entry", has_text="Test sword").count() == rolled


def test_the_keys_belong_to_the_attack_that_waits(desk: Page, ready: Table) -> None:
    plan, card = desk.locator("#attack-form"), desk.locator(".attack-card")
    expect(card).to_have_class("card attack-card has-keys")
    propose(ready, "first", "Thug 1")
    pending = desk.locator("#pane-asks .pending")
    expect(pending).to_have_class("ask pending card storyteller has-keys")
    expect(plan).to_be_hidden()
    expect(card).not_to_contain_text("has-keys")
    desk.keyboard.press("r")
    expect(desk.locator("#keys-said")).to_contain_text("nothing to do with “r”")
    # The plan can be opened all the same, and then has the keys.
    desk.get_by_role("button", name="Plan another attack").click()
    expect(plan).to_be_visible()
    expect(desk.locator(".has-keys")).to_have_class("card attack-card has-keys")
    desk.reload()
    live(desk)
    desk.keyboard.press("y")
    expect(pending).to_have_count(0)
    ask = desk.locator("#pane-asks .has-keys")
    expect(ask).to_contain_text("attacks Thug 1")
    desk.keyboard.press("g")
    waiting = desk.locator("#pane-asks .waiting.has-keys")
    expect(waiting).to_contain_text("Type the dice that were rolled")
    # “t” types this attack's dice, “r” rolls it.
    desk.keyboard.press("t")
    expect(desk.locator("#drawer .throw.wanted")).to_be_visible()
    desk.keyboard.press("Escape")
    expect(desk.locator("#drawer")).not_to_be_visible()
    desk.keyboard.press("r")
    expect(desk.locator("#pane-asks .ask")).to_have_count(0)
    expect(desk.locator("#pane-log .entry").first).to_contain_text("Thug 1")
    expect(plan).to_be_visible()


def test_next_asks_before_it_leaves_somebody_out(desk: Page, ready: Table) -> None:
    button, question = desk.locator("#do-next"), desk.locator("#do-next .next-anyway")
    expect(desk.locator(".next-reminder")).to_have_text("Not acted yet: Ilya.")
    expect(question).to_be_hidden()
    # A press twice in a row is one: it asks. A changed screen asks again.
    desk.keyboard.press("n")
    desk.keyboard.press("n")
    expect(question).to_be_visible()
    ready.do(commands.Harm(ready["Thug 1"], 1, Damage.BASHING))
    desk.evaluate("dispatchEvent(new Event('online'))")
    expect(question).to_be_hidden()
    before = button.bounding_box()
    button.dblclick()
    expect(question).to_be_visible()
    assert button.bounding_box() == before, "a double press could hit a neighbour"
    desk.wait_for_timeout(TO_READ)
    expect(desk.locator(".order-row.now")).to_contain_text("Ilya")
    with desk.expect_response(lambda answer: "/do/act" in answer.url) as answer:
        desk.keyboard.press("n")
    assert answer.value.status == 200
    expect(desk.locator(".order-row.now").first).not_to_contain_text("Ilya")


# ------------------------------------------------------------------ focus, console


def test_focus_returns_to_the_menu_and_goes_on_to_the_plan(desk: Page, ready: Table) -> None:
    menu = desk.get_by_role("button", name="Actions for Thug 1")
    menu.click()
    desk.locator("[popover]:popover-open [data-do=damage]").click()
    expect(desk.locator("#drawer [name=amount]")).to_be_focused()
    desk.keyboard.press("Escape")
    expect(desk.locator("#drawer")).not_to_be_visible()
    expect(menu).to_be_focused()
    propose(ready, "first", "Thug 1")
    desk.keyboard.press("Escape")
    expect(desk.locator("#pane-asks .pending")).to_be_visible()
    desk.keyboard.press("y")
    expect(desk.locator("#pane-asks .has-keys [data-do=answer]")).to_be_visible()
    desk.keyboard.press("g")
    desk.locator("#pane-asks .waiting").get_by_role("button", name="Withdraw").press("Enter")
    expect(desk.locator("#pane-asks .ask")).to_have_count(0)
    expect(desk.locator(".attack-card")).to_be_focused()


def test_a_resized_field_survives_the_next_form_without_a_complaint(desk: Page) -> None:
    """The browser notes the size in a style attribute, which htmx would write into the next form."""
    desk.locator("#attack_weapon").evaluate("field => { field.style.height = '60px'; }")
    with desk.expect_response(lambda answer: "/attack/" in answer.url):
        desk.locator("#attack_at").select_option(index=1)
    settled(desk)
    assert desk.problems == []  # type: ignore[attr-defined]
