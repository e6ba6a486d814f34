"""Rolls outside attacks."""

from __future__ import annotations

from rules.commands import Resistance, RollTraits
from rules.decisions.desk import Desk
from rules.dice import Purpose
from rules.events import Event, Outcome, Rolled, TraitsRolled
from rules.rolling import roll_pool


def roll_traits(desk: Desk, command: RollTraits) -> tuple[Event, ...]:
    """Roll a Trait or two, alone or resisted (MQ-DICE-1 to MQ-DICE-6)."""
    sheet = desk.able(command.by, command.traits).sheet
    plan = desk.ruleset.pools.roll(desk.state, command, desk.ruleset, desk.referee)
    rolled = roll_pool(Purpose.ROLL, command.by, plan, desk.ruleset, desk.dice)
    resisted = _resist(desk, command.resisted) if command.resisted else None
    flags = desk.ruleset.pools.flags(sheet, plan, desk.ruleset)
    if command.resisted and resisted:
        resister = desk.combatant(command.resisted.by).sheet
        flags += desk.ruleset.pools.flags(resister, resisted.plan, desk.ruleset)
    margin = rolled.roll.successes - resisted.roll.successes if resisted else None
    won = rolled.roll.successes > 0 if margin is None else margin > 0
    return (
        TraitsRolled(
            f"r{desk.state.resolutions + 1}",
            command.by,
            outcome_of(rolled, won=won),
            rolled,
            resisted,
            margin,
            command.label.strip(),
            command.secret,
            flags,
        ),
    )


def outcome_of(rolled: Rolled, *, won: bool) -> Outcome:
    """What a roll outside an attack came to (MQ-DICE-3, WD-DICE-2, WD-DICE-3)."""
    if won:
        return Outcome.EXCEPTIONAL if rolled.roll.exceptional else Outcome.SUCCESS
    if rolled.roll.dramatic:
        return Outcome.DRAMATIC_FAILURE
    return Outcome.BOTCH if rolled.roll.botch else Outcome.FAIL


def _resist(desk: Desk, resistance: Resistance) -> Rolled:
    desk.combatant(resistance.by)
    command = RollTraits(resistance.by, resistance.traits, resistance.difficulty)
    plan = desk.ruleset.pools.roll(desk.state, command, desk.ruleset, desk.referee)
    return roll_pool(Purpose.RESIST, resistance.by, plan, desk.ruleset, desk.dice)
