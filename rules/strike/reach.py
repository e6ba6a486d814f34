"""Range and ammunition: whether a target is within reach, and how many rounds a shot uses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rules.engine.copies import replace
from rules.engine.phrases import phrase
from rules.engine.violations import Referee, bad_input
from rules.model.attack import Attack
from rules.model.choices import Modifier
from rules.model.gear import Mode, Weapon, loaded
from rules.model.modifiers import Band, Modifiers
from rules.model.state import TurnRecord
from rules.model.system import Game, SystemPart
from rules.strike.facets import Facet, Strike
from rules.topics.attacks.prepare import counted

_BANDS = frozenset({Band.POINT_BLANK, Band.SHORT, Band.LONG, Band.BEYOND})
_BY_MODIFIER = {"long_range": Band.LONG, "point_blank": Band.POINT_BLANK}


@dataclass(frozen=True, slots=True)
class Reach(SystemPart, Facet):
    """Ranges of attacks (MQ-ATK-1 to MQ-ATK-4) in metres: ``close`` by mode, ``point_blank`` for ranged ones."""

    close: Mapping[Mode, int]
    point_blank: int = 2

    def readied(self, strike: Strike) -> Strike:
        band = self.band(strike.command, strike.weapon, strike.game.referee)
        if band is Band.CLOSE:
            return strike
        return replace(strike, band=band, modifiers=band_modifiers(band, strike.modifiers, self.system.circumstances))

    def band(self, command: Attack, weapon: Weapon, referee: Referee) -> Band:
        """The weapon's range band for the target; forbids targets out of reach."""
        rule = self.system.cites[weapon.mode]
        if command.distance is not None and command.distance < 0:
            raise bad_input(phrase("enter-distance-of-0-or-more"))
        if weapon.mode.close:
            if command.distance is not None and command.distance > self.close[weapon.mode]:
                message = phrase("at-metres-target-is-out-of-range", distance=command.distance)
                referee.forbid(rule, message)
            return Band.CLOSE
        picked = self._picked(command.modifiers)
        band = picked if command.distance is None else self._measured(command.distance, weapon)
        if band is Band.BEYOND:
            referee.forbid(rule, phrase("target-is-beyond-twice-s-range", weapon=weapon.name))
            return Band.LONG
        return band

    def _picked(self, modifiers: Iterable[Modifier]) -> Band:
        """The picked range band, short by default. A numeric distance takes precedence."""
        keys = [self.system.circumstances.rule(modifier.key).key for modifier in modifiers]
        picked = [band for key, band in _BY_MODIFIER.items() if key in keys]
        if (named := self.system.circumstances.figures_of(modifiers, "range")) is not None:
            band = str(named.get("band"))
            if band not in _BANDS:
                raise bad_input(phrase("range-must-be-point-blank-short-long"))
            picked.append(Band(band))
        if len(set(picked)) > 1:
            raise bad_input(phrase("choose-only-one-range"))
        return picked[0] if picked else Band.SHORT

    def _measured(self, distance: int, weapon: Weapon) -> Band:
        if distance <= self.point_blank:
            return Band.POINT_BLANK
        if not weapon.range or distance <= weapon.range[0]:
            return Band.SHORT
        return Band.LONG if distance <= 2 * weapon.range[0] else Band.BEYOND


def band_modifiers(band: Band, modifiers: Iterable[Modifier], circumstances: Modifiers) -> tuple[Modifier, ...]:
    """The modifiers, with the range band's included once."""
    kept = tuple(m for m in modifiers if circumstances.rule(m.key).key not in (*_BY_MODIFIER, "range"))
    return (*(Modifier(key) for key, of in _BY_MODIFIER.items() if of is band), *kept)


@dataclass(frozen=True, slots=True)
class RoundsFired(Facet):
    """The rounds an attack fires, and the count of the weapon's shots this turn (MQ-ATK-8)."""

    def readied(self, strike: Strike) -> Strike:
        weapon, record = strike.weapon, strike.record
        rounds = rounds_fired(weapon, strike.command.modifiers, record, strike.game)
        if weapon.mode not in (Mode.FIREARM, Mode.ARCHERY):
            return strike
        return replace(strike, rounds=rounds, record=replace(record, shots=counted(record.shots, weapon)))


def rounds_fired(weapon: Weapon, modifiers: Iterable[Modifier], record: TurnRecord, game: Game) -> int:
    """The rounds an attack fires; forbids too few rounds left, and exceeding the rate of fire (MQ-ATK-8)."""
    rule = game.system.cites["burst"]
    asked = [game.system.circumstances.rule(modifier.key) for modifier in modifiers]
    bursts = [modifier for modifier in asked if modifier.rounds]
    if len(bursts) > 1:
        raise bad_input(phrase("one-attack-can-fire-only-one-burst"))
    if weapon.mode.close or weapon.mode is Mode.THROWN:
        return 0
    magazine = loaded(weapon)
    if weapon.rate is not None and record.shots.get(weapon.key or weapon.name, 0) >= weapon.rate:
        game.referee.forbid(rule, phrase("has-used-up-its-rate-of-fire", weapon=weapon.name))
    if bursts and bursts[0].rounds < 0:
        return _whole_clip(weapon, magazine, rule, game.referee)
    rounds = bursts[0].rounds if bursts else 1
    if magazine is not None and magazine < rounds:
        game.referee.forbid(
            rule,
            phrase(
                "has-rounds-left-this-needs",
                weapon=weapon.name,
                magazine=magazine,
                rounds=rounds,
            ),
        )
    return min(rounds, rounds if magazine is None else magazine)


def _whole_clip(weapon: Weapon, magazine: int | None, rule: str, referee: Referee) -> int:
    if not weapon.automatic:
        referee.forbid(rule, phrase("isnt-automatic-weapon", weapon=weapon.name))
    if magazine is not None and (magazine < 1 or 2 * magazine < (weapon.clip or 0)):
        referee.forbid(
            rule,
            phrase(
                "full-automatic-needs-half-clip-has-rounds",
                weapon=weapon.name,
                magazine=magazine,
            ),
        )
    return magazine or 0
