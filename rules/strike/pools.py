"""Attack pools: the wielder's Traits, the base difficulty, and the effects of circumstances."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rules.engine.copies import replace
from rules.engine.phrases import phrase
from rules.engine.violations import Flag, Referee
from rules.model.gear import Weapon
from rules.model.modifiers import Circumstances
from rules.model.plan import Against, Part
from rules.model.pools import ATTACK
from rules.model.sheet import Sheet
from rules.model.system import SystemPart
from rules.strike.facets import Facet, Strike


@dataclass(frozen=True, slots=True)
class Wielding(SystemPart, Facet):
    """The Traits a weapon is used with, and the wielder's penalties."""

    def readied(self, strike: Strike) -> Strike:
        traits, pools = self.system.attack.traits_of(strike.weapon), self.system.pools
        own = pools.dice(strike.sheet, traits, self.system.cites[strike.weapon.mode], ATTACK)
        return replace(strike, own=(*own, *pools.hampering(strike.state, strike.command.by, traits)))

    def own(self, sheet: Sheet, weapon: Weapon, referee: Referee) -> tuple[Part, ...]:
        traits, pools = self.system.attack.traits_of(weapon), self.system.pools
        own = pools.dice(sheet, traits, self.system.cites[weapon.mode], ATTACK)
        return (*own, *pools.hindrances(sheet, traits))


@dataclass(frozen=True, slots=True)
class Picked(SystemPart, Facet):
    """An attack's base difficulty, and the circumstances that apply (MQ-ATK-5)."""

    def base(self, weapon: Weapon) -> int:
        """The base difficulty of attacks with a weapon."""
        return self.system.mechanic.default if weapon.difficulty is None else weapon.difficulty

    def start(self, weapon: Weapon) -> tuple[Part, ...]:
        rule = self.system.cites["attack_difficulty"]
        return (self.system.pools.difficulty(self.base(weapon), phrase("attack-label"), rule),)

    def seen(self, strike: Strike) -> Circumstances:
        """What circumstances may look at."""
        return Circumstances(
            strike.band,
            self.base(strike.weapon),
            conditions=strike.attacker.conditions,
            specialties=self.specialties(strike),
        )

    def specialties(self, strike: Strike) -> tuple[str, ...]:
        """The attacker's specialties in the attack's Traits."""
        return self.system.layout.specialties(strike.sheet, self.system.attack.traits_of(strike.weapon))

    def pool(self, strike: Strike) -> tuple[Part, ...]:
        return self.system.circumstances.parts(strike.modifiers, self.seen(strike)) if strike.modifiers else ()


@dataclass(frozen=True, slots=True)
class Extraordinary(SystemPart, Facet):
    """Flag pools that are unusual for the character who rolls them (MQ-DICE-4)."""

    def flags(self, strike: Strike, met: Sequence[Against]) -> tuple[Flag, ...]:
        pools, flags = self.system.pools, list[Flag]()
        for against in met:
            flags += pools.flags(strike.sheet, against.attack)
            if against.defence is not None:
                flags += pools.flags(strike.state.combatants[against.target].sheet, against.defence)
        return tuple(flags)
