"""A chronicle's custom kinds of creature: how they are stored and described."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from campaigns.rulesets import system, why_missing
from campaigns.words import said, worded
from rules.model.kinds import Kind, answers, fellings, read_kind, read_kinds, soaking_matters
from rules.model.system import System
from rules.model.words import in_words

PREFIX = "own-"
"""The prefix of custom kinds' keys, which no ruleset uses."""


@dataclass(frozen=True, slots=True)
class KindLine:
    """A kind of creature as a page shows it. An `open` one is visible to players."""

    key: str
    name: str
    like: str
    answers: tuple[str, ...]
    open: bool


def base_kinds(ruleset: str) -> list[tuple[str, str]]:
    """Key and name of the ruleset's own kinds."""
    return [(kind.key, said(kind.label)) for kind in system(ruleset).kinds.values()]


def beginning(ruleset: str, like: str) -> dict[str, Any] | None:
    """Initial settings of a new kind based on `like`; None if the ruleset has no such kind."""
    base = system(ruleset).kinds.get(like)
    return None if base is None else {**answers(base), "label": "", "open": False}


def asks_soak(ruleset: str) -> bool:
    """Whether the ruleset asks a kind what it soaks."""
    return soaking_matters(system(ruleset).kinds)


def ways_to_fall(ruleset: str) -> tuple[str, ...]:
    """The possible conditions of a kind with every box lethal or worse; empty for rulesets without boxes."""
    found = system(ruleset)
    return fellings(found.kinds) if found.health.one_by_one is None else ()


def known_banes(ruleset: str) -> list[str]:
    """The banes of the ruleset's kinds, plus the common ones."""
    return sorted({"fire", "sunlight", "silver"} | system(ruleset).banes)


def check_all(ruleset: str, given: Mapping[str, Mapping[str, Any]]) -> None:
    """Validate custom kinds and their number.

    Raises `rules.model.options.BadOption`, which names the faulty setting.
    """
    read_kinds(given, system(ruleset).kinds)


def with_own(ruleset: System, given: Mapping[str, Mapping[str, Any]]) -> System:
    """The ruleset extended by a chronicle's custom kinds."""
    return ruleset.with_kinds(read_kinds(given, ruleset.kinds)) if given else ruleset


def lines(ruleset: str, given: Mapping[str, Mapping[str, Any]], *, everything: bool) -> tuple[KindLine, ...]:
    """The chronicle's custom kinds for display; without `everything`, only those visible to players.

    Empty if the ruleset is missing.
    """
    if why_missing(ruleset):
        return ()
    found = []
    for key, answered in given.items():
        opened = bool(answered.get("open"))
        if everything or opened:
            kind = read_kind(key, answered, system(ruleset).kinds)
            like = system(ruleset).kinds[kind.like].label
            found.append(KindLine(key, kind.label, like, _in_words(kind, ruleset), opened))
    return tuple(found)


def _in_words(kind: Kind, ruleset: str) -> tuple[str, ...]:
    """Its settings that are out of the ordinary, in words."""
    soaks = ", ".join(worded(damage.value) for damage in sorted(kind.soaks, key=lambda each: each.severity))
    banes = ", ".join(said(in_words(each)) for each in sorted(kind.banes))
    told = [
        (_("soaks %s") % soaks if soaks else _("soaks nothing")) if asks_soak(ruleset) else "",
        _("takes aggravated damage from %s") % banes if banes else "",
        _("human") if kind.human else "",
        _("undead") if kind.undead else "",
        _("regenerates") if kind.regenerates else "",
        "" if kind.bleeds else _("doesn’t bleed"),
        "" if kind.feels_wounds else _("no wound penalties"),
        "" if kind.tires else _("doesn’t tire"),
    ]
    return tuple(filter(None, told))
