"""Somebody made up on the spot: a mortal with the Traits of nobody in particular."""

from __future__ import annotations

from characters.services import SheetData
from rules.model.sheet import Category
from rules.model.system import System

KIND = "mortal"
USUAL = 2
"""The dots of an ordinary person in what they were born with, and of a bruiser in what one fights with."""


def plain_sheet(name: str, ruleset: System) -> SheetData:
    """A sheet as it is begun in this ruleset, with `USUAL` dots in each Attribute and in all that one fights with."""
    layout = ruleset.layout
    rules = ruleset.attack
    fighting = {key for pair in rules.traits.values() for key in pair}
    fighting |= {key for kind in rules.defences.kinds.values() for key in kind.traits}
    known = [trait for section in layout.for_kind(KIND) for group in section.groups for trait in group.traits]
    at_least = {trait.key: USUAL for trait in known if trait.category is Category.ATTRIBUTE or trait.key in fighting}
    traits = {trait.key: max(trait.offered, at_least.get(trait.key, 0)) for trait in known}
    return SheetData(name=name, kind=KIND, traits=traits)
