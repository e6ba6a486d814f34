"""Reckless attacks of the storytelling family: a charge, an all-out attack (CD-MAN-3, CD-MAN-4; WD-MAN-1, WD-MAN-2)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from rules.engine.inputs import Wanted
from rules.engine.messages import Event
from rules.engine.phrases import phrase
from rules.model.gear import Weapon
from rules.model.modifiers import ModifierRule, fixed, nothing, number
from rules.model.results import AttackResult
from rules.model.state import Combatant, TurnRecord
from rules.model.system import Game
from rules.strike.facets import Facet, Strike
from rules.systems.storytelling.defense_trait import speed
from rules.systems.storytelling.walking import sound
from rules.systems.storytelling.ways import BEFORE, WALKED
from rules.topics.events import StanceChanged
from rules.topics.firefights.stance import STANCE

CHARGE, ALL_OUT = "charge", "all_out"
MOST_YARDS = 500


def _close(weapon: Weapon) -> bool:
    return weapon.mode.close


def charge_modifier(rule: str, setting: str = "") -> ModifierRule:
    """A charge, as a picked circumstance of the blow at its end."""
    return ModifierRule(
        CHARGE,
        phrase("charge"),
        rule,
        nothing,
        wanted=(Wanted("distance", phrase("charge-distance-in-yards"), most=MOST_YARDS),),
        fits=_close,
        setting=setting,
    )


def all_out_modifier(rule: str, setting: str = "") -> ModifierRule:
    """An all-out attack, as a picked circumstance."""
    return ModifierRule(ALL_OUT, phrase("all-out-attack"), rule, fixed(dice=2), fits=_close, setting=setting)


def _reckless(strike: Strike, rule: str, what: str) -> None:
    """Forbid manoeuvres that cost Defense to all but close attacks, and once Defense was used this turn."""
    name = strike.sheet.name
    if not strike.weapon.mode.close:
        strike.game.referee.forbid(rule, phrase("is-close-attack", what=what))
    if strike.attacker.turn.defences:
        strike.game.referee.forbid(rule, phrase("has-already-applied-defense-this-turn", name=name))


@dataclass(frozen=True, slots=True)
class Charge(Facet):
    """Up to twice Speed and a blow at the end, at the cost of the turn's Defense (CD-MAN-3, WD-MAN-2).

    Injuries may have ``slowed`` the attacker.
    """

    rule: str
    slowed: Callable[[Combatant, int], int] = sound

    def closes(self, strike: Strike) -> bool:
        return CHARGE in strike.picked

    def check(self, strike: Strike) -> None:
        if CHARGE not in strike.picked:
            return
        _reckless(strike, self.rule, phrase("a-charge"))
        if ALL_OUT in strike.picked:
            strike.game.referee.forbid(self.rule, phrase("charge-cant-also-be-all-out-attack"))
        if strike.attacker.turn.exposed:
            strike.game.referee.forbid(
                self.rule, phrase("has-already-given-up-defense-for-something", name=strike.sheet.name)
            )
        most = self.reach(strike)
        if _distance(strike) > most:
            strike.game.referee.forbid(self.rule, phrase("can-charge-at-most-yards", name=strike.sheet.name, most=most))

    def reach(self, strike: Strike) -> int:
        """The yards somebody can charge, less those moved this turn."""
        yards = self.slowed(strike.attacker, speed(strike.sheet, strike.system.layout))
        return max(0, 2 * yards - strike.attacker.turn.moved)

    def record(self, strike: Strike, record: TurnRecord) -> TurnRecord:
        if CHARGE not in strike.picked:
            return record
        gone = replace(record, exposed=self.rule, moved=record.moved + _distance(strike))
        return WALKED.put(gone, BEFORE)

    def after(self, strike: Strike, result: AttackResult, game: Game) -> tuple[Event, ...]:
        """A charge leaves the attacker's hiding place."""
        stance = STANCE.of(strike.attacker)
        if CHARGE not in strike.picked or stance.shelter is None:
            return ()
        return (StanceChanged(strike.command.by, replace(stance, shelter=None)),)


def _distance(strike: Strike) -> int:
    """The yards a charge covers: as given, or the distance to the target."""
    figures = strike.picked[CHARGE]
    return (
        number(figures, "distance", least=0, most=MOST_YARDS) if "distance" in figures else strike.command.distance or 0
    )


@dataclass(frozen=True, slots=True)
class AllOut(Facet):
    """An all-out blow, at the cost of the turn's Defense (CD-MAN-4, WD-MAN-1)."""

    rule: str

    def check(self, strike: Strike) -> None:
        if ALL_OUT in strike.picked:
            _reckless(strike, self.rule, phrase("all-out-attack-label"))

    def record(self, strike: Strike, record: TurnRecord) -> TurnRecord:
        return replace(record, exposed=self.rule) if ALL_OUT in strike.picked else record
