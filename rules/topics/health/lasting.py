"""Conditions that outlast a fight: which stay when it ends, and when time ends them.

They are kept on the sheet and are among the combatant's conditions in every fight. Those that health boxes or injured
parts of the body cause are not: they follow from what the sheet already says.
"""

from __future__ import annotations

from collections.abc import Collection

from rules.model.conditions import DEAD, Condition, Lasts
from rules.model.sheet import Lasting, Sheet
from rules.model.state import Combatant
from rules.model.system import System
from rules.topics.health.impairments import conditions_of, impairments


def lasting_on(sheet: Sheet) -> frozenset[str]:
    """The lasting conditions of a sheet, by key."""
    return frozenset(each.condition for each in sheet.lasting)


def unexplained(system: System, combatant: Combatant) -> tuple[Condition, ...]:
    """A combatant's conditions, by key, without those that follow from boxes and injuries."""
    caused = system.health.follows(combatant.sheet) | conditions_of(impairments(combatant))
    return system.conditions.of(combatant.conditions - caused)


def may_stay(system: System, combatant: Combatant) -> tuple[Condition, ...]:
    """The conditions that may stay when the fight ends: the Storyteller decides about these.

    Nobody asks about somebody whom harm has killed.
    """
    if DEAD in system.health.follows(combatant.sheet):
        return ()
    return tuple(each for each in unexplained(system, combatant) if each.lasts is not Lasts.FIGHT)


def stay_by_rule(system: System, combatant: Combatant) -> frozenset[str]:
    """Those of them that stay unless the Storyteller decides otherwise: by rule, or because they lasted before."""
    lasted = lasting_on(combatant.sheet)
    found = may_stay(system, combatant)
    return frozenset(each.key for each in found if each.lasts is Lasts.STAYS or each.key in lasted)


def tended(system: System, sheet: Sheet, conditions: Collection[str]) -> frozenset[str]:
    """What somebody in these conditions is in as well because wounds that would bleed are tended."""
    return system.bleeding.tended(sheet, frozenset(conditions)) if system.bleeding else frozenset()


def made_lasting(
    system: System, combatant: Combatant, keys: Collection[str], fight: str = "", why: str = ""
) -> tuple[Lasting, ...]:
    """The lasting conditions with these keys, in order. Those that lasted before keep their origin and reason."""
    made = {key: Lasting(key, system.conditions[key].lasting_rule, fight, why) for key in sorted(keys)}
    return tuple((made | {each.condition: each for each in combatant.sheet.lasting if each.condition in made}).values())


def ended_by_time(system: System, combatant: Combatant, hours: int) -> frozenset[str]:
    """The lasting conditions, by key, that end within this many hours."""
    found = system.conditions.of(lasting_on(combatant.sheet))
    return frozenset(each.key for each in found if 0 < each.hours <= hours)
