"""Actions other than attacks: evade, line up a shot, move, surprise."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import ClassVar

from rules.engine.dice import Purpose
from rules.engine.inputs import Want, Wanted
from rules.engine.messages import Event
from rules.engine.phrases import phrase
from rules.engine.violations import RuleViolation
from rules.model.choices import Modifier
from rules.model.modifiers import Circumstances, Use
from rules.model.roll import Resistance, RollTraits
from rules.model.state import Ambush
from rules.model.system import Aim, Game, Needs, Serves, System
from rules.systems.shared.manoeuvres import UNAWARES
from rules.systems.wound_levels.active_defence import IN_COVER
from rules.systems.wound_levels.held_ready import LINED_UP
from rules.systems.wound_levels.pools import FEET_PER_DIE, dice_for, stride
from rules.topics import effects
from rules.topics.actions import AlwaysPossible
from rules.topics.commands import TakeAction
from rules.topics.events import Aimed, EvasionHeld, Moved, TraitsRolled, TurnRecordChanged
from rules.topics.rolls.decide import outcome_of, roll_once
from rules.topics.rolls.rolling import roll_pool

SECONDARY = Wanted("secondary_ability", phrase("with-secondary-ability-of-dodge"), Want.SWITCH)
"""A value that belongs to the circumstance of the same key."""


@dataclass(frozen=True, slots=True)
class EvadeAction(AlwaysPossible):
    """Successes held ready against every attack until your next turn (WL-DEF-4).

    A Secondary Ability of Dodge makes it easier, like any defence (WL-ATK-2).
    """

    rule: str
    label: str = phrase("evade")
    difficulty: int = 7
    needs: ClassVar[Needs] = Needs(figures=(SECONDARY,), rolls=True, pool=("dexterity", "dodge"), serves=Serves.DEFENCE)

    def decide(self, game: Game, command: TakeAction) -> tuple[Event, ...]:
        own = (Modifier(SECONDARY.key),) if command.figures.get(SECONDARY.key) else ()
        modifiers = (*command.modifiers, *own)
        game.system.circumstances.check(modifiers, Use.DEFENCE)
        pools, traits = game.system.pools, self.needs.pool
        sheet = game.combatant(command.by).sheet
        record, used = game.system.turns.use_action(game, command.by, "evade")
        parts = [
            *pools.dice(sheet, traits, self.rule),
            *pools.hampering(game.state, command.by, traits),
        ]
        share, record = game.system.turns.shared(parts, record, used, modifiers, game.referee)
        start = pools.difficulty(self.difficulty, self.label, self.rule)
        around = game.system.circumstances.parts(modifiers, Circumstances(base=self.difficulty, use=Use.DEFENCE))
        plan = pools.total([*parts, *share, start, *around])
        rolled = roll_pool(Purpose.ROLL, command.by, plan, game.system.mechanic, game.dice)
        stock = max(0, rolled.roll.successes)
        resolution = f"r{game.state.resolutions + 1}"
        outcome = outcome_of(rolled, won=stock > 0)
        return (
            TraitsRolled(resolution, command.by, outcome, rolled, label=self.label),
            TurnRecordChanged(command.by, record),
            EvasionHeld(command.by, stock),
        )


@dataclass(frozen=True, slots=True)
class AimAction:
    """A round spent aiming at somebody, or at the first to appear, while standing still (WL-MOD-3)."""

    rule: str
    cover_rule: str
    label: str = phrase("line-up-shot")
    needs: ClassVar[Needs] = Needs(Aim.ANYBODY, weapon=lambda weapon: not weapon.mode.close, serves=Serves.AIM)

    def possible(self, game: Game, by: str) -> RuleViolation | None:
        combatant = game.state.combatants[by]
        if IN_COVER in combatant.conditions:
            return RuleViolation(self.cover_rule, phrase("you-cant-aim-from-behind-cover"))
        if combatant.turn.moved:
            return RuleViolation(self.rule, phrase("has-moved-and-cant-aim-this-round", name=combatant.sheet.name))
        if combatant.turn.split is not None:
            return RuleViolation(self.rule, phrase("aiming-takes-whole-round"))
        return None

    def decide(self, game: Game, command: TakeAction) -> tuple[Event, ...]:
        target = next(iter(command.at), "")
        before = LINED_UP.of(game.combatant(command.by))
        rounds = before.rounds if before and before.target == target else 0
        used = effects.action(game, command.by, "aim")
        return (used, Aimed(command.by, target, rounds + 1))


@dataclass(frozen=True, slots=True)
class WalkAction(AlwaysPossible):
    """Move some feet: free up to a distance set by Dexterity, then at the cost of dice from the round's other actions
    (WL-MOVE-1).

    ``distance`` is in feet and defaults to the free distance.
    """

    rule: str
    label: str = phrase("move-label")
    needs: ClassVar[Needs] = Needs(
        figures=(Wanted("distance", phrase("distance"), help=phrase("in-feet-if-empty-as-far")),),
        instant=False,
    )

    def decide(self, game: Game, command: TakeAction) -> tuple[Event, ...]:
        combatant, system = game.combatant(command.by), game.system
        sheet, record = combatant.sheet, combatant.turn
        free = stride(sheet, system.layout)
        most = free + FEET_PER_DIE * system.layout.dots(sheet, "strength")
        gone = record.moved if game.state.ordered else 0
        distance = int(command.figures.get("distance", max(0, free - gone)))
        if gone + distance > most:
            game.referee.forbid(self.rule, phrase("can-move-at-most-feet-in-round", name=sheet.name, most=most))
        if (
            record.acted
            and game.state.ordered
            and dice_for(gone + distance, sheet, system.layout)
            and not record.actions
        ):
            message = phrase("has-no-action-left-to-pay", name=sheet.name, free=free)
            game.referee.forbid(self.rule, message)
        told = (
            Moved(command.by, distance, unit="feet"),
            TurnRecordChanged(command.by, replace(record, moved=gone + distance)),
        )
        return (*told, Aimed(command.by)) if LINED_UP.of(combatant) and distance else told


@dataclass(frozen=True, slots=True)
class SurpriseAction:
    """A free attack before initiative, won by stealth (WL-INIT-4, WL-INIT-5)."""

    rule: str
    label: str = phrase("surprise")
    needs: ClassVar[Needs] = UNAWARES

    def possible(self, game: Game, by: str) -> RuleViolation | None:
        if set(game.state.combatants) - {by} <= game.state.initiative.keys():
            return RuleViolation(self.rule, phrase("everyone-is-already-fighting"))
        return None

    def decide(self, game: Game, command: TakeAction) -> tuple[Event, ...]:
        (at,) = command.at
        target = game.combatant(at)
        if at in game.state.initiative:
            game.referee.forbid(self.rule, phrase("is-already-fighting", name=target.sheet.name))
        roll = RollTraits(
            command.by,
            ("dexterity", "stealth"),
            modifiers=tuple(each for each in command.modifiers if not self._of_watcher(each, game.system)),
            resisted=Resistance(
                at,
                ("perception", "alertness"),
                modifiers=self._watching(target.conditions, command.modifiers, game.system),
            ),
            label=self.label,
            secret=bool(command.figures.get("secret")),
        )
        told = roll_once(game, roll)
        won = (told.margin or 0) > 0
        record = game.combatant(command.by).turn
        return (told, TurnRecordChanged(command.by, replace(record, ambush=Ambush(at) if won else None)))

    def _of_watcher(self, modifier: Modifier, system: System) -> bool:
        return system.circumstances.rule(modifier.key).key in {each.as_watcher for each in system.conditions}

    def _watching(
        self, conditions: frozenset[str], modifiers: Iterable[Modifier], system: System
    ) -> tuple[Modifier, ...]:
        """What raises the watcher's difficulty: picked, or from their conditions; only the worst counts."""
        picked = tuple(each for each in modifiers if self._of_watcher(each, system))
        found = (each.as_watcher for each in system.conditions if each.key in conditions and each.as_watcher)
        return picked or tuple(Modifier(key) for key in found)[:1]
