"""Close combat manoeuvres: pulled blow, charge, all-out attack, off hand (CD-MAN-1, 3, 4, 6)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from rules.engine.inputs import Wanted
from rules.engine.messages import Event
from rules.engine.phrases import phrase
from rules.model.damage_steps import DamageStage, DamageStep, Effect
from rules.model.gear import Mode, Weapon
from rules.model.modifiers import ModifierRule, fixed, nothing, number
from rules.model.plan import Part
from rules.model.results import AttackResult
from rules.model.state import TurnRecord
from rules.model.system import Game
from rules.strike.facets import Facet, Strike
from rules.systems.storytelling.defense_trait import speed
from rules.systems.storytelling.second_edition.injured import AMBIDEXTROUS, OFF_HAND, OFF_HAND_DICE, slowed
from rules.systems.storytelling.second_edition.ways import BEFORE, WALKED
from rules.topics.events import StanceChanged
from rules.topics.firefights.stance import STANCE

PULL, CHARGE, ALL_OUT = "pull_blow", "charge", "all_out"
MOST_DAMAGE = 100
MOST_YARDS = 500


def _close(weapon: Weapon) -> bool:
    return weapon.mode.close


def brawling_modifiers(rules: dict[str, str]) -> tuple[ModifierRule, ...]:
    """The manoeuvres to pick for a blow, each under its rule in ``rules``."""
    return (
        ModifierRule(
            PULL,
            phrase("pulled-blow"),
            rules[PULL],
            nothing,
            wanted=(Wanted("limit", phrase("maximum-damage-of-pulled-blow"), most=MOST_DAMAGE, needed=True),),
            fits=lambda weapon: weapon.mode is Mode.UNARMED,
        ),
        ModifierRule(
            CHARGE,
            phrase("charge"),
            rules[CHARGE],
            nothing,
            wanted=(Wanted("distance", phrase("charge-distance-in-yards"), most=MOST_YARDS),),
            fits=_close,
        ),
        ModifierRule(ALL_OUT, phrase("all-out-attack"), rules[ALL_OUT], fixed(dice=2), fits=_close),
        ModifierRule(OFF_HAND, phrase("off-hand"), rules[OFF_HAND], nothing),
    )


@dataclass(frozen=True, slots=True)
class PulledBlow(Facet):
    """A blow capped at the damage its striker wants, and easier to defend against (CD-MAN-1)."""

    rule: str

    def check(self, strike: Strike) -> None:
        if PULL not in strike.picked:
            return
        traits = strike.system.attack.traits_of(strike.weapon)
        if "brawl" not in traits:
            strike.game.referee.forbid(self.rule, phrase("only-brawl-attack-can-be-pulled"))
        most, limit = max(map(strike.dots, traits)), self._limit(strike)
        if not 1 <= limit <= most:
            strike.game.referee.forbid(self.rule, phrase("enter-1-to-points-for-pulled-blow", most=most))

    def _limit(self, strike: Strike) -> int:
        return number(strike.picked[PULL], "limit", least=0, most=MOST_DAMAGE)

    def defense(self, strike: Strike, full: int) -> tuple[Part, ...]:
        return (Part("defense:pulled", phrase("pulled-blow"), self.rule, dice=-1),) if PULL in strike.picked else ()

    def steps(self, strike: Strike) -> tuple[DamageStep, ...]:
        if PULL not in strike.picked:
            return ()
        limit = self._limit(strike)
        return (
            DamageStep(
                PULL,
                phrase("pulled-blow-at-most", limit=limit),
                self.rule,
                DamageStage.LIMIT,
                Effect.MOST,
                limit,
            ),
        )


def _reckless(strike: Strike, rule: str, what: str) -> None:
    """Forbid manoeuvres that cost Defense to all but close attacks, and once Defense was used this turn."""
    name = strike.sheet.name
    if not strike.weapon.mode.close:
        strike.game.referee.forbid(rule, phrase("is-close-attack", what=what))
    if strike.attacker.turn.defences:
        strike.game.referee.forbid(rule, phrase("has-already-applied-defense-this-turn", name=name))


@dataclass(frozen=True, slots=True)
class Charge(Facet):
    """Up to twice Speed and a blow at the end, at the cost of the turn's Defense (CD-MAN-3)."""

    rule: str

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
        yards = slowed(strike.attacker, speed(strike.sheet, strike.system.layout))
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
    """An all-out blow, at the cost of the turn's Defense (CD-MAN-4)."""

    rule: str

    def check(self, strike: Strike) -> None:
        if ALL_OUT in strike.picked:
            _reckless(strike, self.rule, phrase("all-out-attack-label"))

    def record(self, strike: Strike, record: TurnRecord) -> TurnRecord:
        return replace(record, exposed=self.rule) if ALL_OUT in strike.picked else record


@dataclass(frozen=True, slots=True)
class OffHand(Facet):
    """The off hand's penalty, unless the character is ambidextrous (CD-MAN-6)."""

    rule: str

    def pool(self, strike: Strike) -> tuple[Part, ...]:
        if OFF_HAND not in strike.picked:
            return ()
        lifted = AMBIDEXTROUS in strike.sheet.merits
        label = phrase("off-hand-ambidextrous") if lifted else phrase("off-hand")
        return (Part(OFF_HAND, label, self.rule, dice=OFF_HAND_DICE, struck=lifted),)
