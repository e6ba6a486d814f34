"""Surprise: who is caught unawares."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import cycle

from rules.engine.dice import Purpose
from rules.engine.messages import Event, decides
from rules.engine.phrases import phrase
from rules.engine.violations import bad_input
from rules.model.conditions import SURPRISED
from rules.model.roll import RollTraits
from rules.model.system import Ambushes, Game
from rules.topics.actions import take_action
from rules.topics.commands import CheckSurprise, TakeAction
from rules.topics.events import ConditionsChanged, TraitsRolled
from rules.topics.rolls.decide import outcome_of
from rules.topics.rolls.rolling import roll_pool

ALERTNESS = ("wits", "composure")


@decides(CheckSurprise)
def check(game: Game, command: CheckSurprise) -> tuple[Event, ...]:
    """Roll for an ambush, by the ruleset's own rule (WD-SURP-1, AP-SIT-1, CD-SURP-1, WL-INIT-4)."""
    if not command.who or len(set(command.who)) < len(command.who):
        raise bad_input(phrase("choose-who-may-be-surprised-each-character"))
    if game.system.ambushes is None:
        return _noticing(game, command)
    if not command.by or len({*command.by, *command.who}) < len(command.by) + len(command.who):
        raise bad_input(phrase("choose-who-lies-in-ambush-and-for-whom"))
    told: tuple[Event, ...] = ()
    figures = {"secret": True} if command.secret else {}
    for by, at in _pairs(game, command, game.system.ambushes):
        told += take_action(game.after(told), TakeAction(game.system.ambushes.action, by, (at,), figures=figures))
    return told


def _pairs(game: Game, command: CheckSurprise, ambushes: Ambushes) -> Iterator[tuple[str, str]]:
    """Who ambushes whom."""
    if not ambushes.led:
        return zip(command.by, cycle(command.who), strict=False)
    for who in command.by:
        game.combatant(who)
    pools = game.system.pools
    leader = min(command.by, key=lambda who: pools.roll(game, RollTraits(who, ambushes.traits)).pool)
    return ((leader, at) for at in command.who)


def _noticing(game: Game, command: CheckSurprise) -> tuple[Event, ...]:
    """Roll Wits + Composure for those who walk into an ambush; without a success they are surprised (WD-SURP-1)."""
    events: list[Event] = []
    for number, who in enumerate(command.who, 1):
        game.able(who)
        _refuse_the_warned(game, who)
        plan = game.system.pools.roll(game, RollTraits(who, ALERTNESS))
        rolled = roll_pool(Purpose.ROLL, who, plan, game.system.mechanic, game.dice)
        awake = rolled.roll.successes > 0
        resolution = f"r{game.state.resolutions + number}"
        events.append(TraitsRolled(resolution, who, outcome_of(rolled, won=awake), rolled, label=phrase("surprise")))
        if not awake:
            events.extend(caught(game, (who,)))
    return tuple(events)


def caught(game: Game, surprised: Iterable[str]) -> tuple[Event, ...]:
    """Surprise combatants; forbidden for anyone already in the fight (WD-SURP-1)."""
    events = []
    for who in surprised:
        _refuse_the_warned(game, who)
        now = game.combatant(who).conditions
        events.append(ConditionsChanged(who, now | {SURPRISED}, frozenset({SURPRISED}) - now))
    return tuple(events)


def _refuse_the_warned(game: Game, who: str) -> None:
    if who in game.state.initiative:
        game.forbid(
            "noticing",
            phrase("is-already-in-fight", name=game.combatant(who).sheet.name),
        )
