"""Weapons for the hand that can be thrown too: knives, spears."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rules.engine.copies import replace
from rules.engine.messages import Event
from rules.engine.phrases import phrase
from rules.engine.violations import bad_input
from rules.model.attack import Attack
from rules.model.gear import Fault, Mode, Weapon, titled
from rules.model.modifiers import ModifierRule, nothing
from rules.model.results import AttackResult
from rules.model.system import Game
from rules.strike.facets import Facet, Strike, picked
from rules.topics.events import WeaponChanged, WeaponLanded

THROWN = "thrown"
"""The circumstance of throwing such a weapon, and the tag of weapons that can be thrown."""


@dataclass(frozen=True, slots=True)
class Throwing(Facet):
    """A weapon that is thrown in place of striking with it, and leaves the hand."""

    def wielded(self, weapon: Weapon, command: Attack, game: Game) -> Weapon:
        if THROWN not in picked(command, game.system.circumstances):
            return weapon
        if not can_be_thrown(weapon):
            raise bad_input(phrase("isnt-made-to-be-thrown", weapon=titled(weapon.name)))
        return in_flight(weapon)

    def after(self, strike: Strike, result: AttackResult, game: Game) -> tuple[Event, ...]:
        """The weapon lies on the ground, in rulesets in which weapons are drawn and picked up."""
        if THROWN not in strike.picked or "drawing" not in game.system.cites:
            return ()
        by = strike.command.by
        thrown = game.combatant(by).sheet.weapon(strike.command.weapon)
        return (WeaponLanded(by, thrown.name), WeaponChanged(by, replace(thrown, fault=Fault.DROPPED)))


def can_be_thrown(weapon: Weapon) -> bool:
    """Whether a weapon for the hand can be thrown too."""
    return weapon.mode is Mode.MELEE and THROWN in weapon.tags


def in_flight(weapon: Weapon) -> Weapon:
    """A weapon as it is thrown: with the Traits and difficulty of throwing."""
    return replace(weapon, mode=Mode.THROWN, attribute="", ability="", difficulty=None, two_handed=False, defense=0)


def throwing(cites: Mapping[str, str]) -> ModifierRule:
    """Throwing a weapon, under the ruleset's rule for thrown weapons."""
    modes = frozenset({Mode.MELEE, Mode.THROWN})
    return ModifierRule(THROWN, phrase("thrown-label"), cites[Mode.THROWN], nothing, modes=modes, fits=can_be_thrown)
