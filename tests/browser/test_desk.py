"""The Storyteller's desk: the cost of an attack, a fight by keyboard alone, custom keys, moving rows, notes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from campaigns.models import NAME_LENGTH, Chronicle
from combat.commands import revising
from combat.commands.perform import undo
from rules.topics import commands
from tests.browser.table import DESK, expected_refusals, live, settled, type_dice
from tests.combat.conftest import Table, characters, draft, fight

__all__ = ["characters", "draft", "fight"]  # fixtures

pytestmark = pytest.mark.django_db(transaction=True)

MOST_KEYS, MOST_TAPS = 6, 4
"""Maximum keys for an attack on a defended NPC, from "next" to marked boxes."""

COUNTS = """() => {
    window.keys = 0; window.taps = 0;
    addEventListener("keydown", (event) => { if (event.isTrusted) window.keys += 1; }, true);
    addEventListener("touchstart", (event) => { if (event.isTrusted) window.taps += 1; }, true);
}"""


LONG = "Marguerite of the long galleries " * 3
"""A name as long as names may be, once it is cut."""

HEADER = """() => {
    const round = ({ left, right, top, bottom }) => [left, right, top, bottom].map(Math.round);
    const at = (element) => element && round(element.getBoundingClientRect());
    const bar = document.querySelector("header.bar");
    const those = ".mark, .bar-place, .turn-number, .stages > li, .live, .bar-notes > *, .bar-levers > *, .bar-account";
    const parts = [...bar.querySelectorAll(those)].filter((each) => each.offsetWidth > 1 && each.checkVisibility());
    const boxes = parts.map((each) => [each.className, ...at(each)]);
    const meet = ([, left, right, top, bottom], [, l, r, t, b]) => left < r && l < right && top < b && t < bottom;
    return {
        meet: boxes.filter((one, place) => boxes.slice(place + 1).some((each) => meet(one, each))),
        out: boxes.filter(([, left, right]) => left < 0 || right > innerWidth),
        height: bar.offsetHeight,
        next: at(document.querySelector("#do-next")),
        turn: at(document.querySelector(".turn-number"))[0],
        stages: [...document.querySelectorAll(".stages > li")].map((each) => at(each)[0]),
        wide: document.documentElement.scrollWidth,
    };
}"""
"""The parts of the header that overlap or are out of sight, and where it has what."""


def path(table: Table) -> str:
    return f"/encounters/{table.encounter_id}/"


@pytest.fixture
def ready(fight: Table, characters: dict[str, Any]) -> Table:
    """Ilya, who never misses and always does damage, is next to act."""
    ilya = characters["Ilya"]
    ilya.traits = ilya.traits | {"dexterity": 40, "melee": 40, "strength": 60}
    ilya.save()
    revising.revise_sheets(encounter_id=fight.encounter_id, characters=[ilya.pk])
    fight.do(commands.RollInitiative())
    others = tuple(who for who in fight.ids.values() if who != fight["Ilya"])
    fight.do(commands.SetOrder(((fight["Ilya"],), others)))
    return fight


def row(desk: Page, name: str) -> Locator:
    return desk.locator(".order-row", has=desk.get_by_role("link", name=name, exact=True))


def was_hit_though_they_dodged(desk: Page) -> None:
    hit = desk.locator(".order-row").filter(has=desk.locator(".box:is(.bashing, .lethal, .aggravated)"))
    expect(hit).to_have_count(1)
    expect(hit.locator("a.name")).not_to_contain_text("Ilya")
    expect(desk.locator("#pane-log .entry").first).to_contain_text("Dodge")


def test_an_attack_takes_few_keys(ready: Table, page_for: Callable[..., Any]) -> None:
    """Pressed at machine speed: each press waits for the previous one's response."""
    desk = live(page_for(ready.storyteller, path(ready), **DESK))
    desk.evaluate(COUNTS)
    for key in ("n", "f", "d", "Enter"):
        desk.keyboard.press(key)
    was_hit_though_they_dodged(desk)
    assert 0 < desk.evaluate("window.keys") <= MOST_KEYS


