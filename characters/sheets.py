"""The bridge between this app's models and the sheets of the rules."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, replace
from typing import Any

from django.db.models import Prefetch, Q, QuerySet

from campaigns.models import Chronicle
from campaigns.prepared import Param, Prepared
from characters import changes, impairments, rulesets
from characters.listings import rated_merits, read_merits
from characters.models import Armor, CarriedWeapon, Character, Weapon, WornArmor
from rules.engine.phrases import Typed
from rules.model import gear
from rules.model.sheet import Injury, Lasting, Scar, Sheet
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
    """The character as a sheet of the rules. Weapons and armour have the keys of their carried rows.

    Traits that the character's kind doesn't have, such as a mortal's stored Disciplines, are left out.
    """
    sheet = replace(
        body_of(character),
        weapons=tuple(carried_weapon(carried) for carried in character.weapons.all()),
        armor=tuple(worn_armor(worn) for worn in character.armor.all()),
    )
    return sheet if character.is_npc else _named_by_player(sheet, character.pk)


def body_of(character: Character) -> Sheet:
    """The same without gear, which takes no query."""
    ruleset = rulesets.ruleset_for(character.chronicle)
    return Sheet(
        name=character.name,
        kind=character.kind,
        traits=traits_of_kind(ruleset, character.kind, character.traits),
        merits=read_merits(character, ruleset),
        specialties={key: tuple(names) for key, names in character.specialties.items()},
        resources=resources_of_kind(ruleset, character.kind, character.resources),
        marks=tuple(gear.Damage(mark) for mark in character.marks),
        injuries=tuple(Injury(**injury) for injury in character.injuries),
        scars=tuple(Scar(**scar) for scar in character.scars),
        impairments=impairments.read(character),
        lasting=tuple(Lasting(**each) for each in character.lasting),
        rated=rated_merits(character, ruleset),
    )


def _named_by_player(sheet: Sheet, character: str) -> Sheet:
    """Mark a sheet's names as typed by a player, because one may be a guess at somebody else's name."""
    weapons = tuple(replace(weapon, name=Typed(weapon.name)) for weapon in sheet.weapons)
    armor = tuple(replace(worn, name=Typed(worn.name)) for worn in sheet.armor)
    specialties = {key: tuple(map(Typed, names)) for key, names in sheet.specialties.items()}
    name = Typed(sheet.name, character)
    return replace(sheet, name=name, weapons=weapons, armor=armor, specialties=specialties)


def traits_of_kind(ruleset: System, kind: str, traits: dict[str, int]) -> dict[str, int]:
    """The Traits of this kind, without stored ones that only other kinds have."""
    mine = {trait.key for trait in ruleset.layout.traits_for(kind, traits)}
    foreign = {trait.key for trait in ruleset.layout.traits()} - mine
    return {key: dots for key, dots in traits.items() if key not in foreign}


def resources_of_kind(ruleset: System, kind: str, resources: dict[str, int]) -> dict[str, int]:
    """The resources that such a character has, without stored ones that only others have."""
    mine = {resource.key for resource in ruleset.layout.resources_for(kind)}
    foreign = {resource.key for resource in ruleset.layout.resources} - mine
    return {key: points for key, points in resources.items() if key not in foreign}


def carried_weapon(carried: CarriedWeapon) -> gear.Weapon:
    """A carried weapon for the rules: the table's values with the custom name, rounds and fault."""
    row = carried.weapon
    return weapon_of(
        row,
        name=carried.shown_name,
        key=carried.key,
        rounds=row.holds if carried.rounds is None else carried.rounds,
        fault=gear.Fault(carried.fault) if carried.fault else None,
    )


def weapon_table(chronicle: Chronicle) -> dict[str, Weapon]:
    """The weapons that a chronicle can use, by key: its own first, then its ruleset's common ones."""
    mine = Q(chronicle=None) | Q(chronicle=chronicle)
    rows = Weapon.objects.filter(mine, ruleset=chronicle.ruleset).order_by("id")
    return {str(row.pk): row for row in sorted(rows, key=lambda row: not row.is_own)}


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
    return armor_of(worn.armor, name=worn.shown_name, key=worn.key, destroyed=worn.destroyed)


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


@Prepared
def _locked() -> QuerySet[Character]:
    """A character, also in the bin, with the lock of its row."""
    return Character.with_bin.filter(pk=Param("character", Character)).select_for_update()


