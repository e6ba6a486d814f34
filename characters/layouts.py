"""View model of a sheet's form: its fields arranged by the ruleset's layout."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from campaigns.words import said
from characters.forms.sheet import SheetForm
from characters.forms.sheet_fields import points_name, trait_name
from characters.words import less
from rules.model.sheet import Category, Section, Trait


@dataclass(frozen=True, slots=True)
class TraitField:
    """The field of a Trait."""

    field: Any
    least: int
    most: int
    dotted: bool


@dataclass(frozen=True, slots=True)
class GroupFields:
    label: str
    traits: tuple[TraitField, ...]


@dataclass(frozen=True, slots=True)
class BlockFields:
    """The fields of a section. `folded` holds powers without dots, which are collapsed."""

    key: str
    label: str
    groups: tuple[GroupFields, ...]
    folded: tuple[TraitField, ...] = ()
    folded_open: bool = False


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
class FormLayout:
    columns: tuple[BlockFields, ...]
    singles: tuple[BlockFields, ...]
    points: tuple[PointsFields, ...]
    boxes: tuple[BoxField, ...]
    injuries: tuple[InjuryFields, ...]
    hidden: tuple[Any, ...]


def lay_out(form: SheetForm) -> FormLayout:
    """Arrange the form's fields as on the sheet."""
    layout = form.ruleset.layout
    resources = layout.resources_for(form.laid_for)
    keys = {resource.key for resource in resources}
    sections = layout.for_kind(form.laid_for)
    blocks = [_block(form, section, keys) for section in sections if section.key not in keys]
    return FormLayout(
        columns=tuple(block for block in blocks if len(block.groups) > 1),
        singles=tuple(block for block in blocks if len(block.groups) == 1),
        points=tuple(
            PointsFields(
                said(resource.label),
                form[points_name(resource)],
                tuple(_trait(form, trait) for trait in standing_with(sections, resource.key)),
            )
            for resource in resources
        ),
        boxes=tuple(_boxes(form)),
        injuries=tuple(InjuryFields(level, cause) for level, cause in form.injuries()),
        hidden=tuple(form.hidden_fields()),
    )


def _block(form: SheetForm, section: Section, keys: set[str]) -> BlockFields:
    groups, folded = [], []
    for group in section.groups:
        fields = [_trait(form, trait) for trait in group.traits if trait.key not in keys]
        powers = {trait_name(trait) for trait in group.traits if trait.category is Category.POWER}
        away = [one for one in fields if one.field.name in powers and _is_zero(one.field)]
        groups.append(GroupFields(said(group.label), tuple(one for one in fields if one not in away)))
        folded += away
    shown = tuple(group for group in groups if group.traits or folded)
    return BlockFields(
        section.key, said(section.label), shown, tuple(folded), not any(group.traits for group in groups)
    )


def _is_zero(field: Any) -> bool:
    return not field.errors and str(field.value()).strip() in ("0", "", "None")


def _trait(form: SheetForm, trait: Trait) -> TraitField:
    return TraitField(form[trait_name(trait)], trait.minimum, trait.maximum, trait.dotted)


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
