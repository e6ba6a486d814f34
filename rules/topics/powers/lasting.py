"""Powers in effect: what puts them on somebody, and what ends them."""

from __future__ import annotations

from collections.abc import Callable

from rules.engine.copies import replace
from rules.engine.messages import Event, decides
from rules.engine.phrases import phrase
from rules.engine.violations import bad_input
from rules.model.power_effects import InEffect, Lasts
from rules.model.state import Encounter
from rules.model.system import Game
from rules.topics import effects
from rules.topics.commands import EndPower
from rules.topics.events import PowersChanged


@decides(EndPower)
def end_power(game: Game, command: EndPower) -> tuple[Event, ...]:
    """End one power in effect on somebody."""
    powers = game.combatant(command.who).sheet.powers
    if all(one.key != command.power for one in powers):
        raise bad_input(phrase("that-power-isnt-in-effect"))
    return ended(game, command.who, lambda one: one.key == command.power)


def put_on(game: Game, who: str, power: InEffect, *, adds: bool = False) -> tuple[Event, ...]:
    """Put a power into effect on somebody, in place of the same power if it is already.

    One that ``adds`` up keeps what it has brought about so far.
    """
    before = game.combatant(who).sheet.powers
    again = tuple(one for one in before if one.key == power.key)
    if adds:
        power = replace(power, effects=(*(each for one in again for each in one.effects), *power.effects))
    told = _changed(game, who, (*(one for one in before if one.key != power.key), power), power.rule)
    given = power.conditions - frozenset[str]().union(*(one.conditions for one in again))
    return (*told, *effects.marked(game.after(told), who, given))


def ended(game: Game, who: str, over: Callable[[InEffect], bool]) -> tuple[Event, ...]:
    """End those of the powers in effect on somebody that are ``over``, and their conditions."""
    before = game.combatant(who).sheet.powers
    left = tuple(one for one in before if not over(one))
    if len(left) == len(before):
        return ()
    gone = tuple(one for one in before if over(one))
    told = _changed(game, who, left, gone[0].rule, gone)
    kept = frozenset[str]().union(*(one.conditions for one in left))
    brought = frozenset[str]().union(*(one.conditions for one in gone)) - kept
    return (*told, *effects.marked(game.after(told), who, frozenset(), brought))


def _changed(
    game: Game, who: str, powers: tuple[InEffect, ...], rule: str, gone: tuple[InEffect, ...] = ()
) -> tuple[Event, ...]:
    """The new powers, and the health boxes if the body now has more or fewer."""
    before = game.combatant(who)
    sheet = game.system.health.fitted(replace(before.sheet, powers=powers))
    told = PowersChanged(who, powers, gone, rule)
    same = sheet.marks == before.sheet.marks and effects.conditions(game, who, sheet) == before.conditions
    return (told,) if same else (told, effects.boxes(game, who, sheet))


def at_turn_end(game: Game) -> tuple[Event, ...]:
    """End the powers that last until this turn ends."""
    return _for_all(game, lambda one: one.lasts is Lasts.TURN and one.until <= game.state.turn)


def after_attack(game: Game, who: str) -> tuple[Event, ...]:
    """End the powers that last until an attack or any other action."""
    return ended(game, who, lambda one: one.lasts in (Lasts.ATTACK, Lasts.ACTION))


def after_action(game: Game, who: str, before: tuple[InEffect, ...]) -> tuple[Event, ...]:
    """End those of the powers in effect ``before`` an action that last until one."""
    return ended(game, who, lambda one: one.lasts is Lasts.ACTION and one in before)


def after_harm(game: Game, who: str) -> tuple[Event, ...]:
    """End the powers that don't last when the one they are in effect on is hurt."""
    return ended(game, who, lambda one: one.frail)


def after_hours(game: Game, who: str, hours: int) -> tuple[Event, ...]:
    """End the powers that hours outlast: a scene or a turn is always shorter."""
    return ended(game, who, lambda one: one.lasts is not Lasts.HOURS or one.hours <= hours)


def at_the_end(game: Game) -> tuple[Event, ...]:
    """End all powers with the fight."""
    return _for_all(game, lambda one: True)


def _for_all(game: Game, over: Callable[[InEffect], bool]) -> tuple[Event, ...]:
    told: tuple[Event, ...] = ()
    for who in _affected(game.state):
        told += ended(game.after(told), who, over)
    return told


def _affected(state: Encounter) -> tuple[str, ...]:
    return tuple(who for who, each in state.combatants.items() if each.sheet.powers)
