"""Where weapons are carried: in hand, put away, on the ground."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.model.gear import Carried, Fault, Mode, Weapon
from rules.systems import RULESETS
from rules.systems.storytelling.first_edition.system import DARKNESS
from rules.topics.commands import ReviseSheet, SetCarried
from rules.topics.events import CarriedSet, WeaponChanged
from tests.rules.table import BOW, CLAWS, KNIFE, PISTOL, Table, does, mortal, only, strike_at

AXE = replace(KNIFE, name="axe", tags=frozenset({"thrown"}), key="7")


@pytest.mark.parametrize(
    ("weapon", "place"),
    [
        (PISTOL, Carried.HOLSTERED),
        (KNIFE, Carried.PUT_AWAY),
        (BOW, Carried.ON_THE_BACK),
        (replace(KNIFE, two_handed=True), Carried.ON_THE_BACK),
        (replace(PISTOL, size=3), Carried.ON_THE_BACK),
        (replace(PISTOL, conceal="N"), Carried.ON_THE_BACK),
        (replace(PISTOL, conceal="J", range=(150,)), Carried.HOLSTERED),
        (replace(PISTOL, range=(150,)), Carried.ON_THE_BACK),
    ],
)
def test_what_is_long_is_carried_on_the_back(weapon: Weapon, place: Carried) -> None:
    assert weapon.carried is Carried.IN_HAND
    assert replace(weapon, stowed=True).carried is place
    assert replace(weapon, hidden=True).carried is Carried.CONCEALED


@pytest.mark.parametrize("key", [key for key, system in RULESETS.items() if system.knows(SetCarried)])
def test_everything_is_in_hand_until_somebody_puts_it_away(key: str) -> None:
    """MQ-DRAW-1, AP-DRAW-1, WD-DRAW-1, WL-DRAW-1, CD-GUN-14: free before initiative."""
    rule = RULESETS[key].cites["drawing"]
    fight = Table(RULESETS[key], ann=mortal(weapons=(KNIFE, CLAWS)), bob=mortal())

    assert [weapon.name for weapon in fight.sheet("ann").in_hand] == ["knife"]
    fight.does(does("ann", "put_away"))
    assert not fight.sheet("ann").in_hand
    assert not fight.turn("ann").acted
    assert "Draw Knife first" in fight.refuses(rule, strike_at("ann", "bob", "knife"))
    fight.does(does("ann", "draw"))
    assert fight.weapon("ann", "knife").in_hand
    fight.refuses("input", does("ann", "put_away", weapon="claws"))


def test_newcomers_prepare_for_free_until_they_have_initiative() -> None:
    """WD-DRAW-1."""
    fight = Table(DARKNESS, ann=mortal(weapons=(KNIFE,)), bob=mortal())
    fight.initiative(ann=9, bob=1)

    fight.does(does("ann", "put_away"))
    fight.refuses("WD-TURN-1", does("ann", "draw"))


def test_the_storyteller_says_where_weapons_are() -> None:
    fight = Table(ann=mortal(weapons=(PISTOL, AXE, CLAWS, replace(BOW, fault=Fault.TAKEN))), bob=mortal())

    told = fight.does(SetCarried({"ann": {"pistol": "holstered", "7": "concealed"}}))
    assert [weapon.carried for weapon in only(CarriedSet, told).weapons] == ["holstered", "concealed"]
    assert (fight.weapon("ann", "pistol").stowed, fight.weapon("ann", "axe").hidden) == (True, True)
    assert fight.does(SetCarried({"ann": {"pistol": "on_the_back"}, "bob": {}})) == ()
    fight.does(SetCarried({"ann": {"pistol": "in_hand", "7": "in_hand"}}))
    assert [weapon.name for weapon in fight.sheet("ann").in_hand] == ["pistol", "axe"]
    for reference, place in (
        ("pistol", "in_a_drawer"),
        ("claws", "put_away"),
        ("bow", "in_hand"),
        ("sword", "in_hand"),
    ):
        fight.refuses("input", SetCarried({"ann": {reference: place}}))


def test_a_thrown_weapon_lies_on_the_ground() -> None:
    """MQ-DRAW-1: the Storyteller can give it back."""
    fight = Table(ann=mortal(weapons=(AXE, replace(AXE, name="hatchet", key="8"))), bob=mortal())

    fight.attacks("ann", "bob", "7", "thrown", distance=3, attack=[2])
    assert fight.weapon("ann", "axe").fault is Fault.DROPPED
    assert fight.weapon("ann", "axe").mode is Mode.MELEE
    assert fight.weapon("ann", "hatchet").in_hand
    fight.refuses("MQ-DRAW-1", strike_at("ann", "bob", "7"))
    fight.refuses("input", does("ann", "put_away", weapon="7"))
    fight.does(SetCarried({"ann": {"7": "in_hand"}}))
    assert fight.weapon("ann", "axe") == AXE


def test_a_supply_of_throwing_weapons_stays() -> None:
    """MQ-DRAW-1."""
    fight = Table(ann=mortal(weapons=(replace(AXE, mode=Mode.THROWN),)), bob=mortal())
    told = fight.does(strike_at("ann", "bob", "axe", distance=3), attack=[2])
    assert not [event for event in told if isinstance(event, WeaponChanged)]


def test_a_sheet_edited_elsewhere_draws_nothing() -> None:
    written = mortal(weapons=(AXE, replace(KNIFE, key="8"), replace(PISTOL, key="9")))
    fight = Table(ann=replace(written, weapons=written.weapons[:2]), bob=mortal())
    fight.does(SetCarried({"ann": {"7": "put_away", "8": "concealed"}}))

    fight.does(ReviseSheet("ann", written))
    assert [weapon.carried for weapon in fight.sheet("ann").weapons] == ["put_away", "concealed", "in_hand"]


def test_a_full_weapon_holds_its_clip_and_what_is_chambered():
    assert Weapon("Pistol", Mode.FIREARM, clip=7, chambered=1).capacity == 8
    assert Weapon("Knife", Mode.MELEE).capacity is None
