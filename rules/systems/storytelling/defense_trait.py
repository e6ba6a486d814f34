"""Passive protection of the storytelling family: Defense and armour."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rules.engine.copies import replace
from rules.engine.phrases import phrase
from rules.model.gear import Armor, Damage, Mode, Weapon
from rules.model.plan import Against, Part, dice_of
from rules.model.pools import DEFENCE
from rules.model.sheet import Layout, Sheet
from rules.model.state import Encounter, TurnRecord
from rules.model.system import AttackRules, SystemPart
from rules.strike.active_defence import DEFENSE
from rules.strike.facets import Facet, Strike
from rules.strike.pipeline import pipeline_of
from rules.strike.powers import defending

SHOT = frozenset({Mode.FIREARM, Mode.ARCHERY})


@dataclass(frozen=True, slots=True)
class PassiveDefense(SystemPart, Facet):
    """Defense: the lower of ``traits``, reduced by each attack it is applied to (WD-DEF-1, WD-GEAR-1).

    The setting ``defense_of`` may make it the higher; ``defense_wear`` sets the reduction.
    """

    traits: tuple[str, ...] = ("dexterity", "wits")

    def pool(self, strike: Strike) -> tuple[Part, ...]:
        without = pipeline_of(self.system.attack).reason("defenseless", strike)
        if not self.reaches(strike):
            return () if without else self._beyond(strike)
        if without:
            return self.withheld(strike.state, strike.target, without.text, without.rule)
        return self.applied(strike)

    def reaches(self, strike: Strike) -> bool:
        """Whether such an attack meets Defense: a shot only if a circumstance allows it."""
        shot = strike.weapon.mode in SHOT
        return not shot or pipeline_of(self.system.attack).reason("sheltered", strike) is not None

    def applies(self, strike: Strike) -> bool:
        """Whether Defense applies to a strike, even if it is zero."""
        return self.reaches(strike) and pipeline_of(self.system.attack).reason("defenseless", strike) is None

    @staticmethod
    def _beyond(strike: Strike) -> tuple[Part, ...]:
        """What powers defend with against a shot that Defense doesn't meet: those that name its mode."""
        return tuple(part for part in defending(strike, named=True) if part.dice < 0)

    def applied(self, strike: Strike) -> tuple[Part, ...]:
        """The parts Defense takes from a strike it applies to, with what other facets add; never below zero."""
        victim, wear = strike.victim, self.system.settings.get("defense_wear", 1)
        more = pipeline_of(self.system.attack).changes_of_defense(strike, self.full(victim.sheet))
        parts = never_helping((*self._fresh(victim.sheet), *more))
        worn = min(-dice_of(parts), victim.turn.defences * wear)
        return (*parts, *self._before(worn, self.system.cites["defense"]))

    def answered(self, strike: Strike, against: Against, record: TurnRecord) -> TurnRecord:
        """Each attack it is applied to wears it down."""
        used = any(self.counts(part) for part in against.attack.parts if not part.struck)
        return replace(record, defences=record.defences + 1) if used else record

    def counts(self, part: Part) -> bool:
        """Whether a part of a pool is applied Defense."""
        return part.key in (DEFENSE, f"{DEFENSE}:held") or part.key.startswith(f"{DEFENSE}:power:")

    def full(self, sheet: Sheet) -> int:
        """Defense at the start of a turn, with held and worn gear, at least zero."""
        return max(0, self._own(sheet) + self._held(sheet)[0] + self._worn(sheet))

    def _own(self, sheet: Sheet) -> int:
        """Defense as powers change it, without gear."""
        bare = self._bare(sheet)
        return bare + sum(more for _one, more in self.system.layout.raised(sheet, DEFENSE, bare))

    def _bare(self, sheet: Sheet) -> int:
        if DEFENCE in sheet.pools:
            return sheet.pools[DEFENCE]
        dots = [self.system.layout.dots(sheet, trait) for trait in self.traits]
        higher = self.system.settings.get("defense_of", "lower") == "higher"
        return sheet.traits.get("defense", max(dots) if higher else min(dots))

    def _held(self, sheet: Sheet) -> tuple[int, str]:
        """The highest Defense bonus of anything in hand, and its source."""
        held = [(weapon.defense, weapon.name) for weapon in sheet.weapons if weapon.works]
        return max([(0, ""), *held], key=lambda pair: pair[0])

    def _worn(self, sheet: Sheet) -> int:
        return sum(armor.defense for armor in sheet.armor)

    def _fresh(self, sheet: Sheet) -> tuple[Part, ...]:
        """The parts of Defense at the start of a turn."""
        rule, gear, bare = self.system.cites["defense"], self.system.cites["gear"], self._bare(sheet)
        added, name = self._held(sheet)
        found = [Part("defense", phrase("defense-of", name=sheet.name), rule, dice=-bare)] if bare else []
        for one, more in self.system.layout.raised(sheet, DEFENSE, bare):
            found.append(Part(f"{DEFENSE}:power:{one.key}", one.label, one.rule, dice=-more))
        if added:
            found.append(Part("defense:held", phrase("defense-label", name=name), gear, dice=-added))
        if self._worn(sheet):
            lost = self._own(sheet) + added - self.full(sheet)
            found.append(Part("defense:worn", phrase("defense-armour"), gear, dice=lost))
        return tuple(found)

    def _before(self, dice: int, rule: str) -> tuple[Part, ...]:
        """What Defense has lost to earlier attacks this turn."""
        return (Part("defense:before", phrase("defense-already-applied-this-turn"), rule, dice=dice),) if dice else ()

    def withheld(self, state: Encounter, target: str, why: str, rule: str) -> tuple[Part, ...]:
        """Defense that does not apply: shown, but without effect."""
        sheet = state.combatants[target].sheet
        full = self.full(sheet)
        return (Part("defense", phrase("no-defense", why=why), rule, dice=-full, struck=True),) if full else ()


