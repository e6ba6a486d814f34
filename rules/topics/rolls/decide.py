"""Deciders for rolls outside attacks."""

from __future__ import annotations

from dataclasses import replace

from rules.engine.dice import Purpose
from rules.engine.messages import Event, decides
from rules.engine.phrases import phrase
from rules.engine.violations import bad_input
from rules.model import points
from rules.model.results import Outcome, Rolled
from rules.model.roll import Extended, Resistance, RollTraits
from rules.model.state import ExtendedRoll
from rules.model.system import Game
from rules.topics import effects
from rules.topics.commands import GiveUpRoll, RollOn
from rules.topics.events import ExtendedRolled, RollGivenUp, TraitsRolled
from rules.topics.rolls.rolling import roll_pool

MOST_SUCCESSES = 50
MOST_ROLLS = 50
"""Limits of one extended roll."""

MOST_GOING = 20
"""Maximum number of extended rolls under way at once."""

INTERVAL = 60
"""Maximum length of an interval's text, in characters."""


@decides(RollTraits)
def roll_traits(game: Game, command: RollTraits) -> tuple[Event, ...]:
    """Roll one or two Traits, alone or resisted, once or as the first of several rolls (MQ-DICE-1 to MQ-DICE-6)."""
    if command.extended is None:
        return (roll_once(game, command), *effects.pay_for(game, command.by, command.modifiers))
    _check_extended(game, command, command.extended)
    return _roll_of(game, ExtendedRoll(command))


@decides(RollOn)
def roll_on(game: Game, command: RollOn) -> tuple[Event, ...]:
    """Make the next roll of an extended roll, with the pool as it is now."""
    return _roll_of(game, _going(game, command.roll))


@decides(GiveUpRoll)
def give_up(game: Game, command: GiveUpRoll) -> tuple[Event, ...]:
    """Abandon an extended roll."""
    return (RollGivenUp(_going(game, command.roll)),)


def outcome_of(rolled: Rolled, *, won: bool) -> Outcome:
    """The outcome of a roll outside an attack (MQ-DICE-3, WD-DICE-2, WD-DICE-3)."""
    if won:
        return Outcome.EXCEPTIONAL if rolled.roll.exceptional else Outcome.SUCCESS
    if rolled.roll.dramatic:
        return Outcome.DRAMATIC_FAILURE
    return Outcome.BOTCH if rolled.roll.botch else Outcome.FAIL


def roll_once(game: Game, command: RollTraits) -> TraitsRolled:
    """A roll and its outcome; the caller pays for its circumstances."""
    sheet = game.able(command.by, command.traits).sheet
    if command.secret and game.combatant(command.by).player and game.system.circumstances.costs(command.modifiers):
        raise bad_input(phrase("secret-roll-cant-spend-point-s-sheet", name=sheet.name))
    points.check_modifiers(game, command.by, command.modifiers)
    plan = game.system.pools.roll(game, command)
    rolled = roll_pool(Purpose.ROLL, command.by, plan, game.system.mechanic, game.dice)
    resisted = _resist(game, command.resisted) if command.resisted else None
    flags = game.system.pools.flags(sheet, plan)
    if command.resisted and resisted:
        resister = game.combatant(command.resisted.by).sheet
        flags += game.system.pools.flags(resister, resisted.plan)
    # Negative resistance counts as zero (WL-DICE-1).
    margin = rolled.roll.successes - max(0, resisted.roll.successes) if resisted else None
    won = rolled.roll.successes > 0 if margin is None else margin > 0
    return TraitsRolled(
        f"r{game.state.resolutions + 1}",
        command.by,
        outcome_of(rolled, won=won),
        rolled,
        resisted,
        margin,
        # A ready-made roll's name is a phrase without spaces around it; strip() would reduce it to plain text.
        command.label if command.label == command.label.strip() else command.label.strip(),
        command.secret,
        flags,
    )


def _resist(game: Game, resistance: Resistance) -> Rolled:
    game.combatant(resistance.by)
    command = RollTraits(resistance.by, resistance.traits, resistance.difficulty, resistance.modifiers)
    plan = game.system.pools.roll(game, command)
    return roll_pool(Purpose.RESIST, resistance.by, plan, game.system.mechanic, game.dice)


# ------------------------------------------------------------------ extended rolls


def _check_extended(game: Game, command: RollTraits, extended: Extended) -> None:
    if command.resisted:
        raise bad_input(phrase("when-someone-resists-each-side-makes"))
    if not 1 <= extended.target <= MOST_SUCCESSES:
        raise bad_input(phrase("extended-roll-needs-1-to-successes", most_successes=MOST_SUCCESSES))
    if not 0 <= extended.rolls <= MOST_ROLLS:
        raise bad_input(phrase("extended-roll-can-have-at-most-rolls", most_rolls=MOST_ROLLS))
    if len(extended.interval) > INTERVAL:
        raise bad_input(phrase("say-in-at-most-characters-how-long", interval=INTERVAL))
    if not extended.id or any(each.asked.id == extended.id for each in game.state.extended):
        raise bad_input(phrase("that-roll-has-already-begun"))
    if len(game.state.extended) >= MOST_GOING:
        raise bad_input(phrase("extended-rolls-are-already-open-finish", most_going=MOST_GOING))


def _going(game: Game, roll: str) -> ExtendedRoll:
    found = next((each for each in game.state.extended if each.asked.id == roll), None)
    if found is None:
        raise bad_input(phrase("that-roll-is-over"))
    return found


def _roll_of(game: Game, before: ExtendedRoll) -> tuple[Event, ...]:
    rolled, asked = roll_once(game, before.command), before.command
    paid = effects.pay_for(game, asked.by, asked.modifiers)
    # What was paid for counts for this roll only.
    later = replace(asked, modifiers=game.system.circumstances.free(asked.modifiers))
    # A negative result leaves the total as it is.
    total = before.total + max(0, rolled.roll.roll.successes)
    now = replace(before, command=later, total=total, made=before.made + 1)
    if rolled.outcome in (Outcome.BOTCH, Outcome.DRAMATIC_FAILURE):
        # All successes gathered so far are lost.
        return (rolled, ExtendedRolled(replace(now, total=0), rolled.outcome), *paid)
    return (rolled, ExtendedRolled(now, _came_to(now)), *paid)


def _came_to(now: ExtendedRoll) -> Outcome | None:
    if now.total >= now.asked.target:
        return Outcome.SUCCESS
    return Outcome.FAIL if now.left == 0 else None
