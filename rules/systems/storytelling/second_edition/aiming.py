"""Aiming: a die for each full turn, lost when interrupted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from rules.engine.inputs import Wanted
from rules.engine.messages import Command, Event
from rules.engine.phrases import phrase
from rules.model.conditions import Condition, declare
from rules.model.gear import Weapon
from rules.model.modifiers import RANGED, ModifierRule, nothing, number
from rules.model.plan import Part
from rules.model.system import Aim, Game, Needs, Serves
from rules.strike.drawing import check_in_hand
from rules.strike.facets import Facet, Strike
from rules.topics import effects
from rules.topics.actions import AlwaysPossible
from rules.topics.commands import TakeAction
from rules.topics.events import AimBroken, AimTaken, Moved, StanceChanged
from rules.topics.firefights.stance import STANCE, Aiming

AIM = "aim"
AIMING = declare(Condition("aiming", phrase("aiming")))
MOST_TURNS = 3
TURNS = Wanted("rounds", phrase("turns-of-aiming"), least=1, most=100, storytellers=True)


def ranged(weapon: Weapon) -> bool:
    """Whether a weapon can be aimed at range."""
    return weapon.mode in RANGED


@dataclass(frozen=True, slots=True)
class AimBonus(Facet):
    """A die for each full turn of aiming at the target, at most three (CD-GUN-7)."""

    rule: str

    def pool(self, strike: Strike) -> tuple[Part, ...]:
        turns = min(MOST_TURNS, self._turns(strike))
        if not turns or strike.weapon.mode not in RANGED:
            return ()
        label = phrase("aimed-for-turn") if turns == 1 else phrase("aimed-for-turns", turns=turns)
        return (Part(AIM, label, self.rule, dice=turns),)

    @staticmethod
    def _turns(strike: Strike) -> int:
        """The turns picked, else those spent aiming at this target with this weapon."""
        if (figures := strike.picked.get(AIM)) is not None:
            return number(figures, "rounds", least=0, most=100)
        aiming = STANCE.of(strike.attacker).aiming
        if aiming is None or aiming.target != strike.target:
            return 0
        return aiming.turns if aiming.weapon == (strike.weapon.key or strike.weapon.name) else 0


@dataclass(frozen=True, slots=True)
class AimAction(AlwaysPossible):
    """A full turn of aiming at somebody with a drawn weapon (CD-GUN-7)."""

    rule: str
    label: str = phrase("aim-label")
    needs: ClassVar[Needs] = Needs(aim=Aim.ONE, weapon=ranged, serves=Serves.AIM)

    def decide(self, game: Game, command: TakeAction) -> tuple[Event, ...]:
        combatant, target = game.able(command.by), command.at[0]
        weapon = combatant.sheet.weapon(command.weapon)
        check_in_hand(weapon, game)
        if combatant.turn.moved and game.state.ordered:
            game.referee.forbid(self.rule, phrase("has-moved-this-turn-and-cant-aim", name=combatant.sheet.name))
        before = STANCE.of(combatant).aiming
        again = before is not None and (before.target, before.weapon) == (target, command.weapon)
        turns = min(MOST_TURNS, before.turns + 1) if before is not None and again else 1
        aiming = Aiming(target, command.weapon, turns)
        return (
            effects.action(game, command.by, AIM),
            AimTaken(command.by, target, turns, self.rule),
            StanceChanged(command.by, replace(STANCE.of(combatant), aiming=aiming)),
            *effects.marked(game, command.by, frozenset({AIMING})),
        )


@dataclass(frozen=True, slots=True)
class AimLost:
    """An aim is lost by applying Defense, moving, any other action, and being out of action (CD-GUN-7)."""

    rule: str

    def follows(self, game: Game, command: Command, told: tuple[Event, ...]) -> tuple[Event, ...]:
        aims = [
            who for who, each in game.state.combatants.items() if STANCE.of(each).aiming or AIMING in each.conditions
        ]
        if not aims or (isinstance(command, TakeAction) and command.key == AIM):
            return ()
        after = game.after(told)
        lost: list[Event] = []
        for who in aims:
            if who in after.state.combatants and self._breaks(game, after, who, told):
                lost += self._lose(game, after, who)
        return tuple(lost)

    @staticmethod
    def _breaks(game: Game, after: Game, who: str, told: tuple[Event, ...]) -> bool:
        before, now = game.state.combatants[who], after.state.combatants[who]
        return (
            AIMING not in now.conditions
            or now.turn.deeds > before.turn.deeds
            or now.turn.defences > before.turn.defences
            or any(isinstance(event, Moved) and event.by == who for event in told)
            or (_hindered(after, who) and not _hindered(game, who))
        )

    def _lose(self, game: Game, after: Game, who: str) -> tuple[Event, ...]:
        """Drop the aim; not reported if a shot used it up."""
        combatant = after.state.combatants[who]
        acted = combatant.turn.deeds > game.state.combatants[who].turn.deeds
        return (
            *(() if acted else (AimBroken(who, self.rule),)),
            StanceChanged(who, replace(STANCE.of(combatant), aiming=None)),
            *effects.marked(after, who, frozenset(), frozenset({AIMING})),
        )


def _hindered(game: Game, who: str) -> bool:
    return bool(game.system.turns.hindrance(game.state, who))


def aim_modifier(cites: Mapping[str, str]) -> ModifierRule:
    """Aiming as a picked circumstance: the turns spent on it."""
    return ModifierRule(AIM, phrase("aimed"), cites[AIM], nothing, modes=RANGED, wanted=(TURNS,))
