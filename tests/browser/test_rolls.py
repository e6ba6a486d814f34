"""Rolls outside fights: a player's phone and the Storyteller's screen, side by side."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from combat.models import Encounter
from tests.browser.table import DESK, HIDDEN, PHONE, Demo, Heard, live

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def path(demo: Demo) -> str:
    return f"/chronicles/{Encounter.objects.fights().get().chronicle_id}/rolls/"


def people(demo: Demo) -> tuple[Any, Any]:
    """The Storyteller and Marguerite's player."""
    from characters.models import Character

    storyteller = Encounter.objects.fights().get().chronicle.memberships.get(role="storyteller").user
    return storyteller, Character.objects.get(name="Marguerite").owner


def test_a_player_rolls_on_a_phone_and_the_storyteller_sees_it(
    demo: Demo, path: str, page_for: Callable[..., Any]
) -> None:
    storyteller, player = people(demo)
    desk, phone = live(page_for(storyteller, path, **DESK)), live(page_for(player, path, **PHONE))
    phone.locator("label", has_text="Perception").tap()
    phone.locator("label", has_text="Alertness").tap()
    expect(phone.locator(".roll-foot .primary")).to_be_disabled()  # nothing is chosen: an error says so
    phone.locator("label", has_text="Wits").tap()
    phone.locator("label", has_text="Stealth").tap()
    expect(phone.locator(".roll-foot")).to_contain_text("Wits + Stealth")
    phone.get_by_role("button", name="Harder").tap()
    expect(phone.locator(".roll-foot")).to_contain_text("difficulty 7")
    dice = int(phone.locator(".roll-foot .primary").inner_text().split()[1])
    phone.locator(".roll-foot .primary").tap()
    for page in (phone, desk):
        entry = page.locator("#pane-log .entry").first
        expect(entry).to_contain_text("Marguerite, Wits + Stealth:")
        expect(entry.locator(".faces-told .die")).to_have_count(dice)
    expect(phone.locator("#pane-log")).to_be_visible()


def test_an_extended_roll_is_kept_going_by_its_player(demo: Demo, path: str, page_for: Callable[..., Any]) -> None:
    storyteller, player = people(demo)
    desk, phone = live(page_for(storyteller, path, **DESK)), live(page_for(player, path, **PHONE))
    phone.locator("label", has_text="extended").tap()
    phone.locator("#id_target").fill("50")
    phone.locator("#id_difficulty").fill("2")  # a botch ends it
    phone.locator("#id_label").fill("Searching the archive")
    expect(phone.locator(".roll-foot")).to_contain_text("reaches 50")
    phone.locator(".roll-foot .primary").tap()
    expect(desk.locator(".going-roll")).to_contain_text("1 roll so far")
    phone.locator(".going-roll button", has_text="Roll again").tap()
    told = desk.locator("#pane-log .entry").first
    expect(told).to_contain_text("Searching the archive")
    expect(desk.locator("#pane-log .entry")).to_have_count(2)


def test_a_secret_roll_leaves_nothing_on_a_players_screen(demo: Demo, path: str, page_for: Callable[..., Any]) -> None:
    storyteller, player = people(demo)
    desk, phone = live(page_for(storyteller, path, **DESK)), page_for(player, None, **PHONE)
    heard = Heard()
    heard.listen(phone)
    phone.goto(path)
    live(phone)
    before, frames = phone.locator("main").inner_html(), len(heard.frames)
    desk.locator("label", has_text=HIDDEN).click()
    expect(desk.locator("#id_secret")).to_be_checked()
    desk.locator("#id_label").fill("CANARY listens")
    expect(desk.locator(".roll-foot .primary")).to_be_enabled()
    desk.locator(".roll-foot .primary").click()
    expect(desk.locator("#pane-log .entry").first).to_contain_text("CANARY listens")
    heard.catch_up(phone)  # would make up for a lost hint
    assert not any("CANARY" in text or HIDDEN in text for text in heard.frames)
    assert not any("pane-" in text for text in heard.frames[frames:])
    assert phone.locator("main").inner_html() == before
