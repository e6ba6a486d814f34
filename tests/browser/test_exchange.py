"""An attack as a conversation between desk and phone: approved, changed, sent back, and surviving a reload."""

from __future__ import annotations

from collections.abc import Callable
from time import time
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from combat.log import clocks
from combat.models import Encounter
from tests.browser.table import DESK, PHONE, Demo, begin, live, pick, settled

pytestmark = pytest.mark.django_db(transaction=True)


def announce(phone: Page, at: str) -> None:
    """Announce an attack from the phone."""
    phone.locator("#pane-me .do-grid a", has_text="Bare hands").click()
    form = phone.locator("#drawer .attack-form")
    with phone.expect_response(lambda answer: "/attack/" in answer.url):
        form.locator("[name=at]").select_option(label=at)
    expect(form.locator("[name=at] option:checked")).to_have_text(at)
    settled(phone)
    phone.locator("#drawer .attack-foot .primary").click()
    expect(phone.locator("#drawer")).not_to_be_visible()


def test_an_attack_is_approved_changed_and_sent_back(demo: Demo, page_for: Callable[..., Any]) -> None:
    desk = live(page_for(demo.people["storyteller"], demo.path, **DESK))
    begin(desk)
    phone = live(page_for(demo.people["ilya"], demo.path, **PHONE))
    expect(phone.locator("#pane-me .do-grid a", has_text="Bare hands")).to_be_visible()

    # One key approves, and the thug, who answers by default, is attacked.
    desk.get_by_role("button", name="Actions for Thug 1").click()
    desk.get_by_role("link", name="Default defence").and_(desk.locator(":visible")).click()
    desk.locator("#drawer label", has_text="Dodge").click()
    desk.locator("#drawer button.primary").click()
    expect(desk.locator("#drawer")).not_to_be_visible()
    announce(phone, "Thug 1")
    expect(phone.locator("#pane-asks")).to_contain_text("Waiting for the Storyteller’s approval.")
    expect(desk.locator("#pane-asks .pending")).to_contain_text("Ilya Voss wants to attack Thug 1")
    desk.locator("body").press("y")
    expect(desk.locator("#pane-asks .pending")).to_have_count(0)
    expect(phone.locator("#pane-asks .ask")).to_have_count(0)
    expect(phone.locator("#pane-log .entry").first).to_contain_text("Ilya Voss attacks Thug 1")

    # Another is sent back with a comment, changed on the phone, and announced again.
    announce(phone, "Thug 1")
    desk.locator("#pane-asks .pending").wait_for()
    desk.locator("body").press("z")
    desk.locator("#drawer [name=word]").fill("He is behind the altar.")
    desk.locator("#drawer [name=word]").press("Enter")
    expect(phone.locator("#pane-asks .returned")).to_contain_text("He is behind the altar.")
    phone.reload()
    live(phone)
    phone.get_by_role("link", name="Change the attack").click()
    expect(phone.locator("#drawer .sent-back")).to_contain_text("He is behind the altar.")
    form = phone.locator("#drawer .attack-form")
    expect(form.locator("[name=at] option:checked")).to_have_text("Thug 1")
    with phone.expect_response(lambda answer: "/attack/" in answer.url):
        form.locator("[name=at]").select_option(label="Thug 2")
    phone.get_by_role("button", name="Announce again").click()

    # The Storyteller changes it: the desk's form is filled in with the attack.
    desk.locator("#pane-asks .pending").get_by_role("link", name="Change").click()
    form = desk.locator("#attack-form")
    expect(form.locator("[name=at] option:checked")).to_have_text("Thug 2")
    expect(desk.locator("#attack")).to_contain_text("Changing an attack")
    with desk.expect_response(lambda answer: "/attack/" in answer.url):
        form.locator("[name=at]").select_option(label="Thug 1")
    expect(form.locator("[name=at] option:checked")).to_have_text("Thug 1")
    expect(desk.locator("#attack")).to_contain_text("Changing an attack")
    desk.get_by_role("button", name="Approve changes").and_(desk.locator(":visible")).last.click()
    expect(desk.locator("#attack")).not_to_contain_text("Changing an attack")
    phone.locator("[data-tab-link=log]").click()
    expect(phone.locator("#pane-log .entry").first).to_contain_text("target: Thug 1 (was Thug 2)")


def test_a_question_outlives_a_reload_and_its_clock_answers_it(demo: Demo, page_for: Callable[..., Any]) -> None:
    from campaigns.models import Chronicle

    Chronicle.objects.update(conduct={"answer_seconds": 55})
    desk = live(page_for(demo.people["storyteller"], demo.path, **DESK))
    begin(desk)
    phone = live(page_for(demo.people["ilya"], demo.path, **PHONE))
    pick(desk, "Thug 1", "Ilya Voss", "Bare hands", "ask")
    desk.get_by_role("button", name="Announce").click()
    question = phone.locator("#pane-asks .ask")
    expect(question).to_contain_text("Thug 1 attacks Ilya Voss")
    expect(question.locator(".defence", has_text="Dodge")).to_contain_text("cancels 1+")
    expect(question.locator("[role=timer]")).to_contain_text(" s")
    phone.reload()
    live(phone)
    expect(question).to_contain_text("Thug 1 attacks Ilya Voss")
    # Nobody answers: at the deadline, the server does.
    running = Encounter.objects.get(pk=demo.encounter_id).clocks
    assert running
    Encounter.objects.filter(pk=demo.encounter_id).update(clocks=dict.fromkeys(running, time() - clocks.GRACE))
    expect(question).to_have_count(0)
    expect(desk.locator("#pane-log .entry").first).to_contain_text("doesn’t answer in time")
