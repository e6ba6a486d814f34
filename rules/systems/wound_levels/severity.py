"""From a hit to an injury's severity: nothing is rolled, and deductions are listed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from rules.engine.phrases import phrase
from rules.model.choices import Modifier
from rules.model.gear import Armor, Damage, Mode, Weapon, label_of
from rules.model.plan import Against, Part, PoolPlan, strike
from rules.model.pools import SOAK, said
from rules.model.power_effects import Pool
from rules.model.sheet import Sheet
from rules.strike.rolled_damage import as_levels
from rules.strike.unrolled_damage import UnrolledDamage, outright

DIFFERENT = "different_effect"
"""The Storyteller's ruling that a protection is of an entirely different type, and so adds up (WL-ARM-3)."""

ADDS_UP = "adds_up"
"""The same ruling for all protection of another type."""

STAMINA = "stamina"
OWN = f"armor:{STAMINA}"
"""The key of the body's own protection."""


@dataclass(frozen=True, slots=True)
class Severity(UnrolledDamage):
    """Successes plus the weapon's damage, less armour (WL-DMG-1, WL-ARM-1 to WL-ARM-3)."""

    def pool(
        self,
        sheet: Sheet,
        weapon: Weapon,
        strikes: frozenset[str] = frozenset(),
        modifiers: Iterable[Modifier] = (),
    ) -> PoolPlan:
        """What the weapon adds to successes (WL-WPN-1, WL-WPN-2)."""
        rule = self.system.cites[weapon.mode]
        parts = [Part("rating", label_of(weapon), rule, dice=weapon.damage)]
        if weapon.damage_from:
            trait = self.system.layout.trait(weapon.damage_from)
            own = Part(f"damage:{trait.key}", trait.label, rule, dice=self.system.layout.bare(sheet, trait.key))
            parts.extend(self.system.layout.parts(sheet, trait.key, own))
        traits = self.system.attack.traits_of(weapon)
        powers = self.system.in_play.parts(sheet, Pool.DAMAGE, traits, weapon.mode, tags=weapon.tags)
        return outright(strike((*parts, *map(as_levels, powers)), strikes))

    def of_hit(self, against: Against, net: int) -> PoolPlan:
        """The severity of a hit with ``net`` successes, before armour (WL-DMG-1)."""
        assert against.damage is not None
        return self.with_extra(against.damage, net, phrase("successes"), self.system.cites["severity"])

    def with_extra(self, plan: PoolPlan, extra: int, label: str, rule: str) -> PoolPlan:
        """A weapon's damage plus ``extra`` successes."""
        return outright((Part("successes", label, rule, dice=extra), *plan.parts))

    def of_counter(self, counter: PoolPlan, ahead: int) -> PoolPlan:
        """The severity of a clash's damage; the dealer's own successes count in full (WL-DEF-5)."""
        return self.with_extra(counter, ahead, phrase("clash-label"), self.system.cites["clash"])

    def soak(
        self,
        target: Sheet,
        damage: Damage,
        weapon: Weapon,
        strikes: frozenset[str] = frozenset(),
        modifiers: Iterable[Modifier] = (),
    ) -> PoolPlan:
        """Armour's deduction: the best protection, with the others struck out (WL-ARM-3)."""
        stacks = {_named(mod) for mod in modifiers if self.system.circumstances.rule(mod.key).key == DIFFERENT}
        found = [
            Part(f"armor:{each.key or each.name}", each.name, self.system.cites["armor"], dice=each.rating)
            for each in target.sound_armor
            if each.rating
        ]
        stated = SOAK in target.pools
        stamina = target.pools[SOAK] if stated else self.system.layout.dots(target, STAMINA)
        if stamina and (weapon.mode is Mode.UNARMED or self.system.attack.traits_of(weapon)[1] == "brawl"):
            label = said(phrase("soak-label")) if stated else phrase("stamina-label")
            found.append(Part(OWN, label, self.system.cites["stamina_armor"], dice=stamina))
        if self.system.settings["stamina_stacks"]:
            stacks.add(STAMINA)
        everything = any(self.system.circumstances.rule(mod.key).key == ADDS_UP for mod in modifiers)
        if everything:
            stacks |= _apart(target)
        alone = [part for part in found if _called(part) not in stacks and part.key not in strikes]
        best = None if everything else max(alone, key=lambda part: part.dice, default=None)
        rule = self.system.cites["stacking"]
        parts = [
            part if part is best or part not in alone else replace(part, rule=rule, struck=True, label=_idle(part))
            for part in found
        ]
        powers = map(
            as_levels,
            self.system.in_play.parts(target, Pool.SOAK, mode=weapon.mode, damage=damage, tags=weapon.tags),
        )
        return outright(strike((*parts, *powers), strikes))


def _apart(target: Sheet) -> set[str]:
    """What adds up if all protection of another type does: the best item, the best power of each type, and Stamina."""
    best: dict[str, Armor] = {}
    for each in target.sound_armor:
        sort = each.power or "power" if each.supernatural or each.power else "item"
        if sort not in best or each.rating > best[sort].rating:
            best[sort] = each
    return {STAMINA, *(each.name.casefold() for each in best.values())}


def _called(part: Part) -> str:
    return STAMINA if part.key == OWN else part.label.casefold()


def _named(modifier: Modifier) -> str:
    return str(modifier.figures.get("what", "")).casefold()


def _idle(part: Part) -> str:
    return phrase("doesnt-stack", label=part.label)