def never_helping(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """The parts of Defense, the last of them cut where they would add dice to the attack."""
    beyond = dice_of(parts)
    return (*parts[:-1], replace(parts[-1], dice=parts[-1].dice - beyond)) if beyond > 0 else parts


def defense_of(attack: AttackRules) -> PassiveDefense:
    """The Defense among the facets of an attack in this family."""
    return next(each for each in pipeline_of(attack).facets if isinstance(each, PassiveDefense))


def armor_parts(target: Sheet, weapon: Weapon, cites: Mapping[str, str]) -> tuple[Part, ...]:
    """The parts armour takes from the attack: the best worn armour plus all supernatural protection (WD-ARM-1).

    The weapon's armour piercing is subtracted (WD-GEAR-1).
    """
    shot = weapon.mode in SHOT
    sound = target.sound_armor
    worn = sorted((a for a in sound if not a.supernatural), key=lambda a: -_rating(a, shot=shot))[:1]
    counted = [*worn, *(armor for armor in sound if armor.supernatural)]
    found = [
        Part("target_armor", armor.name, cites["armor"], dice=-_rating(armor, shot=shot))
        for armor in counted
        if _rating(armor, shot=shot)
    ]
    pierced = min(weapon.armor_piercing, -sum(part.dice for part in found))
    if pierced > 0:
        found.append(Part("armor_piercing", phrase("armour-piercing"), cites["gear"], dice=pierced))
    return tuple(found)


def blunted(target: Sheet, weapon: Weapon, damage: Damage, settings: Mapping[str, Any]) -> bool:
    """Whether armour turns a shot's lethal damage into bashing, if the chronicle plays so (WD-ARM-1)."""
    shot = weapon.mode in SHOT and damage is Damage.LETHAL
    return shot and bool(settings["ballistic_armor_blunts"]) and any(a.ballistic for a in target.armor)


def _rating(armor: Armor, *, shot: bool) -> int:
    return armor.ballistic if shot and armor.ballistic is not None else armor.rating


def speed(sheet: Sheet, layout: Layout) -> int:
    """Yards somebody moves in a turn: Strength + Dexterity + 5, modified by armour (WD-GEAR-1)."""
    dots = layout.dots(sheet, "strength") + layout.dots(sheet, "dexterity") + 5
    own = sheet.traits.get("speed", dots)
    shaped = own if sheet.shape is None else sheet.shape.dots("speed", own)
    raised = sum(more for _one, more in layout.raised(sheet, "speed", shaped))
    return max(0, shaped + raised + sum(armor.speed for armor in sheet.armor))
