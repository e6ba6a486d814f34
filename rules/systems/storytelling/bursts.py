"""Bursts of automatic weapons in the storytelling family (CD-GUN-1 to CD-GUN-4, WD-AUTO-1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rules.engine.phrases import phrase
from rules.model.attack import Attack
from rules.model.gear import Mode, Weapon, titled
from rules.model.modifiers import GUNS, ModifierRule, fixed
from rules.model.plan import Part
from rules.strike.facets import Facet, Strike

BURST = "burst"
"""Group of the burst circumstances."""

BURSTS = (
    ("short_burst", phrase("short-burst"), 3, 1),
    ("medium_burst", phrase("medium-burst"), 10, 2),
    ("long_burst", phrase("long-burst"), 20, 3),
)
"""Each burst: its key, its label, its bullets and the dice that it adds."""

MOST_TARGETS = {"short_burst": 1, "medium_burst": 3}
"""The most targets of a burst; a long one has as many as the Storyteller allows."""


def automatic(weapon: Weapon) -> bool:
    """Whether a weapon fires bursts."""
    return weapon.mode is Mode.FIREARM and weapon.automatic


def burst_modifiers(cites: Mapping[str, str], setting: str = "") -> tuple[ModifierRule, ...]:
    """The bursts as picked circumstances, each under its rule in ``cites``."""
    return tuple(
        ModifierRule(
            key,
            label,
            cites[key],
            fixed(dice=dice),
            modes=GUNS,
            rounds=rounds,
            group=BURST,
            fits=automatic,
            setting=setting,
        )
        for key, label, rounds, dice in BURSTS
    )


def burst_of(strike: Strike) -> ModifierRule | None:
    """The burst fired, ``None`` for a single shot."""
    rules = (strike.system.modifiers[key] for key in strike.picked)
    return next((rule for rule in rules if rule.group == BURST), None)


def check_automatic(strike: Strike, rule: str) -> None:
    """Forbid bursts of weapons that don't fire any."""
    if not strike.weapon.automatic:
        strike.game.referee.forbid(rule, phrase("isnt-set-to-automatic-fire", weapon=titled(strike.weapon.name)))


def check_targets(strike: Strike, burst: ModifierRule, count: int, most: Mapping[str, int]) -> None:
    """Forbid a burst at more people than it can hit."""
    limit = most.get(burst.key)
    if limit is not None and count > limit:
        one = phrase("one-target") if limit == 1 else phrase("at-most-targets", most=limit)
        strike.game.referee.forbid(burst.rule, phrase("but-could-be-hit", label=burst.label, one=one, count=count))


@dataclass(frozen=True, slots=True)
class BurstFire(Facet):
    """Bursts at the targets that are named, without bystanders: a roll for each, and a die less for each if there are
    several (WD-AUTO-1).
    """

    rule: str

    def miscounted(self, command: Attack) -> str:
        if len(set(command.at)) < len(command.at):
            return phrase("name-each-target-once")
        if len(command.at) > 1 and {key for key, *_ in BURSTS}.isdisjoint(each.key for each in command.modifiers):
            return phrase("attack-can-have-only-one-target")
        return "" if command.at else phrase("choose-a-target")

    def check(self, strike: Strike) -> None:
        burst = burst_of(strike)
        if burst is not None:
            check_automatic(strike, self.rule)
            check_targets(strike, burst, len(strike.targets), MOST_TARGETS)

    def pool(self, strike: Strike) -> tuple[Part, ...]:
        count = len(strike.targets)
        return (Part("targets", phrase("targets", count=count), self.rule, dice=-count),) if count > 1 else ()
