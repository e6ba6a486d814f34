"""Improvised characters: mortals with average Traits."""

from __future__ import annotations

from characters.services import SheetData
from rules.model.sheet import Category
from rules.model.system import System

KIND = "mortal"
USUAL = 2
"""An ordinary person's dots in Attributes, and a bruiser's in combat Abilities."""


def plain_sheet(name: str, ruleset: System) -> SheetData:
    """A new sheet of this ruleset, with `USUAL` dots in each Attribute and combat Ability."""
    return SheetData(name=name, kind=KIND, traits=plain_traits(ruleset, KIND))


def plain_traits(ruleset: System, kind: str) -> dict[str, int]:
    """The Traits of an ordinary creature of a kind, with `USUAL` dots in each Attribute and combat Ability."""
    rules = ruleset.attack
    fighting = {key for pair in rules.traits.values() for key in pair}
    fighting |= {key for each in rules.defences.kinds.values() for key in each.traits}
    known = ruleset.layout.traits_for(kind)
    at_least = {trait.key: USUAL for trait in known if trait.category is Category.ATTRIBUTE or trait.key in fighting}
    return {trait.key: max(trait.offered, at_least.get(trait.key, 0)) for trait in known}
