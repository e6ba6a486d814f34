"""Experience in a browser: a player asks for a Trait, the Storyteller grants it, and the sheet changes then."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Locator, expect

from campaigns.models import Membership
from characters import experience
from characters.models import Character

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
DESK = {"viewport": {"width": 1366, "height": 768}}


@dataclass
class Finger:
    """Presses what it is shown, and counts."""

    touches: bool
    count: int = 0

    def press(self, what: Locator) -> None:
        what.tap() if self.touches else what.click()
        self.count += 1


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_a_player_asks_and_the_sheet_changes_when_the_storyteller_grants(
    page_for: Callable[..., Any], ilya: Character, chronicle: Any, player: Any, storyteller: Any, size: dict[str, Any]
) -> None:
    """Balance and a request take at most four presses from the chronicle's page."""
    desk = page_for(storyteller, reverse("characters:ledgers", args=[chronicle.pk]), **DESK)
    desk.get_by_label("Reason", exact=True).select_option(label="Something learned: 1 point")
    desk.get_by_label("Amount in points").fill("20")
    desk.get_by_role("button", name="Award").click()
    expect(desk.get_by_text("1 character got it.")).to_be_visible()

    page = page_for(player, reverse("campaigns:chronicle", args=[chronicle.pk]), **size)
    finger = Finger("has_touch" in size)
    finger.press(page.get_by_role("link", name=re.compile("Ilya Voss")))
    finger.press(page.get_by_role("link", name="Experience"))
    expect(page.locator(".balance")).to_contain_text("20 points")
    expect(page.locator(".ledger")).to_contain_text("Something learned")
    finger.press(page.locator(".offer", has_text="Brawl"))
    asking = page.locator("#ask")
    expect(asking.get_by_role("heading")).to_have_text("Brawl 0 → 1")
    expect(asking.get_by_role("row", name=re.compile("Unarmed"))).to_contain_text(re.compile(r"\d → \d.*\d% → \d\d?%"))
    finger.press(asking.get_by_role("button", name="Ask"))
    expect(page.get_by_text("Your request is waiting.")).to_be_visible()
    assert finger.count <= 4

    # More dots at once, and the price follows.
    page.locator(".offer", has_text="Melee").click()
    page.get_by_label("Dots").select_option("5")
    expect(asking.get_by_role("heading")).to_have_text("Melee 3 → 5")
    expect(asking).to_contain_text("14 points")

    desk.reload()
    assert "brawl" not in Character.objects.get(pk=ilya.pk).traits
    desk.get_by_label("Note").fill("For the cellar.")
    desk.get_by_role("button", name="Grant").click()
    expect(desk.get_by_role("button", name="Grant")).to_have_count(0)
    assert Character.objects.get(pk=ilya.pk).traits["brawl"] == 1
    page.goto(reverse("characters:experience", args=[ilya.pk]))
    expect(page.locator(".balance")).to_contain_text("17 points")
    entry = page.locator("ol.ledger > li").first
    expect(entry).to_contain_text("Bought: Brawl 0 → 1")
    expect(entry).to_contain_text("For the cellar.")
    expect(entry).to_contain_text("new Ability: 3")


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_backgrounds_are_asked_for_as_what_they_are(
    page_for: Callable[..., Any], ilya: Character, chronicle: Any, player: Any, storyteller: Any, size: dict[str, Any]
) -> None:
    """One that is on the sheet takes two presses; a new one also its name. The list changes when they are granted."""
    ilya.lists = {"backgrounds": [["Allies", 2]]}
    ilya.save()
    by = Membership.objects.get(chronicle=chronicle, user=storyteller)
    experience.award(by=by, to=[ilya.pk], amount=30, reason="Heroism")
    page = page_for(player, reverse("characters:experience", args=[ilya.pk]), **size)
    finger, asking = Finger("has_touch" in size), page.locator("#ask")
    finger.press(page.locator(".offer", has_text="Allies"))
    expect(asking.get_by_role("heading")).to_have_text("Backgrounds: Allies 2 → 3")
    expect(asking).to_contain_text("6 points")
    finger.press(asking.get_by_role("button", name="Ask"))
    expect(page.get_by_text("Your request is waiting.")).to_be_visible()
    assert finger.count == 2

    finger.press(page.locator("h3", has_text="Backgrounds").locator("+ ul .offer", has_text="New entry"))
    expect(asking.get_by_role("heading")).to_have_text("Backgrounds 0 → 1")
    asking.get_by_label("Name").fill("Mentor")
    asking.get_by_label("Dots").select_option("2")
    expect(asking).to_contain_text("6 points")
    expect(asking.get_by_role("heading")).to_have_text("Backgrounds: Mentor 0 → 2")
    expect(asking.get_by_label("Name")).to_have_value("Mentor")
    finger.press(asking.get_by_role("button", name="Ask"))
    expect(page.get_by_role("listitem").filter(has_text="Backgrounds: Mentor 0 → 2").first).to_be_visible()

    desk = page_for(storyteller, reverse("characters:ledgers", args=[chronicle.pk]), **DESK)
    for left in (1, 0):
        desk.get_by_role("button", name="Grant").first.click()
        expect(desk.get_by_role("button", name="Grant")).to_have_count(left)
    assert Character.objects.get(pk=ilya.pk).lists == {"backgrounds": [["Allies", 3], ["Mentor", 2]]}
    page.goto(reverse("characters:sheet", args=[ilya.pk]))
    expect(page.locator("main")).to_contain_text("Mentor")
    page.goto(reverse("characters:history", args=[ilya.pk]))
    expect(page.get_by_role("listitem").filter(has_text="Mentor").first).to_contain_text("experience")


