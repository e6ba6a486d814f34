"""A full sheet from a few fixed pools: the dots nearest to them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rules.model.pools import ATTACK, DEFENCE, PERCEPTION, SOAK
from rules.model.sheet import Category, Layout
from rules.model.system import System

ORDINARY = 2
"""An ordinary person's dots in an Attribute."""


def grown(system: System, kind: str, traits: Mapping[str, int], pools: Mapping[str, int]) -> dict[str, int]:
    """These Traits, raised or lowered so that the sheet rolls about as many dice as the pools say.

    Each pool sets the Ability of its pair of Traits; only what an Ability can't hold raises the Attribute. Attributes
    are never lowered, since several pools share them.
    """
    layout = system.layout
    dots = dict(traits)
    done: set[str] = set()
    if SOAK in pools:
        dots["stamina"] = _within(layout, "stamina", pools[SOAK])
    for attribute, ability, dice in _pairs(system, pools):
        if ability in done or not _has(layout, kind, ability):
            continue
        done.add(ability)
        written = dots.get(attribute, layout.trait(attribute).default)
        most = layout.trait(ability).maximum
        dots[attribute] = _within(layout, attribute, max(written, dice - most))
        dots[ability] = _within(layout, ability, dice - dots[attribute])
    abilities = {each.key for each in layout.traits() if each.category is Category.ABILITY}
    for key in (pools.keys() & abilities) - done:
        # No Attribute is known for it: an ordinary one.
        dots[key] = _within(layout, key, pools[key] - ORDINARY)
    return dots


def _pairs(system: System, pools: Mapping[str, int]) -> Iterator[tuple[str, str, int]]:
    """Attribute, Ability and dice of each pool; the more particular ones first."""
    attacks = list(system.attack.traits.values())
    kinds = {} if system.attack.defences.changes else system.attack.defences.kinds
    defences = [(key, each.traits[0], each.traits[1]) for key, each in kinds.items() if not each.attacks]
    for attribute, ability in attacks:
        if ability in pools:
            yield attribute, ability, pools[ability]
    for key, attribute, ability in defences:
        if key in pools:
            yield attribute, ability, pools[key]
    if ATTACK in pools:
        yield from ((attribute, ability, pools[ATTACK]) for attribute, ability in attacks)
    if DEFENCE in pools:
        yield from ((attribute, ability, pools[DEFENCE]) for _key, attribute, ability in defences)
    if PERCEPTION in pools:
        yield system.perception[0], _second(system), pools[PERCEPTION]


def _second(system: System) -> str:
    """The Trait that Perception is rolled with."""
    return system.perception[1] if len(system.perception) > 1 else "alertness"


def _has(layout: Layout, kind: str, key: str) -> bool:
    return any(trait.key == key for trait in layout.traits_for(kind))


def _within(layout: Layout, key: str, dots: int) -> int:
    trait = layout.trait(key)
    return min(max(dots, trait.minimum), trait.maximum)
