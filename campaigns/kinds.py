"""A chronicle's own kinds of creature: what is kept of each, and what is said of them."""

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
"""What the keys of a chronicle's own kinds begin with: no ruleset has one like it."""


@dataclass(frozen=True, slots=True)
class KindLine:
    """A kind of creature in words. `open` is one that players may know of."""

    key: str
    name: str
    like: str
    answers: tuple[str, ...]
    open: bool


def base_kinds(ruleset: str) -> list[tuple[str, str]]:
    """Key and name of the kinds that the ruleset has itself."""
    return [(kind.key, said(kind.label)) for kind in system(ruleset).kinds.values()]


def beginning(ruleset: str, like: str) -> dict[str, Any] | None:
    """What a new kind begins with that is like this one; None where the ruleset has no such kind."""
    base = system(ruleset).kinds.get(like)
    return None if base is None else {**answers(base), "label": "", "open": False}


def asks_soak(ruleset: str) -> bool:
    """Whether what a kind soaks matters in the ruleset."""
    return soaking_matters(system(ruleset).kinds)


def ways_to_fall(ruleset: str) -> tuple[str, ...]:
    """What may come of a kind with every box lethal or worse; nothing where the ruleset has no boxes."""
    found = system(ruleset)
    return fellings(found.kinds) if found.health.one_by_one is None else ()


def known_banes(ruleset: str) -> list[str]:
    """What is the bane of some kind of the ruleset, with what commonly is."""
    return sorted({"fire", "sunlight", "silver"} | system(ruleset).banes)


def check_all(ruleset: str, given: Mapping[str, Mapping[str, Any]]) -> None:
    """Raise `rules.model.options.BadOption`, naming the answer at fault, for what is no kind of creature, or one too
    many."""
    read_kinds(given, system(ruleset).kinds)


def with_own(ruleset: System, given: Mapping[str, Mapping[str, Any]]) -> System:
    """The ruleset with a chronicle's own kinds beside its own."""
    return ruleset.with_kinds(read_kinds(given, ruleset.kinds)) if given else ruleset


def lines(ruleset: str, given: Mapping[str, Mapping[str, Any]], *, everything: bool) -> tuple[KindLine, ...]:
    """The chronicle's own kinds in words; without `everything`, those that players may know of.

    Without its ruleset nothing can be said of them.
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
    """What it answers, as far as that is out of the ordinary."""
    soaks = ", ".join(worded(damage.value) for damage in sorted(kind.soaks, key=lambda each: each.severity))
    banes = ", ".join(said(in_words(each)) for each in sorted(kind.banes))
    told = [
        (_("soaks %s") % soaks if soaks else _("soaks nothing")) if asks_soak(ruleset) else "",
        _("hurt gravely by %s") % banes if banes else "",
        _("human") if kind.human else "",
        _("undead") if kind.undead else "",
        _("regenerates") if kind.regenerates else "",
        "" if kind.bleeds else _("does not bleed"),
        "" if kind.feels_wounds else _("not hindered by wounds"),
        "" if kind.tires else _("does not tire"),
    ]
    return tuple(filter(None, told))
