"""A chronicle's library of antagonists: its own templates, then those of its ruleset that none of them replaces.

For Storytellers only. A shipped template is read from its file and has no row until the chronicle changes it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.conf import settings
from django.db.models import F, Q
from django.utils.translation import gettext as _

from campaigns.models import Chronicle
from campaigns.words import said
from characters import rulesets
from characters.listings import in_a_line, kept_entries, merit_keys
from characters.models import Armor, Character, Gear, Template, Weapon
from characters.people import on_shelf, sheet_data
from characters.services import SheetData
from characters.sheets import armor_of, sheet_of, traits_of_kind, weapon_of
from characters.words import merit_label, unhyphenated
from rules.model.growing import grown
from rules.model.people import TEMPLATES, Item, Person, people
from rules.model.plain import plain_traits
from rules.model.pools import HEALTH, labels
from rules.model.sheet import Category, Sheet
from rules.model.system import System

GROUP = "template:"
"""Prefix of the group of combatants that were made from a template; the template's key follows it."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A template of the library. `own` is the id of the chronicle's row, "" for a shipped one.

    `names` are those by which it is found, of one and of several, in each language.
    """

    person: Person
    names: tuple[str, ...]
    own: str = ""

    @property
    def group(self) -> str:
        """The group of the combatants made from it."""
        return f"{GROUP}{self.own or self.person.key}"


def library(chronicle: Chronicle) -> tuple[Entry, ...]:
    """The templates that a chronicle's Storytellers can use, in the reader's language."""
    rows = list(Template.objects.filter(chronicle=chronicle))
    own = [Entry(one, _names(one), one.key) for one in map(person_of, rows)]
    replaced = {row.shipped for row in rows}
    ruleset = rulesets.ruleset_for(chronicle)
    said = [{one.key: one for one in people(ruleset, TEMPLATES, code)} for code, _name in settings.LANGUAGES]
    shipped = [
        Entry(one, _names(one, *(each[one.key] for each in said)))
        for one in on_shelf(chronicle, TEMPLATES)
        if one.key not in replaced
    ]
    return (*own, *shipped)


def shipped_or_none(chronicle: Chronicle, key: str) -> Person | None:
    """The ruleset's template with this key, in the reader's language."""
    return next((one for one in on_shelf(chronicle, TEMPLATES) if one.key == key), None)


def fight_sheet(chronicle: Chronicle, person: Person) -> Sheet:
    """A template as the rules see it. Gear that is no longer in the tables is left out."""
    return fight_sheets(chronicle, [person])[0]


def fight_sheets(chronicle: Chronicle, persons: Sequence[Person]) -> list[Sheet]:
    """Several templates as the rules see them, with two queries for their gear."""
    weapons, armor = (
        {row.name: row for row in usable(model, chronicle).filter(name__in=names)}
        for model, names in (
            (Weapon, {item.item for one in persons for item in one.weapons}),
            (Armor, {item.item for one in persons for item in one.armor}),
        )
    )
    ruleset = rulesets.ruleset_for(chronicle)
    return [
        Sheet(
            name=one.name,
            kind=one.kind,
            traits=traits_of_kind(ruleset, one.kind, _traits(ruleset, one)),
            merits=frozenset(one.merits),
            specialties=dict(one.specialties),
            resources=dict(one.resources),
            weapons=tuple(weapon_of(weapons[each.item]) for each in one.weapons if each.item in weapons),
            armor=tuple(armor_of(armor[each.item]) for each in one.armor if each.item in armor),
            pools=dict(one.pools),
        )
        for one in persons
    ]


def usable(model: type[Gear], chronicle: Chronicle) -> Any:
    """The rows of a table that a chronicle can use, its own last, so that they replace common ones of the same name."""
    mine = Q(chronicle=None) | Q(chronicle=chronicle)
    return model._default_manager.filter(mine, ruleset=chronicle.ruleset).order_by(F("chronicle").asc(nulls_first=True))


def full_sheet(chronicle: Chronicle, person: Person) -> SheetData:
    """A template as a whole sheet, with its fixed pools turned into Traits and kept in the Storyteller's notes."""
    ruleset = rulesets.ruleset_for(chronicle)
    traits = grown(ruleset, person.kind, _traits(ruleset, person), person.pools)
    return replace(
        sheet_data(chronicle, replace(person, traits=traits)),
        storyteller_notes=pools_in_words(ruleset, person.pools),
    )


