"""Validation of the tables' rows, with an error by the field, and the database's own constraints."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import RestrictedError
from django.utils import translation

from campaigns.models import Chronicle
from characters.models import Armor, CarriedWeapon, Character, Weapon
from characters.models.characters import Fault
from characters.models.gear import DamageType, Mode
from rules.model import gear

MELEE = {"ruleset": "masquerade", "name": "Thing", "mode": "melee", "damage": 1, "type": "lethal"}
GUN = {**MELEE, "mode": "firearm", "form": "ballistic", "range_short": 20, "rate": 2, "clip": 6}


def faults(model: Any, **values: Any) -> dict[str, list[str]]:
    try:
        model(**values).full_clean()
    except ValidationError as error:
        return error.message_dict
    return {}


def test_the_words_of_the_tables_are_those_of_the_rules() -> None:
    assert set(Mode.values) == set(gear.Mode)
    assert set(DamageType.values) == set(gear.Damage)
    assert set(Fault.values) == set(gear.Fault)


WEAPONS = [
    ({**GUN, "range_short": None}, "range_short", "A ballistic weapon needs a range."),
    ({**GUN, "form": "piercing", "range_short": None}, "range_short", "A bow or firearm needs a range."),
    (
        {**GUN, "mode": "archery", "form": "", "range_short": None},
        "range_short",
        "A bow or firearm needs a range.",
    ),
    ({**GUN, "rate": 0}, "rate", "Enter 1 or more."),
    ({**GUN, "clip": None}, "clip", "A firearm needs a clip. Enter how many rounds it holds."),
    (
        {**GUN, "mode": "thrown", "clip": None, "chambered": 1},
        "clip",
        "A loaded weapon needs a clip. Enter how many rounds it holds.",
    ),
    ({**GUN, "range_medium": 10}, "range_medium", "The medium range can’t be shorter than the short range."),
    ({**GUN, "range_long": 30}, "range_long", "The long range can’t be shorter than the medium range."),
    ({**MELEE, "form": "ballistic"}, "form", "The attack type “melee” can’t be ballistic. Choose another form."),
    (
        {**MELEE, "range_short": 5},
        "range_short",
        "The attack type “melee” has no range. Leave the range empty, or choose “thrown”.",
    ),
    ({**MELEE, "clip": 5}, "clip", "Only for ranged and thrown weapons. Leave it empty."),
    ({**MELEE, "automatic": True}, "automatic", "Only for bows and firearms. Turn it off."),
    ({**MELEE, "damage": -1}, "damage", "Enter 0 or more."),
    ({**MELEE, "difficulty": 11}, "difficulty", "Enter 10 or less."),
    ({**MELEE, "damage_from": "Strength!"}, "damage_from", "Enter the Trait in lower case, with _ for spaces."),
    ({**MELEE, "damage_from": "swagger"}, "damage_from", "This ruleset has no such Trait. Choose one from its sheet."),
    ({**MELEE, "tags": "silver cursed"}, "tags", "Unknown word: “cursed”."),
    ({**MELEE, "name": "  "}, "name", "Enter a name."),
    ({**MELEE, "name": "\u200b\u2060"}, "name", "This has no visible characters. Use letters or digits."),
    ({**MELEE, "name": "two\nlines"}, "name", "Use a single line for the name."),
    ({**MELEE, "mode": "psychic"}, "mode", "not a valid choice"),
    ({**MELEE, "ruleset": "checkers"}, "ruleset", "not a valid choice"),
]


def test_words_may_stand_with_commas_between_them(db: None) -> None:
    weapon = Weapon(**{**MELEE, "tags": " silver, fire,stake"})
    weapon.full_clean()
    assert weapon.tags == "silver fire stake"


@pytest.mark.parametrize(("values", "field", "sentence"), WEAPONS, ids=[f"{row[1]}-{row[2][:20]}" for row in WEAPONS])
def test_a_weapon_that_cannot_be_is_refused_by_the_field(
    db: None, values: dict[str, Any], field: str, sentence: str
) -> None:
    found = faults(Weapon, **values)
    assert sentence in " ".join(found[field])


def test_the_kind_of_weapon_is_said_in_the_readers_language(db: None) -> None:
    with translation.override("de"):
        (said,) = faults(Weapon, **MELEE, range_short=5)["range_short"]
        assert said.startswith("Die Angriffsart „Nahkampf“ hat keine Reichweite.")
        (said,) = faults(Weapon, **MELEE | {"mode": "unarmed", "form": "ballistic"})["form"]
        assert "„unbewaffnet“ kann nicht ballistisch sein." in said


def test_a_weapon_that_can_be_is_taken(db: None) -> None:
    assert faults(Weapon, **GUN, range_medium=40, range_long=80, chambered=1, tags="sniper  silver") == {}
    assert faults(Weapon, **MELEE, damage_from="strength") == {}


def test_armour_never_helps_by_its_penalty_and_covers_what_bodies_have(db: None) -> None:
    coat = {"ruleset": "masquerade", "name": "Coat", "rating": 1}
    assert faults(Armor, **coat, penalty=-1, covers="torso arms") == {}
    assert faults(Armor, **coat, penalty=1)["penalty"] == ["Enter 0 or less."]
    assert "Unknown word: “tail”." in faults(Armor, **coat, covers="tail")["covers"][0]


@pytest.mark.servers
def test_a_name_is_there_once_in_the_common_table_and_once_in_each_chronicle(chronicle: Chronicle) -> None:
    Weapon.objects.create(**MELEE)
    assert faults(Weapon, **MELEE | {"name": "THING"})["name"] == ["This name is already taken."]
    own = Weapon(**MELEE, chronicle=chronicle)
    own.full_clean()
    own.save()
    for more in ({}, {"chronicle": chronicle}):
        with pytest.raises(IntegrityError), transaction.atomic():
            Weapon.objects.create(**MELEE | {"name": "thing"}, **more)
    assert faults(Weapon, **MELEE | {"ruleset": "darkness"}) == {}


@pytest.mark.servers
@pytest.mark.parametrize(
    ("model", "values"),
    [
        (Weapon, {**MELEE, "damage": -1}),
        (Weapon, {**GUN, "rate": 0}),
        (Weapon, {**GUN, "clip": 0}),
        (Armor, {"name": "x", "ruleset": "y", "penalty": 1}),
        (Armor, {"name": "x", "ruleset": "y", "rating": -1}),
    ],
)
def test_the_database_keeps_what_cannot_be_out(db: None, model: Any, values: dict[str, Any]) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        model.objects.create(**values)


@pytest.mark.servers
def test_a_character_has_a_name(chronicle: Chronicle) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Character.objects.create(chronicle=chronicle, name="")


@pytest.mark.servers
def test_a_character_outlives_its_owners_account_and_is_then_the_storytellers(ilya: Character, player: Any) -> None:
    player.delete()
    ilya = Character.objects.get(pk=ilya.pk)
    assert ilya.is_npc
    assert ilya.weapons.count() == 2


@pytest.mark.servers
def test_a_carried_weapon_stays_and_a_chronicle_goes_with_all_it_has(ilya: Character, chronicle: Chronicle) -> None:
    fang = Weapon.objects.create(**MELEE | {"name": "Fang"}, chronicle=chronicle)
    CarriedWeapon.objects.create(character=ilya, weapon=fang)
    with pytest.raises(RestrictedError):
        fang.delete()
    chronicle.delete()
    assert not Weapon.objects.filter(name="Fang").exists()
    assert not CarriedWeapon.objects.exists()
    assert Weapon.objects.filter(name="Sword", ruleset="masquerade").exists()
