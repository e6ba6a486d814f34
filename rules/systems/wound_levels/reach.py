"""Range and ammunition: bands up to twice the listed range, rate of fire, sweeps."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rules.engine.copies import replace
from rules.engine.phrases import phrase
from rules.engine.violations import Referee, bad_input
from rules.model.attack import Attack
from rules.model.choices import Modifier
from rules.model.gear import Mode, Weapon, loaded
from rules.model.modifiers import Band
from rules.model.system import Game
from rules.strike.facets import Facet, Strike
from rules.strike.reach import Reach, band_modifiers
from rules.systems.wound_levels.modifiers import GREATEST, SWEEP, sweep_rounds

WITH_SPOTTER = 700
"""Metres a sniper rifle reaches with a trained spotter (WL-WPN-2)."""


@dataclass(frozen=True, slots=True)
class WoundReach(Reach):
    """Ranges of attacks in metres: at most ``range_most`` times the listed range (WL-MOD-8, WL-MOD-9)."""

    def readied(self, strike: Strike) -> Strike:
        band, modifiers = self.modifiers(strike.command, strike.weapon, strike.game.referee)
        return replace(strike, band=band, modifiers=modifiers)

    def modifiers(self, command: Attack, weapon: Weapon, referee: Referee) -> tuple[Band, tuple[Modifier, ...]]:
        """The range band, and the picked circumstances with the band's included once."""
        if weapon.mode.close:
            return self.band(command, weapon, referee), command.modifiers
        if command.distance is None:
            band = self._picked(command.modifiers)
            greatest = self.system.circumstances.figures_of(command.modifiers, GREATEST) is not None
        else:
            if command.distance < 0:
                raise bad_input(phrase("enter-distance-of-0-or-more"))
            most = self._range(command, weapon)
            times = int(self.system.settings["range_most"])
            band = self._at(command.distance, most, times)
            greatest = most is not None and command.distance == times * most > most
        if band is Band.BEYOND:
            message = phrase("target-is-beyond-s-maximum-range", weapon=weapon.name)
            referee.forbid(self.system.cites["range"], message)
            band, greatest = Band.LONG, True
        others = [each for each in command.modifiers if self.system.circumstances.rule(each.key).key != GREATEST]
        if greatest:
            return Band.LONG, (Modifier(GREATEST), *band_modifiers(Band.SHORT, others, self.system.circumstances))
        return band, band_modifiers(band, others, self.system.circumstances)

    def _range(self, command: Attack, weapon: Weapon) -> int | None:
        """The listed range; ``None`` for a weapon that lists none."""
        if not weapon.range:
            return None
        spotted = (
            self.system.circumstances.figures_of(command.modifiers, "spotter") is not None and "sniper" in weapon.tags
        )
        return max(weapon.range[0], WITH_SPOTTER) if spotted else weapon.range[0]

    def _at(self, distance: int, most: int | None, times: int) -> Band:
        if distance <= self.point_blank:
            return Band.POINT_BLANK
        if most is None or distance <= most:
            return Band.SHORT
        return Band.LONG if distance <= times * most else Band.BEYOND


@dataclass(frozen=True, slots=True)
class RateOfFire(Facet):
    """An attack fires its weapon's rate of fire, or the rounds of a sweep (WL-ROF-1, WL-AUTO-1)."""

    def readied(self, strike: Strike) -> Strike:
        return replace(strike, rounds=rounds_fired(strike.weapon, strike.modifiers, strike.game))


def rounds_fired(weapon: Weapon, modifiers: Iterable[Modifier], game: Game) -> int:
    """The rounds an attack fires: the rate of fire or the rounds left (WL-ROF-1), or a sweep's (WL-AUTO-1)."""
    modifiers = tuple(modifiers)
    if weapon.mode not in (Mode.FIREARM, Mode.ARCHERY):
        return 0
    magazine = loaded(weapon)
    if magazine == 0:
        game.referee.forbid(game.system.cites["rate_of_fire"], phrase("is-empty", weapon=weapon.name))
    figures = game.system.circumstances.figures_of(modifiers, SWEEP)
    if figures is None:
        rate = max(1, weapon.rate or 1)
        if magazine and magazine < rate and not game.system.settings["fires_what_is_left"]:
            message = phrase(
                "has-rounds-left-attack-fires",
                weapon=weapon.name,
                magazine=magazine,
                rate=rate,
            )
            game.referee.forbid(game.system.cites["rate_of_fire"], message)
        return rate if magazine is None else min(rate, magazine)
    rounds, rule = sweep_rounds(figures), game.system.circumstances.rule(SWEEP).rule
    if not weapon.automatic:
        game.referee.forbid(rule, phrase("isnt-automatic-weapon", weapon=weapon.name))
    if magazine is not None and magazine < rounds:
        game.referee.forbid(
            rule,
            phrase(
                "has-rounds-left-this-sweep-fires",
                weapon=weapon.name,
                magazine=magazine,
                rounds=rounds,
            ),
        )
    return rounds if magazine is None else min(rounds, magazine)
