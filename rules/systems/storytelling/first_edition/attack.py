"""Attacks of the first storytelling edition: the weapon's rating, Defense and armour are all part of the pool."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rules.engine.copies import replace
from rules.engine.phrases import phrase
from rules.engine.violations import Flag, Referee
from rules.model.conditions import BLINDED, SURPRISED
from rules.model.gear import Damage, Mode, Weapon, label_of
from rules.model.modifiers import Band
from rules.model.plan import Against, Part
from rules.model.pools import ATTACK
from rules.model.sheet import Sheet
from rules.model.system import SystemPart
from rules.model.words import as_key, in_words
from rules.strike.by_successes import DamageBySuccesses
from rules.strike.facets import Facet, Reason, Strike
from rules.systems.storytelling.defense_trait import armor_parts, blunted
from rules.systems.storytelling.pools import StorytellingPools

FINESSE = "fighting_finesse"


# ------------------------------------------------------------------ the pool


@dataclass(frozen=True, slots=True)
class Wielding(SystemPart, Facet):
    """The dice of attacker and weapon, including wound and Strength penalties (WD-ATK-1 to WD-ATK-5, WD-DICE-5)."""

    pools: StorytellingPools

    def readied(self, strike: Strike) -> Strike:
        own = self.own(strike.sheet, strike.weapon, strike.game.referee)
        return replace(strike, own=(*own, *self.pools.mood(strike.state, strike.command.by)))

    def own(self, sheet: Sheet, weapon: Weapon, referee: Referee) -> tuple[Part, ...]:
        usual, ability = self.system.attack.traits_of(weapon)
        fine = (usual, ability) == ("strength", "weaponry") and has_finesse(sheet, weapon)
        traits, rule = ("dexterity" if fine else usual, ability), self.system.cites[weapon.mode]
        parts = list(self.pools.dice(sheet, traits, rule, ATTACK))
        if fine and len(parts) > 1:
            parts[0] = replace(parts[0], rule=self.system.cites["finesse"])
        if weapon.damage:
            parts.append(Part("rating", label_of(weapon), rule, dice=weapon.damage))
        parts += (*self.pools.too_weak(sheet, weapon), *self.pools.hindrances(sheet, traits))
        return self.pools.limited(parts, referee)


def has_finesse(sheet: Sheet, weapon: Weapon) -> bool:
    """Whether the Merit Fighting Finesse covers this weapon (WD-ATK-3): the one it names, or any if it names none."""
    return any(
        as_key(merit).removeprefix(FINESSE).strip("_") in as_key(weapon.name) for merit in _finesse(sheet.merits)
    )


def _finesse(merits: Iterable[str]) -> list[str]:
    return [merit for merit in merits if as_key(merit).startswith(FINESSE)]


@dataclass(frozen=True, slots=True)
class Unseen(Facet):
    """Nobody shoots at unseen targets; if that is waived, the shot may be a chance roll (WD-ATK-6)."""

    rule: str

    def check(self, strike: Strike) -> None:
        if self._unseen(strike):
            strike.game.referee.forbid(self.rule, phrase("target-of-ranged-attack"))

    def chance(self, strike: Strike) -> str:
        by_chance = strike.system.settings["unseen_by_chance"] and self._unseen(strike)
        return phrase("target-isnt-in-sight") if by_chance else ""

    @staticmethod
    def _unseen(strike: Strike) -> bool:
        if strike.weapon.mode.close:
            return False
        return BLINDED in strike.attacker.conditions or "unseen" in strike.picked


@dataclass(frozen=True, slots=True)
class FarOff(Facet):
    """Beyond long range an attack is a chance roll (WD-RANGE-1)."""

    def chance(self, strike: Strike) -> str:
        return phrase("beyond-long-range") if strike.band is Band.BEYOND else ""


# ------------------------------------------------------------------ what keeps it from the target


@dataclass(frozen=True, slots=True)
class AtHand(Facet):
    """Within two yards Defense applies to shots too (WD-ATK-4)."""

    rule: str
    yards: int = 2

    def sheltered(self, strike: Strike) -> Reason | None:
        distance = strike.command.distance
        near = "close_quarters" in strike.picked if distance is None else distance <= self.yards
        return Reason(self.rule, phrase("within-two-yards")) if near else None


@dataclass(frozen=True, slots=True)
class Defenseless(Facet):
    """Those who can't act, are surprised or gave it up have no Defense (WD-DEF-1, WD-SURP-1, WD-MAN-1)."""

    rule: str
    surprise: str

    def defenseless(self, strike: Strike) -> Reason | None:
        condition = strike.system.turns.hindrance(strike.state, strike.target)
        if not condition:
            exposed = strike.victim.turn.exposed
            return Reason(exposed, phrase("given-up-this-turn")) if exposed else None
        return Reason(self.surprise if condition == SURPRISED else self.rule, in_words(condition))


@dataclass(frozen=True, slots=True)
class Worn(Facet):
    """The dice armour takes from the attack (WD-ARM-1)."""

    def pool(self, strike: Strike) -> tuple[Part, ...]:
        return armor_parts(strike.victim.sheet, strike.weapon, strike.system.cites)


# ------------------------------------------------------------------ the damage


@dataclass(frozen=True, slots=True)
class KindOfDamage(DamageBySuccesses):
    """The damage type by source, target and armour (WD-DMG-1, WD-DMG-4, WD-DMG-5)."""

    def suffered(self, damage: Damage, tags: frozenset[str], target: Sheet) -> Damage:
        """A bane of the target's kind does aggravated damage; to others it is lethal, as any fire is (WD-DMG-5)."""
        if tags & self.system.kind(target.kind).banes:
            return Damage.AGGRAVATED
        weakened = damage is Damage.AGGRAVATED and tags & self.system.banes
        return Damage.LETHAL if weakened or "fire" in tags else damage

    def type(self, strike: Strike) -> Damage:
        """The type that reaches this target: guns and armour may reduce it to bashing (WD-DMG-4, WD-ARM-1)."""
        damage = self.suffered(strike.weapon.type, strike.weapon.tags, strike.victim.sheet)
        return Damage.BASHING if softened(strike, damage) else damage


@dataclass(frozen=True, slots=True)
class KindTold(Facet):
    """Flags where a weapon does a damage type other than its own."""

    def flags(self, strike: Strike, met: Sequence[Against]) -> tuple[Flag, ...]:
        system, weapon, target = strike.system, strike.weapon, strike.victim.sheet
        if met[0].damage_type is weapon.type:
            return ()
        damage = system.attack.suffered(weapon.type, weapon.tags, target)
        flags = []
        if damage is not weapon.type:
            text = phrase(
                "does-damage",
                weapon=label_of(weapon),
                target=target.name,
                damage=in_words(damage),
            )
            flags.append(Flag(system.cites[Damage.AGGRAVATED], text))
        if softer := softened(strike, damage):
            flags.append(Flag(softer.rule, softer.text))
        return tuple(flags)


def softened(strike: Strike, damage: Damage) -> Reason | None:
    """Why a hit of that type only does bashing damage; ``None`` where its type is unchanged."""
    system, weapon, target = strike.system, strike.weapon, strike.victim.sheet
    bullet = weapon.form == "ballistic" or (weapon.mode is Mode.FIREARM and not weapon.form)
    if damage is Damage.LETHAL and bullet and system.kind(target.kind).undead:
        return Reason(system.cites["guns_and_dead"], phrase("guns-do-bashing-damage-to-undead"))
    if blunted(target, weapon, damage, system.settings):
        return Reason(system.cites["armor"], phrase("armour-makes-shot-bashing-damage"))
    return None
