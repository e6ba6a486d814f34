"""View model of a sheet's form: its fields arranged by the ruleset's layout."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from campaigns.words import said
from characters.forms import listings
from characters.forms.details import detail_name, suggestions_of
from characters.forms.listings import rows_of
from characters.forms.sheet import SheetForm
from characters.forms.sheet_fields import points_name, trait_name
from characters.forms.specialties import specialty_rows
from characters.guide import BudgetLine, Guide, Left, guide_of
from characters.words import less
from rules.model.creation import LISTED
from rules.model.entries import Detail, Listing
from rules.model.sheet import Category, Section, Trait
from rules.model.specialties import SPECIALTY


@dataclass(frozen=True, slots=True)
class TraitField:
    """The field of a Trait."""

    field: Any
    least: int
    most: int
    dotted: bool
    budget: BudgetLine | None = None


@dataclass(frozen=True, slots=True)
class GroupFields:
    label: str
    traits: tuple[TraitField, ...]
    left: Left | None = None


@dataclass(frozen=True, slots=True)
class BlockFields:
    """The fields of a section. `folded` holds powers without dots, which are collapsed."""

    key: str
    label: str
    groups: tuple[GroupFields, ...]
    folded: tuple[TraitField, ...] = ()
    folded_open: bool = False
    budget: BudgetLine | None = None


@dataclass(frozen=True, slots=True)
class PointsFields:
    label: str
    field: Any
    traits: tuple[TraitField, ...]


@dataclass(frozen=True, slots=True)
class BoxField:
    """The field of a health box."""

    field: Any
    penalty: str
    mark: str


@dataclass(frozen=True, slots=True)
class InjuryFields:
    """The fields of an injury."""

    level: Any
    cause: Any


@dataclass(frozen=True, slots=True)
class DetailField:
    """The field of a detail. `known` are suggestions, in a list with the id `list`."""

    field: Any
    known: tuple[str, ...]
    list: str


@dataclass(frozen=True, slots=True)
class IdentityFields:
    """The fields of the identity; collapsed while nothing is filled in."""

    details: tuple[DetailField, ...]
    open: bool


@dataclass(frozen=True, slots=True)
class EntryFields:
    """The fields of an entry: its name and dots."""

    name: Any
    dots: Any


@dataclass(frozen=True, slots=True)
class ListFields:
    """The fields of a list. `known` are suggestions, in a list with the id `list`; it is collapsed unless `open`."""

    key: str
    label: str
    entries: tuple[EntryFields, ...]
    most: int
    dotted: bool
    known: tuple[str, ...]
    list: str
    open: bool
    budget: BudgetLine | None = None


@dataclass(frozen=True, slots=True)
class SpecialtyFields:
    """The fields of the specialties, each a Trait and a name; collapsed unless `open`."""

    entries: tuple[tuple[Any, Any], ...]
    open: bool
    budget: BudgetLine | None = None


@dataclass(frozen=True, slots=True)
class FormLayout:
    """The fields of a sheet. `texts` are the sections of text that the chronicle adds."""

    identity: IdentityFields
    texts: tuple[Any, ...]
    lists: tuple[ListFields, ...]
    specialties: SpecialtyFields
    columns: tuple[BlockFields, ...]
    singles: tuple[BlockFields, ...]
    points: tuple[PointsFields, ...]
    boxes: tuple[BoxField, ...]
    injuries: tuple[InjuryFields, ...]
    impairments: tuple[Any, ...]
    hidden: tuple[Any, ...]
    guide: Guide | None


def lay_out(form: SheetForm, *, guided: bool = False) -> FormLayout:
    """Arrange the form's fields as on the sheet; a `guided` one in steps, with its budget."""
    layout = form.ruleset.layout
    resources = layout.resources_for(form.laid_for)
    keys = {resource.key for resource in resources}
    sections = layout.for_kind(form.laid_for, form.begun.traits if form.begun else None)
    shown = [section for section in sections if section.key not in keys]
    columns = [(section.key, said(section.label)) for section in shown if len(section.groups) > 1]
    guide = guide_of(form, columns) if guided else None
    blocks = [_block(form, section, keys, guide) for section in shown]
    return FormLayout(
        identity=_identity(form),
        texts=tuple(form[detail_name(detail)] for detail in _details(form) if detail.long),
        lists=tuple(_list(form, listing, guide) for listing in form.ruleset.layout.lists_for(form.laid_for)),
        specialties=_specialties(form, guide),
        columns=tuple(block for block in blocks if len(block.groups) > 1),
        singles=tuple(block for block in blocks if len(block.groups) == 1),
        points=tuple(
            PointsFields(
                said(resource.label),
                form[points_name(resource)],
                tuple(_trait(form, trait, guide) for trait in standing_with(sections, resource.key)),
            )
            for resource in resources
        ),
        boxes=tuple(_boxes(form)),
        injuries=tuple(InjuryFields(level, cause) for level, cause in form.injuries()),
        impairments=tuple(form.impairments()),
        hidden=tuple(form.hidden_fields()),
        guide=guide,
    )


