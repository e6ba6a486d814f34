"""Shapes that a creature can take: their effect on its Traits, and their natural weapons."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from rules.model.gear import Weapon


@dataclass(frozen=True, slots=True)
class Shape:
    """A shape, by its key. ``changes`` adds or removes dots by Trait, ``fixed`` replaces a Trait's rating.

    ``weapons`` are the body's own. A shape that changes nothing is the creature's natural one: nobody starts in
    another.
    """

    key: str
    label: str
    rule: str
    changes: Mapping[str, int] = field(default_factory=dict)
    fixed: Mapping[str, int] = field(default_factory=dict)
    weapons: tuple[Weapon, ...] = ()

    @property
    def own(self) -> bool:
        """Whether it is the shape without any change."""
        return not (self.changes or self.fixed or self.weapons)

    def dots(self, trait: str, bare: int) -> int:
        """What a Trait of ``bare`` dots is in this shape: never below zero."""
        if trait in self.fixed:
            return self.fixed[trait]
        return max(0, bare + self.changes[trait]) if trait in self.changes else bare
