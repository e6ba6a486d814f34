"""Who sees dice, and when: a roll, an override and a secret roll on a desk and two phones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from combat.models import Encounter
from tests.browser.table import DESK, PHONE, Demo, Heard, begin, live, pick

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.servers]


def roll(page: Page) -> None:
    """Roll what the builder offers, from somebody's phone."""
    page.get_by_role("link", name="Roll", exact=True).first.click()
    expect(page.locator("#drawer .roll-foot .primary")).to_be_enabled()
    page.locator("#drawer .roll-foot .primary").click()
    expect(page.locator("#drawer")).not_to_be_visible()


def test_who_sees_the_dice_when(demo: Demo, page_for: Callable[..., Any]) -> None:
    from characters.models import Character

    other = Character.objects.get(name="Marguerite").owner
    desk = live(page_for(demo.people["storyteller"], demo.path, **DESK))
    begin(desk)
    heard = Heard()
    phone, second = page_for(demo.people["ilya"], None, **PHONE), page_for(other, None, **PHONE)
    heard.listen(second)
    # The roller's phone doesn't reveal the roll, as if its battery had died.
    phone.route("**/do/let-go", lambda route: route.fulfill(status=204))
    # Nor does the Storyteller's page in its place, before it has been seen.
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    desk.route("**/do/let-go", hold, times=1)
    phone.goto(demo.path)
    second.goto(demo.path)
    live(phone)
    live(second)

    # The roller and the Storyteller see the dice at once; for the other player nothing has happened yet.
    before = len(heard.frames)
    roll(phone)
    dice = phone.locator("#pane-dice .die")
    expect(dice.first).to_be_visible()
    expect(desk.locator("#pane-log .entry").first).to_contain_text("not shown to the table yet")
    heard.catch_up(second)
    assert all(frame.startswith("{") for frame in heard.frames[before:])
    second.locator("[data-tab-link=log]").click()
    expect(second.locator("#pane-log")).not_to_contain_text("Ilya")

    # The Storyteller reveals it, or her page does if the phone doesn't.
    for _tenth in range(300):
        if held:
            break
        desk.wait_for_timeout(100)
    held[0].continue_()
    expect(second.locator("#pane-log .entry").first).to_contain_text("Ilya")
    expect(desk.locator("#pane-log")).not_to_contain_text("not shown to the table yet")
    expect(phone.get_by_role("button", name="Show to the table")).to_have_count(0)
    expect(dice.first).to_be_visible()

    # An NPC's dice stay hidden until they are revealed.
    pick(desk, "The Deacon", "Thug 1", "Verger’s axe", "")
    desk.locator("#attack-form .primary").click()
    entry = desk.locator("#pane-log .entry").first
    expect(entry).to_contain_text("The Deacon attacks Thug 1")
    newest = second.locator("#pane-log .entry").first
    expect(newest).to_contain_text("A tall man attacks Thug 1")
    expect(newest.locator(".die")).to_have_count(0)
    entry.get_by_role("button", name="Show the dice").click()
    newest = second.locator("#pane-log .entry", has_text="A tall man attacks Thug 1")
    newest.locator("details.rolls summary").click()
    expect(newest.locator(".die").first).to_be_visible()
    expect(newest).not_to_contain_text("Strength")

    # The result is overridden in one press, and both can read the original.
    told = desk.locator("#pane-log .entry", has_text="The Deacon attacks Thug 1")
    told.get_by_role("link", name="Override").click()
    marked = desk.locator("#drawer").get_by_label("Final damage")
    was = int(marked.get_attribute("placeholder") or 0)
    wanted = 1 if was > 3 else was + 1
    marked.fill(str(wanted))
    desk.locator("#drawer").get_by_role("button", name="Apply").click()
    expect(desk.locator("#drawer")).not_to_be_visible()
    expect(second.locator("#pane-log .entry").first).to_contain_text("Overridden by the Storyteller: A tall man")
    expect(newest.locator(".overridden-chip")).to_be_visible()
    assert not any("The Deacon" in frame for frame in heard.frames)
    fight = Encounter.objects.fights().get()
    thug = next(each for each in fight.state["combatants"].values() if each["sheet"]["name"] == "Thug 1")
    assert len(thug["sheet"]["marks"]) == wanted
