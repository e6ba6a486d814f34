"""The Traits of a sheet as buttons, by section, the most used first."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from campaigns.words import said
from rules.model.sheet import Category, Layout, Section, Sheet

ALWAYS_OPEN = 2
"""The number of sections that are always open: Attributes, and Abilities or Skills."""


@dataclass(frozen=True, slots=True)
class TraitChoice:
    """A Trait as a button."""

    key: str
    label: str
    dots: int
    picked: bool


@dataclass(frozen=True, slots=True)
class TraitGroup:
    """Traits under one heading."""

    label: str
    traits: tuple[TraitChoice, ...]


@dataclass(frozen=True, slots=True)
class TraitSection:
    """A section of the sheet. Unless it is `always` open, it is folded until one of its Traits is picked (`open`)."""

    label: str
    groups: tuple[TraitGroup, ...]
    always: bool
    open: bool


def traits_of(section: Section) -> Iterator[Any]:
    """The Traits of a section that can be rolled."""
    return (each for group in section.groups for each in group.traits if each.category is not Category.FACT)


def trait_sections(
    sections: Sequence[Section], layout: Layout, sheet: Sheet | None, picked: Collection[str]
) -> list[TraitSection]:
    """The sections with a sheet's dots (0 without a sheet); `picked` holds the chosen keys."""
    found = []
    for place, section in enumerate(sections):
        groups = [
            TraitGroup(said(group.label), _choices(group.traits, layout, sheet, picked)) for group in section.groups
        ]
        opened = any(each.picked for group in groups for each in group.traits)
        kept = tuple(group for group in groups if group.traits)
        found.append(TraitSection(said(section.label), kept, place < ALWAYS_OPEN, opened))
    return found


def _choices(traits: Any, layout: Layout, sheet: Sheet | None, picked: Collection[str]) -> tuple[TraitChoice, ...]:
    return tuple(
        TraitChoice(each.key, said(each.label), layout.dots(sheet, each.key) if sheet else 0, each.key in picked)
        for each in traits
        if each.category is not Category.FACT
    )