def test_with_a_defence_by_default_it_takes_two(ready: Table, page_for: Callable[..., Any]) -> None:
    npcs = tuple(ready[name] for name in ("Quintus Thornwald", "Thug 1", "Thug 2"))
    ready.do(commands.SetDefaultDefence(npcs, "dodge"))
    desk = live(page_for(ready.storyteller, path(ready), **DESK))
    desk.keyboard.press("n")
    desk.keyboard.press("r")
    was_hit_though_they_dodged(desk)


def test_an_attack_takes_few_taps(ready: Table, page_for: Callable[..., Any]) -> None:
    tablet = {"viewport": {"width": 1366, "height": 768}, "has_touch": True}
    desk = live(page_for(ready.storyteller, path(ready), **tablet))
    desk.evaluate(COUNTS)
    desk.locator("#do-next").tap()
    expect(desk.locator("#attack-form [name=who] option:checked")).to_have_text("Ilya")
    desk.locator("#attack-form [name=defence]").tap()
    with desk.expect_response(lambda answer: "/attack/plan/" in answer.url):
        desk.locator("#attack-form [name=defence]").select_option("dodge")
    desk.locator(".attack-foot .primary").tap()
    was_hit_though_they_dodged(desk)
    picked_from_the_list = 1  # the browser's own list is not part of the page
    assert picked_from_the_list < desk.evaluate("window.taps") + picked_from_the_list <= MOST_TAPS


def test_next_and_roll_never_rolls_for_the_last_one(ready: Table, page_for: Callable[..., Any]) -> None:
    desk = live(page_for(ready.storyteller, path(ready), **DESK))
    expect(desk.locator("#attack-form")).to_be_visible()
    desk.locator("#attack-form [name=who]").select_option(label="Thug 1")
    expect(desk.locator("#attack-form [name=who] option:checked")).to_have_text("Thug 1")
    desk.locator("#attack-form [name=who]").press("Escape")
    desk.keyboard.press("n")
    desk.keyboard.press("r")
    expect(desk.locator("#pane-log .entry").first).to_contain_text("Ilya")
    expect(desk.locator("#pane-log .entry").first).to_contain_text("Test sword")


# ------------------------------------------------------------------ by keyboard alone


def focused(desk: Page) -> str:
    return str(desk.evaluate("document.activeElement.id || document.activeElement.tagName"))


def is_seen(desk: Page) -> bool:
    """Whether the focused element is on the screen and marked."""
    return bool(
        desk.evaluate(
            """() => {
                const now = document.activeElement, box = now.getBoundingClientRect();
                const ring = (each) => getComputedStyle(each).outlineStyle !== "none";
                return now !== document.body && box.width > 0 && box.top >= 0 && box.bottom <= innerHeight
                    && (ring(now) || ring(now.closest(".card, label") || now));
            }"""
        )
    )


def test_the_focus_returns_to_what_was_drawn_again(draft: Table, page_for: Callable[..., Any]) -> None:
    """A push may put another element in place of the one that opened the drawer."""
    desk = live(page_for(draft.storyteller, path(draft), **DESK))
    opener = desk.locator(".order-row .name").first
    opener.focus()
    opener.press("Enter")
    expect(desk.locator("#drawer")).to_be_visible()
    opener.evaluate("element => element.replaceWith(element.cloneNode(true))")
    desk.keyboard.press("Escape")
    expect(desk.locator("#drawer")).not_to_be_visible()
    expect(opener).to_be_focused()


