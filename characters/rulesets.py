"""The one place where this app asks the rules which rulesets there are."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path

from campaigns.kinds import with_own
from campaigns.models import Chronicle
from campaigns.words import said
from rules.ruleset import Ruleset
from rules.rulesets import RULESETS
from rules.sheet import Category

TABLES = Path(__file__).parent / "tables"


def ruleset_of(key: str, options: dict[str, object] | None = None) -> Ruleset:
    """The ruleset of that key as a chronicle with these house rules plays it."""
    return RULESETS[key].with_options(options or {})


def unit_of(key: str) -> str:
    """What distances are written in; metres for a ruleset that has tables and no rules yet."""
    return said(RULESETS[key].short_unit) if key in RULESETS else "m"


def knows_kinds_of_damage(key: str) -> bool:
    """Whether harm is of several kinds, as boxes are; injuries that are kept one by one are of none."""
    return key not in RULESETS or RULESETS[key].health.boxed


def ruleset_for(chronicle: Chronicle) -> Ruleset:
    """The ruleset as a chronicle plays it: with its house rules, and its own kinds of creature.

    The same one as long as those are the same: what is worked out with it is kept by it.
    """
    written = (json.dumps(chronicle.options), json.dumps(chronicle.own_kinds))
    return _played(RULESETS[chronicle.ruleset], *written)


@lru_cache(maxsize=200)
def _played(ruleset: Ruleset, options: str, own_kinds: str) -> Ruleset:
    return with_own(ruleset.with_options(json.loads(options)), json.loads(own_kinds))


def layout_keys(key: str) -> frozenset[str] | None:
    """The Traits a sheet of this ruleset can have; `None` for a ruleset that has tables and no rules yet."""
    ruleset = RULESETS.get(key)
    return None if ruleset is None else frozenset(trait.key for trait in ruleset.layout.traits())


def label_of(key: str, trait: str) -> str:
    """What a Trait is called; "" for none, its key's words for one that the ruleset does not have."""
    known = dict(trait_choices(key, frozenset(Category)))
    return known.get(trait, trait.replace("_", " ").capitalize())


def trait_choices(key: str, categories: frozenset[Category]) -> list[tuple[str, str]]:
    """Key and label of the Traits of these categories; none for a ruleset that has no rules yet."""
    ruleset = RULESETS.get(key)
    traits = ruleset.layout.traits() if ruleset else ()
    return [(trait.key, said(trait.label)) for trait in traits if trait.category in categories]


def choices() -> list[tuple[str, str]]:
    """Key and name of each ruleset that has weapons and armour: those with rules, and those with tables."""
    keys = [*RULESETS, *(key for key in _with_tables() if key not in RULESETS)]
    return [(key, name_of(key)) for key in keys]


def name_of(key: str) -> str:
    """A ruleset's name; its key, as a word, while it has none."""
    return RULESETS[key].name if key in RULESETS else key.capitalize()


@lru_cache(maxsize=1)
def _with_tables() -> tuple[str, ...]:
    return tuple(sorted(path.name.removesuffix("_weapons.csv") for path in TABLES.glob("*_weapons.csv")))
