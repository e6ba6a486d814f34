"""Firing: single shots, bursts, multiple targets, and bystanders."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rules.engine.copies import replace
from rules.engine.inputs import Wanted
from rules.engine.phrases import phrase
from rules.engine.violations import bad_input
from rules.model.conditions import GRAPPLED
from rules.model.gear import loaded
from rules.model.modifiers import RANGED, ModifierRule, nothing, number
from rules.model.plan import Part
from rules.strike.facets import Facet, Strike
from rules.systems.storytelling.bursts import burst_modifiers, burst_of, check_automatic, check_targets
from rules.systems.storytelling.defense_trait import SHOT
from rules.systems.storytelling.second_edition.weapons import check_rounds

INTO_MELEE = "into_melee"
MOST_SPARED = 20


def others(strike: Strike) -> tuple[str, ...]:
    """Those near the targets who are not targets."""
    return tuple(who for who in strike.command.near if who not in strike.command.at)


def in_the_way(strike: Strike) -> int:
    """The number a burst could hit: the named targets, or the target and the given number of bystanders."""
    named = len(strike.command.at) + len(others(strike))
    if INTO_MELEE not in strike.picked:
        return named
    return max(named, 1 + sum(spared(strike)))


def spared(strike: Strike) -> tuple[int, int]:
    """How many free and how many grappled bystanders to spare: as given, or those nearby."""
    if (figures := strike.picked.get(INTO_MELEE)) is not None:
        free, grappled = (
            number(figures, key, least=0, most=MOST_SPARED) if key in figures else 0 for key in ("spared", "grappled")
        )
        return free, grappled
    held = sum(GRAPPLED in strike.state.combatants[who].conditions for who in others(strike))
    return len(others(strike)) - held, held


@dataclass(frozen=True, slots=True)
class Trigger(Facet):
    """One action is one squeeze of the trigger (CD-GUN-15, CD-GUN-12): a round, or an automatic weapon's burst.

    ``rule`` is that of single shots, ``ammunition`` that of attacks without enough rounds.
    """

    rule: str
    ammunition: str

    def readied(self, strike: Strike) -> Strike:
        weapon, burst = strike.weapon, burst_of(strike)
        if burst is None:
            self._check_single(strike)
        else:
            check_automatic(strike, self.rule)
        magazine, wanted = loaded(weapon), self._wanted(strike)
        check_rounds(weapon, wanted, self.ammunition, strike.game.referee)
        return replace(strike, rounds=wanted if magazine is None else min(wanted, magazine))

    def _check_single(self, strike: Strike) -> None:
        if len(strike.command.at) == 1:
            return
        if strike.weapon.mode not in SHOT:
            raise bad_input(phrase("this-attack-can-have-only-one-target"))
        strike.game.referee.forbid(self.rule, phrase("single-shot-has-one-target-use-burst"))

    @staticmethod
    def _wanted(strike: Strike) -> int:
        if strike.weapon.mode not in SHOT:
            return 0
        burst = burst_of(strike)
        return burst.rounds if burst else 1


@dataclass(frozen=True, slots=True)
class Crowd(Facet):
    """A burst's targets, and the penalty for several (CD-GUN-1 to CD-GUN-4, CD-GUN-9).

    ``several`` is the rule of multiple targets, ``crowd`` that of bystanders; ``most`` is the maximum number of
    targets by a burst's key.
    """

    several: str
    crowd: str
    most: Mapping[str, int]

    def check(self, strike: Strike) -> None:
        burst = burst_of(strike)
        if burst is None or self._at_one(strike):
            return
        check_targets(strike, burst, in_the_way(strike), self.most)

    def targets(self, strike: Strike) -> tuple[str, ...]:
        return others(strike) if burst_of(strike) else ()

    def pool(self, strike: Strike) -> tuple[Part, ...]:
        count = in_the_way(strike)
        if burst_of(strike) is None or count < 2:
            return ()
        if count > len(strike.command.at) or self._at_one(strike):
            return (Part("targets", phrase("who-could-be-hit", count=count), self.crowd, dice=-count),)
        return (Part("targets", phrase("targets", count=count), self.several, dice=-count),)

    @staticmethod
    def _at_one(strike: Strike) -> bool:
        """Whether the burst is meant for a single target, regardless of bystanders."""
        return len(strike.command.at) == 1 or INTO_MELEE in strike.picked


@dataclass(frozen=True, slots=True)
class Spared(Facet):
    """A single shot or throw into close combat (CD-GUN-8): two dice for each person to be spared, four if grappled."""

    rule: str

    def check(self, strike: Strike) -> None:
        if strike.command.near and strike.weapon.mode.close:
            raise bad_input(phrase("only-shots-and-throws-endanger-bystanders"))

    def pool(self, strike: Strike) -> tuple[Part, ...]:
        if strike.weapon.mode not in RANGED or burst_of(strike):
            return ()
        free, grappled = spared(strike)
        parts = []
        if free:
            parts.append(Part("spared", phrase("to-spare-free", free=free), self.rule, dice=-2 * free))
        if grappled:
            label = phrase("to-spare-in-grapple", grappled=grappled)
            parts.append(Part("spared:grappled", label, self.rule, dice=-4 * grappled))
        return tuple(parts)


def fire_modifiers(cites: Mapping[str, str]) -> tuple[ModifierRule, ...]:
    """Bursts, and shots into close combat."""
    return (
        *burst_modifiers(cites),
        ModifierRule(
            INTO_MELEE,
            phrase("into-close-combat"),
            cites[INTO_MELEE],
            nothing,
            modes=RANGED,
            wanted=(
                Wanted("spared", phrase("to-spare"), most=MOST_SPARED),
                Wanted("grappled", phrase("more-in-grapple"), most=MOST_SPARED),
            ),
        ),
    )
