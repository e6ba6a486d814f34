"""A character as a Foundry actor of the ruleset's counterpart.

What Foundry has no place for, and texts that it can't hold exactly, are in the actor's and the items' flags: reading
the file again gives the same sheet. Scars, lasting conditions and experience aren't taken along.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from campaigns import markdown
from characters import rulesets, tables
from characters.foundry.actors import FLAGS
from characters.foundry.leaves import bare
from characters.foundry.lists import labels_of
from characters.listings import Entry, entries_of, ticked_merits
from characters.models import Armor, CarriedWeapon, Character, Weapon, WornArmor
from characters.sheets import body_of, damage_type_of
from rules.model.entries import MERITS
from rules.model.foundry import Counterpart, GearItems, TraitItems
from rules.model.gear import Damage, Mode
from rules.model.sheet import Sheet, Trait
from rules.model.system import System

Tree = dict[str, Any]


def write(character: Character) -> bytes:
    """The file. The ruleset must have a counterpart."""
    return json.dumps(actor_of(character), ensure_ascii=False, indent=2).encode()


def actor_of(character: Character) -> Tree:
    """The actor: what is on the sheet, with the player's notes. The Storyteller's notes stay here."""
    ruleset = rulesets.ruleset_for(character.chronicle)
    assert ruleset.foundry is not None
    return _Writing(character, ruleset, ruleset.foundry).actor()


class _Writing:
    def __init__(self, character: Character, ruleset: System, found: Counterpart) -> None:
        self.character, self.ruleset, self.found = character, ruleset, found
        self.layout = ruleset.layout
        self.sheet: Sheet = body_of(character)
        self.like = self.layout.likes.get(character.kind, character.kind)
        self.system: Tree = {}
        self.own: Tree = {"kind": character.kind}
        self.items: list[Tree] = []

    def actor(self) -> Tree:
        found, word = self.found, self.found.word_for(self.like)
        for path, value in found.always.items():
            self.put(path, value)
        if found.kind_at:
            self.put(found.kind_at, word)
        self.put(found.concept[0], self.character.concept)
        self.own["concept"] = self.character.concept
        self.notes()
        self.details()
        self.traits()
        self.resources()
        self.harm()
        self.lists()
        self.gear()
        return {
            "name": self.character.name,
            "type": found.actor_type or word,
            "img": "icons/svg/mystery-man.svg",
            "system": self.system,
            "items": self.items,
            "effects": [],
            "flags": {FLAGS: self.own},
            "prototypeToken": {"name": self.character.name, "actorLink": True},
            "_stats": {"systemId": found.id},
        }

    def put(self, path: str, value: Any) -> None:
        put(self.system, path, value)

    def keep(self, part: str, key: str, value: Any) -> None:
        """Put into Vesper's flags what has no place in Foundry."""
        self.own.setdefault(part, {})[key] = value

    # -------------------------------------------------------------- texts

    def notes(self) -> None:
        self.put(self.found.notes, str(markdown.render(self.character.notes)))
        self.own["notes"] = self.character.notes

    def details(self) -> None:
        places = {each.detail: each for each in self.found.details}
        filled = self.character.details
        for detail in self.layout.details_for(self.character.kind, filled):
            text, place = filled.get(detail.key, ""), places.get(detail.key)
            if not text:
                continue
            self.keep("details", detail.key, text)
            if place and not detail.long:
                self.put(place.paths[0], place.words.get(text, text))

    # -------------------------------------------------------------- numbers

    def traits(self) -> None:
        items = {each.section: each for each in self.found.trait_items}
        for section in self.layout.for_kind(self.character.kind, self.sheet.traits):
            for place, group in enumerate(section.groups):
                for trait in group.traits:
                    self.trait(trait, items.get(section.key), place)

    def trait(self, trait: Trait, items: TraitItems | None, group: int) -> None:
        dots, place = self.layout.dots(self.sheet, trait.key), self.found.place_of(trait.key, self.like)
        special = self.sheet.specialties.get(trait.key, ())
        if place:
            for path, value in place.beside.items():
                self.put(path, value)
            self.put(place.paths[0], dots)
            if place.mod:
                self.put(place.mod, dots - place.base)
            if place.special:
                self.put(place.special, self.specialties(trait, special))
        elif items is None:
            self.keep("traits", trait.key, dots)
            if special:
                self.keep("specialties", trait.key, list(special))
        elif dots or special:
            item = self.item(str(trait.label), items.type, items.sorts[min(group, len(items.sorts) - 1)], items.beside)
            put(item["system"], items.dots, dots)
            if items.special:
                put(item["system"], items.special, self.specialties(trait, special))

    def specialties(self, trait: Trait, names: tuple[str, ...]) -> Any:
        if self.found.listed_specialties:
            return list(names)
        if any("," in name or ";" in name for name in names):
            self.keep("specialties", trait.key, list(names))
        return ", ".join(names)

    def resources(self) -> None:
        places = {each.resource: each for each in self.found.resources}
        for resource in self.layout.resources_for(self.character.kind):
            points, place = self.layout.points(self.sheet, resource.key), places.get(resource.key)
            if place is None:
                self.keep("resources", resource.key, points)
                continue
            self.put(place.paths[0], points)
            if place.most:
                self.put(place.most, self.layout.maximum(self.sheet, resource.key))

    def harm(self) -> None:
        marks = Counter(self.sheet.marks)
        counts = (marks[Damage.BASHING], marks[Damage.LETHAL], marks[Damage.AGGRAVATED])
        for path, number in self.found.harm.numbers(*counts, len(self.ruleset.health.levels(self.sheet))).items():
            self.put(path, number)

    # -------------------------------------------------------------- items

    def item(self, name: str, type: str, sort: str = "", beside: Mapping[str, Any] | None = None) -> Tree:  # noqa: A002
        system: Tree = {"type": sort} if sort else {}
        for path, value in (beside or {}).items():
            put(system, path, value)
        made: Tree = {"name": name, "type": type, "system": system, "effects": [], "flags": {}}
        self.items.append(made)
        return made

    def lists(self) -> None:
        merits = next((each for each in self.found.list_items if each.listing == MERITS), None)
        for key in ticked_merits(self.character, self.ruleset):
            label = next(str(merit.label) for merit in self.ruleset.merits if merit.key == key)
            if merits:
                self.item(label, merits.type, merits.sort, merits.beside)["flags"] = {FLAGS: {"merit": key}}
        for listing in self.layout.lists_for(self.character.kind):
            self.entries(listing.key, entries_of(self.character, self.ruleset, listing))

    def entries(self, listing: str, entries: Iterable[Entry]) -> None:
        items = next((each for each in self.found.list_items if each.listing == listing), None)
        traits = next((each for each in self.found.trait_items if each.listing == listing), None)
        branch = next((each for each in self.found.list_branches if each.listing == listing and each.written), None)
        for place, (name, dots) in enumerate(entries):
            if items:
                self.entry(listing, name, items.type, items.sort, items.beside, items.dots, dots, items.as_text)
            elif traits and bare(name) not in self.trait_names(traits):
                self.entry(listing, name, traits.type, traits.sorts[0], traits.beside, traits.dots, dots)
            elif branch:
                self.put(f"{branch.path}.own{place + 1}.{branch.label}", name)
                self.put(f"{branch.path}.own{place + 1}.{branch.dots}", dots)
            else:
                self.own.setdefault("lists", {}).setdefault(listing, []).append([name, dots])

    def entry(
        self,
        listing: str,
        name: str,
        type: str,  # noqa: A002
        sort: str,
        beside: Mapping[str, Any],
        path: str,
        dots: int,
        as_text: bool = False,  # noqa: FBT001, FBT002
    ) -> None:
        item = self.item(name, type, sort, beside)
        put(item["system"], path, str(dots) if as_text else dots)

    def trait_names(self, items: TraitItems) -> set[str]:
        """The names under which items of these sorts are Traits: entries called so can't be items."""
        groups = (group for section in self.layout.sections if section.key == items.section for group in section.groups)
        return {name for group in groups for trait in group.traits for name in labels_of(trait)}

    # -------------------------------------------------------------- gear

    def gear(self) -> None:
        for carried in self.character.weapons.all():
            self.piece(carried, carried.weapon, {"rounds": carried.rounds, "fault": carried.fault})
        for worn in self.character.armor.all():
            self.piece(worn, worn.armor, {"destroyed": worn.destroyed})

    def piece(self, carried: CarriedWeapon | WornArmor, row: Weapon | Armor, more: Mapping[str, Any]) -> None:
        known = _such(self.found, row)
        item = self.item(carried.shown_name, known.type)
        filled = {column: getattr(row, column) for column in tables.columns(type(row))}
        for column, paths in known.columns.items():
            put(item["system"], paths[0], self.column(row, column))
        if known.mode_at and isinstance(row, Weapon):
            word = next((word for word, mode in known.modes.items() if mode == row.mode), "")
            put(item["system"], known.mode_at, word or self.column(row, "ability") or "Melee")
        if known.rounds and isinstance(row, Weapon) and row.holds is not None:
            loaded = row.holds if more["rounds"] is None else more["rounds"]
            put(item["system"], known.rounds[0], loaded)
        own: Tree = {
            "item": row.name,
            "row": {column: value for column, value in filled.items() if _says_something(value)},
            **{key: value for key, value in more.items() if _says_something(value)},
        }
        if carried.name and bare(carried.name) == bare(row.name):
            own["named"] = True
        item["flags"] = {FLAGS: own}

    def column(self, row: Weapon | Armor, column: str) -> Any:
        """A column as Foundry shows it; what the ruleset takes for granted is spelled out."""
        if column == "range":
            ranges = [str(each) for each in row.range] if isinstance(row, Weapon) else []
            return int(ranges[0]) if len(ranges) == 1 else "/".join(ranges)
        value = getattr(row, column)
        if isinstance(row, Weapon) and column in ("attribute", "ability") and not value:
            return self.ruleset.attack.traits.get(Mode(row.mode), ("", ""))[column == "ability"].replace("_", "")
        if isinstance(row, Weapon) and column == "type":
            return damage_type_of(row).value
        return "" if value is None else value


def _such(found: Counterpart, row: Weapon | Armor) -> GearItems:
    """The items as which a row is written: those of its mode, or else any of hand weapons or of firearms."""
    if isinstance(row, Armor):
        return next(each for each in found.gear if each.armor)
    mode = Mode(row.mode)
    weapons = [each for each in found.gear if not each.armor]
    exact = (each for each in weapons if mode in (each.mode, *each.modes.values()))
    usual = Mode.MELEE if mode.close else Mode.FIREARM
    return next(exact, None) or next(each for each in weapons if each.mode == usual)


def _says_something(value: Any) -> bool:
    return value is not None and value is not False and value != ""


def put(tree: Tree, path: str, value: Any) -> None:
    """Set a value at a path, with the objects above it."""
    *above, last = path.split(".")
    for key in above:
        tree = tree.setdefault(key, {})
    tree[last] = value