def test_a_fight_by_keyboard_alone(draft: Table, page_for: Callable[..., Any]) -> None:
    desk = live(page_for(draft.storyteller, path(draft), **DESK))
    keys = desk.keyboard.press
    log = desk.locator("#pane-log .entry").first
    keys("n")
    expect(desk.locator("#attack-form")).to_be_visible()
    live(desk)
    keys("n")
    expect(log).to_contain_text("Initiative")
    # Select somebody, declare for them and move them; they keep the focus throughout.
    keys("j")
    keys("j")
    expect(desk.locator(".order-row.picked .name:focus")).to_have_count(1)
    picked = focused(desk)
    assert picked.startswith("name-")
    assert is_seen(desk)
    keys("e")
    expect(desk.locator("#drawer-title")).to_have_text("Declare")
    keys("Escape")
    expect(desk.locator("#drawer")).not_to_be_visible()
    expect(desk.locator(f"#{picked}")).to_be_focused()
    before = desk.locator(".order-row .name").all_inner_texts()
    keys("Alt+ArrowUp")
    expect(desk.locator("#pane-log .entry").first).to_contain_text("order")
    assert desk.locator(".order-row .name").all_inner_texts() != before
    expect(desk.locator(f"#{picked}")).to_be_focused()
    # Damage, a condition, hidden and shown.
    keys("d")
    expect(desk.locator("#drawer [name=amount]")).to_be_focused()
    desk.keyboard.type("2")
    keys("Enter")
    expect(log).to_contain_text("takes 2 lethal")
    expect(desk.locator(f"#{picked}")).to_be_focused()
    keys("v")
    who = picked.removeprefix("name-")
    expect(desk.locator(f"#row-{who} .chip", has_text="hidden")).to_be_visible()
    keys("v")
    expect(desk.locator(f"#row-{who} .chip", has_text="hidden")).to_have_count(0)
    assert is_seen(desk)
    keys("u")
    expect(desk.locator("#pane-log .undone")).to_have_count(1)
    keys("U")
    expect(desk.locator("#pane-log .undone")).to_have_count(0)
    expect(desk.locator(f"#{picked}")).to_be_focused()
    # Add somebody and write a note; Escape leaves the field and returns to the keys.
    keys("/")
    desk.keyboard.type("2 thugs")
    keys("Enter")
    expect(row(desk, "Thug 4")).to_be_visible()
    expect(desk.locator("#id_words")).to_have_value("")
    desk.keyboard.type("2 ogres")
    keys("Enter")
    expect(desk.locator("#quick-add-said")).to_contain_text("No character is called")
    expect(desk.locator("#id_words")).to_be_focused()
    offer, add = (desk.locator("#quick-add").get_by_role("button", name=name) for name in ("Create", "Add"))
    expect(offer).to_be_visible()
    expect(add).to_be_hidden()
    keys("Enter")
    expect(row(desk, "Ogre 2")).to_be_visible()
    expect(offer).to_have_count(0)
    expect(add).to_be_visible()
    # Typing replaces the suggested name.
    desk.keyboard.type("2 imps")
    keys("Enter")
    expect(offer).to_be_visible()
    desk.keyboard.type("s")
    expect(offer).to_have_count(0)
    expect(add).to_be_visible()
    expected_refusals(desk)
    keys("Escape")
    keys("b")
    with desk.expect_response(lambda answer: answer.url.endswith("/notes/")):
        desk.keyboard.type("jk: the Ogres flee.")
    keys("Escape")
    # The first in turn order attacks with typed dice.
    keys("n")
    expect(desk.locator(".order-row.now").first).to_be_visible()
    keys("f")
    desk.keyboard.press("d")
    keys("Escape")
    keys("t")
    expect(desk.locator(".throw.wanted .face").first).to_be_focused()
    assert is_seen(desk)
    type_dice(desk, {"attack": "8", "defence": "2", "damage": "8", "soak": "2"})
    expected_refusals(desk)
    expect(log).to_contain_text("attack", ignore_case=True)
    assert focused(desk) != "BODY"
    # Undo all of that, after a preview; then end the fight.
    desk.locator("#pane-log .back-to").last.focus()
    keys("Enter")
    expect(desk.locator("#drawer-title")).to_have_text("Back to here")
    keys("Escape")
    desk.get_by_label("More about this fight").focus()
    keys("Enter")
    desk.get_by_role("button", name="End the fight").focus()
    keys("Enter")
    expect(desk.get_by_role("heading", name="The fight is over")).to_be_visible()
    desk.reload()
    expect(desk.locator("#notes_text")).to_have_value("jk: the Ogres flee.")


# ------------------------------------------------------------------ keys, rows


