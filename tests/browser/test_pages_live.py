"""Pages outside fights follow the server, without disturbing their reader."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from rules.model.gear import Damage
from rules.topics.commands import Begin, Harm, Pause
from tests.browser.table import DESK, PHONE, Demo

pytestmark = pytest.mark.django_db(transaction=True)


def stay(page: Page) -> Page:
    """Wait for the page's socket, and mark the page to detect a reload."""
    page.wait_for_timeout(600)
    page.evaluate("window.notReloaded = true")
    return page


@pytest.mark.servers
def test_what_changes_shows_on_every_page(demo: Demo, page_for: Callable[..., Any]) -> None:
    from characters.models import Character
    from combat.log import codec
    from combat.models import Encounter

    encounter = Encounter.objects.get(pk=demo.encounter_id)
    state = codec.load_state(encounter.state)
    who = next(one for one, each in state.combatants.items() if each.sheet.name == "Ilya Voss")
    sheet = Character.objects.get(pk=state.combatants[who].character)

    desk = page_for(demo.people["storyteller"], demo.path, **DESK)
    home = stay(page_for(sheet.owner, "/", **PHONE))
    table = stay(page_for(sheet.owner, f"/chronicles/{encounter.chronicle_id}/", **PHONE))
    read = stay(page_for(sheet.owner, f"/characters/{sheet.pk}/", **PHONE))
    form = stay(page_for(demo.people["storyteller"], f"/characters/{sheet.pk}/edit/", **DESK))

    # A fight begins: the page links to it.
    table.locator("h2#notes, h2").first.scroll_into_view_if_needed()
    desk.locator("button.next", has_text="Begin").click()
    expect(home.locator(".fight-link.running")).to_be_visible()
    expect(table.locator(".fight-link.running")).to_be_visible()
    expect(table.locator("#announce")).to_contain_text("is running")

    # Somebody is hurt: the sheet shows it, and opened details stay open.
    expect(read.locator(".health .box.lethal")).to_have_count(0)
    read.locator("h1").evaluate("heading => { window.heading = heading; }")
    demo.do(Harm(who, 1, Damage.LETHAL))
    expect(read.locator(".health .box.lethal")).to_have_count(1)
    assert read.evaluate("document.querySelector('h1') === window.heading")

    # Somebody editing the sheet keeps their text, is told of the change, and overwrites nothing unseen.
    form.locator("[name=concept]").fill("Half a though")
    demo.do(Harm(who, 1, Damage.BASHING))
    expect(form.locator("#page-changed")).to_be_visible()
    expect(form.locator("[name=concept]")).to_have_value("Half a though")
    form.locator("button.primary", has_text="Save the sheet").click()
    expect(form.locator("#sheet-form .note.warning").first).to_be_visible()
    expect(form.locator("[name=concept]")).to_have_value("Half a though")
    form.problems[:] = [each for each in form.problems if "409" not in each]
    assert Character.objects.get(pk=sheet.pk).marks != []

    demo.do(Pause())
    expect(home.locator(".fight-link.paused")).to_be_visible()
    for page in (home, table, read):
        assert page.evaluate("window.notReloaded")


def test_what_is_open_on_a_page_stays_open(demo: Demo, page_for: Callable[..., Any]) -> None:
    from combat.models import Encounter

    chronicle = Encounter.objects.get(pk=demo.encounter_id).chronicle_id
    table = stay(page_for(demo.people["storyteller"], f"/chronicles/{chronicle}/", **DESK))
    menu = table.locator("#members ~ ul .menu").last
    menu.locator("[popovertarget]").click()
    menu.get_by_role("button").first.focus()
    demo.do(Begin())
    expect(table.locator(".fight-link.running")).to_be_visible()
    expect(menu.get_by_role("button").first).to_be_focused()


def test_the_first_page_of_a_browser_shows_its_own_time(demo: Demo, page_for: Callable[..., Any]) -> None:
    from combat.models import Encounter

    demo.do(Begin())
    begun = datetime(2026, 3, 29, 1, 1, tzinfo=UTC)
    Encounter.objects.filter(pk=demo.encounter_id).update(begun=begun)
    path = f"{demo.path}report/"
    page = page_for(demo.people["ilya"], path, timezone_id="Europe/Berlin")
    expect(page.locator("time").first).to_have_text(re.compile(r"29 March 2026.* 03:01$"))
    page.goto(path)
    expect(page.locator("time").first).to_have_text("29 March 2026, 03:01")
