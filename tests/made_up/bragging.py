"""Bragging: claim a number of kills, and roll whether the table believes it; you may end up smug or doubted."""

from __future__ import annotations

from dataclasses import dataclass

from rules.engine.dice import Purpose
from rules.engine.inputs import Asked, Wanted
from rules.engine.messages import Command, Event, command, decides, event, evolves
from rules.engine.phrases import phrase
from rules.model.conditions import Acts, Condition, declare
from rules.model.plan import Part, PoolPlan
from rules.model.results import Rolled
from rules.model.situations import ConditionRule
from rules.model.state import Encounter
from rules.model.system import Game
from rules.topics.changes import with_combatant
from rules.topics.rolls.rolling import roll_pool

KILLS = phrase("Kills claimed")

SMUG = declare(Condition("smug", phrase("insufferably smug"), offered=True, acts=Acts.WAITS, one_turn=True))
"""Somebody smug does nothing else this turn."""

DOUBTED = declare(Condition("doubted", phrase("doubted"), pools=ConditionRule(phrase("Doubted"), "MQ-DICE-1", own=2)))
"""Everything is harder for somebody doubted."""


@command(
    phrase("brag"),
    acts_for="by",
    asked=Asked((Wanted("kills", KILLS, least=1, most=5, needed=True),), rolls=True),
)
@dataclass(frozen=True, slots=True)
class Brag(Command):
    """Claim a number of kills. From then on, the braggart's dice are shown to everybody."""

    by: str
    kills: int


@event(
    "roll",
    no_rule=True,
    dice=True,
    says=phrase("{by} claims {kills} kills, and {believed} of them are believed."),
    people=("by",),
)
@dataclass(frozen=True, slots=True)
class Bragged(Event):
    """Somebody bragged."""

    by: str
    kills: int
    believed: int
    roll: Rolled


@decides(Brag)
def brag(game: Game, command: Brag) -> tuple[Event, ...]:
    """As many dice as kills claimed, at the usual difficulty."""
    game.able(command.by)
    part = Part("kills", KILLS, game.system.cites["pool"], dice=command.kills)
    plan = PoolPlan((part,), command.kills, 6)
    rolled = roll_pool(Purpose.ROLL, command.by, plan, game.system.mechanic, game.dice)
    return (Bragged(command.by, command.kills, max(0, rolled.roll.successes), rolled),)


@evolves(Bragged)
def bragged(state: Encounter, event: Bragged) -> Encounter:
    return with_combatant(state, event.by, dice_shown=True)


@command(phrase("hush"), asked=Asked(about="who"))
@dataclass(frozen=True, slots=True)
class Hush(Command):
    """The Storyteller silences somebody."""

    who: str


@event(no_rule=True, says=phrase("{who} is hushed."), people=("who",))
@dataclass(frozen=True, slots=True)
class Hushed(Event):
    """Somebody was silenced."""

    who: str


@decides(Hush)
def hush(game: Game, command: Hush) -> tuple[Event, ...]:
    """Anybody in the fight can be hushed."""
    return (Hushed(game.combatant(command.who).id),)