def test_keys_are_given_away_refused_and_switched_off(ready: Table, page_for: Callable[..., Any]) -> None:
    desk = live(page_for(ready.storyteller, path(ready), **DESK))
    desk.keyboard.press("?")
    field = desk.locator("#id_key_next")
    expect(field).to_be_focused()
    desk.keyboard.press("u")
    desk.keyboard.press("Enter")
    expect(desk.locator("#drawer .form-errors")).to_contain_text("“u” is used more than once")
    expected_refusals(desk)
    field.focus()
    desk.keyboard.press("N")
    desk.keyboard.press("Enter")
    expect(desk.locator("#drawer")).not_to_be_visible()
    expect(desk.locator("#do-next kbd")).to_have_text("N")
    expect(desk.locator("#do-next")).to_have_attribute("aria-keyshortcuts", "Shift+N")
    # It also works on the account's next device; the old key does nothing now.
    other = live(page_for(ready.storyteller, path(ready), **DESK))
    other.keyboard.press("n")
    other.keyboard.press("N")
    expect(other.locator(".order-row.now")).to_contain_text("Ilya")
    expect(other.locator("#pane-log .entry", has_text="acts")).to_have_count(1)
    other.keyboard.press("?")
    other.locator("#id_on").uncheck()
    other.get_by_role("button", name="Save shortcuts").click()
    expect(other.locator("#do-next kbd")).to_be_hidden()
    other.keyboard.press("?")
    other.wait_for_timeout(300)
    expect(other.locator("#drawer")).not_to_be_visible()


def test_rows_are_dragged(ready: Table, page_for: Callable[..., Any]) -> None:
    desk = live(page_for(ready.storyteller, path(ready), **DESK))
    rows = desk.locator(".order-row")
    rows.first.drag_to(rows.last, target_position={"x": 80, "y": 40})
    expect(rows.last).to_contain_text("Ilya")
    rows.last.drag_to(rows.first, target_position={"x": 80, "y": 4})
    expect(rows.first).to_contain_text("Ilya")


def test_what_is_open_of_an_attack_stays_open_for_another_target(ready: Table, page_for: Callable[..., Any]) -> None:
    desk = live(page_for(ready.storyteller, path(ready), **DESK))
    desk.locator("#attack-figures summary").click()
    target = desk.locator("#attack-form [name=at]")
    for each in target.locator("option:not(:checked)").all()[:2]:
        with desk.expect_response(lambda answer: "/attack/" in answer.url):
            target.select_option(str(each.get_attribute("value")))
        settled(desk)
        expect(desk.locator("#attack-figures")).to_have_attribute("open", "")


def test_half_typed_words_to_add_outlive_what_others_do(ready: Table, page_for: Callable[..., Any]) -> None:
    desk = live(page_for(ready.storyteller, path(ready), **DESK))
    desk.locator("#id_words").fill("3 th")
    desk.locator("#do-next").click()
    expect(desk.locator(".order-row.now")).to_contain_text("Ilya")
    expect(desk.locator("#id_words")).to_have_value("3 th")


@pytest.mark.parametrize("locale", ["en-GB", "de-DE"])
def test_the_header_stays_in_place_with_the_longest_names(
    draft: Table, page_for: Callable[..., Any], locale: str
) -> None:
    name = LONG[: NAME_LENGTH - 3]
    Chronicle.objects.update(name=name)
    type(draft.storyteller).objects.filter(pk=draft.storyteller.pk).update(first_name=name)
    for number, (who, one) in enumerate(draft.state.combatants.items(), 1):
        draft.do(commands.ReviseSheet(who, replace(one.sheet, name=f"{name} {number}")))
    desk = page_for(draft.storyteller, None, locale=locale, **DESK)
    found = []

    def measure() -> None:
        desk.goto(path(draft))
        live(desk)
        desk.evaluate("() => document.fonts.ready")
        found.append(desk.evaluate(HEADER))

    measure()
    draft.begin()
    measure()
    draft.do(commands.RollInitiative())
    measure()
    expect(desk.locator(".next-reminder")).to_contain_text(name[:10])
    draft.do(commands.Act(), waive=["MQ-DECL-1"])
    measure()
    undo(encounter_id=draft.encounter_id, actor=draft.storyteller)
    measure()
    expect(desk.locator("#do-redo")).to_be_visible()
    draft.do(commands.Pause())
    measure()
    assert [each["meet"] for each in found] == [[]] * len(found)
    assert [each["out"] for each in found] == [[]] * len(found)
    assert len({each["height"] for each in found}) == 1
    assert len({each["turn"] for each in found}) == 1
    assert len({tuple(each["stages"]) for each in found[1:-1]}) == 1
    # A draft has fewer buttons beside it.
    assert len({tuple(each["next"]) for each in found[1:-1]}) == 1
    assert {each["wide"] for each in found} == {DESK["viewport"]["width"]}
