"""From a hit to the boxes: the damage pool, who soaks what, what the target's kind makes of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rules.commands import Modifier
from rules.dice import Dice, Purpose, Throw
from rules.events import DamageDone, Rolled
from rules.gear import Damage, Mode, Weapon
from rules.modifiers import modifier_rule
from rules.plan import Part, PoolPlan
from rules.sheet import Sheet

if TYPE_CHECKING:
    from rules.ruleset import Ruleset

BITES = frozenset({"teeth", "claws"})
BURNS = frozenset({"fire", "sunlight"})


@dataclass(frozen=True, slots=True)
class DamageRules:
    """Damage and soak of the classic family (MQ-DMG-1 to MQ-DMG-5, MQ-SOAK-1, MQ-VAMP-1)."""

    difficulty: int = 6

    def pool(self, sheet: Sheet, weapon: Weapon, ruleset: Ruleset, strikes: frozenset[str] = frozenset()) -> PoolPlan:
        """The damage pool before overage: the rating, and the Trait that it is added to (MQ-DMG-2)."""
        rule = ruleset.cites["damage"]
        parts = [Part("rating", weapon.name.capitalize(), rule, dice=weapon.damage)]
        if weapon.damage_from:
            trait = ruleset.layout.trait(weapon.damage_from)
            dots = ruleset.layout.dots(sheet, weapon.damage_from)
            parts.insert(0, Part(f"damage:{trait.key}", trait.label, rule, dice=dots))
        parts.append(ruleset.pools.difficulty(self.difficulty, "Damage", rule))
        return ruleset.pools.total(parts, ruleset, strikes=strikes, least=1)

    def with_extra(self, plan: PoolPlan, extra: int, label: str, rule: str, ruleset: Ruleset) -> PoolPlan:
        """A damage pool with ``extra`` dice that the successes bring (MQ-DMG-1)."""
        if extra <= 0:
            return plan
        parts = [part for part in plan.parts if part.key != "least"]
        parts.append(Part("overage", label, rule, dice=extra))
        # A hit is never refused for what it brings.
        return ruleset.pools.total(parts, ruleset, least=1, most=plan.pool + extra)

    def type(self, weapon: Weapon, target: Sheet, modifiers: Iterable[Modifier], ruleset: Ruleset) -> Damage:
        """The kind of damage that reaches this target: guns do the dead bashing where so decided (MQ-VAMP-1)."""
        shot = weapon.mode is Mode.FIREARM and weapon.form in ("", "ballistic")
        head = any(modifier_rule(modifier.key, ruleset).aims_at == "head" for modifier in modifiers)
        if shot and not head and weapon.type is Damage.LETHAL and self._shrugs_off(target, ruleset):
            return Damage.BASHING
        return weapon.type

    def soak(
        self, target: Sheet, damage: Damage, weapon: Weapon, ruleset: Ruleset, strikes: frozenset[str] = frozenset()
    ) -> PoolPlan:
        """The target's soak pool against a kind of damage; of no dice where nothing soaks it (MQ-SOAK-1)."""
        rule, dots = ruleset.cites["soak"], ruleset.layout.dots
        parts = []
        if damage in ruleset.kind(target.kind).soaks:
            parts.append(Part("soak:stamina", "Stamina", ruleset.cites[damage], dice=dots(target, "stamina")))
        if fortitude := dots(target, "fortitude"):
            parts.append(Part("soak:fortitude", "Fortitude", rule, dice=fortitude))
        if damage is not Damage.AGGRAVATED or (weapon.tags & BITES and not weapon.tags & BURNS):
            parts.extend(self._armor(target, rule))
        parts.append(ruleset.pools.difficulty(self.difficulty, "Soak", rule))
        return ruleset.pools.total(parts, ruleset, strikes=strikes)

    def _armor(self, target: Sheet, rule: str) -> list[Part]:
        """The best of what is worn, and whatever is beyond nature besides."""
        worn = sorted((a for a in target.armor if not a.supernatural), key=lambda armor: -armor.rating)[:1]
        counted = [*worn, *(armor for armor in target.armor if armor.supernatural)]
        return [Part("soak:armor", armor.name, rule, dice=armor.rating) for armor in counted if armor.rating]

    def settle(self, got_through: int, damage: Damage, target: Sheet, ruleset: Ruleset) -> int:
        """The levels that are marked, of those that got through the soak (MQ-VAMP-1)."""
        if damage is Damage.BASHING and self._shrugs_off(target, ruleset):
            return got_through // 2
        return got_through

    def _shrugs_off(self, target: Sheet, ruleset: Ruleset) -> bool:
        return ruleset.kind(target.kind).undead and bool(ruleset.settings["vampires_shrug_off_blunt_force"])

    def roll(
        self,
        by: str,
        to: str,
        target: Sheet,
        pool: PoolPlan,
        damage: Damage,
        soak: PoolPlan,
        ruleset: Ruleset,
        dice: Dice,
    ) -> DamageDone:
        """Roll damage by one combatant to another, then the soak where there is something to soak and with."""
        read = ruleset.mechanic.read
        faces = dice.roll(Throw(Purpose.DAMAGE, by, pool.pool, to))
        rolled = Rolled(by, pool, read(faces, pool.difficulty, may_botch=False))
        levels = rolled.roll.successes
        soaked, resisted = 0, None
        if levels and soak.pool:
            resisted = Rolled(
                to, soak, read(dice.roll(Throw(Purpose.SOAK, to, soak.pool)), soak.difficulty, may_botch=False)
            )
            soaked = min(levels, resisted.roll.successes)
        dealt = self.settle(levels - soaked, damage, target, ruleset)
        return DamageDone(to, rolled, levels, resisted, soaked, dealt, damage)
