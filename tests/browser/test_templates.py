"""Five antagonists from a template of pools in a draft: written, added and grown, on a laptop and on a phone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from campaigns.models import Membership
from characters.models import Template
from characters.tables import load
from combat.commands import drafts
from tests.browser.table import DESK, PHONE, live

pytestmark = pytest.mark.django_db(transaction=True)

MOST_PRESSES = 7
"""From the chronicle's page to five antagonists of a template that wasn't there before, in an existing draft."""

COUNTS = """() => addEventListener("click", (event) => {
    if (event.isTrusted) sessionStorage.n = +(sessionStorage.n || 0) + 1;
}, true)"""


def presses(page: Page) -> int:
    return int(page.evaluate("+(sessionStorage.n || 0)"))


def no_wider_than_the_screen(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), page.url


@pytest.mark.servers
@pytest.mark.parametrize("device", ["desk", "phone"])
def test_five_from_a_template_of_pools(
    chronicle: Any, storyteller: Any, page_for: Callable[..., Any], device: str
) -> None:
    load()
    by = Membership.objects.get(chronicle=chronicle, user=storyteller)
    drafts.create_encounter(by=by, name="The mill")
    page: Page = page_for(storyteller, None, **(DESK if device == "desk" else PHONE))
    page.add_init_script(f"({COUNTS})()")
    page.goto(f"/chronicles/{chronicle.pk}/")
    page.get_by_role("button", name="Manage").click()
    page.get_by_role("link", name="Templates").click()
    expect(page.get_by_role("row", name="Gunman")).to_be_visible()
    no_wider_than_the_screen(page)
    page.get_by_role("link", name="New template").click()
    page.get_by_label("Name", exact=True).fill("Ash hound")
    page.get_by_label("Health boxes").fill("5")
    page.get_by_label("Pools").fill("Attack 6, Dodge 4, Soak 3, Perception 7")
    page.get_by_label("Weapons").fill("Club")
    no_wider_than_the_screen(page)
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("row", name="Ash hound")).to_contain_text("Club: 6 dice, Unarmed: 6 dice, 5 health boxes")
    page.locator(".crumb").click()
    page.get_by_role("link", name="The mill").first.click()
    live(page)
    words = page.locator("#id_words")
    words.fill("5 ash")
    assert page.locator("#quick-add-names option").first.get_attribute("value") == "5 Ash hound"
    words.fill("5 ash hounds")
    page.locator("#quick-add").get_by_role("button", name="Add").click()
    expect(page.locator("#pane-order").get_by_role("link", name="Ash hound 5")).to_be_visible()
    assert presses(page) <= MOST_PRESSES
    no_wider_than_the_screen(page)
    # It grows into a character with Traits near to its pools.
    row = Template.objects.get()
    page.goto(f"/chronicles/{chronicle.pk}/templates/{row.pk}/character/")
    page.get_by_role("button", name="Make a character").click()
    expect(page.get_by_label("Name").first).to_have_value("Ash hound")


@pytest.mark.servers
@pytest.mark.parametrize("device", ["desk", "phone"])
def test_a_template_joins_from_the_list_beside_characters(
    chronicle: Any, storyteller: Any, page_for: Callable[..., Any], device: str
) -> None:
    load()
    by = Membership.objects.get(chronicle=chronicle, user=storyteller)
    draft = drafts.create_encounter(by=by, name="The mill")
    page: Page = page_for(storyteller, f"/encounters/{draft.pk}/", **(DESK if device == "desk" else PHONE))
    live(page)
    form = page.locator("#cast form", has=page.locator("select[name=template]"))
    form.locator("select[name=template]").select_option("Gunman")
    form.get_by_label("How many").fill("2")
    form.locator("summary").click()
    form.get_by_label("Name", exact=True).fill("Vinnie")
    form.get_by_label("Mask").fill("a suit")
    form.get_by_label("Side").select_option("Others")
    no_wider_than_the_screen(page)
    form.get_by_role("button", name="Add").click()
    expect(page.locator("#pane-order").get_by_role("link", name="Vinnie 2")).to_be_visible()
    page.get_by_role("button", name="Undo").first.click()
    expect(page.locator("#pane-order").get_by_role("link", name="Vinnie 1")).to_have_count(0)
