"""The desk on two of a Storyteller's screens: each shows and announces the other's changes at once, without a
reload."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from rules.model.gear import Damage
from rules.topics.commands import Act, Harm
from tests.browser.hands import row_of
from tests.browser.table import CONFLICT, DESK, MASK, Demo, begin, choose, expected_refusals, holding, live
from tests.browser.test_announcements import hears, listening, said

pytestmark = pytest.mark.django_db(transaction=True)

NOTES = "#notes_text"
DRAWER = "address => htmx.ajax('GET', address, { target: '#drawer-body', swap: 'innerHTML' })"


def press(desk: Any, name: str) -> None:
    desk.get_by_label("More about this fight").click()
    desk.get_by_role("button", name=name).click()


@pytest.mark.servers
def test_pause_and_end_come_without_a_reload(demo: Demo, page_for: Callable[..., Any]) -> None:
    storyteller = demo.people["storyteller"]
    desk = live(page_for(storyteller, demo.path, **DESK))
    other = listening(page_for(storyteller, None, **DESK), demo.path)
    begin(desk)
    # The draft turns into the fight's page, which announces what the draft had no time for.
    hears(other, "The fight begins")
    expect(other.locator("#attack-form")).to_be_visible()
    live(other).evaluate("window.stays = true")
    press(desk, "Pause the fight")
    expect(desk.get_by_role("heading", name="Paused")).to_be_visible()
    expect(other.get_by_role("heading", name="Paused")).to_be_visible()
    desk.locator("#do-next").click()
    expect(other.locator("#attack-form")).to_be_visible()
    expect(other.locator("#attack-form .attack-foot kbd").first).not_to_be_empty()
    press(desk, "End the fight")
    expect(other.get_by_role("heading", name="The fight is over")).to_be_visible()
    hears(other, "The fight is over")
    assert other.evaluate("window.stays")
    assert sum("is over" in words for words in said(other)) == 1


def test_a_draft_with_an_open_form_becomes_a_fight_afterwards(demo: Demo, page_for: Callable[..., Any]) -> None:
    desk, other = (live(page_for(demo.people["storyteller"], demo.path, **DESK)) for _screen in range(2))
    other.locator("#pane-scene").get_by_role("link", name="Edit").click()
    expect(other.locator("#drawer form")).to_be_visible()
    begin(desk)
    expect(other.locator("#pane-bar")).to_have_attribute("data-status", "running")
    other.wait_for_timeout(300)
    expect(other.locator("#drawer form")).to_be_visible()
    other.keyboard.press("Escape")
    expect(other.locator("#attack-form")).to_be_visible()


@pytest.mark.servers
def test_notes_of_another_screen_come_by_themselves(demo: Demo, page_for: Callable[..., Any]) -> None:
    storyteller = demo.people["storyteller"]
    first, second = (live(page_for(storyteller, demo.path, **DESK)) for _screen in range(2))
    first.locator(NOTES).fill("The lamp hangs by a rope.")
    expect(second.locator(NOTES)).to_have_value("The lamp hangs by a rope.")
    with second.expect_response(lambda answer: answer.url.endswith("/notes/")) as answer:
        second.locator(NOTES).fill("The lamp fell.")
    assert answer.value.status == 200
    expect(first.locator(NOTES)).to_have_value("The lamp fell.")
    # Somebody who is writing keeps their own text, and sees the other's once it is saved.
    first.locator(NOTES).evaluate("each => { each.value = 'Half a wo'; }")
    with second.expect_response(lambda answer: answer.url.endswith("/notes/")) as answer:
        second.locator(NOTES).fill("Nobody saw it.")
    assert answer.value.status == 200
    first.wait_for_timeout(1500)
    expect(first.locator(NOTES)).to_have_value("Half a wo")
    first.locator(NOTES).press_sequentially("rd")
    expect(first.locator("#notes-state")).to_contain_text("Nobody saw it.")
    first.problems[:] = []


@pytest.mark.servers
def test_boxes_in_an_open_drawer_undo_no_blow(demo: Demo, page_for: Callable[..., Any]) -> None:
    desk = live(page_for(demo.people["storyteller"], demo.path, **DESK))
    begin(desk)
    masked = desk.locator(".order-row", has=desk.locator(".chip", has_text=MASK))
    struck, other = (each.get_attribute("data-who") or "" for each in (row_of(desk, "Marguerite"), masked))
    demo.do(Harm(other, 2, Damage.BASHING))
    desk.evaluate(DRAWER, f"{demo.path}form/boxes/?who={struck}")
    expect(desk.locator("#drawer [name=lethal]")).to_have_value("0")
    demo.do(Harm(struck, 3, Damage.LETHAL))
    expect(desk.locator(f"#row-{struck} .box.lethal")).to_have_count(3, timeout=30_000)
    desk.locator("#drawer [name=bashing]").fill("1")
    desk.locator("#drawer [name=reason]").fill("It was a fall.")
    with desk.expect_response(lambda answer: "/do/boxes" in answer.url) as answer:
        desk.get_by_role("button", name="Apply").click()
    assert answer.value.status == CONFLICT
    expect(desk.locator("#messages")).to_contain_text("try again")
    expect(desk.locator("#drawer [name=reason]")).to_have_value("It was a fall.")
    # Selecting somebody else shows their boxes and previous values.
    with desk.expect_response(lambda answer: "/form/boxes" in answer.url):
        desk.locator("#drawer [name=who]").select_option(other)
    expect(desk.locator("#drawer [name=bashing]")).to_have_value("2")
    desk.locator("#drawer [name=bashing]").fill("1")
    with desk.expect_response(lambda answer: "/do/boxes" in answer.url) as answer:
        desk.get_by_role("button", name="Apply").click()
    assert answer.value.status == 200
    expect(desk.locator(f"#row-{other} .box.bashing")).to_have_count(1)
    desk.problems[:] = [problem for problem in desk.problems if str(CONFLICT) not in problem]


CAME = """document.addEventListener("vesper:message", ({ detail }) => {
    if (!detail.startsWith("{")) document.documentElement.dataset.came = "";
})"""


def test_a_button_that_is_down_stays_until_it_is_up(demo: Demo, page_for: Callable[..., Any]) -> None:
    desk = live(page_for(demo.people["storyteller"], demo.path, **DESK))
    begin(desk)
    struck = row_of(desk, "Marguerite").get_attribute("data-who") or ""
    row = desk.locator(f"#row-{struck}")
    row.locator(".quick-open").hover()
    desk.evaluate(CAME)
    desk.mouse.down()
    demo.do(Harm(struck, 2, Damage.BASHING))
    expect(desk.locator("html[data-came]")).to_have_count(1)
    desk.mouse.up()
    expect(row.locator(".quick:popover-open")).to_be_visible()
    expect(row.locator(".box.bashing")).to_have_count(2)


def test_so_does_a_list_that_is_open(demo: Demo, desk: Any) -> None:
    desk.locator("#pane-log details summary", has_text="Filter").click()
    for select in ("#attack-form [name=at]", "#pane-log [name=log_kind]"):
        desk.locator(select).evaluate("each => { each.dataset.stays = ''; }")
        desk.locator(select).click()
        acting = desk.locator("#pane-bar").get_attribute("data-acting") or ""
        desk.evaluate(CAME)
        demo.do(Act())
        desk.evaluate("dispatchEvent(new Event('online'))")
        expect(desk.locator("html[data-came]")).to_have_count(1)
        desk.wait_for_timeout(600)
        expect(desk.locator(f"{select}[data-stays]:open")).to_have_count(1)
        desk.keyboard.press("Escape")
        expect(desk.locator("#pane-bar")).not_to_have_attribute("data-acting", acting)
        desk.evaluate("delete document.documentElement.dataset.came")


def test_so_does_one_while_another_press_is_answered(demo: Demo, desk: Any) -> None:
    row = desk.locator("#pane-order .order-row:not(.now)").last
    menu = desk.locator(f"#quick-{row.get_attribute('data-who')}")
    with holding(desk, "**/do/act") as held:
        desk.locator("#do-next").click()
    row.locator(".quick-open").hover()
    desk.mouse.down()
    with desk.expect_response(lambda answer: "/do/act" in answer.url):
        held.pop().continue_()
    desk.wait_for_timeout(500)
    desk.mouse.up()
    expect(menu).to_be_visible()


def test_a_plan_that_comes_under_a_press_waits_for_its_end(demo: Demo, page_for: Callable[..., Any]) -> None:
    desk = live(page_for(demo.people["storyteller"], demo.path, **DESK))
    begin(desk)
    target = desk.locator("#attack-form [name=at]")
    other = target.locator("option:not(:checked)").last.inner_text()
    with holding(desk, "**/attack/?**") as held:
        target.select_option(label=other)
    desk.locator("#attack-form [data-do=type-dice]").hover()
    desk.mouse.down()
    held.pop().continue_()
    with desk.expect_response(lambda answer: "/do/attack" in answer.url):
        desk.wait_for_timeout(500)
        desk.mouse.up()
    expect(desk.locator(".throw.wanted").first).to_be_visible()
    expect(desk.locator("#attack-form [name=at] option:checked")).to_have_text(other)
    expected_refusals(desk)


def test_the_plan_follows_the_distance_while_it_is_typed(demo: Demo, page_for: Callable[..., Any]) -> None:
    desk = live(page_for(demo.people["storyteller"], demo.path, **DESK))
    begin(desk)
    choose(desk, desk.locator("#attack-form [name=who]"), "Tam")
    distance = desk.locator("#attack-form [name=distance]")
    expect(desk.locator("#plan .breakdown").first).to_be_visible()
    distance.fill("900")
    expect(desk.locator("#plan")).to_contain_text("is more than twice")
    expect(distance).to_be_focused()
