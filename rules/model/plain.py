"""An ordinary creature: average Traits for people whom nobody has written down."""

from __future__ import annotations

from rules.model.sheet import Category
from rules.model.system import System

USUAL = 2
"""An ordinary person's dots in Attributes, and a bruiser's in combat Abilities."""


def plain_traits(system: System, kind: str) -> dict[str, int]:
    """The Traits of an ordinary creature of a kind, with :data:`USUAL` dots in each Attribute and combat Ability."""
    rules = system.attack
    fighting = {key for pair in rules.traits.values() for key in pair}
    fighting |= {key for each in rules.defences.kinds.values() for key in each.traits}
    known = system.layout.traits_for(kind)
    at_least = {trait.key: USUAL for trait in known if trait.category is Category.ATTRIBUTE or trait.key in fighting}
    return {trait.key: max(trait.offered, at_least.get(trait.key, 0)) for trait in known}
