"""Improvised characters: mortals with average Traits."""

from __future__ import annotations

from characters.services import SheetData
from rules.model.plain import plain_traits
from rules.model.system import System

KIND = "mortal"


def plain_sheet(name: str, ruleset: System) -> SheetData:
    """A new sheet of this ruleset for an ordinary mortal."""
    return SheetData(name=name, kind=KIND, traits=plain_traits(ruleset, KIND))
