"""A whole fight in each ruleset, from a new chronicle to the end, with what is special in that ruleset.

Another ruleset takes a few lines: :func:`play` sets the table and begins the fight; then press buttons.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from tests.browser.hands import row_of
from tests.browser.table import DESK, PHONE, begin, expected_refusals, live, to_the_end_of_the_turn, type_dice

pytestmark = pytest.mark.django_db(transaction=True)

FIT = {"strength": 3, "dexterity": 3, "stamina": 3, "wits": 3, "composure": 3, "brawl": 3, "dodge": 2}


@dataclass
class Seats:
    """The Storyteller's desk and the phone of the player, who plays “Hero”; their opponent is “Foe”."""

    desk: Page
    phone: Page

    def press_next(self, label: str) -> None:
        self.desk.locator("button.next", has_text=label).click()
        expect(self.desk.locator("button.next", has_text=label)).to_have_count(0)

    def on_the_phone(self, label: str, submit: str = "", **fields: str) -> None:
        """Press a button in the list of possible actions; fill in and send its form, if it has one."""
        found = self.phone.locator(".me-do").get_by_text(label, exact=True)
        found.first.click()
        drawer = self.phone.locator("#drawer")
        for name, value in fields.items():
            field = drawer.locator(f"[name={name}]").last
            if field.evaluate("each => each.tagName") == "SELECT":
                field.select_option(value)
            elif field.get_attribute("type") == "radio":
                drawer.locator(f"[name={name}][value={value}]").check()
            else:
                field.fill(value)
        if submit:
            drawer.get_by_role("button", name=submit).click()
        expect(drawer).not_to_be_visible()

    def from_the_menu(self, name: str, label: str) -> None:
        """Open a form from somebody's menu on the desk."""
        row = row_of(self.desk, name)
        row.locator(".quick-open").click()
        row.locator(".quick").get_by_role("link", name=label).click()
        expect(self.desk.locator("#drawer")).to_be_visible()

    def reads(self, words: str) -> None:
        """Assert that both logs contain this."""
        for page in (self.desk, self.phone):
            expect(page.locator("#pane-log")).to_contain_text(words)

    def end(self) -> None:
        self.desk.get_by_label("More about this fight").click()
        self.desk.get_by_role("button", name="End the fight").click()
        expect(self.desk.get_by_role("heading", name="The fight is over")).to_be_visible()
        expect(self.phone.locator("#pane-bar")).to_contain_text("The fight is over")


Play = Callable[..., Seats]


@pytest.fixture
def play(page_for: Callable[..., Any], storyteller: Any, player: Any) -> Play:
    """play(ruleset, hero, foe) -> both seats, with the fight begun. `hero` and `foe` are fields of their sheets."""
    from campaigns.models import Chronicle, Membership, Role
    from characters.models import CarriedWeapon, Character, Weapon

    def from_the_start(ruleset: str, hero: dict[str, Any], foe: dict[str, Any]) -> Seats:
        desk = page_for(storyteller, reverse("campaigns:create"), **DESK)
        desk.get_by_label("Name").fill("Nocturne")
        desk.locator(f"[name=ruleset][value={ruleset}]").check()
        desk.get_by_role("button", name="Create the chronicle").click()
        expect(desk.get_by_role("heading", name="Nocturne")).to_be_visible()
        chronicle = Chronicle.objects.get()
        Membership.objects.create(chronicle=chronicle, user=player, role=Role.PLAYER)
        for name, owner, fields in (("Hero", player, hero), ("Foe", None, foe)):
            traits, carries = FIT | fields.pop("traits", {}), fields.pop("carries", {})
            made = Character.objects.create(chronicle=chronicle, name=name, owner=owner, traits=traits, **fields)
            if carries:
                weapon, _ = Weapon.objects.get_or_create(ruleset=ruleset, **carries)
                CarriedWeapon.objects.create(character=made, weapon=weapon)
        desk.goto(reverse("combat:create", args=[chronicle.pk]))
        desk.get_by_label("Name").fill("The bridge")
        desk.get_by_role("button", name="Create draft").click()
        for name in ("Hero", "Foe"):
            desk.locator("#cast li", has_text=name).get_by_role("button", name="Add").click()
            expect(desk.locator("#pane-order")).to_contain_text(name)
        begin(desk)
        phone = live(page_for(player, desk.url.partition("?")[0], **PHONE))
        return Seats(desk, phone)

    return from_the_start


