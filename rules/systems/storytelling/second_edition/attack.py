"""Attacks of the second storytelling edition: valid targets, the attacker's dice, the damage type."""

from __future__ import annotations

from dataclasses import dataclass

from rules.engine.copies import replace
from rules.engine.phrases import phrase
from rules.engine.violations import Referee
from rules.model.attack import Attack
from rules.model.gear import Damage, Weapon
from rules.model.plan import Part
from rules.model.pools import ATTACK
from rules.model.sheet import Sheet
from rules.model.system import SystemPart
from rules.strike.by_successes import DamageBySuccesses
from rules.strike.facets import Facet, Strike
from rules.systems.storytelling.pools import StorytellingPools


@dataclass(frozen=True, slots=True)
class EachOnce(Facet):
    """An attack may have several different targets."""

    def miscounted(self, command: Attack) -> str:
        if len(set(command.at)) < len(command.at):
            return phrase("name-each-target-once")
        return "" if command.at else phrase("choose-a-target")


@dataclass(frozen=True, slots=True)
class Wielding(SystemPart, Facet):
    """The attacker's dice, including wound and Strength penalties; the weapon's rating is not part of the pool
    (CD-ATK-1).
    """

    pools: StorytellingPools

    def readied(self, strike: Strike) -> Strike:
        own = self.own(strike.sheet, strike.weapon, strike.game.referee)
        return replace(strike, own=(*own, *self.pools.mood(strike.state, strike.command.by)))

    def own(self, sheet: Sheet, weapon: Weapon, referee: Referee) -> tuple[Part, ...]:
        traits = self.system.attack.traits_of(weapon)
        return (
            *self.pools.dice(sheet, traits, self.system.cites[weapon.mode], ATTACK),
            *self.pools.too_weak(sheet, weapon),
            *self.pools.hindrances(sheet, traits),
        )


@dataclass(frozen=True, slots=True)
class KindOfDamage(DamageBySuccesses):
    """Fire, and a bane of the target's kind, do aggravated damage (CD-DMG-3)."""

    def suffered(self, damage: Damage, tags: frozenset[str], target: Sheet) -> Damage:
        """The damage type by source and target."""
        return Damage.AGGRAVATED if "fire" in tags else DamageBySuccesses.suffered(self, damage, tags, target)