def pools_in_words(ruleset: System, pools: Mapping[str, int]) -> str:
    """Pools as one line, in the reader's language: “Attack 6, Dodge 5”."""
    named = pool_labels(ruleset)
    return ", ".join(f"{named.get(key, key)} {dice}" for key, dice in pools.items())


def pool_labels(ruleset: System) -> dict[str, str]:
    """The names of all fixed pools of a ruleset in the reader's language, without soft hyphens."""
    health = {} if ruleset.health.one_by_one else {HEALTH: rulesets.health_label()}
    return {key: unhyphenated(said(label)) for key, label in {**labels(ruleset), **health}.items()}


def _traits(ruleset: System, person: Person) -> dict[str, int]:
    """The dots; with fixed pools, or without any dots, the others are an ordinary person's."""
    plain = plain_traits(ruleset, person.kind) if person.pools or not person.traits else {}
    return plain | dict(person.traits)


def kept_in_words(ruleset: System, person: Person) -> tuple[str, ...]:
    """The specialties, Merits and lists of a template, which its form only shows, a line each."""
    layout = ruleset.layout
    special = (
        f"{unhyphenated(said(layout.trait(key).label))} ({', '.join(names)})"
        for key, names in person.specialties.items()
    )
    listed = {said(each.label): map(in_a_line, person.lists.get(each.key, ())) for each in layout.lists}
    named = {key for each in layout.lists if each.read for key in merit_keys(_names_in(person, each.key), ruleset)}
    merits = (merit_label(key, ruleset) for key in person.merits if key not in named)
    lines = {_("Specialties"): special, _("Merits used by the rules"): merits, **listed}
    told = ((label, ", ".join(entries)) for label, entries in lines.items())
    return tuple(f"{label}: {entries}" for label, entries in told if entries)


def _names_in(person: Person, listing: str) -> Iterator[str]:
    return (name for name, _dots in person.lists.get(listing, ()))


def template_of(character: Character) -> Person:
    """What a template made from a character begins with: kind, Traits, Merits, specialties, lists and gear.

    Wounds, points, identity, notes and own names of gear stay with the character.
    """
    ruleset = rulesets.ruleset_for(character.chronicle)
    layout, there = ruleset.layout, sheet_of(character)
    groups = (group for section in layout.for_kind(character.kind) for group in section.groups)
    every = {trait.key: trait for group in groups for trait in group.traits}
    kept = {listing.key: kept_entries(character, listing.key) for listing in layout.lists_for(character.kind)}
    return Person(
        key="",
        name=character.name,
        kind=character.kind,
        traits={
            key: there.traits[key]
            for key, trait in every.items()
            if key in there.traits and (trait.category is Category.ATTRIBUTE or there.traits[key] != trait.default)
        },
        merits=tuple(character.merits),
        specialties={key: tuple(names) for key, names in character.specialties.items() if key in every},
        lists={key: tuple(entries) for key, entries in kept.items() if entries},
        weapons=tuple(Item(row.weapon.name) for row in character.weapons.all()),
        armor=tuple(Item(row.armor.name) for row in character.armor.all()),
    )


def person_of(row: Template) -> Person:
    """A chronicle's own template as the rules read it."""
    return Person(
        key=row.pk,
        name=row.name,
        plural=row.plural,
        kind=row.kind,
        traits=row.traits,
        pools=row.pools,
        merits=tuple(row.merits),
        specialties={key: tuple(names) for key, names in row.specialties.items()},
        lists={key: tuple((name, dots) for name, dots in entries) for key, entries in row.lists.items()},
        weapons=tuple(Item(name) for name in row.weapons),
        armor=tuple(Item(name) for name in row.armor),
        notes=row.notes,
    )


def _names(*called: Person) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for one in called for name in (one.name, one.plural) if name))