def test_masquerade_gives_an_action_up_for_a_dodge(play: Play) -> None:
    """MQ-ABORT-1: the strike that was declared becomes a dodge, for a point of Willpower."""
    seats = play("masquerade", {"kind": "vampire", "traits": {"willpower": 5}}, {"kind": "mortal"})
    seats.press_next("Roll initiative")
    seats.from_the_menu("Foe", "Declare")
    seats.desk.locator("#drawer [name=out_of_order]").check()
    seats.desk.locator("#drawer").get_by_role("button", name="Declare").click()
    expect(seats.desk.locator("#drawer")).not_to_be_visible()
    seats.on_the_phone("Declare", "Declare", action_1="melee")
    seats.desk.locator("#attack-form [name=who]").select_option(label="Foe")
    expect(seats.desk.locator("#attack-form [name=at] option:checked")).to_have_text("Hero")
    seats.desk.locator("#attack-form [name=defence]").select_option("ask")
    seats.desk.get_by_role("button", name="Announce").click()
    expect(seats.phone.locator("#pane-asks")).to_contain_text("Foe attacks Hero")
    expect(seats.phone.locator("#pane-asks").get_by_role("button", name="Dodge")).to_have_count(0)
    seats.phone.locator(".me-do").get_by_text("Abort", exact=True).click()
    seats.phone.locator("#drawer").get_by_text("a Willpower point").click()
    seats.phone.get_by_role("button", name="Abort to a defence").click()
    seats.phone.locator("#pane-asks").get_by_role("button", name="Dodge").click()
    seats.reads("Foe attacks Hero")
    expect(seats.phone.locator(".resource", has_text="Willpower").locator("dd").first).to_have_text("4")
    to_the_end_of_the_turn(seats.desk)
    seats.end()


def test_apocalypse_knocks_down_and_rises(play: Play) -> None:
    """AP-SIT-8, AP-ORDER-3: a botch that knocks down, Rage for an extra action, and an action spent to stand up."""
    seats = play("apocalypse", {"kind": "garou", "traits": {"rage": 3, "willpower": 4}}, {"kind": "mortal"})
    seats.press_next("Roll initiative")
    seats.on_the_phone("Declare", "Declare", celerity="1")
    expect(seats.phone.locator(".resource", has_text="Rage").locator("dd").first).to_have_text("2")
    seats.from_the_menu("Hero", "Something else")
    seats.desk.locator("#drawer").get_by_role("link", name="Knocked down").click()
    seats.desk.locator("#drawer").get_by_role("button", name="Type dice").click()
    type_dice(seats.desk, {"check": "1"})
    expected_refusals(seats.desk)
    seats.reads("is knocked down")
    expect(seats.phone.locator("#pane-me .box.bashing")).to_have_count(1)
    expect(seats.phone.locator("#pane-me")).to_contain_text("prone")
    seats.phone.locator(".me-do").get_by_text("Something else", exact=True).click()
    seats.phone.locator("#drawer .action-list").get_by_role("button", name="Rise").click()
    expect(seats.phone.locator("#drawer")).not_to_be_visible()
    expect(seats.phone.locator("#pane-me .chip", has_text="prone")).to_have_count(0)
    to_the_end_of_the_turn(seats.desk)
    expect(seats.phone.locator("#pane-me .box.bashing")).to_have_count(0)
    seats.end()


def test_darkness_holds_an_action_over(play: Play) -> None:
    """WD-DELAY-3, WD-TURN-1, WD-SCENE-2: two stages, text for one player only, and an action held until the next
    turn."""
    seats = play("darkness", {"kind": "mortal"}, {"kind": "vampire"})
    expect(seats.desk.locator(".stages li")).to_have_text(["Initiative", "Attack"])
    seats.desk.get_by_label("More about this fight").click()
    seats.desk.get_by_role("link", name="Tell one or more players").click()
    seats.desk.locator("#drawer").get_by_label("Hero").check()
    seats.desk.locator("#drawer [name=text]").fill("You smell the river.")
    seats.desk.locator("#drawer button.primary").click()
    expect(seats.phone.get_by_role("region", name="Private messages")).to_contain_text("You smell the river.")
    seats.press_next("Roll initiative")
    seats.on_the_phone("Hold over to the next turn", "Hold over")
    seats.reads("holds")
    to_the_end_of_the_turn(seats.desk)
    seats.desk.locator("#attack-form [name=who]").select_option(label="Hero")
    expect(seats.desk.locator("#attack-form [name=at] option:checked")).to_have_text("Foe")
    seats.desk.get_by_role("button", name="Type dice").click()
    type_dice(seats.desk, {"attack": "8"})
    expected_refusals(seats.desk)
    seats.reads("Hero attacks Foe")
    seats.end()


