"""Fixed pools: what an antagonist's sheet states outright, used in place of Attribute + Ability.

A sheet keeps them in ``pools``: under one of the keys here, or under that of a defence or an Ability. The number of
health boxes is kept there too. Wounds, circumstances and a weapon's rating
change a fixed pool like any other; shapes don't.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rules.engine.phrases import Phrase, phrase
from rules.model.sheet import Category, Sheet
from rules.model.system import System

ATTACK = "attack"
"""Attacks with any weapon whose Ability has no pool of its own."""

DEFENCE = "defence"
"""Defences without a pool of their own; the Trait Defense in rulesets that have it."""

SOAK = "soak"
INITIATIVE = "initiative"
PERCEPTION = "perception"
HEALTH = "health"

MOST_BOXES = 30
MOST_POOL = 50


def stated(sheet: Sheet, keys: Iterable[str]) -> str:
    """The first of these keys under which the sheet states a pool; "" if it states none."""
    return next((key for key in keys if key in sheet.pools), "")


def keys_of(system: System, traits: Iterable[str], pool: str) -> tuple[str, ...]:
    """The keys of fixed pools that replace these Traits, in order of precedence.

    ``pool`` is `ATTACK` for an attack, the defence's key for a defence, and "" for any other roll.
    """
    asked = tuple(traits)
    own = tuple(key for key in asked if system.layout.trait(key).category is Category.ABILITY)
    if pool == ATTACK:
        return (*own, ATTACK)
    if pool:
        return (pool, DEFENCE, *own)
    return (*own, PERCEPTION) if set(system.perception) <= set(asked) else own


def labels(system: System) -> Mapping[str, str]:
    """The pools that an antagonist of this system may have, by key, without `HEALTH`."""
    defences = system.attack.defences
    rolled = {} if defences.changes else {rule.key: rule.label for rule in defences.kinds.values() if not rule.attacks}
    return {
        ATTACK: phrase("attack-label"),
        DEFENCE: phrase("defense") if defences.changes else phrase("defence-pool"),
        **rolled,
        **({} if system.attack.damage is None else {SOAK: phrase("soak-label")}),
        INITIATIVE: phrase("initiative-label"),
        PERCEPTION: phrase("perception"),
        **{
            trait.key: trait.label
            for trait in system.layout.traits()
            if trait.category is Category.ABILITY and trait.key not in system.layout.off
        },
    }


def said(label: str) -> Phrase:
    """How a plan names a fixed pool."""
    return phrase("fixed-pool", pool=label)
