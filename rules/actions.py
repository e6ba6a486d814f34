"""What can be done in a fight besides attacks and defences, each under its key and its rule.

A ruleset lists those that it knows in ``Ruleset.actions``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

from rules.commands import Resistance, RollTraits, TakeAction
from rules.decisions.desk import Desk
from rules.decisions.rolls import roll_traits
from rules.encounter import Ambush
from rules.events import Event, Moved, TraitsRolled, TurnRecordChanged
from rules.modifiers import number
from rules.violations import bad_input


class ActionRule(Protocol):
    """One thing that can be done."""

    @property
    def label(self) -> str:
        """What a button says."""

    @property
    def rule(self) -> str:
        """The rule that it stands on."""

    def decide(self, desk: Desk, command: TakeAction) -> tuple[Event, ...]:
        """What comes of it; raises :class:`rules.violations.RuleViolation`."""


def take_action(desk: Desk, command: TakeAction) -> tuple[Event, ...]:
    """Do one of the things that the ruleset knows."""
    if command.key not in desk.ruleset.actions:
        raise bad_input(f"{desk.ruleset.name} knows no action called “{command.key}”.")
    desk.combatant(command.by)
    return desk.ruleset.actions[command.key].decide(desk, command)


@dataclass(frozen=True, slots=True)
class AmbushAction:
    """A first strike out of hiding (AP-SIT-1): a resisted roll that may win a free attack."""

    rule: str
    label: str = "Ambush"
    traits: tuple[str, str] = ("dexterity", "stealth")
    watch: tuple[str, str] = ("perception", "alertness")

    def decide(self, desk: Desk, command: TakeAction) -> tuple[Event, ...]:
        target = desk.combatant(command.at)
        if command.at == command.by:
            raise bad_input("Nobody ambushes themselves.")
        turn = target.turn
        if command.at in desk.state.initiative or turn.acted or turn.defences or turn.attackers:
            desk.referee.forbid(self.rule, f"{target.sheet.name} is fighting already.")
        roll = RollTraits(
            command.by,
            self.traits,
            modifiers=command.modifiers,
            resisted=Resistance(command.at, self.watch),
            label=self.label,
        )
        told = roll_traits(desk, roll)
        return (*told, *self._won(desk, command, told))

    def _won(self, desk: Desk, command: TakeAction, told: tuple[Event, ...]) -> tuple[Event, ...]:
        (margin,) = (event.margin for event in told if isinstance(event, TraitsRolled))
        ambush = None
        if margin is not None and margin >= 0:
            ambush = Ambush(command.at, margin, seen=margin == 0)
        return (TurnRecordChanged(command.by, replace(desk.combatant(command.by).turn, ambush=ambush)),)


@dataclass(frozen=True, slots=True)
class KnockdownAction:
    """Somebody falls, whatever knocked them down (AP-SIT-8)."""

    rule: str
    label: str = "Knocked down"

    def decide(self, desk: Desk, command: TakeAction) -> tuple[Event, ...]:
        return desk.ruleset.aftermath.fall(desk, desk.combatant(command.at or command.by).id)


@dataclass(frozen=True, slots=True)
class RiseAction:
    """Get to one's feet, which takes an action (AP-SIT-8)."""

    rule: str
    label: str = "Rise"

    def decide(self, desk: Desk, command: TakeAction) -> tuple[Event, ...]:
        combatant = desk.able(command.by)
        if "prone" not in combatant.conditions:
            raise bad_input(f"{combatant.sheet.name} is not lying down.")
        return (desk.action(command.by, "rise"), *desk.marked(command.by, frozenset(), frozenset({"prone"})))


@dataclass(frozen=True, slots=True)
class MoveAction:
    """Go some metres: half the running distance beside an action, all of it as the action (AP-SIT-9).

    ``distance`` is left out for half; ``action`` says that it is one, as a leap may be.
    """

    rule: str
    label: str = "Move"

    def running(self, desk: Desk, who: str) -> int:
        """How many metres somebody runs in a turn."""
        settings = desk.ruleset.settings
        dexterity = desk.ruleset.layout.dots(desk.combatant(who).sheet, "dexterity")
        return int(settings["running_base"] + settings["running_per_dot"] * dexterity)

    def decide(self, desk: Desk, command: TakeAction) -> tuple[Event, ...]:
        combatant = desk.able(command.by)
        most, name = self.running(desk, command.by), combatant.sheet.name
        distance = (
            number(command.figures, "distance", least=0, most=1000) if "distance" in command.figures else most // 2
        )
        gone = distance + (combatant.turn.moved if desk.state.ordered else 0)
        if gone > most:
            desk.referee.forbid(self.rule, f"{name} runs {most} metres in a turn.")
        as_action = bool(command.figures.get("action")) or 2 * gone > most
        record = combatant.turn
        if as_action:
            if desk.state.ordered and not record.actions:
                desk.referee.forbid(self.rule, f"{name} has no action left: half of {most} metres is all.")
            record = desk.action(command.by, "move").record if record.actions else record
        return (
            Moved(command.by, distance, as_action),
            TurnRecordChanged(command.by, replace(record, moved=record.moved + distance)),
        )
