"""A fight on its screens: the Storyteller's desk and a player's phone, side by side."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.hands import row_of
from tests.browser.table import (
    DESK,
    HIDDEN,
    PHONE,
    TRUE_NAME,
    Demo,
    Heard,
    begin,
    choose,
    expected_refusals,
    holding,
    live,
    marked,
    pick,
    settled,
    to_the_end_of_the_turn,
    type_dice,
)

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_slow_answer_takes_no_choice_back(demo: Demo, page_for: Callable[..., Any]) -> None:
    desk = live(page_for(demo.people["storyteller"], demo.path, **DESK))
    begin(desk)
    desk.locator("button.next", has_text="Roll initiative").click()
    expect(desk.locator("#pane-log")).to_contain_text("Initiative:")
    form = desk.locator("#attack-form")
    held: list[Any] = []
    desk.route("**/attack/?*", lambda route: held.append(route) if not held else route.continue_())
    with desk.expect_request("**/attack/?*"):
        form.locator("[name=who]").select_option(label=TRUE_NAME)
    form.locator("[name=at]").select_option(label="Thug 2")
    held[0].continue_()
    expect(form.locator("[name=who] option:checked")).to_have_text(TRUE_NAME)
    expect(form.locator("[name=at] option:checked")).to_have_text("Thug 2")
    expect(form.locator("[name=weapon]")).to_contain_text("Verger’s axe")
    expect(form.locator("[name=at] option:checked")).to_have_text("Thug 2")


@pytest.mark.parametrize("first", ["the late answer", "the form's own"])
def test_what_was_asked_for_before_a_form_was_sent_changes_nothing(
    demo: Demo, page_for: Callable[..., Any], first: str
) -> None:
    """A form is redrawn after each choice; sending it before the redraw arrives works too."""
    begin(live(page_for(demo.people["storyteller"], demo.path, **DESK)))
    phone = live(page_for(demo.people["ilya"], demo.path, **PHONE))
    phone.locator("#pane-me .do-grid a", has_text="Bare hands").click()
    form = phone.locator("#drawer .attack-form")
    with holding(phone, "**/attack/?*") as asked:
        form.locator("[name=at]").select_option(label="Thug 2")
    with holding(phone, "**/do/attack") as sent:
        phone.locator("#drawer .attack-foot .primary").click()
    both = {"the late answer": asked[0], "the form's own": sent[0]}
    for route in (both.pop(first), *both.values()):
        answer = route.fetch()
        with phone.expect_event("requestfinished"):
            route.fulfill(response=answer)
    expect(phone.locator("#pane-asks")).to_contain_text("Waiting for the Storyteller’s approval.")
    expect(phone.locator("#drawer")).not_to_be_visible()
    settled(phone)
    assert not phone.locator("#drawer").is_visible()


def test_a_form_that_was_sent_waits_for_its_answer(desk: Page, demo: Demo, page_for: Callable[..., Any]) -> None:
    """A replacement for the form, since the turn moved on, waits for the response."""
    other = live(page_for(demo.people["storyteller"], demo.path, **DESK))
    attacker = desk.locator("#attack-form [name=who] option:checked")
    before = attacker.inner_text()
    # Without a notification: a form in use is left alone anyway.
    desk.locator("#attack-form [name=defence]").evaluate("each => { each.value = ''; }")
    with holding(desk, "**/do/attack") as sent:
        desk.locator("#attack-form .attack-foot .primary").click()
    answer = sent[0].fetch()
    expect(desk.locator("#pane-log .entry").first).to_contain_text(f"{before} attacks")
    with desk.expect_response("**/attack/"):
        other.locator("button.next").click()
    sent[0].fulfill(response=answer)
    expect(attacker).not_to_have_text(before)
    settled(desk)


def test_two_turns_in_two_browsers(demo: Demo, page_for: Callable[..., Any]) -> None:
    desk = live(page_for(demo.people["storyteller"], demo.path, **DESK))
    begin(desk)
    heard = Heard()
    phone = page_for(demo.people["ilya"], None, **PHONE)
    heard.listen(phone)
    phone.goto(demo.path)
    live(phone)
    phone.evaluate("window.notReloaded = true")

    # The first turn: the Deacon attacks, Ilya dodges on the phone, real dice are typed in.
    desk.locator("button.next", has_text="Roll initiative").click()
    expect(phone.locator("#pane-order .initiative").first).not_to_have_text("·")
    expect(phone.locator("#pane-log")).to_contain_text("Initiative:")
    pick(desk, TRUE_NAME, "Ilya Voss", "Verger’s axe", "ask")
    desk.get_by_role("button", name="Ask, then type dice").click()
    expect(phone.locator("#pane-asks")).to_contain_text("A tall man attacks Ilya Voss")
    phone.get_by_role("button", name="Dodge").click()
    expect(phone.locator("#pane-asks .ask")).to_have_count(0)
    desk.get_by_role("link", name="Type dice").click()
    type_dice(desk, {"attack": "8" + "3" * 20, "defence": "3", "damage": "88" + "3" * 20, "soak": "3"})
    expected_refusals(desk)
    expect(phone.locator("#pane-me .box.lethal")).to_have_count(2)
    assert marked(phone.locator("#pane-order .order-row.own")) == 2
    phone.locator("[data-tab-link=log]").click()
    expect(phone.locator("#pane-log .entry").first).to_contain_text("A tall man attacks Ilya Voss")
    expect(phone.locator("#pane-log .entry").first).to_contain_text("2 lethal")
    phone.locator("[data-tab-link=fight]").click()
    to_the_end_of_the_turn(desk)

    # The second: Ilya attacks from the phone; the thug doesn't defend.
    expect(phone.locator("#pane-bar")).to_contain_text("Turn 2")
    desk.locator("button.next", has_text="Roll initiative").click()
    phone.locator(".me-do a", has_text="Attack").or_(phone.locator(".me-do a", has_text="Sabre")).first.click()
    form = phone.locator("#drawer .attack-form")
    expect(form).to_be_visible()
    choose(phone, form.locator("[name=at]"), "Thug 1")
    choose(phone, form.locator("[name=weapon]"), "Sabre")
    expect(form).not_to_contain_text("soak")
    form.locator(".pick", has_text="I’ll roll my own dice").click()
    phone.get_by_role("button", name="Attack with").click()
    expect(phone.locator("#drawer")).not_to_be_visible()
    expect(desk.locator("#pane-asks")).to_contain_text("Ilya Voss wants to attack Thug 1")
    desk.get_by_role("button", name="Approve").click()
    expect(desk.locator("#pane-asks")).to_contain_text("Ilya Voss attacks Thug 1")
    desk.locator("#pane-asks").get_by_role("button", name="No defence").click()
    desk.get_by_role("link", name="Type dice").click()
    type_dice(desk, {"attack": "88" + "3" * 20, "damage": "888" + "3" * 20, "soak": "3"})
    expected_refusals(desk)
    thug = row_of(phone, "Thug 1")
    expect(thug).to_contain_text("hurt")

    # Undo, for everybody.
    desk.locator("body").press("u")
    expect(thug).to_contain_text("unhurt")
    desk.locator("body").press("Shift+U")
    expect(thug).not_to_contain_text("unhurt")

    assert phone.evaluate("window.notReloaded")
    assert len(heard.frames) > 5
    everything = "\n".join([phone.content(), *heard.frames])
    assert "A tall man" in everything
    for secret in (HIDDEN, TRUE_NAME, demo.hidden_id):
        assert secret not in everything


def test_half_typed_words_survive_what_others_do(demo: Demo, page_for: Callable[..., Any]) -> None:
    desk = live(page_for(demo.people["storyteller"], demo.path, **DESK))
    begin(desk)
    phone = live(page_for(demo.people["ilya"], demo.path, **PHONE))
    desk.locator("#attack-figures summary").click()
    desk.locator("#attack_by_why").fill("slick st")
    desk.locator("#attack_by_why").focus()
    phone.locator(".me-do a", has_text="Wait").click()
    waits = phone.locator("#drawer [name=text]")
    waits.fill("if he dr")
    # Something happens to everybody.
    desk.evaluate("document.querySelector('button.next').click()")
    expect(phone.locator("#pane-log")).to_contain_text("Initiative:")
    expect(waits).to_have_value("if he dr")
    expect(desk.locator("#pane-log")).to_contain_text("Initiative:")
    expect(desk.locator("#attack_by_why")).to_have_value("slick st")
    expect(desk.locator("#attack_by_why")).to_be_focused()


def test_a_phone_is_held_in_one_hand(demo: Demo, page_for: Callable[..., Any]) -> None:
    desk = live(page_for(demo.people["storyteller"], demo.path, **DESK))
    begin(desk)
    desk.locator("button.next").click()
    phone = live(page_for(demo.people["marguerite"], demo.path, **PHONE))
    assert phone.evaluate("document.documentElement.scrollWidth") == 390
    small = phone.evaluate(
        """() => [...document.querySelectorAll('main :is(a, button):not(.rule), .seat-tabs a')].filter((each) => {
            const box = each.getBoundingClientRect();
            return box.width && each.checkVisibility() && box.height < 43.5;
        }).map((each) => each.textContent.trim())"""
    )
    assert small == []
    for tab, seen, unseen in (
        ("sheet", ".me-sheet", "#pane-order"),
        ("log", "#pane-log", "#pane-me"),
        ("fight", "#pane-order", ".me-sheet"),
    ):
        phone.locator(f"[data-tab-link={tab}]").click()
        expect(phone.locator(seen).first).to_be_visible()
        expect(phone.locator(unseen)).not_to_be_visible()
    news = phone.locator("#pane-log").bounding_box()
    assert news
    assert news["height"] < 160  # the newest entries only


def test_the_desk_fits_and_obeys_its_keys(demo: Demo, page_for: Callable[..., Any]) -> None:
    desk = live(page_for(demo.people["storyteller"], demo.path, **DESK))
    begin(desk)
    assert desk.evaluate("document.documentElement.scrollHeight") <= 768
    desk.locator("body").press("n")
    expect(desk.locator("#pane-log")).to_contain_text("Initiative:")
    desk.locator("body").press("?")
    expect(desk.locator("#drawer")).to_contain_text("Keyboard shortcuts")
    desk.keyboard.press("Escape")
    expect(desk.locator("#drawer")).not_to_be_visible()
    desk.locator("body").press("j")
    desk.locator("body").press("d")
    expect(desk.locator("#drawer-title")).to_have_text("Damage")
    desk.keyboard.press("Escape")
    desk.locator("body").press("u")
    expect(desk.locator("#pane-log .undone")).to_contain_text("Initiative:")
    row = row_of(desk, "Thug 1")
    row.locator(".quick-open").click()
    row.get_by_role("button", name="Hide from players").click()
    expect(row).to_contain_text("hidden")
    desk.get_by_label("More about this fight").click()
    desk.get_by_role("button", name="End the fight").click()
    expect(desk.get_by_role("heading", name="The fight is over")).to_be_visible()


def test_it_is_played_without_scripts(demo: Demo, page_for: Callable[..., Any]) -> None:
    desk = page_for(demo.people["storyteller"], demo.path, java_script_enabled=False, **DESK)
    desk.locator("button.next", has_text="Begin").click()
    desk.locator("button.next", has_text="Roll initiative").click()
    expect(desk.locator("#pane-log")).to_contain_text("Initiative:")
    desk.goto(f"{demo.path}form/damage/")
    desk.locator("[name=who]").select_option(label="Thug 1")
    desk.locator("[name=amount]").fill("2")
    desk.get_by_role("button", name="Mark damage").click()
    expect(desk.locator("#pane-log .entry").first).to_contain_text("Thug 1 takes 2 lethal")
