"""A chronicle's own Traits and sections of the sheet: how they are stored and described."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from campaigns.models import Chronicle
from campaigns.rulesets import read_own_traits, system, why_missing
from campaigns.words import said
from rules.model.own_traits import OwnTrait, Sort, check_own, places
from rules.model.system import System

PREFIX = "own_"
"""The prefix of their keys, which no ruleset uses."""


@dataclass(frozen=True, slots=True)
class OwnLine:
    """A Trait or section as its page shows it: where on the sheet it is, what it is, and whose sheets have it."""

    key: str
    name: str
    where: str
    what: str
    whose: str


def base_kinds(ruleset: str) -> list[tuple[str, str]]:
    """Key and name of the ruleset's own kinds."""
    return [(kind.key, said(kind.label)) for kind in system(ruleset).kinds.values()]


def places_of(ruleset: str) -> list[tuple[str, str]]:
    """Where among the ruleset's Abilities one of a chronicle's own can be: key and heading."""
    layout = system(ruleset).layout
    heads = {section.key: said(section.label) for section in layout.sections}
    return [(key, f"{heads[key.partition('/')[0]]}: {said(label)}") for key, label in places(layout).items()]


def check_all(ruleset: str, given: Mapping[str, Mapping[str, Any]]) -> None:
    """Validate each, and all of them together. Raises `rules.model.options.BadOption`."""
    check_own(read_own_traits(system(ruleset), given), system(ruleset).layout)


def with_own(ruleset: System, given: Mapping[str, Mapping[str, Any]]) -> System:
    """The ruleset extended by a chronicle's own Traits and sections."""
    return ruleset.with_traits(read_own_traits(ruleset, given))


def lines(ruleset: str, given: Mapping[str, Mapping[str, Any]], *, gone: bool = False) -> tuple[OwnLine, ...]:
    """Those on the sheets for display, or those that were removed; empty if the ruleset is missing."""
    if why_missing(ruleset):
        return ()
    return tuple(_line(each, ruleset) for each in read_own_traits(system(ruleset), given) if each.gone is gone)


def both(chronicle: Chronicle) -> tuple[tuple[OwnLine, ...], tuple[OwnLine, ...]]:
    """What is on the sheets, and what was removed from them: what the page shows."""
    found = (chronicle.ruleset, chronicle.own_traits)
    return lines(*found), lines(*found, gone=True)


def _line(own: OwnTrait, ruleset: str) -> OwnLine:
    whose = ", ".join(name for key, name in base_kinds(ruleset) if key in own.kinds) or _("all characters")
    where = dict(places_of(ruleset))[own.place] if own.place else own.section
    return OwnLine(own.key, own.label, where, _what(own), whose)


def _what(own: OwnTrait) -> str:
    if own.sort is Sort.TEXT:
        return _("text")
    rolled = {
        Sort.ABILITY: _("an Ability"),
        Sort.ALONE: _("rolled alone or with an Attribute"),
        Sort.FACT: _("not rolled"),
    }
    return _("0 to {most}, {rolled}").format(most=own.most, rolled=rolled[own.sort])
