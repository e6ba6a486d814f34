"""From rows to the rules' sheet and back."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from characters import sheets
from characters.models import Character, Weapon
from characters.sheets import weapon_of
from rules.model.gear import Damage, Fault, Mode

pytestmark = pytest.mark.servers


def test_a_sheet_holds_what_the_rows_say(ilya: Character) -> None:
    sheet = sheets.sheets_of([ilya.pk])[ilya.pk]
    sabre, pistol = sheet.weapons
    assert (sheet.name, sheet.kind) == ("Ilya Voss", "vampire")
    assert sheet.traits["dexterity"] == 4
    assert sheet.resources == {"willpower": 4, "blood": 7}
    assert sheet.marks == (Damage.LETHAL, Damage.BASHING, Damage.BASHING)
    assert sabre.key == ilya.weapons.get(order=0).key
    assert (sabre.name, sabre.mode, sabre.damage, sabre.damage_from) == (
        "Grandfather's sabre",
        Mode.MELEE,
        2,
        "strength",
    )
    assert sabre.rounds is None
    assert (pistol.name, pistol.range, pistol.rate, pistol.clip) == ("Light pistol", (20,), 4, 17)
    assert (pistol.rounds, pistol.chambered, pistol.fault) == (9, 1, None)
    assert [(armor.name, armor.rating) for armor in sheet.armor] == [("Reinforced clothing", 1)]


def test_a_weapon_whose_rounds_nobody_counted_is_loaded(ilya: Character) -> None:
    ilya.weapons.update(rounds=None)
    assert sheets.sheet_of(ilya).weapons[1].rounds == 18


def test_reading_many_costs_no_more_queries_than_one(
    ilya: Character, chronicle: Any, django_assert_num_queries: Any
) -> None:
    others = [Character.objects.create(chronicle=chronicle, name=f"Thug {number}") for number in range(5)]
    with django_assert_num_queries(3):
        assert len(sheets.sheets_of([ilya.pk, *(other.pk for other in others)])) == 6


def test_what_a_fight_did_is_written_back(ilya: Character) -> None:
    before = sheets.sheet_of(ilya)
    fought = replace(
        before,
        marks=(Damage.AGGRAVATED, *before.marks),
        resources={"willpower": 3, "blood": 5},
        weapons=(before.weapons[0], replace(before.weapons[1], rounds=2, fault=Fault.JAMMED)),
        name="Somebody else",
        traits={},
    )
    sheets.write_back(ilya.pk, before, fought)
    ilya = Character.objects.get(pk=ilya.pk)
    assert ilya.marks == ["aggravated", "lethal", "bashing", "bashing"]
    assert ilya.resources == {"willpower": 3, "blood": 5}
    assert [(row.rounds, row.fault) for row in ilya.weapons.all()] == [(None, ""), (2, "jammed")]
    assert (ilya.name, ilya.version) == ("Ilya Voss", 2)
    assert ilya.traits["dexterity"] == 4
    after = sheets.sheet_of(ilya)
    assert after == replace(fought, name=before.name, traits=before.traits)


def test_writing_back_what_is_there_writes_nothing(ilya: Character) -> None:
    sheet = sheets.sheet_of(ilya)
    assert not sheets.write_back(ilya.pk, replace(sheet, weapons=(), armor=()), sheet)
    assert Character.objects.get(pk=ilya.pk).version == 1


def test_what_something_else_changed_meanwhile_is_merged(ilya: Character) -> None:
    known = replace(sheets.sheet_of(ilya), marks=())
    assert sheets.write_back(ilya.pk, known, replace(known, marks=(Damage.BASHING,)))
    assert Character.objects.get(pk=ilya.pk).marks == ["lethal", "bashing", "bashing", "bashing"]


def test_a_fault_that_was_mended_is_gone(ilya: Character) -> None:
    ilya.weapons.filter(order=1).update(fault="jammed")
    sheet = sheets.sheet_of(Character.objects.get(pk=ilya.pk))
    sheets.write_back(ilya.pk, sheet, replace(sheet, weapons=(replace(sheet.weapons[1], fault=None),)))
    assert ilya.weapons.get(order=1).fault == ""


@pytest.mark.django_db
def test_nobody_to_write_to_is_no_error() -> None:
    from rules.model.sheet import Sheet

    sheets.write_back("nosuchone1", Sheet("Ghost"), Sheet("Ghost"))


def test_a_mortals_leftover_disciplines_are_not_in_the_rules_sheet(ilya: Character) -> None:
    ilya.kind = "mortal"
    sheet = sheets.sheet_of(ilya)
    assert "auspex" not in sheet.traits
    assert "generation" not in sheet.traits
    assert sheet.traits["melee"] == 3
    assert sheet.resources == {"willpower": 4}


@pytest.mark.parametrize(
    ("ruleset", "lethal", "bashing"),
    [
        ("masquerade", {"firearm"}, {"melee", "thrown", "unarmed"}),
        ("apocalypse", {"firearm"}, {"melee", "thrown", "unarmed"}),
        ("darkness", {"firearm", "melee", "thrown", "archery"}, set()),
        ("chronicles", {"firearm", "melee", "thrown", "archery", "unarmed"}, set()),
    ],
)
def test_a_weapon_without_a_damage_type_does_its_rulesets_usual_one(
    ruleset: str, lethal: set[str], bashing: set[str]
) -> None:
    """CD-DMG-2, WD-DMG-3: lethal; in the classic rulesets, only firearms are."""
    done = {mode: weapon_of(Weapon(name="Thing", ruleset=ruleset, mode=mode)).type for mode in lethal | bashing}
    assert {mode for mode, damage in done.items() if damage is Damage.LETHAL} == lethal
    assert {mode for mode, damage in done.items() if damage is Damage.BASHING} == bashing
    assert weapon_of(Weapon(name="unarmed", ruleset=ruleset, mode="unarmed")).type is Damage.BASHING
    assert weapon_of(Weapon(name="Taser", ruleset=ruleset, mode="firearm", type="bashing")).type is Damage.BASHING
