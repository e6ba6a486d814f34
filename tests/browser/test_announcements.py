"""What a screen reader announces in a fight, on the phone, the desk and the wall: everything once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from combat.live import wall as walls
from combat.models import Encounter
from tests.browser.table import DESK, PHONE, TRUE_NAME, Demo, begin, expected_refusals, go_on, live, pick, type_dice

pytestmark = pytest.mark.django_db(transaction=True)

LISTEN = """
window.said = [];
document.addEventListener("DOMContentLoaded", () => {
  for (const id of ["announce", "announce-now"]) {
    new MutationObserver((changes) => changes.forEach((change) => change.addedNodes.forEach((node) => {
      window.said.push([id, node.textContent]);
    }))).observe(document.getElementById(id), { childList: true, characterData: true, subtree: true });
  }
});
"""


def listening(page: Page, path: str) -> Page:
    """Opens the page; `window.said` collects its announcements."""
    page.add_init_script(LISTEN)
    page.goto(path)
    return live(page)


def said(page: Page, region: str = "announce") -> list[str]:
    return [words for where, words in page.evaluate("window.said") if where == region]


def hears(page: Page, words: str, region: str = "announce") -> None:
    for _tenth in range(300):
        if any(words in each for each in said(page, region)):
            return
        page.wait_for_timeout(100)
    pytest.fail(f"“{words}” was not read out, only {page.evaluate('window.said')}")


def test_each_thing_is_read_out_once(demo: Demo, page_for: Callable[..., Any]) -> None:
    people = demo.people
    desk = live(page_for(people["storyteller"], demo.path, **DESK))
    begin(desk)
    chronicle = Encounter.objects.get(pk=demo.encounter_id).chronicle
    token = walls.open_wall(by=chronicle.memberships.get(user=people["storyteller"]))
    listening(desk, demo.path)
    phone = listening(page_for(people["ilya"], None, **PHONE), demo.path)
    other = listening(page_for(people["marguerite"], None, **PHONE), demo.path)
    wall = listening(page_for(None, None, **DESK), f"/wall/{token}/")
    everybody = (desk, phone, other, wall)
    for page in everybody:
        assert page.evaluate("window.said") == []

    desk.locator("button.next", has_text="Roll initiative").click()
    for page in everybody:
        hears(page, "Initiative:")

    # A question: assertive for the person asked, polite for the others.
    pick(desk, TRUE_NAME, "Ilya Voss", "Verger’s axe", "ask")
    desk.get_by_role("button", name="Ask, then type dice").click()
    hears(phone, "A tall man attacks Ilya Voss", "announce-now")
    hears(desk, f"{TRUE_NAME} attacks Ilya Voss", "announce-now")
    for page in (other, wall):
        hears(page, "A tall man is about to attack Ilya Voss.")
        assert said(page, "announce-now") == []
    # Reloaded during the question: it is on the page, but not announced again.
    phone.reload()
    live(phone)
    expect(phone.locator("#pane-asks .ask")).to_be_visible()
    assert phone.evaluate("window.said") == []
    phone.locator("#pane-asks button", has_text="No defence").click()
    expect(phone.locator("#pane-asks .ask")).to_have_count(0)

    desk.get_by_role("link", name="Type dice").click()
    type_dice(desk, {"attack": "8" + "3" * 20, "defence": "3", "damage": "88" + "3" * 20, "soak": "3"})
    expected_refusals(desk)
    for page in everybody:
        hears(page, "2 lethal")

    # The turn order advances to Ilya, whose player hears that it's their turn.
    for _places in range(20):
        acting = desk.locator("#pane-bar").get_attribute("data-acting") or ""
        if "Ilya Voss" in acting:
            break
        go_on(desk)
        expect(desk.locator("#pane-bar")).not_to_have_attribute("data-acting", acting)
    hears(phone, "Your turn: Ilya Voss.")
    for page in (desk, other, wall):
        hears(page, "Ilya Voss act")
    # A full frame, as after a lost connection, announces nothing again.
    phone.wait_for_timeout(1000)
    before = phone.evaluate("window.said.length")
    phone.evaluate("document.getElementById('version').dataset.version = 0; window.dispatchEvent(new Event('online'))")
    phone.wait_for_timeout(1500)
    assert phone.evaluate("window.said.length") == before

    for page in everybody:
        heard = Counter(words for _region, words in page.evaluate("window.said"))
        assert max(heard.values()) == 1, heard

    # An undo is announced once.
    desk.locator("body").press("d")
    desk.locator("#drawer [name=who]").select_option(label="Ilya Voss")
    desk.locator("#drawer [name=amount]").fill("1")
    desk.get_by_role("button", name="Mark damage").click()
    for page in everybody:
        hears(page, "Ilya Voss takes 1 lethal")
    desk.locator("body").press("u")
    for page in everybody:
        hears(page, "Undone: Ilya Voss takes 1 lethal")
    # The socket's frame may arrive before or after the response's.
    desk.wait_for_timeout(500)
    for page in everybody:
        assert len([words for words in said(page) if "takes 1 lethal" in words]) == 2
    # Nor again when the log is redrawn for the next action.
    desk.locator("body").press("d")
    desk.locator("#drawer [name=who]").select_option(label="Ilya Voss")
    desk.locator("#drawer [name=amount]").fill("2")
    desk.get_by_role("button", name="Mark damage").click()
    for page in everybody:
        hears(page, "Ilya Voss takes 2 lethal")
        page.wait_for_timeout(300)
        assert len([words for words in said(page) if "Undone" in words]) == 1
