"""Damage of the storytelling family: the attack's successes, adjusted by damage steps."""

from __future__ import annotations

from dataclasses import dataclass

from rules.model.damage_steps import DamageStep, DamageTold, Points, total, wound
from rules.model.gear import Damage
from rules.model.plan import Against, PoolPlan
from rules.model.results import DamageDone
from rules.model.sheet import Sheet
from rules.model.system import Game, SystemPart
from rules.strike.facets import Strike


@dataclass(frozen=True, slots=True)
class DamageBySuccesses(SystemPart):
    """Each success is a point of damage, before any step (WD-DMG-1, CD-DMG-1)."""

    def suffered(self, damage: Damage, tags: frozenset[str], target: Sheet) -> Damage:
        """The damage type as this target suffers it: aggravated if the source is a bane of the target's kind."""
        return Damage.AGGRAVATED if tags & self.system.kind(target.kind).banes else damage

    def type(self, strike: Strike) -> Damage:
        """The hit's own damage type, before any step."""
        return self.suffered(strike.weapon.type, strike.weapon.tags, strike.victim.sheet)

    def against(self, strike: Strike, pool: PoolPlan, automatic: int) -> Against:
        """An attack with that pool against its target, before any answer."""
        return Against(strike.target, pool, None, self.type(strike), None, overage=False, automatic=automatic)

    def hit(self, game: Game, by: str, against: Against, net: int) -> DamageDone:
        """Damage of a hit with ``net`` successes."""
        return damage_done(against.target, against.damage_type, *wound(net, against.damage_type, against.steps))

    def stray(self, strike: Strike, steps: tuple[DamageStep, ...]) -> DamageDone:
        """A hit on an unintended target counts as one success (CD-GUN-8)."""
        return self.of(strike, 1, steps)

    def of(self, strike: Strike, successes: int, steps: tuple[DamageStep, ...]) -> DamageDone:
        """Damage of that many successes, regardless of who rolled them."""
        damage = self.type(strike)
        return damage_done(strike.target, damage, *wound(successes, damage, steps))


def damage_done(to: str, damage: Damage, points: Points, told: tuple[DamageTold, ...]) -> DamageDone:
    """The points of a hit of type ``damage`` as suffered damage."""
    kind = next(iter(points)) if len(points) == 1 else damage
    dealt, mixed = total(points), points if len(points) > 1 else {}
    return DamageDone(to, None, dealt, None, 0, dealt, kind, mixed, told)
