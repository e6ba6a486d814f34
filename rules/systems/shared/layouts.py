"""Building blocks of sheet layouts for every family: labelled Traits and groups of them."""

from __future__ import annotations

from rules.engine.phrases import Phrase, phrase
from rules.model.sheet import Category, Group, Section, Trait


def traits(
    category: Category, labels: tuple[Phrase, ...], *, minimum: int = 0, default: int | None = None
) -> tuple[Trait, ...]:
    """Traits of a category, each by its label; the default is the minimum unless given."""
    return tuple(
        Trait(
            label.lower().replace(" ", "_").replace("-", "_"),
            label,
            category,
            minimum,
            default=minimum if default is None else default,
        )
        for label in labels
    )


def abilities(heading: str, labels: tuple[Phrase, ...]) -> Group:
    """Abilities of zero to five dots under one heading."""
    return Group(heading, traits(Category.ABILITY, labels))


def disciplines(labels: tuple[Phrase, ...], kinds: frozenset[str]) -> Section:
    """Disciplines of zero to five dots, for certain kinds only."""
    return Section("disciplines", phrase("disciplines"), (Group("", traits(Category.POWER, labels)),), kinds)
