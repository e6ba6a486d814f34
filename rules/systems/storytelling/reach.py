"""Ranges of attacks in the storytelling family, in yards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rules.engine.copies import replace
from rules.engine.phrases import phrase
from rules.engine.violations import Referee, bad_input
from rules.model.attack import Attack
from rules.model.choices import Modifier
from rules.model.gear import Mode, Weapon
from rules.model.modifiers import Band, Modifiers
from rules.model.sheet import Sheet
from rules.model.system import SystemPart
from rules.strike.facets import Facet, Strike
from rules.systems.storytelling.modifiers import RANGES

_BY_BAND = {band: key for key, band in RANGES.items()}


@dataclass(frozen=True, slots=True)
class StorytellingReach(SystemPart, Facet):
    """Distances of attacks (WD-ATK-1, WD-ATK-2, WD-ATK-4, WD-RANGE-1): ``close`` by mode."""

    close: Mapping[Mode, int]

    def readied(self, strike: Strike) -> Strike:
        """With the range band and its circumstance. A target the attacker closes in on is within reach."""
        command = strike.command
        reached = replace(command, distance=None) if strike.closing and strike.weapon.mode.close else command
        band = self.band(reached, strike.sheet, strike.weapon, strike.game.referee)
        if band is Band.CLOSE:
            return strike
        return replace(strike, band=band, modifiers=with_band(band, strike.modifiers, self.system.circumstances))

    def band(self, command: Attack, sheet: Sheet, weapon: Weapon, referee: Referee) -> Band:
        """The weapon's range band for the target; forbids targets out of reach.

        Beyond long range is ``Band.BEYOND``: a chance roll.
        """
        if command.distance is not None and command.distance < 0:
            raise bad_input(phrase("enter-distance-of-0-or-more"))
        if weapon.mode.close:
            if command.distance is not None and command.distance > self.close[weapon.mode]:
                message = phrase("at-yards-target-is-out-of-range", distance=command.distance)
                referee.forbid(self.system.cites[weapon.mode], message)
            return Band.CLOSE
        picked = self._picked(command.modifiers)
        ranges = self.ranges(sheet, weapon, referee)
        return picked if command.distance is None else self._measured(command.distance, ranges, referee)

    def ranges(self, sheet: Sheet, weapon: Weapon, referee: Referee) -> tuple[int, ...]:
        """Short, medium and long range: each double the previous one if only the first is known.

        ``None`` for a weapon without ranges. Thrown weapons use the thrower's own range (WD-RANGE-1) unless they have
        ranges; forbids throwing what is too large.
        """
        dots, size = self.system.layout.dots, weapon.size or 0
        strength = dots(sheet, "strength")
        if weapon.mode is Mode.THROWN and size >= strength:
            rule = self.system.cites["thrown_range"]
            referee.forbid(
                rule,
                phrase(
                    "is-too-large-to-throw-with-strength",
                    weapon=weapon.name,
                    strength=strength,
                ),
            )
        if weapon.mode is not Mode.THROWN or weapon.range:
            short, *farther = weapon.range or (0,)
            return tuple(farther and weapon.range) or tuple(short * times for times in (1, 2, 4) if short)
        short = max(0, strength + dots(sheet, "dexterity") + dots(sheet, "athletics") - size)
        return tuple(short * times * (2 if weapon.aerodynamic else 1) for times in (1, 2, 4))

    def _picked(self, modifiers: Iterable[Modifier]) -> Band:
        """The picked range band, short by default. A numeric distance takes precedence."""
        picked = {
            RANGES[key] for modifier in modifiers if (key := self.system.circumstances.rule(modifier.key).key) in RANGES
        }
        if (named := self.system.circumstances.figures_of(modifiers, "range")) is not None:
            band = str(named.get("band"))
            if band not in _BY_BAND:
                raise bad_input(phrase("range-must-be-short-medium-long"))
            picked.add(Band(band))
        if len(picked) > 1:
            raise bad_input(phrase("choose-only-one-range"))
        return next(iter(picked), Band.SHORT)

    def _measured(self, distance: int, ranges: tuple[int, ...], referee: Referee) -> Band:
        for band, limit in zip((Band.SHORT, Band.MEDIUM, Band.LONG), ranges, strict=False):
            if distance <= limit:
                return band
        if not ranges:
            return Band.SHORT
        if distance > 2 * ranges[-1]:
            referee.forbid(self.system.cites["range"], phrase("target-is-beyond-twice-weapons-long-range"))
        return Band.BEYOND


def with_band(band: Band, modifiers: Iterable[Modifier], circumstances: Modifiers) -> tuple[Modifier, ...]:
    """The modifiers, with the range band's included once."""
    kept = tuple(m for m in modifiers if circumstances.rule(m.key).key not in (*RANGES, "range"))
    return (Modifier(_BY_BAND[band]), *kept) if band in _BY_BAND else kept
