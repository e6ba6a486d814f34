"""This app's only access to the rulesets."""

from __future__ import annotations

import json
from functools import lru_cache

from campaigns import own_powers, own_traits
from campaigns.kinds import with_own
from campaigns.models import Chronicle
from campaigns.rulesets import choices, installed, name_of, system, why_missing
from campaigns.words import said
from rules.engine.phrases import phrase
from rules.model.gear import Damage, Mode
from rules.model.sheet import Category, Layout
from rules.model.system import System

__all__ = [
    "choices",
    "health_label",
    "in_words",
    "knows_kinds_of_damage",
    "label_of",
    "layout_of",
    "name_of",
    "packages",
    "ruleset_for",
    "trait_choices",
    "unit_of",
    "unused_columns",
    "usual_damage",
    "why_missing",
]


def unit_of(key: str) -> str:
    """The unit of distances."""
    return said(system(key).short_unit)


def knows_kinds_of_damage(key: str) -> bool:
    """Whether the ruleset has damage types. Rulesets with injuries one by one don't."""
    return system(key).health.one_by_one is None


def unused_columns(key: str) -> frozenset[str]:
    """The columns of the weapon and armour tables, as `weapons.rate`, that the ruleset doesn't use; none if missing."""
    if why_missing(key):
        return frozenset()
    found = system(key)
    weapons = {f"weapons.{column}" for column in found.unused_weapon_columns}
    return frozenset({*weapons, *(f"armor.{column}" for column in found.unused_armor_columns)})


def usual_damage(key: str, name: str, mode: str) -> Damage:
    """The damage type of a weapon that doesn't state one."""
    return system(key).usual_damage(name, Mode(mode))


def health_label() -> str:
    """The name of the number of health boxes."""
    return said(phrase("health"))


def packages() -> dict[str, str]:
    """The package with each ruleset's files, by the ruleset's key."""
    return {key: system(key).book.package for key in installed()}


def ruleset_for(chronicle: Chronicle) -> System:
    """The ruleset as a chronicle plays it, with its house rules, custom kinds, Traits, sections and powers.

    Returns the same object while those are unchanged, because caches are keyed by it. Raises `RulesetMissing` if it
    can't be played.
    """
    own = (chronicle.own_kinds, chronicle.own_traits, chronicle.own_powers)
    return _played(system(chronicle.ruleset), *(json.dumps(each) for each in (chronicle.options, *own)))


@lru_cache(maxsize=200)
def _played(ruleset: System, options: str, kinds: str, traits: str, powers: str) -> System:
    base = own_traits.with_own(ruleset, json.loads(traits))
    found = with_own(base.with_options(json.loads(options)), json.loads(kinds))
    return own_powers.with_own(found, base, json.loads(powers))


def layout_of(key: str, chronicle: Chronicle | None) -> Layout | None:
    """The sheets' layout in a chronicle, or in a ruleset; `None` for an unknown ruleset, since files may name any."""
    if why_missing(key):
        return None
    return ruleset_for(chronicle).layout if chronicle else system(key).layout


def label_of(key: str, trait: str, chronicle: Chronicle | None) -> str:
    """A Trait's label; "" for no Trait, and the key's words for one that isn't on the sheets."""
    layout = layout_of(key, chronicle)
    return said(layout.trait(trait).label) if trait and layout else in_words(trait)


def in_words(key: str) -> str:
    """A key as words, for keys without a label."""
    return key.replace("_", " ").capitalize()


def trait_choices(layout: Layout, categories: frozenset[Category], present: str) -> list[tuple[str, str]]:
    """Key and label of the Traits of these categories that are on sheets; the `present` choice stays one."""
    traits = (trait for trait in layout.traits() if trait.key not in layout.off or trait.key == present)
    return [(trait.key, said(trait.label)) for trait in traits if trait.category in categories]