def write_back(
    character_id: str, before: Sheet, sheet: Sheet, fight: str = "", made: changes.Made | None = None
) -> bool:
    """Write a fight's effects to the rows: harm, resources, weapons' rounds and faults, destroyed armour.

    `before` is the old sheet: carried rows are only read if they differ from it. If the character isn't as `before`
    says, because something else changed it, the two changes are merged, so that no mark is lost. `fight` is the origin
    of scars and lasting conditions that name none. Outside fights, `made` is where the change came from.

    Called inside the fight's transaction. Traits and names belong to the sheet's editors and stay. If the character is
    gone, or nothing changed, this is a no-op that doesn't increment the version. Returns whether the character's sheet
    now differs from the fight's.
    """
    character = _locked.one(character=character_id)
    if character is None:
        return False
    before, sheet = placed(before, fight), placed(sheet, fight)
    was = {
        **(_write_weapons(character, before, sheet) if before.weapons != sheet.weapons else {}),
        **(_write_armor(character, sheet) if before.armor != sheet.armor else {}),
    }
    moved = _moved(character, before, sheet)
    if moved:
        sheet = _merged(character, before, sheet)
    written = {**_harm(sheet), "resources": character.resources | dict(sheet.resources)}
    was |= _differing(character, written)
    if was:
        _keep(character, was, written, fight, made)
    return moved


def _differing(character: Character, written: dict[str, Any]) -> dict[str, Any]:
    """The values in the row that what is written to it will change, by their names in the history."""
    found: dict[str, Any] = {}
    for column, value in written.items():
        before, after = (dict(changes.entries(column, each)) for each in (getattr(character, column), value))
        found |= {name: before.get(name) for name in {**before, **after} if before.get(name) != after.get(name)}
    return found


def _keep(
    character: Character, was: dict[str, Any], written: dict[str, Any], fight: str, made: changes.Made | None
) -> None:
    """Save a row that differs from before in `was`. A fight's changes are noted in it; others get a history row."""
    if made is None:
        changes.note_fight(character, was, fight)
    else:
        changes.settle_before(character, was)
    written = {name: value for name, value in written.items() if getattr(character, name) != value}
    for name, value in written.items():
        setattr(character, name, value)
    character.version += 1
    character.save(update_fields=[*written, "fought", "version", "updated"])
    if made is not None:
        changes.keep_made(character, was, fight, made)


def placed(sheet: Sheet, fight: str) -> Sheet:
    """The sheet with the fight that its new scars and lasting conditions are from."""
    return replace(
        sheet,
        # A scar from outside fights has no turn, and stays as it is in the row.
        scars=tuple(replace(scar, fight=scar.fight or (fight if scar.turn else "")) for scar in sheet.scars),
        lasting=tuple(replace(each, fight=each.fight or fight) for each in sheet.lasting),
    )


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
    return ruleset.health.fitted(
        replace(worn(sheet_of(character), before, sheet), shape=sheet.shape, powers=sheet.powers)
    )


def _harm(sheet: Sheet) -> dict[str, list[Any]]:
    """The harm columns of a character's row, for boxes and for single injuries, with what outlasts a fight."""
    return {
        "marks": [mark.value for mark in sheet.marks],
        "injuries": [asdict(injury) for injury in sheet.injuries],
        "scars": [asdict(scar) for scar in sheet.scars],
        "impairments": impairments.written(sheet.impairments),
        "lasting": [asdict(each) for each in sheet.lasting],
    }


def _write_weapons(character: Character, was: Sheet, sheet: Sheet) -> dict[str, Any]:
    """Write rounds and faults. Returns the values before, by their names in the history."""
    held = {weapon.key: weapon for weapon in sheet.weapons if weapon.key}
    known = {weapon.key: weapon for weapon in was.weapons if weapon.key}
    changed, values = [], {}
    for carried in character.weapons.select_related("weapon"):
        weapon = held.get(carried.key)
        if weapon is None:
            continue
        before = carried_weapon(carried)
        weapon = used(before, known[weapon.key], weapon) if weapon.key in known else weapon
        if (before.rounds, before.fault) != (weapon.rounds, weapon.fault):
            values[f"{changes.WEAPONS}{carried.key}"] = changes.weapon_value(carried)
            carried.rounds, carried.fault = weapon.rounds, weapon.fault.value if weapon.fault else ""
            changed.append(carried)
    CarriedWeapon.objects.bulk_update(changed, ["rounds", "fault"])
    return values


def _write_armor(character: Character, sheet: Sheet) -> dict[str, Any]:
    """The same for destroyed armour."""
    destroyed = {armor.key: armor.destroyed for armor in sheet.armor if armor.key}
    rows = list(character.armor.select_related("armor"))
    changed = [each for each in rows if destroyed.get(each.key, each.destroyed) != each.destroyed]
    values = {f"{changes.ARMOR}{each.key}": changes.armor_value(each) for each in changed}
    for each in changed:
        each.destroyed = not each.destroyed
    WornArmor.objects.bulk_update(changed, ["destroyed"])
    return values