def test_chronicles_answers_with_a_dodge_and_grapples(play: Play) -> None:
    """CD-DODGE-1, CD-INIT-3, CD-GRP-1: Defense doubled by a dodge, waiting for an event, and a grapple."""
    seats = play("chronicles", {"kind": "mortal"}, {"kind": "vampire"})
    seats.press_next("Roll initiative")
    seats.desk.locator("#attack-form [name=who]").select_option(label="Foe")
    expect(seats.desk.locator("#attack-form [name=at] option:checked")).to_have_text("Hero")
    aim, side = (seats.desk.locator(f"#attack-form [name=one_of_aim_at{of}]") for of in ("", "_side"))
    expect(side).to_be_hidden()
    aim.select_option(index=1)
    expect(side).to_be_visible()
    aim.select_option("")
    expect(side).to_be_hidden()
    seats.desk.locator("#attack-form [name=defence]").select_option("ask")
    seats.desk.get_by_role("button", name="Announce").click()
    asked = seats.phone.locator("#pane-asks")
    expect(asked).to_contain_text("Foe attacks Hero")
    expect(asked.get_by_role("button", name="Defense −3 dice")).to_be_visible()
    asked.get_by_role("button", name="Dodge").click()
    seats.reads("Foe attacks Hero")
    expect(seats.phone.locator("#pane-me .chip", has_text="dodging")).to_have_count(1)
    to_the_end_of_the_turn(seats.desk)
    expect(seats.phone.locator("#pane-me .chip", has_text="dodging")).to_have_count(0)
    seats.on_the_phone("Wait", "Wait", text="when the lights go out")
    expect(seats.desk.locator("#pane-order")).to_contain_text("when the lights go out")
    seats.from_the_menu("Hero", "Something else")
    seats.desk.locator("#drawer").get_by_role("link", name="Grapple", exact=True).click()
    seats.desk.locator("#drawer [name=at]").select_option(label="Foe")
    seats.desk.locator("#drawer").get_by_role("button", name="Type dice").click()
    type_dice(seats.desk, {"roll": "8", "resistance": "1"})
    expected_refusals(seats.desk)
    expect(seats.phone.locator("#pane-me .chip", has_text="grappled")).to_have_count(1)
    seats.end()


FIRE_AXE = {
    "name": "Old fire axe",
    "mode": "melee",
    "attribute": "strength",
    "ability": "melee",
    "difficulty": 6,
    "damage": 1,
}


def test_wounds_evades_and_clashes(play: Play) -> None:
    """WL-DEF-4, WL-DEF-5, WL-STUN-1, WL-SCAR-1: an evasion pool, two simultaneous attacks, and an ignored stun."""
    from characters.models import Character

    hero = {"traits": {"melee": 2, "willpower": 3}, "carries": FIRE_AXE}
    seats = play("wounds", hero, {"traits": {"melee": 2}, "carries": FIRE_AXE})
    seats.press_next("Roll initiative")
    expect(seats.phone.locator("#pane-bar")).to_contain_text("The turn begins")
    expect(seats.phone.locator(".me-do")).to_contain_text("Split the pool")
    seats.from_the_menu("Hero", "Something else")
    seats.desk.locator("#drawer").get_by_role("link", name="Evade").click()
    seats.desk.locator("#drawer").get_by_role("button", name="Type dice").click()
    type_dice(seats.desk, {"roll": "77222"})
    expected_refusals(seats.desk)
    expect(seats.phone.locator("#pane-me .chip", has_text="evades: 2 left")).to_be_visible()
    _foe_attacks(seats, "", "Type dice")
    type_dice(seats.desk, {"attack": "66223"})
    expected_refusals(seats.desk)
    expect(seats.phone.locator("#pane-me .chip", has_text="evades")).to_have_count(0)
    expect(seats.phone.locator("#pane-me .wound-level")).to_contain_text("0")
    to_the_end_of_the_turn(seats.desk)

    _foe_attacks(seats, "ask", "Ask, then type dice")
    seats.phone.locator("#pane-asks").get_by_role("button", name="Clash").click()
    seats.desk.get_by_role("link", name="Type dice").click()
    type_dice(seats.desk, {"attack": "66663", "defence": "66663"})
    expected_refusals(seats.desk)
    seats.reads("battle scar")
    seats.reads("The clash strikes back")
    expect(row_of(seats.desk, "Foe").locator(".wound-level")).to_contain_text("5")
    expect(seats.phone.locator("#pane-me .wound-level")).to_contain_text("5")
    expect(seats.phone.locator("#pane-me .injury.severe")).to_have_text("5 severe")
    theirs = row_of(seats.phone, "Foe")
    expect(theirs).to_contain_text("badly hurt")
    expect(theirs.locator(".wound-level, .injury")).to_have_count(0)
    expect(seats.phone.locator("#pane-me .chip", has_text="stunned")).to_be_visible()
    seats.phone.locator(".me-do").get_by_text("Ignore being stunned: 1 Willpower").click()
    seats.phone.locator("#drawer").get_by_role("button", name="Spend").click()
    expect(seats.phone.locator("#pane-me .chip", has_text="stunned")).to_have_count(0)
    expect(seats.phone.locator(".resource", has_text="Willpower").locator("dd").first).to_have_text("2")
    to_the_end_of_the_turn(seats.desk)
    seats.end()
    seats.phone.goto(reverse("characters:sheet", args=[Character.objects.get(name="Hero").pk]))
    expect(seats.phone.get_by_role("heading", name="Battle scars")).to_be_visible()
    expect(seats.phone.locator(".scars")).to_contain_text("Old fire axe")


