"""View models of this app's pages, built for one member.

They work as an allow-list: a template gets these frozen values and no models, so a forgotten field stays hidden.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any

from django.utils.translation import gettext as _

from campaigns.models import Chronicle
from campaigns.people import told_apart
from campaigns.words import said, worded
from characters import hooks, lasting, people, rulesets, sheets
from characters.access import Seen
from characters.carried_lines import ArmorLine, WeaponLine, armor_line, weapon_line
from characters.lasting import LastingLine
from characters.layouts import standing_with
from characters.listings import Entry, entries_of, in_a_line, kept_entries, merits_of
from characters.models import Character
from characters.power_lines import PowerLines, power_lines
from characters.tie_pages import TieLine, ties_of
from characters.words import less, merit_label
from rules.model.entries import Detail, Listing
from rules.model.sheet import Category, Section, Sheet, Trait
from rules.model.system import OneByOne, System


@dataclass(frozen=True, slots=True)
class TraitLine:
    """A Trait with its value, shown as dots or as a number."""

    label: str
    value: int
    most: int
    dotted: bool
    specialties: tuple[str, ...] = ()
    key: str = ""


@dataclass(frozen=True, slots=True)
class GroupLines:
    label: str
    traits: tuple[TraitLine, ...]


@dataclass(frozen=True, slots=True)
class Block:
    """A section of the sheet."""

    key: str
    label: str
    groups: tuple[GroupLines, ...]
    empty: str = ""


@dataclass(frozen=True, slots=True)
class Points:
    """A resource: its current and maximum points, and the Traits shown with it."""

    key: str
    label: str
    value: int
    most: int
    traits: tuple[TraitLine, ...]
    scarlet: bool


@dataclass(frozen=True, slots=True)
class DetailLine:
    """A detail of the identity: its label and its lines."""

    label: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TextLine:
    """A section of text, with its Markdown."""

    key: str
    label: str
    text: str


@dataclass(frozen=True, slots=True)
class DerivedLine:
    """A derived trait with its rule, and its unit if it has one."""

    label: str
    value: int
    unit: str
    rule: str


@dataclass(frozen=True, slots=True)
class Box:
    """A health box with its level."""

    label: str
    penalty: str
    mark: str
    now: bool


@dataclass(frozen=True, slots=True)
class InjuryLine:
    """One injury, for rulesets that track them one by one. A `severe` one is hard to treat."""

    level: int
    cause: str
    severe: bool


@dataclass(frozen=True, slots=True)
class ScarLine:
    """A battle scar and its origin: `fight` is the encounter's id and `name` its name, "" if unknown."""

    level: int
    cause: str
    turn: int
    fight: str
    name: str


@dataclass(frozen=True, slots=True)
class Wounds:
    """Injuries, the resulting wound level and penalty, and scars."""

    level: int
    penalty: str
    injuries: tuple[InjuryLine, ...]
    scars: tuple[ScarLine, ...]


@dataclass(frozen=True, slots=True)
class Card:
    """What everybody at the table may know about a player's character."""

    id: str
    name: str
    concept: str
    player: str
    portrait: str = ""


@dataclass(frozen=True, slots=True)
class SheetPage:
    """A whole sheet, for a member who may read all of it."""

    id: str
    name: str
    kind: str
    concept: str
    player: str
    portrait: str
    facts: tuple[str, ...]
    identity: tuple[DetailLine, ...]
    texts: tuple[TextLine, ...]
    lists: tuple[Block, ...]
    columns: tuple[Block, ...]
    singles: tuple[Block, ...]
    points: tuple[Points, ...]
    derived: tuple[DerivedLine, ...]
    boxes: tuple[Box, ...]
    wounds: Wounds | None
    lasting: tuple[LastingLine, ...]
    log: str
    condition: str
    weapons: tuple[WeaponLine, ...]
    armor: tuple[ArmorLine, ...]
    merits: tuple[str, ...]
    powers: tuple[PowerLines, ...]
    notes: str
    storyteller_notes: str
    is_storyteller: bool
    may_write: bool
    locked_by: str
    fight: str
    shape: str
    ties: tuple[TieLine, ...] = ()
    chronicle: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class StoredSheet:
    """A sheet as stored, for a chronicle whose ruleset is missing.

    `traits` and `points` are (name, value) pairs, `gear` the names of what is carried and worn.
    """

    name: str
    kind: str
    concept: str
    player: str
    portrait: str
    read_only: str
    traits: tuple[tuple[str, int], ...]
    points: tuple[tuple[str, int], ...]
    details: tuple[tuple[str, str], ...]
    lists: tuple[tuple[str, tuple[str, ...]], ...]
    specialties: tuple[tuple[str, str], ...]
    merits: tuple[str, ...]
    gear: tuple[str, ...]
    notes: str
    storyteller_notes: str


