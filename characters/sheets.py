"""The bridge between this app's models and the sheets of the rules."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, replace
from typing import Any

from django.db.models import Prefetch

from characters import rulesets
from characters.models import Armor, CarriedWeapon, Character, Weapon, WornArmor
from rules.engine.phrases import Typed
from rules.model import gear
from rules.model.sheet import Injury, Scar, Sheet
from rules.model.system import System
from rules.model.wear import used, worn


def with_gear(characters: Any) -> Any:
    """Prefetch everything that `sheet_of` reads: three queries for any number of characters."""
    return characters.select_related("chronicle").prefetch_related(
        Prefetch("weapons", CarriedWeapon.objects.select_related("weapon")),
        Prefetch("armor", WornArmor.objects.select_related("armor")),
    )


def sheets_of(character_ids: Iterable[str]) -> dict[str, Sheet]:
    """The sheets of these characters by id, without unknown ids. Fights keep up with those in the bin too."""
    found = with_gear(Character.with_bin.filter(pk__in=list(character_ids)))
    return {character.pk: sheet_of(character) for character in found}


def sheet_of(character: Character) -> Sheet:
    """The character as a sheet of the rules. Weapons are keyed by the primary key of their carried row, as text.

    Traits that the character's kind doesn't have, such as a mortal's stored Disciplines, are left out.
    """
    ruleset = rulesets.ruleset_for(character.chronicle)
    sheet = Sheet(
        name=character.name,
        kind=character.kind,
        traits=traits_of_kind(ruleset, character.kind, character.traits),
        merits=frozenset(character.merits),
        resources=_resources_of_kind(ruleset, character.kind, character.resources),
        marks=tuple(gear.Damage(mark) for mark in character.marks),
        injuries=tuple(Injury(**injury) for injury in character.injuries),
        scars=tuple(Scar(**scar) for scar in character.scars),
        weapons=tuple(carried_weapon(carried) for carried in character.weapons.all()),
        armor=tuple(worn_armor(worn) for worn in character.armor.all()),
    )
    return sheet if character.is_npc else _named_by_player(sheet, character.pk)


def _named_by_player(sheet: Sheet, character: str) -> Sheet:
    """Mark a sheet's names as typed by a player, because one may be a guess at somebody else's name."""
    weapons = tuple(replace(weapon, name=Typed(weapon.name)) for weapon in sheet.weapons)
    armor = tuple(replace(worn, name=Typed(worn.name)) for worn in sheet.armor)
    return replace(sheet, name=Typed(sheet.name, character), weapons=weapons, armor=armor)


def traits_of_kind(ruleset: System, kind: str, traits: dict[str, int]) -> dict[str, int]:
    """The Traits of this kind, without stored ones that only other kinds have."""
    mine = {
        trait.key for section in ruleset.layout.for_kind(kind) for group in section.groups for trait in group.traits
    }
    foreign = {trait.key for trait in ruleset.layout.traits()} - mine
    return {key: dots for key, dots in traits.items() if key not in foreign}


def _resources_of_kind(ruleset: System, kind: str, resources: dict[str, int]) -> dict[str, int]:
    mine = {resource.key for resource in ruleset.layout.resources_for(kind)}
    foreign = {resource.key for resource in ruleset.layout.resources} - mine
    return {key: points for key, points in resources.items() if key not in foreign}


def carried_weapon(carried: CarriedWeapon) -> gear.Weapon:
    """A carried weapon for the rules: the table's values with the custom name, rounds and fault."""
    row = carried.weapon
    return weapon_of(
        row,
        name=carried.shown_name,
        key=str(carried.pk),
        rounds=row.holds if carried.rounds is None else carried.rounds,
        fault=gear.Fault(carried.fault) if carried.fault else None,
    )


def weapon_of(row: Weapon, **more: Any) -> gear.Weapon:
    """A row of the table for the rules; `more` overrides its values."""
    figures: dict[str, Any] = {
        "name": row.name,
        "mode": gear.Mode(row.mode),
        "damage": row.damage,
        "damage_from": row.damage_from,
        "type": damage_type_of(row),
        "form": row.form,
        "range": row.range,
        "rate": row.rate,
        "clip": row.clip,
        "rounds": row.holds,
        "chambered": row.chambered or 0,
        "automatic": row.automatic,
        "single_rounds": row.single_rounds,
        "size": row.size,
        "strength": row.strength,
        "initiative": row.initiative or 0,
        "again": row.again or 10,
        "attribute": row.attribute,
        "ability": row.ability,
        "difficulty": row.difficulty,
        "committed": row.committed,
        "aerodynamic": row.aerodynamic,
        "armor_piercing": row.armor_piercing or 0,
        "conceal": row.conceal,
        "two_handed": row.two_handed,
        "defense": row.defense or 0,
        "tags": frozenset(row.tags.split()),
        "note": row.note,
    }
    return gear.Weapon(**(figures | more))


def damage_type_of(row: Weapon) -> gear.Damage:
    """A weapon's damage type, or its ruleset's usual one if it doesn't state any (CD-DMG-2, WD-DMG-3)."""
    return gear.Damage(row.type) if row.type else rulesets.usual_damage(row.ruleset, row.name, row.mode)


