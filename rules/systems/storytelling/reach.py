"""How far attacks of the storytelling family go, in yards."""

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
        """With the band, and the circumstance that it is. Whoever closes the distance reaches whom they strike."""
        command = strike.command
        reached = replace(command, distance=None) if strike.closing and strike.weapon.mode.close else command
        band = self.band(reached, strike.sheet, strike.weapon, strike.game.referee)
        if band is Band.CLOSE:
            return strike
        return replace(strike, band=band, modifiers=with_band(band, strike.modifiers, self.system.circumstances))

    def band(self, command: Attack, sheet: Sheet, weapon: Weapon, referee: Referee) -> Band:
        """Where the target stands, as the weapon sees it; forbids what cannot be reached.

        Beyond long range is ``Band.BEYOND``: a chance roll.
        """
        if command.distance is not None and command.distance < 0:
            raise bad_input(phrase("A distance is zero or more."))
        if weapon.mode.close:
            if command.distance is not None and command.distance > self.close[weapon.mode]:
                message = phrase("At {distance} yards the target is out of reach.", distance=command.distance)
                referee.forbid(self.system.cites[weapon.mode], message)
            return Band.CLOSE
        picked = self._picked(command.modifiers)
        ranges = self.ranges(sheet, weapon, referee)
        return picked if command.distance is None else self._measured(command.distance, ranges, referee)

    def ranges(self, sheet: Sheet, weapon: Weapon, referee: Referee) -> tuple[int, ...]:
        """Short, medium and long range: each double the one before where only the first is known.

        None for a weapon without figures. What is thrown flies as far as its thrower can (WD-RANGE-1), unless it has
        figures of its own; forbids throwing what is too large.
        """
        dots, size = self.system.layout.dots, weapon.size or 0
        strength = dots(sheet, "strength")
        if weapon.mode is Mode.THROWN and size >= strength:
            rule = self.system.cites["thrown_range"]
            referee.forbid(
                rule,
                phrase(
                    "{weapon} is too large to be thrown with Strength {strength}.",
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
        """The range that was picked by name; short where none was. A distance in figures comes before it."""
        picked = {
            RANGES[key] for modifier in modifiers if (key := self.system.circumstances.rule(modifier.key).key) in RANGES
        }
        if (named := self.system.circumstances.figures_of(modifiers, "range")) is not None:
            band = str(named.get("band"))
            if band not in _BY_BAND:
                raise bad_input(phrase("A range is short, medium, long or beyond."))
            picked.add(Band(band))
        if len(picked) > 1:
            raise bad_input(phrase("A target is at one range."))
        return next(iter(picked), Band.SHORT)

    def _measured(self, distance: int, ranges: tuple[int, ...], referee: Referee) -> Band:
        for band, limit in zip((Band.SHORT, Band.MEDIUM, Band.LONG), ranges, strict=False):
            if distance <= limit:
                return band
        if not ranges:
            return Band.SHORT
        if distance > 2 * ranges[-1]:
            referee.forbid(self.system.cites["range"], phrase("The target is beyond twice the long range."))
        return Band.BEYOND


def with_band(band: Band, modifiers: Iterable[Modifier], circumstances: Modifiers) -> tuple[Modifier, ...]:
    """The modifiers with that of the band among them, once."""
    kept = tuple(m for m in modifiers if circumstances.rule(m.key).key not in (*RANGES, "range"))
    return (Modifier(_BY_BAND[band]), *kept) if band in _BY_BAND else kept