def stored_sheet(seen: Seen) -> StoredSheet:
    """The sheet as stored. The caller has checked `seen.may_read`."""
    one = seen.character
    told_apart(one.chronicle_id, [one.owner])

    def called(key: str) -> str:
        return str(one.chronicle.own_traits.get(key, {}).get("label") or rulesets.in_words(key))

    def in_words(kept: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
        return tuple((called(key), value) for key, value in kept.items())

    carried = [each.weapon.name for each in one.weapons.all()]
    worn = [each.armor.name for each in one.armor.all()]
    return StoredSheet(
        name=one.name,
        kind=rulesets.in_words(one.kind),
        concept=one.concept,
        player=one.owner.display_name if one.owner else "",
        portrait=portrait(one),
        read_only=rulesets.why_missing(one.chronicle.ruleset),
        traits=in_words(one.traits),
        points=in_words(one.resources),
        details=tuple((called(key), text) for key, text in one.details.items()),
        specialties=tuple((rulesets.in_words(key), ", ".join(names)) for key, names in one.specialties.items()),
        lists=tuple((rulesets.in_words(key), tuple(map(in_a_line, kept_entries(one, key)))) for key in one.lists),
        merits=tuple(merit_label(key) for key in one.merits),
        gear=(*carried, *worn),
        notes=one.notes,
        storyteller_notes=one.storyteller_notes if seen.is_storyteller else "",
    )


def card(seen: Seen) -> Card:
    """What other players may read."""
    one = seen.character
    told_apart(one.chronicle_id, [one.owner])
    return Card(one.pk, one.name, one.concept, one.owner.display_name if one.owner else "", portrait(one))


@dataclass(frozen=True, slots=True)
class Example:
    """A ready-made character to start from."""

    key: str
    name: str
    kind: str
    concept: str


def examples(chronicle: Chronicle) -> tuple[Example, ...]:
    """The ruleset's ready-made characters."""
    ruleset = rulesets.ruleset_for(chronicle)
    return tuple(
        Example(each.key, each.name, said(ruleset.kind(each.kind).label), each.concept)
        for each in people.on_shelf(chronicle)
    )


def portrait(character: Any) -> str:
    """The id of the portrait of a character from :class:`characters.access.Seen`, "" without one."""
    return character.face or ""


def place(chronicle: Any) -> dict[str, str]:
    """The fields of a chronicle that the base template needs."""
    return {"pk": chronicle.pk, "name": chronicle.name, "ruleset": chronicle.ruleset}


def past_sheet(seen: Seen) -> SheetPage:
    """A sheet from `history.as_of`, to be read only. Notes and ties have no history."""
    page = sheet_page(seen, shaped=False)
    return replace(page, notes="", storyteller_notes="", may_write=False, locked_by="", fight="", ties=())


def sheet_page(seen: Seen, *, shaped: bool = True) -> SheetPage:
    """The whole sheet, with `shaped` in its current shape. The caller has checked `seen.may_read`."""
    one = seen.character
    told_apart(one.chronicle_id, [one.owner])
    ruleset = rulesets.ruleset_for(one.chronicle)
    sheet = sheets.sheet_of(one)
    if shaped and "shape" in ruleset.actions and ruleset.actions["shape"].needs.are_for(sheet, ruleset.layout):
        sheet = replace(sheet, shape=hooks.shape_of(one.pk))
    drawn, fight = _Drawn(ruleset, sheet), hooks.fight_of(one.pk)
    return SheetPage(
        id=one.pk,
        name=one.name,
        kind=said(ruleset.kind(one.kind).label),
        concept=one.concept,
        player=one.owner.display_name if one.owner else "",
        portrait=portrait(one),
        facts=drawn.facts(),
        identity=drawn.identity(one.details),
        texts=drawn.texts(one.details),
        lists=tuple(drawn.listed(one)),
        columns=drawn.blocks(wide=True),
        singles=drawn.blocks(wide=False),
        points=drawn.points(),
        derived=drawn.derived(),
        boxes=drawn.boxes(),
        wounds=drawn.wounds(kept, _fights_of(one)) if (kept := ruleset.health.one_by_one) else None,
        lasting=lasting.lines_of(one, sheet, ruleset),
        log=lasting.log_of(one.chronicle) if seen.may_write else "",
        condition=worded(ruleset.health.word(sheet)),
        weapons=tuple(
            weapon_line(weapon, carried.weapon.name, sheet, ruleset)
            for weapon, carried in zip(sheet.weapons, one.weapons.all(), strict=True)
        ),
        armor=tuple(
            armor_line(armor, worn.armor.name) for armor, worn in zip(sheet.armor, one.armor.all(), strict=True)
        ),
        merits=merits_of(one, ruleset),
        powers=power_lines(sheet, ruleset, hooks.actions_of(one.pk) if fight and seen.may_write else ""),
        notes=one.notes,
        storyteller_notes=one.storyteller_notes if seen.is_storyteller else "",
        is_storyteller=seen.is_storyteller,
        may_write=seen.may_write,
        locked_by="" if seen.is_storyteller else fight,
        fight=fight,
        shape=said(sheet.shape.label) if sheet.shape else "",
        ties=ties_of(seen.membership, one.pk),
        chronicle=place(one.chronicle),
    )


class _Drawn:
    """A sheet arranged for its page.

    A Trait or section with a resource's key (Willpower, blood) is shown with its points; sections with several columns
    come before those with one.
    """

    def __init__(self, ruleset: System, sheet: Sheet) -> None:
        self.ruleset, self.sheet = ruleset, sheet
        self.sections = ruleset.layout.for_kind(sheet.kind, sheet.traits)
        self.resources = ruleset.layout.resources_for(sheet.kind)
        self.keys = {resource.key for resource in self.resources}

    def line(self, trait: Trait) -> TraitLine:
        dots = self.ruleset.layout.dots(self.sheet, trait.key)
        special = self.sheet.specialties.get(trait.key, ())
        return TraitLine(said(trait.label), dots, max(trait.maximum, dots), trait.dotted, special, trait.key)

    def facts(self) -> tuple[str, ...]:
        """Facts for the header, such as "Generation 9". A Rank of 0 may be one that nobody has entered."""
        facts = [trait for trait in self._traits() if trait.category is Category.FACT and not trait.own]
        dots = ((trait, self.ruleset.layout.dots(self.sheet, trait.key)) for trait in facts)
        return tuple(f"{said(trait.label)} {value}" for trait, value in dots if value)

    def identity(self, details: Mapping[str, str]) -> tuple[DetailLine, ...]:
        """The details that are filled in."""
        filled = self._filled(details)
        return tuple(DetailLine(said(each.label), tuple(text.splitlines())) for each, text in filled if not each.long)

    def texts(self, details: Mapping[str, str]) -> tuple[TextLine, ...]:
        """The sections of text that are filled in."""
        return tuple(TextLine(each.key, said(each.label), text) for each, text in self._filled(details) if each.long)

    def _filled(self, details: Mapping[str, str]) -> list[tuple[Detail, str]]:
        known = self.ruleset.layout.details_for(self.sheet.kind, details)
        return [(detail, text) for detail in known if (text := details.get(detail.key, ""))]

    def listed(self, character: Character) -> Iterator[Block]:
        """The lists with entries; ranked ones in groups."""
        for listing in self.ruleset.layout.lists_for(self.sheet.kind):
            entries = entries_of(character, self.ruleset, listing)
            if listing.ranked:
                entries.sort(key=lambda entry: entry[1])
            groups = [
                (_("Rank {rank}").format(rank=dots) if dots and listing.ranked else "", tuple(same))
                for dots, same in groupby(entries, key=lambda entry: entry[1] if listing.ranked else 0)
            ]
            lines = tuple(GroupLines(label, tuple(_entry(one, listing) for one in same)) for label, same in groups)
            if lines:
                yield Block(listing.key, said(listing.label), lines)

    def blocks(self, *, wide: bool) -> tuple[Block, ...]:
        chosen = [one for one in self.sections if one.key not in self.keys and (len(one.groups) > 1) is wide]
        blocks = [self._block(section) for section in chosen]
        return tuple(block for block in blocks if block.groups or block.empty)

    def points(self) -> tuple[Points, ...]:
        layout = self.ruleset.layout
        return tuple(
            Points(
                key=resource.key,
                label=said(resource.label),
                value=layout.points(self.sheet, resource.key),
                most=layout.maximum(self.sheet, resource.key),
                traits=tuple(self.line(trait) for trait in standing_with(self.sections, resource.key)),
                # A resource that only some kinds have and no Trait limits is blood.
                scarlet=bool(resource.kinds) and all(trait.key != resource.key for trait in layout.traits()),
            )
            for resource in self.resources
        )

    def derived(self) -> tuple[DerivedLine, ...]:
        return tuple(
            DerivedLine(said(each.label), each.value(self.ruleset, self.sheet), worded(each.unit), each.rule)
            for each in self.ruleset.derived
        )

    def boxes(self) -> tuple[Box, ...]:
        marks, levels = self.sheet.marks, self.ruleset.health.levels(self.sheet)
        return tuple(
            Box(
                label=said(level.name),
                penalty=less(level.penalty),
                mark=marks[index].value if index < len(marks) else "",
                now=index == len(marks) - 1,
            )
            for index, level in enumerate(levels)
        )

    def wounds(self, kept: OneByOne, fights: Mapping[str, str]) -> Wounds:
        sheet = self.sheet
        return Wounds(
            kept.come_to(sheet),
            less(self.ruleset.health.hindrance(sheet)),
            tuple(InjuryLine(each.level, each.cause, kept.severe(each)) for each in sheet.injuries),
            tuple(ScarLine(each.level, each.cause, each.turn, *_known(each.fight, fights)) for each in sheet.scars),
        )

    def _traits(self) -> list[Trait]:
        return [trait for section in self.sections for group in section.groups for trait in group.traits]

    def _block(self, section: Section) -> Block:
        groups = []
        powers = False
        for group in section.groups:
            traits = [trait for trait in group.traits if trait.key not in self.keys]
            powers = powers or any(trait.category is Category.POWER for trait in traits)
            shown = [self.line(trait) for trait in traits if self._is_shown(trait)]
            if shown:
                groups.append(GroupLines(said(group.label), tuple(shown)))
        return Block(section.key, said(section.label), tuple(groups), _("None yet.") if powers and not groups else "")

    def _is_shown(self, trait: Trait) -> bool:
        # Don't list all the powers that the character doesn't have.
        return trait.category is not Category.POWER or self.ruleset.layout.dots(self.sheet, trait.key) > 0


def _entry(entry: Entry, listing: Listing) -> TraitLine:
    name, dots = entry
    return TraitLine(name, 0 if listing.ranked else dots, max(listing.most, dots), listing.dotted)


def _fights_of(character: Character) -> dict[str, str]:
    """The names of the existing fights that scars come from, by id."""
    wanted = {scar["fight"] for scar in character.scars if scar.get("fight")}
    return dict(character.chronicle.encounters.filter(pk__in=wanted).values_list("pk", "name")) if wanted else {}


def _known(fight: str, fights: Mapping[str, str]) -> tuple[str, str]:
    return (fight, fights[fight]) if fight in fights else ("", "")
