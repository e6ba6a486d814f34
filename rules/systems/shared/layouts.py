"""What the layouts of sheets are made of in every family: Traits by their labels, and groups of them."""

from __future__ import annotations

from rules.engine.phrases import Phrase, phrase
from rules.model.sheet import Category, Group, Section, Trait


def traits(
    category: Category, labels: tuple[Phrase, ...], *, minimum: int = 0, default: int | None = None
) -> tuple[Trait, ...]:
    """Traits of a category, each by its label; their default is the least of them unless it is said."""
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
    """Disciplines of zero to five dots, which only some kinds have."""
    return Section("disciplines", phrase("Disciplines"), (Group("", traits(Category.POWER, labels)),), kinds)
