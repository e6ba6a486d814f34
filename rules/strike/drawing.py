"""Weapons in hand: drawing them, putting them away, picking them up."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from rules.engine.messages import Event
from rules.engine.phrases import phrase
from rules.engine.violations import RuleViolation
from rules.model.gear import GONE, Fault, Weapon, titled
from rules.model.system import ActionRule, Game, Needs
from rules.strike.facets import Facet, Strike
from rules.topics import effects
from rules.topics.actions import AlwaysPossible
from rules.topics.commands import TakeAction
from rules.topics.events import PickedUp, TurnRecordChanged, WeaponChanged, WeaponDrawn

QUICK_DRAW = "quick_draw"


@dataclass(frozen=True, slots=True)
class InHand(Facet):
    """Only a weapon in hand can be used to attack (CD-GUN-14, MQ-DRAW-1)."""

    def check(self, strike: Strike) -> None:
        check_in_hand(strike.weapon, strike.game)


def check_in_hand(weapon: Weapon, game: Game) -> None:
    """Forbid a weapon that is put away or hidden (CD-GUN-14)."""
    if not weapon.drawn:
        game.forbid("drawing", phrase("draw-first", weapon=titled(weapon.name)))


@dataclass(frozen=True, slots=True)
class DrawAction:
    """Draw a weapon, or put it ``away`` (CD-GUN-14, MQ-DRAW-1).

    It takes an action, but none with the Merit ``quick`` and none before the combatant's initiative is rolled.
    ``exposes``: drawing a hidden weapon costs the turn's Defense.
    """

    rule: str
    label: str = phrase("draw")
    away: bool = False
    quick: str = ""
    exposes: bool = False

    @property
    def needs(self) -> Needs:
        """The weapon. Whether it takes the action depends on the combatant."""
        return Needs(weapon=can_be_put_away if self.away else can_be_drawn, instant=False, handles=True)

    def possible(self, game: Game, by: str) -> RuleViolation | None:
        if self._is_free(game, by):
            return None
        try:
            game.system.turns.use_action(game.strict(), by, self._key)
        except RuleViolation as violation:
            return violation
        return None

    def decide(self, game: Game, command: TakeAction) -> tuple[Event, ...]:
        combatant = game.able(command.by)
        weapon = combatant.sheet.weapon(command.weapon)
        free = self._is_free(game, command.by)
        record = combatant.turn if free else effects.action(game, command.by, self._key).record
        if weapon.hidden and self.exposes and not self.away:
            record = replace(record, exposed=self.rule)
        placed = () if free else effects.placed(game, command.by)
        return (
            WeaponDrawn(command.by, weapon.name, self.rule, away=self.away),
            TurnRecordChanged(command.by, record),
            *placed,
            WeaponChanged(command.by, replace(weapon, stowed=self.away, hidden=False)),
        )

    @property
    def _key(self) -> str:
        return "put_away" if self.away else "draw"

    def _is_free(self, game: Game, by: str) -> bool:
        """Whether it takes no action: with the Merit, and before initiative."""
        quick = bool(self.quick) and self.quick in game.state.combatants[by].sheet.merits
        return quick or by not in game.state.initiative


@dataclass(frozen=True, slots=True)
class PickUp(AlwaysPossible):
    """Pick up a dropped weapon; takes an action, as drawing does (CD-GUN-14, MQ-DRAW-1)."""

    rule: str
    label: str = phrase("pick-up")
    needs: ClassVar[Needs] = Needs(weapon=lambda weapon: weapon.fault is Fault.DROPPED, handles=True)

    def decide(self, game: Game, command: TakeAction) -> tuple[Event, ...]:
        weapon = game.combatant(command.by).sheet.weapon(command.weapon)
        up = WeaponChanged(command.by, replace(weapon, fault=None, stowed=False, hidden=False))
        return (PickedUp(command.by, weapon.name, self.rule), *effects.used(game, command.by, command.key), up)


def can_be_put_away(weapon: Weapon) -> bool:
    """Whether a weapon is in hand and not part of the body."""
    return weapon.in_hand and not weapon.natural


def can_be_drawn(weapon: Weapon) -> bool:
    """Whether a weapon is carried, but not in hand."""
    return not weapon.drawn and weapon.fault not in GONE


def drawing(rule: str, *, quick: str = "", exposes: bool = False) -> dict[str, ActionRule]:
    """The actions that bring a weapon into somebody's hand and out of it."""
    return {
        "draw": DrawAction(rule, quick=quick, exposes=exposes),
        "put_away": DrawAction(rule, label=phrase("put-away"), away=True, quick=quick),
        "pick_up": PickUp(rule),
    }
