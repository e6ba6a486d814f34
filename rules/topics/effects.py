"""Events that deciders share: actions used, points paid, boxes marked, conditions gained and lost."""

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
from rules.topics.health.impairments import IN_THE_FIGHT, conditions_of, impairments, mended, passed
from rules.topics.health.lasting import lasting_on


def action(game: Game, who: str, key: str) -> TurnRecordChanged:
    """Use up an action of the turn."""
    record, _ = game.system.turns.use_action(game, who, key)
    return TurnRecordChanged(who, record)


def pay(game: Game, who: str, key: str, amount: int, why: str) -> tuple[Event, ...]:
    """Spend points, at most those available. Forbidden where :func:`rules.model.points.check` forbids it."""
    spent = points.check(game, who, key, amount)
    left = game.system.layout.points(game.state.combatants[who].sheet, key) - spent
    return (ResourceChanged(who, key, left, spent, why),)


def pay_for(game: Game, who: str, modifiers: Iterable[Modifier]) -> tuple[Event, ...]:
    """Pay what a combatant's circumstances cost, using a point already declared before spending another."""
    told: list[Event] = []
    for key in game.system.circumstances.costs(modifiers):
        now = game.after(told)
        turn = now.state.combatants[who].turn
        if points.declared(now.state, who, key) and turn.declaration:
            kept = replace(turn.declaration, willpower=turn.declaration.willpower - 1)
            told.append(TurnRecordChanged(who, replace(turn, declaration=kept)))
        else:
            told += pay(now, who, key, 1, phrase("one-roll"))
    return tuple(told)


def shaped(game: Game, who: str, shape: Shape | None, label: str) -> tuple[Event, ...]:
    """Change shape, and adjust the health boxes if the shape has more or fewer."""
    before = game.state.combatants[who]
    sheet = game.system.health.fitted(replace(before.sheet, shape=shape))
    told = ShapeChanged(who, shape, label)
    same = sheet.marks == before.sheet.marks and conditions(game, who, sheet) == before.conditions
    return (told,) if same else (told, boxes(game, who, sheet))


def used(game: Game, who: str, key: str) -> tuple[Event, ...]:
    """Use up an action of the turn, in or out of turn order."""
    return (action(game, who, key), *placed(game, who))


def boxes(game: Game, who: str, sheet: Sheet) -> Event:
    """The event that records the health boxes (or injuries) on ``sheet``, with the conditions that follow from them."""
    return game.system.health.told(who, sheet, conditions(game, who, sheet))


def conditions(game: Game, who: str, sheet: Sheet) -> frozenset[str]:
    """A combatant's conditions once their health is as on ``sheet``."""
    combatant = game.state.combatants[who]
    now = game.system.health.brought(combatant.conditions, combatant.sheet, sheet)
    left = mended(impairments(combatant), combatant.sheet.marks, sheet.marks)
    return now - passed(impairments(combatant), left)


def revised(game: Game, who: str, sheet: Sheet) -> frozenset[str]:
    """A combatant's conditions once they have this sheet, with impairments and lasting conditions of its own."""
    combatant = game.state.combatants[who]
    now = game.system.health.brought(combatant.conditions, combatant.sheet, sheet)
    in_the_fight = mended(IN_THE_FIGHT.of(combatant), combatant.sheet.marks, sheet.marks)
    left = (*sheet.impairments, *in_the_fight)
    over = passed(impairments(combatant), left) | (lasting_on(combatant.sheet) - lasting_on(sheet))
    return (now - over) | conditions_of(sheet.impairments) | lasting_on(sheet)


def marked(game: Game, who: str, add: frozenset[str], remove: frozenset[str] = frozenset()) -> tuple[Event, ...]:
    """Add and remove conditions; no events if nothing changes."""
    before = game.state.combatants[who].conditions
    now = (before | add) - remove
    return (ConditionsChanged(who, now, now - before, before - now),) if now != before else ()


def harm(game: Game, who: str, amount: int, damage: Damage, blow: Blow = UNTOLD) -> tuple[Event, ...]:
    """Inflict ``amount`` levels of damage; no events below one."""
    if amount < 1:
        return ()
    health = game.system.health
    hurt = health.inflict(game.state.combatants[who].sheet, amount, damage, blow)
    told = (boxes(game, who, hurt),)
    brought = health.brings(hurt, amount)
    return (*told, *marked(game.after(told), who, brought)) if brought else told


def suffer(game: Game, done: DamageDone, blow: Blow = UNTOLD) -> tuple[Event, ...]:
    """Inflict a blow's damage, the most severe first."""
    told: tuple[Event, ...] = ()
    for damage, amount in done.points:
        told += harm(game.after(told), done.to, amount, damage, blow)
    return told


def placed(game: Game, who: str) -> tuple[Event, ...]:
    """Give a combatant who acted out of turn order the rank they slot in at, if there is one."""
    return game.system.turns.placed(game, who)
