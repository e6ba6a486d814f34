"""From successes to boxes: the weapon's bonus, armour, and the effects of the target's kind."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from rules.engine.phrases import phrase
from rules.model.damage_steps import DamageStage, DamageStep, Effect
from rules.model.gear import Armor, Mode, Weapon, titled
from rules.strike.facets import Facet, Strike
from rules.systems.storytelling.second_edition.defense_trait import KILLING_BLOW
from rules.systems.storytelling.second_edition.staking import LETHAL_FROM, STAKE, is_staking

BULLET = "ballistic"
PIERCING = "piercing"
STRIKING_FORMS = {Mode.FIREARM: BULLET, Mode.ARCHERY: PIERCING, Mode.UNARMED: "bashing"}
"""Default form of an attack if its weapon has none."""

BLUNTED = frozenset({PIERCING, "bashing", BULLET})
"""Forms of attack that only do bashing damage to the dead."""


def form_of(weapon: Weapon) -> str:
    """How a weapon wounds: slashing, piercing, bashing or ballistic; stakes pierce."""
    usual = PIERCING if STAKE in weapon.tags else STRIKING_FORMS.get(weapon.mode, "")
    return weapon.form or usual


@dataclass(frozen=True, slots=True)
class WeaponBonus(Facet):
    """Successes plus the weapon's rating (CD-DMG-1); in killing blows if the chronicle plays so (CD-DEF-3)."""

    rule: str

    def steps(self, strike: Strike) -> tuple[DamageStep, ...]:
        blow = KILLING_BLOW in strike.picked and not strike.system.settings["killing_blow_bonus"]
        bonus = strike.weapon.damage
        counted = DamageStep("successes", phrase("successes"), self.rule, DamageStage.HIT, Effect.COUNT)
        if not bonus or blow:
            return (counted,)
        label, effect = titled(strike.weapon.name), Effect.ADD if bonus > 0 else Effect.LESS
        return (counted, DamageStep("bonus", label, self.rule, DamageStage.HIT, effect, abs(bonus)))


@dataclass(frozen=True, slots=True)
class ArmorSteps(Facet):
    """Ballistic armour downgrades shots, then general armour subtracts points (CD-ARM-1 to CD-ARM-3, CD-GEAR-1).

    ``ballistic``, ``general``, ``beyond`` (supernatural protection) and ``gear`` (armour piercing) are the rules.
    Only the best mundane armour counts, but all supernatural protection. Armour that does not cover the specified
    target does not count.
    """

    ballistic: str
    general: str
    beyond: str
    gear: str

    def steps(self, strike: Strike) -> tuple[DamageStep, ...]:
        worn = covering(strike)
        found = self._layer("armor", worn, _general, strike.weapon, DamageStage.GENERAL)
        if form_of(strike.weapon) == BULLET:
            found += self._layer("ballistic", worn, _ballistic, strike.weapon, DamageStage.BALLISTIC)
        return tuple(found)

    def _layer(
        self,
        key: str,
        worn: Iterable[Armor],
        rating: Callable[[Armor], int],
        weapon: Weapon,
        stage: DamageStage,
    ) -> list[DamageStep]:
        """The steps of one stage; armour piercing is subtracted from the first armour first.

        Armour that is pierced entirely has a step without effect.
        """
        effect, rule = _LAYERS[stage], self.general if stage is DamageStage.GENERAL else self.ballistic
        pierced, found = weapon.armor_piercing, []
        for armor in counted(worn, rating):
            left = max(0, rating(armor) - pierced)
            label = phrase("pierced", armor=armor.name) if left < rating(armor) else armor.name
            pierced -= rating(armor) - left
            if left:
                found.append(DamageStep(key, label, self.beyond if armor.supernatural else rule, stage, effect, left))
            else:
                label = phrase("pierced-entirely", armor=armor.name, piercing=weapon.armor_piercing)
                found.append(DamageStep(f"pierced:{key}", label, self.gear, stage, Effect.PIERCE))
        return found


_LAYERS = {DamageStage.BALLISTIC: Effect.SOFTEN, DamageStage.GENERAL: Effect.LESS}


def counted(worn: Iterable[Armor], rating: Callable[[Armor], int]) -> tuple[Armor, ...]:
    """The best worn armour plus all supernatural protection, without unrated ones."""
    rated = [armor for armor in worn if rating(armor)]
    mundane = sorted((armor for armor in rated if not armor.supernatural), key=rating)[-1:]
    return (*mundane, *(armor for armor in rated if armor.supernatural))


def covering(strike: Strike) -> tuple[Armor, ...]:
    """The armour an attack meets: what covers the specified target, or all of it if there is none."""
    parts = {strike.system.modifiers[key].aims_at for key in strike.picked} - {""}
    return tuple(armor for armor in strike.victim.sheet.sound_armor if not armor.covers or parts <= armor.covers)


def _general(armor: Armor) -> int:
    return armor.rating


def _ballistic(armor: Armor) -> int:
    return armor.ballistic or 0


AT_THE_HEAD = frozenset({"target_head", "target_eye", "knockout"})
"""Circumstances in which a shot keeps its damage type regardless."""


@dataclass(frozen=True, slots=True)
class DeadFlesh(Facet):
    """The dead take bashing damage, except from slashing and from shots at the head (CD-VAMP-2).

    A stake through the heart that does enough damage keeps its type too (CD-VAMP-3).
    """

    rule: str

    def steps(self, strike: Strike) -> tuple[DamageStep, ...]:
        form = form_of(strike.weapon)
        if not strike.system.kind(strike.victim.sheet.kind).undead or form not in BLUNTED:
            return ()
        if form == BULLET and AT_THE_HEAD & strike.picked.keys():
            return ()
        below = LETHAL_FROM if is_staking(strike) else 0
        return (DamageStep("dead", phrase("dead-flesh"), self.rule, DamageStage.KIND, Effect.TURN, below=below),)