def _details(form: SheetForm) -> tuple[Detail, ...]:
    return form.ruleset.layout.details_for(form.laid_for, form.begun.details if form.begun else None)


def _identity(form: SheetForm) -> IdentityFields:
    fields = [(detail, form[detail_name(detail)]) for detail in _details(form) if not detail.long]
    drawn = (DetailField(field, tuple(map(said, one.known)), suggestions_of(one)) for one, field in fields)
    return IdentityFields(tuple(drawn), any(field.value() or field.errors for _detail, field in fields))


def _list(form: SheetForm, listing: Listing, guide: Guide | None) -> ListFields:
    entries = tuple(EntryFields(form[name], form[dots]) for name, dots in rows_of(form, listing))
    return ListFields(
        listing.key,
        said(listing.label),
        entries,
        listing.most,
        listing.dotted,
        tuple(map(said, listing.known)),
        listings.suggestions_of(listing),
        form.data.get(listings.ADD) == listing.key
        or any(each.name.value() or each.name.errors or each.dots.errors for each in entries),
        guide.lines.get(f"{LISTED}{listing.key}") if guide else None,
    )


def _specialties(form: SheetForm, guide: Guide | None) -> SpecialtyFields:
    entries = tuple((form[trait], form[name]) for trait, name in specialty_rows(form))
    asked = form.data.get(listings.ADD) == SPECIALTY
    filled = any(each.value() or each.errors for row in entries for each in row)
    return SpecialtyFields(entries, asked or filled, guide.lines.get(SPECIALTY) if guide else None)


def _block(form: SheetForm, section: Section, keys: set[str], guide: Guide | None) -> BlockFields:
    groups, folded = [], []
    budget = guide.lines.get(section.key) if guide else None
    for place, group in enumerate(section.groups):
        fields = [_trait(form, trait, guide) for trait in group.traits if trait.key not in keys]
        powers = {trait_name(trait) for trait in group.traits if trait.category is Category.POWER}
        away = [one for one in fields if one.field.name in powers and _is_zero(one.field)]
        left = budget.groups[place] if budget and budget.groups else None
        groups.append(GroupFields(said(group.label), tuple(one for one in fields if one not in away), left))
        folded += away
    shown = tuple(group for group in groups if group.traits or folded)
    return BlockFields(
        section.key, said(section.label), shown, tuple(folded), not any(group.traits for group in groups), budget
    )


def _is_zero(field: Any) -> bool:
    return not field.errors and str(field.value()).strip() in ("0", "", "None")


def _trait(form: SheetForm, trait: Trait, guide: Guide | None) -> TraitField:
    budget = guide.lines.get(trait.key) if guide else None
    return TraitField(form[trait_name(trait)], trait.minimum, trait.maximum, trait.dotted, budget)


def standing_with(sections: Sequence[Section], key: str) -> list[Trait]:
    """The Traits shown next to a resource: those in the section with its key, else the Trait with its key."""
    inside = [trait for one in sections if one.key == key for group in one.groups for trait in group.traits]
    every = [trait for one in sections for group in one.groups for trait in group.traits]
    return inside or [trait for trait in every if trait.key == key]


def _boxes(form: SheetForm) -> list[BoxField]:
    levels = form.levels()
    return [
        BoxField(
            form[f"box-{index}"],
            less(level.penalty),
            str(form[f"box-{index}"].value() or ""),
        )
        for index, level in enumerate(levels)
    ]
