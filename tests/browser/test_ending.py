"""The end of a fight, on a laptop and on a phone: what stays is asked, and is on the sheet afterwards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from characters.models import Character
from combat.log import rows
from combat.models import Encounter
from rules.topics.commands import Begin, ChangeConditions
from tests.browser.hands import Pointer
from tests.browser.table import DESK, PHONE, Demo, live

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize(("screen", "touch"), [(DESK, False), (PHONE, True)], ids=["desk", "phone"])
def test_what_stays_is_asked_and_then_on_the_sheet(
    demo: Demo, page_for: Callable[..., Any], screen: dict[str, Any], touch: bool
) -> None:
    demo.do(Begin())
    one = Character.objects.get(name="Marguerite")
    state = rows.state_now(Encounter.objects.get(pk=demo.encounter_id))
    marguerite = next(key for key, each in state.combatants.items() if each.character == one.pk)
    demo.do(ChangeConditions(marguerite, frozenset({"staked", "cursed", "prone"})))
    page: Page = live(page_for(demo.people["storyteller"], demo.path, **screen))
    hand = Pointer(page, touch=touch)
    hand.press(page.locator("[popovertarget=fight-menu]"))
    hand.press(page.locator("#fight-menu").get_by_role("link", name="End the fight"))
    asked = page.locator("form.form-end")
    expect(asked.get_by_label("staked")).to_be_checked()
    expect(asked.get_by_label("cursed")).not_to_be_checked()
    expect(asked.get_by_label("prone")).to_have_count(0)
    hand.tick(asked.get_by_label("cursed"))
    hand.press(asked.get_by_role("button", name="End the fight"))
    expect(page.locator("#pane-log .entry").first).to_contain_text("Marguerite is still cursed and staked.")
    one.refresh_from_db()
    assert {each["condition"] for each in one.lasting} == {"staked", "cursed"}
    page.goto(page.url.partition("/encounters/")[0] + f"/characters/{one.pk}/")
    expect(page.locator(".lasting li > span").first).to_contain_text("Cursed")
    expect(page.locator(".lasting li > span").last).to_contain_text("Staked")
