"""From a hit to marked damage: the damage pool, soak, and the effects of the target's kind."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from rules.engine.dice import Dice, Purpose, Roll, Throw
from rules.engine.phrases import phrase
from rules.model.choices import Modifier
from rules.model.damage_steps import DamageStage, DamageStep, DamageTold
from rules.model.gear import Armor, Damage, Mode, Weapon, label_of
from rules.model.plan import Against, Part, PoolPlan, dice_of, strike
from rules.model.pools import SOAK, said
from rules.model.power_effects import Pool
from rules.model.results import DamageDone, Rolled
from rules.model.sheet import Sheet
from rules.model.system import Game, SystemPart
from rules.strike.facets import Strike

BITES = frozenset({"teeth", "claws"})
BURNS = frozenset({"fire", "sunlight"})
ALL = frozenset(Damage)
BLUNT_FORCE = "vampires_shrug_off_blunt_force"
"""The house rule of that key halves bashing damage to the undead."""


@dataclass(frozen=True, slots=True)
class RolledDamage(SystemPart):
    """Damage and soak of the classic family (MQ-DMG-1 to MQ-DMG-5, MQ-SOAK-1, MQ-VAMP-1).

    ``rules`` are the rules of a mode's pools where they differ from the topic's; ``adds`` is the Trait always added
    in a mode; in ``unrated`` modes the weapon's rating is ignored; in ``flat`` modes, and with ``flat_tags``, it is
    levels rather than dice. ``fortitude`` are the damage types that Fortitude soaks, ``armor_rule`` is the rule of
    armour. ``by_kind``: only the target's kind decides what is aggravated; otherwise its banes add to the weapon's
    own damage type.
    """

    difficulty: int = 6
    rules: Mapping[Mode, str] = field(default_factory=dict)
    adds: Mapping[Mode, str] = field(default_factory=dict)
    unrated: frozenset[Mode] = frozenset()
    flat: frozenset[Mode] = frozenset()
    flat_tags: frozenset[str] = frozenset()
    fortitude: frozenset[Damage] = ALL
    armor_rule: str = ""
    by_kind: bool = False

    def pool(
        self,
        sheet: Sheet,
        weapon: Weapon,
        strikes: frozenset[str] = frozenset(),
        modifiers: Iterable[Modifier] = (),
    ) -> PoolPlan:
        """The damage pool before overage: the rating and the Trait it is added to (MQ-DMG-2)."""
        modifiers = tuple(modifiers)
        if harmless := self.system.circumstances.harmless(modifiers):
            none = Part(harmless.key, phrase("no-damage", label=harmless.label), harmless.rule)
            return PoolPlan((none,), 0, 0, outright=True)
        flat = self.outright(weapon)
        rule = self.rules.get(Mode.FIREARM if flat else weapon.mode, self.system.cites["damage"])
        rated = () if weapon.mode in self.unrated else (Part("rating", label_of(weapon), rule, weapon.damage),)
        added = self.adds.get(weapon.mode, weapon.damage_from)
        powers = self.system.in_play.parts(
            sheet, Pool.DAMAGE, (added,) if added else (), weapon.mode, weapon.type, tags=weapon.tags
        )
        if flat:
            kept = strike([*rated, *self._aimed(modifiers), *map(as_levels, powers)], strikes)
            return PoolPlan(kept, max(0, dice_of(kept)), 0, outright=True)
        parts = [*rated, *self.system.circumstances.damage_parts(modifiers), *powers]
        if added:
            trait = self.system.layout.trait(added)
            own = Part(f"damage:{trait.key}", trait.label, rule, dice=self.system.layout.bare(sheet, added))
            parts[:0] = self.system.layout.parts(sheet, added, own)
        if self.system.settings.get("wounds_hinder_damage", False):
            parts.extend(self.system.pools.hindrances(sheet, ()))
        parts.append(self.system.pools.difficulty(self.difficulty, phrase("damage-label"), self.system.cites["damage"]))
        return _read_alike(
            self.system.pools.total(parts, strikes=strikes, least=_least(self.system.settings)), self.system.settings
        )

    def outright(self, weapon: Weapon) -> bool:
        """Whether a weapon's damage is a fixed number of levels, without a roll."""
        return weapon.mode in self.flat or bool(weapon.tags & self.flat_tags)

    def _aimed(self, modifiers: Iterable[Modifier]) -> tuple[Part, ...]:
        return (
            self.system.circumstances.damage_parts(modifiers)
            if self.system.settings.get("aim_adds_levels", True)
            else ()
        )

    def with_extra(self, plan: PoolPlan, extra: int, label: str, rule: str) -> PoolPlan:
        """A damage pool with ``extra`` dice from successes (MQ-DMG-1)."""
        if extra <= 0 or plan.outright:
            return plan
        parts = [part for part in plan.parts if part.key != "least"]
        parts.append(Part("overage", label, rule, dice=extra))
        # The limit grows with the extra dice: a hit must never be rejected for them.
        pool = self.system.pools.total(parts, least=_least(self.system.settings), most=plan.pool + extra)
        return _read_alike(pool, self.system.settings)

    def of_hit(self, against: Against, net: int) -> PoolPlan:
        """The damage pool of a hit with ``net`` successes (MQ-DMG-1)."""
        assert against.damage is not None
        extra = net - 1 if against.overage else 0
        return self.with_extra(against.damage, extra, phrase("overage"), self.system.cites["overage"])

    def hit(self, game: Game, by: str, against: Against, net: int) -> DamageDone:
        """Roll the damage of a hit with ``net`` successes."""
        assert against.soak is not None
        pool, victim = self.of_hit(against, net), game.state.combatants[against.target].sheet
        return self.roll(by, against.target, victim, pool, against.damage_type, against.soak, game.dice)

    def stray(self, strike: Strike, steps: tuple[DamageStep, ...]) -> DamageDone:
        """Roll a weapon's damage to an unintended target (MQ-ATK-7)."""
        by, to, weapon = strike.command.by, strike.target, strike.weapon
        victim = strike.victim.sheet
        damage = self.type(weapon, victim, ())
        pool, soak = self.pool(strike.attacker.sheet, weapon), self.soak(victim, damage, weapon)
        return self.roll(by, to, victim, pool, damage, soak, strike.game.dice)

    def against(self, strike: Strike, pool: PoolPlan, automatic: int) -> Against:
        """An attack with that pool against its target, before any answer."""
        weapon, victim, command = strike.weapon, strike.victim.sheet, strike.command
        defence = command.defences.get(strike.target)
        strikes = defence.strike if defence else frozenset[str]()
        kind = self.type(weapon, victim, strike.modifiers)
        damage = self.pool(strike.sheet, weapon, command.strike, strike.modifiers)
        return Against(
            strike.target,
            pool,
            damage,
            kind,
            self.soak(victim, kind, weapon, strikes, strike.modifiers),
            overage=not damage.outright,
            automatic=automatic,
        )

    def struck_back(self, game: Game, by: str, against: Against, ahead: int) -> DamageDone:
        """Roll the counter-damage of a defence that exceeds the attack by that many successes."""
        assert against.counter is not None
        assert against.counter_type is not None
        assert against.counter_soak is not None
        attacker, kind = game.state.combatants[by].sheet, against.counter_type
        pool = self.of_counter(against.counter, ahead)
        return self.roll(against.target, by, attacker, pool, kind, against.counter_soak, game.dice)

    def of_counter(self, counter: PoolPlan, ahead: int) -> PoolPlan:
        """The damage pool of a parry that exceeds the attack by that many successes (MQ-DEF-2)."""
        return self.with_extra(counter, ahead, phrase("parry-wins-by"), self.system.cites["parry"])

    def type(self, weapon: Weapon, target: Sheet, modifiers: Iterable[Modifier]) -> Damage:
        """The damage type that reaches this target: bashing for guns against the dead, if the chronicle plays so
        (MQ-VAMP-1).
        """
        shot = weapon.mode is Mode.FIREARM and weapon.form in ("", "ballistic")
        head = any(self.system.circumstances.rule(modifier.key).aims_at == "head" for modifier in modifiers)
        damage = self.suffered(weapon.type, weapon.tags, target)
        if shot and not head and damage is Damage.LETHAL and self._shrugs_off(target):
            return Damage.BASHING
        return damage

    def suffered(self, damage: Damage, tags: frozenset[str], target: Sheet) -> Damage:
        """The damage type as this target suffers it, by its source (AP-DMG-7)."""
        kind = self.system.kind(target.kind)
        if tags & kind.banes or (self.by_kind and "fire" in tags):
            damage = Damage.AGGRAVATED
        elif self.by_kind and damage is Damage.AGGRAVATED and tags & self.system.banes and not tags & BITES:
            damage = Damage.LETHAL
        return Damage.LETHAL if self.by_kind and kind.mortal and damage is Damage.AGGRAVATED else damage

    def soak(
        self,
        target: Sheet,
        damage: Damage,
        weapon: Weapon,
        strikes: frozenset[str] = frozenset(),
        modifiers: Iterable[Modifier] = (),
    ) -> PoolPlan:
        """The target's soak pool against a damage type; zero dice where nothing soaks it (MQ-SOAK-1)."""
        rule, dots = self.system.cites["soak"], self.system.layout.dots
        parts: list[Part] = []
        resists, stated = self._resists(damage, weapon.tags, target), SOAK in target.pools
        if resists and stated:
            parts.append(
                Part(f"pool:{SOAK}", said(phrase("soak-label")), self.system.cites[damage], target.pools[SOAK])
            )
        elif resists:
            stamina = Part(
                "soak:stamina",
                phrase("stamina-label"),
                self.system.cites[damage],
                dice=self.system.layout.bare(target, "stamina"),
            )
            parts.extend(self.system.layout.parts(target, "stamina", stamina))
        fortitude = 0 if stated else dots(target, "fortitude")
        if fortitude and (damage in self.fortitude or self.system.settings.get("fortitude_soaks_all", False)):
            parts.append(Part("soak:fortitude", phrase("fortitude"), rule, dice=fortitude))
        passed = any(self.system.circumstances.rule(modifier.key).key == "past_armor" for modifier in modifiers)
        alone = bool(parts) or self.system.settings.get("armor_alone", True)
        if alone and not passed and self._stops(damage, weapon.tags):
            parts.extend(self._armor(target, self.armor_rule or rule))
        parts.extend(self.system.in_play.parts(target, Pool.SOAK, mode=weapon.mode, damage=damage, tags=weapon.tags))
        difficulty = self.system.settings.get("soak_difficulty", self.difficulty)
        parts.append(self.system.pools.difficulty(difficulty, phrase("soak-label"), rule))
        return _read_alike(self.system.pools.total(parts, strikes=strikes), self.system.settings)

    def _resists(self, damage: Damage, tags: frozenset[str], target: Sheet) -> bool:
        """Whether Stamina soaks it."""
        kind = self.system.kind(target.kind)
        if damage in kind.soaks and (damage is not Damage.AGGRAVATED or not tags & kind.banes):
            return True
        if damage is Damage.LETHAL and self.system.settings.get("mortals_soak_lethal", False):
            return Damage.BASHING in kind.soaks
        return bool(kind.hardy and self.system.settings.get(kind.hardy, False)) and not tags & kind.banes

    def _stops(self, damage: Damage, tags: frozenset[str]) -> bool:
        """Whether armour soaks it: never fire, whichever type it is for the target's kind."""
        if tags & BURNS and (self.by_kind or damage is Damage.AGGRAVATED):
            return False
        return damage is not Damage.AGGRAVATED or bool(tags & BITES)

    def _armor(self, target: Sheet, rule: str) -> list[Part]:
        """The soak of the armour that counts."""
        return [Part("soak:armor", armor.name, rule, dice=armor.rating) for armor in protecting(target) if armor.rating]

    def settle(self, got_through: int, damage: Damage, target: Sheet) -> int:
        """The levels marked, out of those that got through soak (MQ-VAMP-1)."""
        if damage is Damage.BASHING and self._shrugs_off(target):
            return got_through // 2
        return got_through

    def _shrugs_off(self, target: Sheet) -> bool:
        return self.system.kind(target.kind).undead and bool(self.system.settings.get(BLUNT_FORCE, False))

    def roll(
        self,
        by: str,
        to: str,
        target: Sheet,
        pool: PoolPlan,
        damage: Damage,
        soak: PoolPlan,
        dice: Dice,
    ) -> DamageDone:
        """Roll one combatant's damage to another, then soak if there is damage and a soak pool."""
        read = self.system.mechanic.read
        rolled = Rolled(by, pool, Roll((), pool.difficulty, pool.pool))
        if not pool.outright:
            faces = dice.roll(Throw(Purpose.DAMAGE, by, pool.pool, to)) if pool.pool else ()
            rolled = Rolled(
                by, pool, _with_sure(read(faces, pool.difficulty, may_botch=False, spared=pool.spared), pool)
            )
        levels = rolled.roll.successes
        soaked, resisted = 0, None
        if levels and (soak.pool or soak.sure):
            faces = dice.roll(Throw(Purpose.SOAK, to, soak.pool)) if soak.pool else ()
            resisted = Rolled(
                to, soak, _with_sure(read(faces, soak.difficulty, may_botch=False, spared=soak.spared), soak)
            )
            soaked = min(levels, resisted.roll.successes)
        through = levels - soaked
        dealt = self.settle(through, damage, target)
        return DamageDone(
            to, rolled, levels, resisted, soaked, dealt, damage, told=self._halved(through, dealt, damage)
        )

    def _halved(self, through: int, dealt: int, damage: Damage) -> tuple[DamageTold, ...]:
        """The steps from what got through soak to what is marked, if they differ (MQ-VAMP-1)."""
        if dealt == through:
            return ()
        option = next(each for each in self.system.options if each.key == BLUNT_FORCE)
        after = {damage: dealt} if dealt else {}
        return (
            DamageTold("unsoaked", phrase("damage-after-soak"), option.rule, {damage: through}),
            DamageTold(option.key, option.label, option.rule, after, DamageStage.KIND),
        )


def _with_sure(roll: Roll, pool: PoolPlan) -> Roll:
    """A roll with the automatic successes of its pool."""
    return replace(roll, successes=roll.successes + pool.sure) if pool.sure else roll


def as_levels(part: Part) -> Part:
    """A part of what isn't rolled: automatic successes are levels like dice, and there is no difficulty."""
    return replace(part, dice=part.dice + part.successes, difficulty=0, successes=0)


def _read_alike(pool: PoolPlan, settings: Mapping[str, Any]) -> PoolPlan:
    """A damage or soak pool whose 1s count as the chronicle chose (MQ-DICE-3)."""
    spared = not settings.get("ones_cancel_damage_and_soak", True)
    return pool if pool.spared == spared else replace(pool, spared=spared)


def _least(settings: Mapping[str, Any]) -> int:
    """The minimum number of damage dice (MQ-DMG-2)."""
    return int(settings.get("least_damage_die", True))


def protecting(target: Sheet) -> tuple[Armor, ...]:
    """The best worn armour, plus all supernatural protection."""
    sound = target.sound_armor
    worn = sorted((armor for armor in sound if not armor.supernatural), key=lambda armor: -armor.rating)[:1]
    return (*worn, *(armor for armor in sound if armor.supernatural))
