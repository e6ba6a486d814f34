"""Text at double size, screens of every width in between, and forced colours."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from characters.models import Character
from combat.models import Encounter
from rules.model.gear import Damage
from rules.topics.commands import Act, Harm
from tests.browser.table import DESK, PHONE, Demo, live
from tests.conftest import session_cookie

pytestmark = pytest.mark.django_db(transaction=True)

# The fallback font is wider. `document.fonts.ready` is no help: on a busy machine it precedes the first layout, which
# asks for the fonts.
FONTS = (
    "() => Promise.all([...document.fonts].filter((each) => !/fallback/.test(each.family)).map((each) => each.load()))"
)
WIDER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture
def large(browser_type: Any, browser_type_launch_args: dict[str, Any]) -> Iterator[Browser]:
    """A browser whose user chose double text size."""
    arguments = [*browser_type_launch_args["args"], "--blink-settings=defaultFontSize=32"]
    browser = browser_type.launch(**{**browser_type_launch_args, "args": arguments})
    yield browser
    browser.close()


def open_large(large: Browser, server: Any, user: Any, path: str, **options: Any) -> Page:
    context = large.new_context(base_url=server.url, **options)
    context.add_cookies([session_cookie(user, server.url)])
    page = context.new_page()
    page.goto(path)
    return page


def test_the_desk_has_room_for_the_attack(demo: Demo, desk: Page, large: Browser, server: Any) -> None:
    page = live(open_large(large, server, demo.people["storyteller"], demo.path, **DESK))
    attack, bar = page.locator("#attack").bounding_box(), page.locator(".bar")
    assert attack
    assert attack["width"] > 1000
    apart = bar.evaluate(
        """bar => {
            const parts = [".bar-turn", ".bar-levers", ".bar-account"].map((each) => bar.querySelector(each));
            const boxes = parts.map((each) => each.getBoundingClientRect());
            const beside = (one, other) => one.right <= other.left || other.right <= one.left;
            const meet = (one, other) => !beside(one, other) && one.top < other.bottom && other.top < one.bottom;
            return !boxes.some((one, place) => boxes.slice(place + 1).some((other) => meet(one, other)));
        }"""
    )
    assert apart
    assert page.evaluate(WIDER) <= 0


def test_no_page_of_a_phone_is_wider_than_it(demo: Demo, desk: Page, large: Browser, server: Any) -> None:
    chronicle = Encounter.objects.get(pk=demo.encounter_id).chronicle_id
    sheet = f"/characters/{Character.objects.get(name='Marguerite').pk}/"
    pages = {
        "storyteller": (demo.path, f"{demo.path}report/", f"{sheet}edit/", f"/chronicles/{chronicle}/gear/"),
        "marguerite": (demo.path, sheet, f"/chronicles/{chronicle}/", f"/chronicles/{chronicle}/rolls/", "/account/"),
    }
    wider = {}
    for name, paths in pages.items():
        for path in paths:
            page = open_large(large, server, demo.people[name], path, **PHONE)
            expect(page.locator("main")).to_be_visible()
            page.evaluate(FONTS)
            wider[name, path] = page.evaluate(WIDER)
            page.context.close()
    assert {where: by for where, by in wider.items() if by > 0} == {}


def test_traits_to_roll_are_read_at_every_width(demo: Demo, page_for: Callable[..., Any]) -> None:
    chronicle = Encounter.objects.get(pk=demo.encounter_id).chronicle_id
    page = page_for(demo.people["marguerite"], f"/chronicles/{chronicle}/rolls/")
    for width in (390, 683, 900, 1024, 1199, 1200, 1366):
        page.set_viewport_size({"width": width, "height": 768})
        tallest = page.locator(".trait-pick:visible").evaluate_all(
            "all => Math.max(...all.map((each) => each.getBoundingClientRect().height))"
        )
        assert tallest < 60, width


def test_forced_colours_tell_what_colours_told(demo: Demo, desk: Page, page_for: Callable[..., Any]) -> None:
    who = desk.locator(".order-row").last.get_attribute("data-who") or ""
    demo.do(Harm(who, 1, Damage.LETHAL))
    demo.do(Harm(who, 1, Damage.BASHING))
    demo.do(Act())
    page = live(page_for(demo.people["storyteller"], demo.path, forced_colors="active", **DESK))
    frame = "each => getComputedStyle(each).borderTopWidth"
    boxes = page.locator(f"#row-{who} .box")
    assert boxes.locator("xpath=self::*[contains(@class, 'lethal')]").first.evaluate(frame) == "3px"
    assert boxes.locator("xpath=self::*[contains(@class, 'bashing')]").first.evaluate(frame) != "3px"
    edge = "rows => rows.map((row) => getComputedStyle(row).borderLeftColor)"
    now = page.locator(".order-row.now").evaluate_all(edge)
    assert now[0] not in page.locator(".order-row:not(.now)").evaluate_all(edge)


COVERED = """() => [...document.querySelectorAll("main :is(input, select, textarea)")]
    .filter((field) => !["hidden", "radio", "checkbox"].includes(field.type))
    .filter((field) => field.checkVisibility({ visibilityProperty: true }) && !field.disabled)
    .filter((field) => {
        field.focus();
        const box = field.getBoundingClientRect();
        const above = document.elementFromPoint(box.left + box.width / 2, Math.min(box.bottom - 4, box.top + 40));
        return box.width && !(above === field || field.contains(above) || above?.contains(field));
    })
    .map((field) => field.name)"""


def test_no_field_with_the_focus_lies_under_a_bar(demo: Demo, page_for: Callable[..., Any]) -> None:
    """As when a phone's keyboard takes half the height."""
    low = PHONE | {"viewport": {"width": 390, "height": 420}}
    chronicle = Encounter.objects.get(pk=demo.encounter_id).chronicle_id
    sheet = f"/characters/{Character.objects.get(name='Marguerite').pk}/edit/"
    for name, path in (("storyteller", sheet), ("marguerite", f"/chronicles/{chronicle}/rolls/")):
        page = page_for(demo.people[name], path, **low)
        expect(page.locator("#sheet-form, #roll-builder")).to_be_visible()
        assert page.evaluate(COVERED) == [], path
