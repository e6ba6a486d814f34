"""The wall screen: shows everybody without scrolling, highlights only changes, and reports an ended link."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from combat.commands import drafts, perform
from combat.live import wall as walls
from combat.log import codec
from combat.models import Encounter
from rules.model.attack import Attack
from rules.model.gear import Damage
from rules.topics import commands
from tests.browser.table import Demo, live
from tests.combat.conftest import FixedDice, make_character

pytestmark = pytest.mark.django_db(transaction=True)

WAIVE = ["MQ-MULTI-1", "MQ-ORDER-1", "MQ-DECL-1"]
LONG = (
    "Father Bartholomew Featherstonehaugh-Cholmondeley",
    "Grigori Aleksandrovich Potemkin",
    "Sister Immaculata of the Bleeding Veil",
    "The woman with the burning hair",
    "Constable Pemberton-Smythe",
)


def who(demo: Demo, name: str) -> str:
    state = codec.load_state(Encounter.objects.get(pk=demo.encounter_id).state)
    return next(each.id for each in state.combatants.values() if each.sheet.name == name)


@pytest.fixture
def token(demo: Demo) -> str:
    chronicle = Encounter.objects.select_related("chronicle").get(pk=demo.encounter_id).chronicle
    for name in LONG:
        drafts.add_character(
            encounter_id=demo.encounter_id,
            actor=demo.people["storyteller"],
            character=make_character(chronicle, name),
        )
    return walls.open_wall(by=chronicle.memberships.get(user=demo.people["storyteller"]))


def cut(wall: Page) -> list[str]:
    """The rows whose content is cut off or outside the screen."""
    found: list[str] = wall.evaluate(
        """() => [...document.querySelectorAll(".order-row")].filter((row) => {
            const name = row.querySelector(".name");
            return row.getBoundingClientRect().bottom > innerHeight || row.scrollHeight > row.clientHeight + 1
                || name.scrollHeight > name.clientHeight + 2;
        }).map((row) => row.textContent.trim())"""
    )
    return found


@pytest.mark.parametrize("size", [(1366, 768), (1920, 1080)])
def test_twelve_with_long_names_stand_on_one_screen(
    demo: Demo, token: str, page_for: Callable[..., Any], size: tuple[int, int]
) -> None:
    demo.do(commands.Begin(), dice=FixedDice())
    demo.do(commands.RollInitiative(), dice=FixedDice())
    wall = live(page_for(None, f"/wall/{token}/", viewport={"width": size[0], "height": size[1]}))
    expect(wall.locator(".order-row")).to_have_count(12)
    assert wall.evaluate("document.documentElement.scrollHeight") <= size[1]
    assert cut(wall) == []


@pytest.mark.parametrize("stay", [5, 8])
def test_names_of_two_lines_have_room_where_few_stand_and_all_is_larger(
    demo: Demo, token: str, page_for: Callable[..., Any], stay: int
) -> None:
    state = codec.load_state(Encounter.objects.get(pk=demo.encounter_id).state)
    by_length = sorted(state.combatants.values(), key=lambda each: -len(each.sheet.name))
    for each in (by_length[0], *by_length[stay + 1 :]):  # the longest name doesn't fit into two lines
        demo.do(commands.Leave(each.id))
    demo.do(commands.Begin(), dice=FixedDice())
    demo.do(commands.RollInitiative(), dice=FixedDice())
    wall = live(page_for(None, f"/wall/{token}/", viewport={"width": 1366, "height": 768}))
    expect(wall.locator(".order-row", has=wall.locator(".state"))).not_to_have_count(0)
    assert cut(wall) == []


def test_only_what_changed_lights_up_and_dice_are_the_tables(
    demo: Demo, token: str, page_for: Callable[..., Any]
) -> None:
    demo.do(commands.Begin(), dice=FixedDice())
    demo.do(commands.RollInitiative(), dice=FixedDice())
    wall = live(page_for(None, f"/wall/{token}/", viewport={"width": 1366, "height": 768}))
    expect(wall.locator("[data-changed]")).to_have_count(0)
    demo.do(commands.Harm(who(demo, "Tam"), 1, Damage.LETHAL), dice=FixedDice())
    expect(wall.locator(".order-row[data-changed]")).to_contain_text("Tam")
    expect(wall.locator(".order-row[data-changed]")).to_have_count(1)
    # A player's dice are shown in full; of an NPC's only the effect.
    demo.do(Attack(who(demo, "Ilya Voss"), (who(demo, "Tam"),)), waive=WAIVE, dice=FixedDice())
    newest = wall.locator("#pane-log .entry").first
    expect(newest).to_contain_text("Ilya Voss attacks Tam")
    expect(newest.locator(".die").first).to_be_visible()
    demo.do(Attack(who(demo, "Thug 1"), (who(demo, "Ilya Voss"),)), waive=WAIVE, dice=FixedDice())
    expect(newest).to_contain_text("Thug 1 attacks Ilya Voss")
    expect(newest.locator(".roll", has_text="Thug 1")).to_have_count(0)
    # After an undo the wall shows the previous one, at its size.
    perform.undo(encounter_id=demo.encounter_id, actor=demo.people["storyteller"])
    before = wall.locator("#pane-log .entry:visible").first
    expect(before).to_contain_text("Ilya Voss attacks Tam")
    expect(before).to_have_attribute("data-size", re.compile("[0-3]"))
    expect(before.locator(".die").first).to_be_visible()


def test_it_waits_for_the_fight_and_says_when_its_link_was_ended(
    demo: Demo, token: str, page_for: Callable[..., Any]
) -> None:
    wall = page_for(None, f"/wall/{token}/", viewport={"width": 1366, "height": 768})
    expect(wall.locator(".wall-waits")).to_be_visible()
    demo.do(commands.Begin(), dice=FixedDice())
    expect(wall.locator(".order-row")).to_have_count(12)
    chronicle = Encounter.objects.select_related("chronicle").get(pk=demo.encounter_id).chronicle
    walls.close_wall(by=chronicle.memberships.get(user=demo.people["storyteller"]))
    expect(wall.get_by_role("heading", name="This link no longer works")).to_be_visible()
    wall.problems.clear()  # the 404 with the message
