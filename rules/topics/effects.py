"""What deciders bring about: actions used up, points paid, boxes marked, conditions that come and go, as events."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from rules.engine.messages import Event
from rules.engine.phrases import phrase
from rules.model import points
from rules.model.choices import Modifier
from rules.model.gear import Damage
from rules.model.health import UNTOLD, Blow
from rules.model.results import DamageDone
from rules.model.shapes import Shape
from rules.model.sheet import Sheet
from rules.model.system import Game
from rules.topics.events import ConditionsChanged, ResourceChanged, ShapeChanged, TurnRecordChanged
from rules.topics.health.impairments import IMPAIRMENTS, mended, passed


def action(game: Game, who: str, key: str) -> TurnRecordChanged:
    """An action of the turn used up."""
    record, _ = game.system.turns.use_action(game, who, key)
    return TurnRecordChanged(who, record)


def pay(game: Game, who: str, key: str, amount: int, why: str) -> tuple[Event, ...]:
    """Points that are spent, as far as there are any; forbids it as :func:`rules.model.points.check`."""
    spent = points.check(game, who, key, amount)
    left = game.system.layout.points(game.state.combatants[who].sheet, key) - spent
    return (ResourceChanged(who, key, left, spent, why),)


def pay_for(game: Game, who: str, modifiers: Iterable[Modifier]) -> tuple[Event, ...]:
    """What somebody's circumstances cost: a point that was declared is used before another is spent."""
    told: list[Event] = []
    for key in game.system.circumstances.costs(modifiers):
        now = game.after(told)
        turn = now.state.combatants[who].turn
        if points.declared(now.state, who, key) and turn.declaration:
            kept = replace(turn.declaration, willpower=turn.declaration.willpower - 1)
            told.append(TurnRecordChanged(who, replace(turn, declaration=kept)))
        else:
            told += pay(now, who, key, 1, phrase("one roll"))
    return tuple(told)


def shaped(game: Game, who: str, shape: Shape | None, label: str) -> tuple[Event, ...]:
    """Another shape, and what becomes of boxes of which there are more or fewer in it."""
    before = game.state.combatants[who]
    sheet = game.system.health.fitted(replace(before.sheet, shape=shape))
    told = ShapeChanged(who, shape, label)
    same = sheet.marks == before.sheet.marks and conditions(game, who, sheet) == before.conditions
    return (told,) if same else (told, boxes(game, who, sheet))


def used(game: Game, who: str, key: str) -> tuple[Event, ...]:
    """An action of the turn used up, in its place or out of it."""
    return (action(game, who, key), *placed(game, who))


def boxes(game: Game, who: str, sheet: Sheet) -> Event:
    """The boxes (or injuries) as they are on ``sheet`` now, with the conditions that follow from them."""
    return game.system.health.told(who, sheet, conditions(game, who, sheet))


def conditions(game: Game, who: str, sheet: Sheet) -> frozenset[str]:
    """Somebody's conditions when their health is as on ``sheet``."""
    combatant = game.state.combatants[who]
    now = game.system.health.brought(combatant.conditions, combatant.sheet, sheet)
    left = mended(IMPAIRMENTS.of(combatant), combatant.sheet.marks, sheet.marks)
    return now - passed(IMPAIRMENTS.of(combatant), left)


def marked(game: Game, who: str, add: frozenset[str], remove: frozenset[str] = frozenset()) -> tuple[Event, ...]:
    """Conditions that come and go; nothing where that changes none."""
    before = game.state.combatants[who].conditions
    now = (before | add) - remove
    return (ConditionsChanged(who, now, now - before, before - now),) if now != before else ()


def harm(game: Game, who: str, amount: int, damage: Damage, blow: Blow = UNTOLD) -> tuple[Event, ...]:
    """What ``amount`` levels of damage do to somebody; nothing where there are none."""
    if amount < 1:
        return ()
    health = game.system.health
    hurt = health.inflict(game.state.combatants[who].sheet, amount, damage, blow)
    told = (boxes(game, who, hurt),)
    brought = health.brings(hurt, amount)
    return (*told, *marked(game.after(told), who, brought)) if brought else told


def suffer(game: Game, done: DamageDone, blow: Blow = UNTOLD) -> tuple[Event, ...]:
    """What a blow does to somebody, the worst of it first."""
    told: tuple[Event, ...] = ()
    for damage, amount in done.points:
        told += harm(game.after(told), done.to, amount, damage, blow)
    return told


def placed(game: Game, who: str) -> tuple[Event, ...]:
    """The rank that an action out of its place in the turn is slotted in at, where it leaves one."""
    return game.system.turns.placed(game, who)
