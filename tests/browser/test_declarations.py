"""Declaring from two phones: the faster player reads what the slower one declares, and not vice versa."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from rules.topics.commands import Act, Begin, RollInitiative, SetOrder
from tests.browser.table import PHONE, Demo, Heard, live

pytestmark = pytest.mark.django_db(transaction=True)


def declare(phone: Page, words: str) -> None:
    phone.get_by_role("link", name="Declare").first.click()
    phone.get_by_label("In your own words").fill(words)
    phone.locator("#drawer").get_by_role("button", name="Declare").click()
    expect(phone.locator("#pane-me")).not_to_contain_text("once those who are slower")


def test_two_phones_declare(demo: Demo, page_for: Callable[..., Any]) -> None:
    from characters.models import Character
    from combat.log import codec
    from combat.models import Encounter

    demo.do(Begin())
    demo.do(RollInitiative())
    state = codec.load_state(Encounter.objects.get(pk=demo.encounter_id).state)
    slow, fast = (who for who, each in state.combatants.items() if each.player)
    rest = [(who,) for who in state.combatants if who not in (slow, fast)]
    demo.do(SetOrder((*rest, (fast,), (slow,))))
    phones, heard = {}, {}
    for name, who in (("slow", slow), ("fast", fast)):
        heard[name] = Heard()
        owner = Character.objects.get(pk=state.combatants[who].character).owner
        phones[name] = page_for(owner, None, **PHONE)
        heard[name].listen(phones[name])
        phones[name].goto(demo.path)
        live(phones[name])
        phones[name].evaluate("window.notReloaded = true")

    expect(phones["slow"].locator("#pane-bar")).to_contain_text("Declare now")
    declare(phones["slow"], "I run for the door.")
    expect(phones["fast"].locator("#pane-order")).to_contain_text("I run for the door.")
    expect(phones["fast"].locator("#pane-bar")).to_contain_text("Declare now")
    declare(phones["fast"], "CANARY: I trip her up.")
    row = phones["slow"].locator(f"#row-{fast}")
    expect(row).to_contain_text("has declared")
    # The declaring page gets it by frame or by response, whichever is first.
    phones["fast"].wait_for_function("document.documentElement.outerHTML.includes('CANARY')")
    assert "CANARY" not in "".join(heard["slow"].frames)
    assert "CANARY" not in phones["slow"].content()
    phones["slow"].reload()
    assert "CANARY" not in live(phones["slow"]).content()
    # After declaring, the form offers an abort instead.
    expect(phones["slow"].get_by_role("link", name="Abort", exact=True)).to_be_visible()
    expect(phones["slow"].get_by_role("link", name="Declare")).to_have_count(0)
    demo.do(Act())
    expect(row).to_contain_text("CANARY: I trip her up.")
    assert phones["fast"].evaluate("window.notReloaded")