def test_an_open_price_stays_open_when_the_page_changes(
    page_for: Callable[..., Any], ilya: Character, chronicle: Any, player: Any, storyteller: Any
) -> None:
    page = page_for(player, reverse("characters:experience", args=[ilya.pk]), **PHONE)
    by = Membership.objects.get(chronicle=chronicle, user=storyteller)
    asking = page.locator("#ask")
    page.locator(".offer", has_text="Dexterity").click()
    expect(asking.get_by_role("heading")).to_contain_text("Dexterity")
    expect(asking.get_by_role("button", name="Ask")).to_have_count(0)
    experience.award(by=by, to=[ilya.pk], amount=60, reason="Heroism")
    page.evaluate("window.dispatchEvent(new Event('online'))")
    expect(page.locator(".balance b")).to_have_text("60 points")
    expect(asking.get_by_role("heading")).to_contain_text("Dexterity")
    expect(asking.get_by_role("button", name="Ask")).to_be_visible()  # what it costs is there now


def test_a_page_of_experience_follows_and_works_without_scripts(
    page_for: Callable[..., Any], ilya: Character, chronicle: Any, player: Any, storyteller: Any
) -> None:
    url = reverse("characters:experience", args=[ilya.pk])
    page = page_for(player, url, **PHONE)
    by = Membership.objects.get(chronicle=chronicle, user=storyteller)
    experience.award(by=by, to=[ilya.pk], amount=8, reason="Heroism")
    page.evaluate("window.dispatchEvent(new Event('online'))")
    expect(page.locator(".balance")).to_contain_text("8 points")
    plain = page_for(player, url, java_script_enabled=False, **PHONE)
    plain.locator(".offer", has_text="Auspex").click()
    plain.get_by_label("Price", exact=True).first.select_option("out of clan")
    plain.get_by_role("button", name="Show").click()
    expect(plain.locator("#ask")).to_contain_text("14 points")
    plain.locator(".offer", has_text="Brawl").click()
    plain.locator("#ask").get_by_role("button", name="Ask").click()
    expect(plain.get_by_role("heading", name="Waiting for the Storyteller")).to_be_visible()
    plain.get_by_role("link", name=re.compile("New entry")).last.click()
    plain.get_by_label("Name").fill("A path of thorns")
    plain.locator("#ask").get_by_role("button", name="Ask").click()
    expect(plain.get_by_text("A path of thorns 0 → 1").first).to_be_visible()
