"""Lines of a sheet for what a character carries and wears."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from campaigns.words import said, worded
from characters.words import damage, distances, protection
from rules.model import gear
from rules.model.plan import PoolPlan
from rules.model.sheet import Sheet
from rules.model.system import System


@dataclass(frozen=True, slots=True)
class WeaponLine:
    name: str
    kept_as: str
    pool: str
    dice: int
    damage: str
    range: str
    rounds: str
    fault: str
    note: str


@dataclass(frozen=True, slots=True)
class ArmorLine:
    name: str
    kept_as: str
    what: str


def weapon_line(weapon: gear.Weapon, kept_as: str, sheet: Sheet, ruleset: System) -> WeaponLine:
    """A weapon for the sheet, with its current dice pool; `kept_as` is its name in the tables."""
    layout = ruleset.layout
    traits = [key for key in ruleset.attack.traits_of(weapon) if key]
    base = said(layout.trait(weapon.damage_from).label) if weapon.damage_from else ""
    plan = ruleset.attack.pool_of(sheet, weapon)
    rating = [str(part.dice) for part in plan.parts if part.key == "rating"]
    return WeaponLine(
        name=weapon.name,
        kept_as="" if weapon.name == kept_as else kept_as,
        pool=" + ".join([*(said(layout.trait(key).label) for key in traits), *rating]) + _changes(plan),
        dice=plan.pool,
        damage=damage(base, weapon.damage, worded(weapon.type.value) if ruleset.health.one_by_one is None else ""),
        range=distances(weapon.range, said(ruleset.short_unit)),
        rounds="" if weapon.clip is None else _rounds(weapon),
        fault=worded(str(weapon.fault or "")),
        note=weapon.note,
    )


def _changes(plan: PoolPlan) -> str:
    """The pool's current modifiers, as " −1 (Wounds: Injured)"."""
    others = [
        part for part in plan.parts if part.dice and not part.struck and not part.key.startswith(("trait", "rating"))
    ]
    return "".join(f" {'−' if part.dice < 0 else '+'}{abs(part.dice)} ({said(part.label)})" for part in others)


def _rounds(weapon: gear.Weapon) -> str:
    most = (weapon.clip or 0) + weapon.chambered
    return _("%(rounds)s of %(most)s") % {"rounds": weapon.rounds, "most": most}


def armor_line(armor: gear.Armor, kept_as: str) -> ArmorLine:
    """Armour for the sheet; `kept_as` is its name in the tables."""
    told = [_("destroyed")] if armor.destroyed else []
    told += [_("rating %s") % armor.rating, *protection(armor.ballistic, armor.penalty, sorted(armor.covers))]
    return ArmorLine(armor.name, "" if armor.name == kept_as else kept_as, ", ".join(told))
