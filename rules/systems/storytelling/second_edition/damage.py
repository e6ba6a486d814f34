"""From successes to boxes: the weapon's bonus, armour, and what the target's kind makes of it."""

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
"""What an attack is where its weapon does not say."""

BLUNTED = frozenset({PIERCING, "bashing", BULLET})
"""Forms of attack that only bruise the dead."""


def form_of(weapon: Weapon) -> str:
    """How a weapon wounds: slashing, piercing, bashing or ballistic; a stake pierces."""
    usual = PIERCING if STAKE in weapon.tags else STRIKING_FORMS.get(weapon.mode, "")
    return weapon.form or usual


@dataclass(frozen=True, slots=True)
class WeaponBonus(Facet):
    """Successes and the weapon's rating (CD-DMG-1); in a killing blow where the chronicle plays so (CD-DEF-3)."""

    rule: str

    def steps(self, strike: Strike) -> tuple[DamageStep, ...]:
        blow = KILLING_BLOW in strike.picked and not strike.system.settings["killing_blow_bonus"]
        bonus = strike.weapon.damage
        counted = DamageStep("successes", phrase("Successes"), self.rule, DamageStage.HIT, Effect.COUNT)
        if not bonus or blow:
            return (counted,)
        label, effect = titled(strike.weapon.name), Effect.ADD if bonus > 0 else Effect.LESS
        return (counted, DamageStep("bonus", label, self.rule, DamageStage.HIT, effect, abs(bonus)))


@dataclass(frozen=True, slots=True)
class ArmorSteps(Facet):
    """Ballistic armour blunts shots, then general armour takes points off (CD-ARM-1 to CD-ARM-3, CD-GEAR-1).

    ``ballistic``, ``general``, ``beyond`` (what is beyond nature) and ``gear`` (armour piercing) are the rules. Of
    mundane armour the best counts, of what is beyond nature all of it. What does not cover the part of the body that
    is aimed at does not count.
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
        """The steps of one stage; what the weapon pierces is taken from the first armour first."""
        effect, rule = _LAYERS[stage], self.general if stage is DamageStage.GENERAL else self.ballistic
        pierced, found = weapon.armor_piercing, []
        for armor in counted(worn, rating):
            left = max(0, rating(armor) - pierced)
            label = phrase("{armor}, pierced", armor=armor.name) if left < rating(armor) else armor.name
            pierced -= rating(armor) - left
            if left:
                found.append(DamageStep(key, label, self.beyond if armor.supernatural else rule, stage, effect, left))
        return found


_LAYERS = {DamageStage.BALLISTIC: Effect.SOFTEN, DamageStage.GENERAL: Effect.LESS}


def counted(worn: Iterable[Armor], rating: Callable[[Armor], int]) -> tuple[Armor, ...]:
    """The best of what is worn, and whatever is beyond nature besides; without what has no rating."""
    rated = [armor for armor in worn if rating(armor)]
    mundane = sorted((armor for armor in rated if not armor.supernatural), key=rating)[-1:]
    return (*mundane, *(armor for armor in rated if armor.supernatural))


def covering(strike: Strike) -> tuple[Armor, ...]:
    """The armour that an attack meets: what covers the part aimed at, all of it where none is."""
    parts = {strike.system.modifiers[key].aims_at for key in strike.picked} - {""}
    return tuple(armor for armor in strike.victim.sheet.sound_armor if not armor.covers or parts <= armor.covers)


def _general(armor: Armor) -> int:
    return armor.rating


def _ballistic(armor: Armor) -> int:
    return armor.ballistic or 0


AT_THE_HEAD = frozenset({"target_head", "target_eye", "knockout"})
"""The circumstances in which a shot keeps its kind all the same."""


@dataclass(frozen=True, slots=True)
class DeadFlesh(Facet):
    """What the dead make of it: a bruise, but for what slashes, and for shots at the head (CD-VAMP-2).

    A stake at the heart that does enough keeps its kind too (CD-VAMP-3).
    """

    rule: str

    def steps(self, strike: Strike) -> tuple[DamageStep, ...]:
        form = form_of(strike.weapon)
        if not strike.system.kind(strike.victim.sheet.kind).undead or form not in BLUNTED:
            return ()
        if form == BULLET and AT_THE_HEAD & strike.picked.keys():
            return ()
        below = LETHAL_FROM if is_staking(strike) else 0
        return (DamageStep("dead", phrase("Dead flesh"), self.rule, DamageStage.KIND, Effect.TURN, below=below),)