def worn_armor(worn: WornArmor) -> gear.Armor:
    """Worn armour for the rules."""
    return armor_of(worn.armor, name=worn.shown_name, key=str(worn.pk), destroyed=worn.destroyed)


def armor_of(row: Armor, **more: Any) -> gear.Armor:
    """A row of the table for the rules; `more` overrides its values."""
    figures: dict[str, Any] = {
        "name": row.name,
        "rating": row.rating,
        "ballistic": row.ballistic,
        "covers": frozenset(row.covers.split()),
        "penalty": row.penalty or 0,
        "strength": row.strength,
        "defense": row.defense or 0,
        "speed": row.speed or 0,
        "weight": row.weight,
        "supernatural": row.supernatural,
        "power": row.power,
        "note": row.note,
    }
    return gear.Armor(**(figures | more))


def write_back(character_id: str, before: Sheet, sheet: Sheet, fight: str = "") -> bool:
    """Write a fight's effects to the rows: harm, resources, weapons' rounds and faults, destroyed armour.

    `before` is the old sheet: carried rows are only read if they differ from it. If the character isn't as `before`
    says, because something else changed it, the two changes are merged, so that no mark is lost. `fight` is the origin
    of scars that name none.

    Called inside the fight's transaction. Traits and names belong to the sheet's editors and stay. If the character is
    gone, or nothing changed, this is a no-op that doesn't increment the version. Returns whether the character's sheet
    now differs from the fight's.
    """
    character = Character.with_bin.select_for_update().filter(pk=character_id).first()
    if character is None:
        return False
    before, sheet = _placed(before, fight), _placed(sheet, fight)
    # A list, so that both calls run.
    used = [
        before.weapons != sheet.weapons and _write_weapons(character, before, sheet),
        before.armor != sheet.armor and _write_armor(character, sheet),
    ]
    moved = _moved(character, before, sheet)
    if moved:
        sheet = _merged(character, before, sheet)
    harm = _harm(sheet)
    resources = character.resources | dict(sheet.resources)
    there = {name: getattr(character, name) for name in harm}
    if any(used) or harm != there or resources != character.resources:
        for name, value in harm.items():
            setattr(character, name, value)
        character.resources = resources
        character.version += 1
        character.save(update_fields=[*harm, "resources", "version", "updated"])
    return moved


def _placed(sheet: Sheet, fight: str) -> Sheet:
    """The sheet with the fight in which its new scars were made."""
    return replace(sheet, scars=tuple(replace(scar, fight=scar.fight or fight) for scar in sheet.scars))


def _moved(character: Character, before: Sheet, sheet: Sheet) -> bool:
    """Whether harm or resources in the row are not as the fight knew them before."""
    harm, points = _harm(before), before.resources.keys() | sheet.resources.keys()
    return any(_unordered(getattr(character, name)) != _unordered(value) for name, value in harm.items()) or any(
        character.resources.get(key) != before.resources.get(key) for key in points
    )


def _unordered(harm: Iterable[Any]) -> list[str]:
    return sorted(repr(sorted(each.items()) if isinstance(each, dict) else each) for each in harm)


def _merged(character: Character, before: Sheet, sheet: Sheet) -> Sheet:
    ruleset = rulesets.ruleset_for(character.chronicle)
    return ruleset.health.fitted(replace(worn(sheet_of(character), before, sheet), shape=sheet.shape))


def _harm(sheet: Sheet) -> dict[str, list[Any]]:
    """The harm columns of a character's row, for boxes and for single injuries."""
    return {
        "marks": [mark.value for mark in sheet.marks],
        "injuries": [asdict(injury) for injury in sheet.injuries],
        "scars": [asdict(scar) for scar in sheet.scars],
    }


def _write_weapons(character: Character, was: Sheet, sheet: Sheet) -> bool:
    held = {weapon.key: weapon for weapon in sheet.weapons if weapon.key}
    known = {weapon.key: weapon for weapon in was.weapons if weapon.key}
    changed = []
    for carried in character.weapons.select_related("weapon"):
        weapon = held.get(str(carried.pk))
        if weapon is None:
            continue
        before = carried_weapon(carried)
        weapon = used(before, known[weapon.key], weapon) if weapon.key in known else weapon
        if (before.rounds, before.fault) != (weapon.rounds, weapon.fault):
            carried.rounds, carried.fault = weapon.rounds, weapon.fault.value if weapon.fault else ""
            changed.append(carried)
    CarriedWeapon.objects.bulk_update(changed, ["rounds", "fault"])
    return bool(changed)


def _write_armor(character: Character, sheet: Sheet) -> bool:
    destroyed = {armor.key: armor.destroyed for armor in sheet.armor if armor.key}
    rows = list(character.armor.all())
    changed = [each for each in rows if destroyed.get(str(each.pk), each.destroyed) != each.destroyed]
    for each in changed:
        each.destroyed = not each.destroyed
    WornArmor.objects.bulk_update(changed, ["destroyed"])
    return bool(changed)
