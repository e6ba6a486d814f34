"""Attacks on the weapon in somebody's hand (MQ-MAN-3)."""

from __future__ import annotations

from dataclasses import dataclass

from rules.engine.messages import Event
from rules.engine.phrases import phrase
from rules.model.gear import Weapon
from rules.model.modifiers import Band, Circumstances, Figures, ModifierRule
from rules.model.plan import Part
from rules.model.results import AttackResult
from rules.model.state import Combatant
from rules.model.system import Game
from rules.strike.facets import Facet, Strike
from rules.systems.classic.called_shots import MANOEUVRE
from rules.systems.shared.losing import dropped

DISARM = "disarm"

CLOSE_DIFFICULTY, FAR_DIFFICULTY = 1, 2


def _difficulty(rule: ModifierRule, figures: Figures, seen: Circumstances) -> tuple[Part, ...]:
    steps = CLOSE_DIFFICULTY if seen.band is Band.CLOSE else FAR_DIFFICULTY
    return (Part(rule.key, rule.label, rule.rule, difficulty=steps),)


def disarm_modifier(rule: str, setting: str) -> ModifierRule:
    """The attack is meant for the weapon and does no damage."""
    return ModifierRule(
        DISARM,
        phrase("disarm"),
        rule,
        _difficulty,
        aims_at="weapon",
        group=MANOEUVRE,
        setting=setting,
        harmless=True,
    )


def _held(combatant: Combatant) -> Weapon | None:
    """The weapon that is knocked away: the first in hand that isn't part of the body."""
    return next((each for each in combatant.sheet.in_hand if not each.natural), None)


@dataclass(frozen=True, slots=True)
class Disarming(Facet):
    """A hit needs a success per two dots of the target's Strength, and knocks the weapon from the hand."""

    rule: str

    def check(self, strike: Strike) -> None:
        if DISARM in strike.picked and _held(strike.victim) is None:
            strike.game.referee.forbid(self.rule, phrase("has-no-weapon-in-hand", name=strike.victim.sheet.name))

    def needs(self, strike: Strike) -> tuple[Part, ...]:
        if DISARM not in strike.picked:
            return ()
        half = (strike.dots_of_target("strength") + 1) // 2
        label = phrase("strength-of", name=strike.victim.sheet.name)
        return (Part("target:strength", label, self.rule, successes=max(1, half)),)

    def after(self, strike: Strike, result: AttackResult, game: Game) -> tuple[Event, ...]:
        weapon = _held(strike.victim)
        if DISARM not in strike.picked or result.done is None or weapon is None:
            return ()
        return dropped(strike.command.by, strike.target, weapon, self.rule)
