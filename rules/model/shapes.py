"""Other shapes that a creature can take: what they make of its Traits, and what they bite and claw with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from rules.model.gear import Weapon

if TYPE_CHECKING:
    from rules.model.plan import Part
    from rules.model.sheet import Layout, Sheet


@dataclass(frozen=True, slots=True)
class Shape:
    """A shape, by its key. ``changes`` are dots more or fewer by Trait, ``fixed`` what a Trait is whatever it was.

    ``weapons`` are those of the body. One that changes nothing is the creature's own: nobody starts in another.
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


def with_shape(part: Part, sheet: Sheet, trait: str, layout: Layout) -> tuple[Part, ...]:
    """A Trait's part, of the sheet's own dots, followed by what the shape that somebody is in makes of them."""
    change = layout.dots(sheet, trait) - part.dice
    if sheet.shape is None or not change:
        return (part,)
    shaped = replace(part, key=f"shape:{part.key}", label=sheet.shape.label, rule=sheet.shape.rule, dice=change)
    return (part, shaped)