def _foe_attacks(seats: Seats, defence: str, button: str) -> None:
    form = seats.desk.locator("#attack-form")
    form.locator("[name=who]").select_option(label="Foe")
    expect(form.locator("[name=at] option:checked")).to_have_text("Hero")
    expect(form.locator("[name=weapon] option:checked")).to_have_text("Old fire axe")
    form.locator("[name=defence]").select_option(defence)
    seats.desk.get_by_role("button", name=button).click()


def test_hollow_frightens_hurries_and_wears_down(play: Play) -> None:
    """HO-DREAD-1, HO-DREAD-2, HO-PACE-1, HO-PACE-2, HO-GRIT-1, HO-WOUND-1: a ruleset that is not part of Vesper."""
    from characters.models import Character

    foe = {"kind": "revenant", "traits": {"strength": 2, "brawl": 2}}
    seats = play("hollow", {"kind": "mortal", "traits": {"wits": 2, "stamina": 1, "nerve": 0}}, foe)
    for page in (seats.desk, seats.phone):
        expect(page.locator(".bar-signs")).to_have_text("Dread: 0")
    seats.on_the_phone("Choose a pace", "Choose a pace", pace="fast")
    expect(seats.phone.locator("#pane-me .chip", has_text="fast")).to_be_visible()
    expect(row_of(seats.desk, "Hero").locator(".chip", has_text="fast")).to_be_visible()
    seats.press_next("Hero")
    expect(seats.phone.locator("#pane-bar")).to_contain_text("Your turn")
    _attacks(seats, "Hero", "Foe", {"attack": "1222"})
    for page in (seats.desk, seats.phone):
        expect(page.locator(".bar-signs")).to_have_text("Dread: 1")
    seats.desk.get_by_role("button", name="Undo").click()
    expect(seats.phone.locator(".bar-signs")).to_have_text("Dread: 0")
    seats.desk.get_by_role("button", name="Redo").click()
    expect(seats.phone.locator(".bar-signs")).to_have_text("Dread: 1")
    seats.press_next("Foe")
    _attacks(seats, "Foe", "Hero", {"attack": "77772"}, mod_spend_dread_dice="1")
    # Dexterity 3 is Guard 2: a margin of 2 meets one point of Grit.
    seats.reads("Foe attacks Hero")
    for page in (seats.desk, seats.phone):
        expect(page.locator(".bar-signs")).to_have_text("Dread: 0")
    grit = seats.phone.locator("#pane-me .resource", has_text="Grit").locator("dd").first
    expect(grit).to_have_text("0")
    expect(seats.phone.locator("#pane-me .wound-level")).to_contain_text("1")
    to_the_end_of_the_turn(seats.desk)
    seats.press_next("Hero")
    seats.on_the_phone("Catch your breath")
    expect(grit).to_have_text("1")
    seats.end()
    seats.phone.goto(f"{seats.desk.url.partition('?')[0]}report/")
    expect(seats.phone.get_by_role("main")).to_contain_text("Dread is now 1.")
    seats.phone.goto(reverse("campaigns:rulebook", args=["hollow"]))
    expect(seats.phone.get_by_role("heading", name="Spending Dread")).to_be_visible()
    seats.phone.goto(reverse("characters:sheet", args=[Character.objects.get(name="Hero").pk]))
    expect(seats.phone.get_by_role("main")).to_contain_text("Guard")


def _attacks(seats: Seats, who: str, at: str, faces: dict[str, str], **fields: str) -> None:
    form = seats.desk.locator("#attack-form")
    form.locator("[name=who]").select_option(label=who)
    expect(form.locator("[name=at] option:checked")).to_have_text(at)
    for name, value in fields.items():
        form.locator(f"[name={name}]").fill(value)
    seats.desk.get_by_role("button", name="Type dice").click()
    type_dice(seats.desk, faces)
    expected_refusals(seats.desk)
