"""Whole fights with powers on the desk and a phone: a vampire's blood, claws, teeth and frenzy, and a Garou's Gifts."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.hands import row_of
from tests.browser.table import choose, expected_refusals, to_the_end_of_the_turn, type_dice
from tests.browser.test_systems import Play, Seats, play

pytestmark = pytest.mark.django_db(transaction=True)

__all__ = ["play"]


def power(seats: Seats, label: str) -> Locator:
    """A power's button on the phone."""
    return seats.phone.locator(".me-do .powers").locator("button, a").filter(has_text=label)


def chip(seats: Seats, label: str) -> Locator:
    """What is in effect on the phone's character."""
    return seats.phone.locator("#pane-me .me-now .chip", has_text=label)


def points(seats: Seats, label: str) -> Locator:
    return seats.phone.locator(".resource", has_text=label).locator("dd").first


def hero_attacks(seats: Seats, weapon: str, faces: dict[str, str], manoeuvre: str = "") -> None:
    """The Storyteller rolls the hero's attack with typed dice."""
    desk = seats.desk
    # From the menu, so that the form knows the claws that have grown.
    row_of(desk, "Hero").locator(".quick-open").click()
    row_of(desk, "Hero").locator(".quick [data-do=attack]").click()
    choose(desk, desk.locator("#attack-form [name=at]"), "Foe")
    weapons = desk.locator("#attack-form [name=weapon]")
    named = weapons.locator("option").filter(has_text=re.compile(weapon, re.IGNORECASE))
    choose(desk, weapons, named.first.inner_text())
    if manoeuvre:
        choose(desk, desk.locator("#attack-form [name=one_of_manoeuvre]"), manoeuvre)
    desk.get_by_role("button", name="Type dice").click()
    type_dice(desk, faces)
    expected_refusals(desk)


def rolls_on_the_desk(seats: Seats, label: str, faces: dict[str, str], **figures: str) -> None:
    """The Storyteller has the hero take an action that rolls, with typed dice."""
    seats.from_the_menu("Hero", "Something else")
    drawer = seats.desk.locator("#drawer")
    drawer.locator(".action-list").get_by_text(label).first.click()
    for name, value in figures.items():
        field = drawer.locator(f"[name=figure_{name}]").last
        field.select_option(value) if field.evaluate("each => each.tagName") == "SELECT" else field.fill(value)
    drawer.get_by_role("button", name="Type dice").click()
    type_dice(seats.desk, faces)
    expected_refusals(seats.desk)


def ends(seats: Seats) -> None:
    """End the fight, whose frenzy is asked about."""
    seats.desk.get_by_label("More about this fight").click()
    seats.desk.locator("#fight-menu").get_by_role("link", name="End the fight").click()
    seats.desk.locator("form.form-end").get_by_role("button", name="End the fight").click()
    expect(seats.phone.locator("#pane-bar")).to_contain_text("The fight is over")


def test_a_vampire_fights_with_blood_claws_teeth_and_the_beast(play: Play) -> None:
    """MQ-POW-2, MQ-POW-3, MQ-POW-4, MQ-BITE-1, MQ-FRZ-1."""
    hero = {
        "kind": "vampire",
        "traits": {"potence": 2, "protean": 2, "self_control": 3, "courage": 3, "willpower": 5, "generation": 8},
        "resources": {"blood": 10},
    }
    seats = play("masquerade", hero, {"kind": "mortal", "traits": {"willpower": 2}})
    assert seats.phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    seats.press_next("Roll initiative")

    # Blood and claws: a press each, with what they cost on the button.
    expect(power(seats, "Blood boost: Strength")).to_contain_text("1 blood")
    power(seats, "Blood boost: Strength").click()
    expect(chip(seats, "Blood boost · scene")).to_be_visible()
    expect(points(seats, "Blood")).to_have_text("9")
    power(seats, "Feral claws").click()
    expect(chip(seats, "Feral claws · scene")).to_be_visible()
    expect(points(seats, "Blood")).to_have_text("8")
    expect(row_of(seats.desk, "Hero")).to_contain_text("Feral claws")
    to_the_end_of_the_turn(seats.desk)

    # One success, no damage from the dice: Potence alone does two levels, aggravated.
    hero_attacks(seats, "claws", {"attack": "82222222", "damage": "2"})
    seats.reads("Hero attacks Foe")
    expect(row_of(seats.desk, "Foe").locator(".box.aggravated")).to_have_count(2)
    expect(seats.desk.locator("#pane-log")).to_contain_text("Potence")

    # The grip, then the teeth.
    to_the_end_of_the_turn(seats.desk)
    hero_attacks(seats, "bare hands", {"attack": "8"}, "Grapple")
    expect(row_of(seats.desk, "Foe")).to_contain_text("grappled")
    to_the_end_of_the_turn(seats.desk)
    hero_attacks(seats, "bare hands", {"attack": "8222222222", "damage": "2", "check": "2"}, "Bite")
    expect(row_of(seats.desk, "Foe").locator(".box.aggravated")).to_have_count(4)
    expect(chip(seats, "feeding")).to_be_visible()

    # A provocation too many.
    rolls_on_the_desk(seats, "Roll against frenzy", {"roll": "3"}, difficulty="9")
    expect(chip(seats, "in frenzy")).to_be_visible()
    chip(seats, "Blood boost").click()
    expect(chip(seats, "Blood boost")).to_have_count(0)
    ends(seats)
    expect(row_of(seats.desk, "Hero")).not_to_contain_text("Feral claws")


def test_a_garou_rolls_rage_and_uses_gifts(play: Play) -> None:
    """AP-FRZ-1, AP-POW-1: three Gifts from the phone, and a Rage roll that ends in frenzy."""
    hero = {
        "kind": "garou",
        "traits": {"rage": 5, "gnosis": 5, "willpower": 5, "survival": 2},
        "resources": {"rage": 5, "gnosis": 5, "willpower": 5},
        "merits": ["razor_claws", "resist_pain", "lunas_armor"],
    }
    seats = play("apocalypse", hero, {"kind": "mortal"})
    seats.press_next("Roll initiative")
    expect(power(seats, "Razor Claws")).to_contain_text("1 Rage")
    power(seats, "Razor Claws").click()
    expect(chip(seats, "Razor Claws · scene")).to_be_visible()
    expect(points(seats, "Rage")).to_have_text("4")
    power(seats, "Resist Pain").click()
    expect(chip(seats, "Resist Pain · scene")).to_be_visible()
    expect(points(seats, "Willpower")).to_have_text("4")
    to_the_end_of_the_turn(seats.desk)
    rolls_on_the_desk(seats, "Luna’s Armor", {"roll": "8"})
    expect(chip(seats, "Luna’s Armor · scene")).to_be_visible()
    expect(points(seats, "Gnosis")).to_have_text("4")
    rolls_on_the_desk(seats, "Rage", {"roll": "9"})
    expect(chip(seats, "in frenzy")).to_be_visible()
    seats.reads("Rage")
    assert seats.phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    ends(seats)
    expect(row_of(seats.desk, "Hero")).not_to_contain_text("Razor Claws")
