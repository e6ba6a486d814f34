"""Healing with blood: the undead heal no other way, be it at once or while they sleep (MQ-HEAL-1)."""

from __future__ import annotations

from collections.abc import Mapping

from rules.engine.messages import Event
from rules.engine.phrases import phrase
from rules.model import points
from rules.model.conditions import TORPOR
from rules.model.gear import Damage
from rules.model.health import BloodHealing
from rules.model.sheet import Sheet
from rules.model.state import Combatant, Status
from rules.model.system import Game
from rules.model.words import in_words
from rules.topics import effects
from rules.topics.events import Healed, ResourceChanged
from rules.topics.health.resting import Rest, rest_so_far

DUSK = "dusk"
"""Why blood was spent, in the events of a dusk."""


def sleep(game: Game, combatant: Combatant, hours: int, cost: BloodHealing, dusks: int = 0) -> tuple[Event, ...]:
    """Each day of sleep heals one aggravated level, as long as there is enough blood and Willpower.

    The following dusk takes a point of blood, if one is left, ``dusks`` times at most. In torpor nobody rises. In a
    condition that bars spending blood nothing heals and dusk takes nothing, and time still passes.
    """
    sheet, layout = combatant.sheet, game.system.layout
    slept = rest_so_far(combatant).hours + hours
    price = {"blood": cost.price(Damage.AGGRAVATED, 1, game.system.settings), "willpower": cost.willpower}
    had = {key: layout.points(sheet, key) for key in price}
    wounds, days = sheet.marks.count(Damage.AGGRAVATED), slept // 24
    if not combatant.conditions.isdisjoint(points.bars(game, "blood")):
        wounds = dusks = 0
    levels, risen = _nights(had, price, min(wounds, days), 0 if TORPOR in combatant.conditions else dusks)
    rested, healed = game.system.health.remove(sheet, levels, Damage.AGGRAVATED)
    told = Healed(
        combatant.id,
        {Damage.AGGRAVATED.value: healed},
        hours,
        cost.rule,
        Rest(rested.marks, slept % 24, rested.marks),
    )
    spent = _spent(game, combatant, {key: each * healed for key, each in price.items()})
    return (told, *spent, *_risen(game.after(spent), combatant.id, risen), effects.boxes(game, combatant.id, rested))


def _nights(had: Mapping[str, int], price: Mapping[str, int], days: int, dusks: int) -> tuple[int, int]:
    """How many levels heal in the first ``days``, one a day, and how many dusks find blood to take."""
    left, healed, risen = dict(had), 0, 0
    for night in range(max(days, dusks)):
        heals = night < days and all(left[key] >= each for key, each in price.items())
        left = {key: points - price[key] * heals for key, points in left.items()}
        rises = night < dusks and left["blood"] > 0
        if not (heals or rises):
            break  # points only get fewer
        left["blood"] -= rises
        healed, risen = healed + heals, risen + rises
    return healed, risen


def _risen(game: Game, who: str, points_spent: int) -> tuple[Event, ...]:
    """The blood that dusks took, so many points."""
    blood = game.system.layout.resource("blood")
    if blood is None or not points_spent:
        return ()
    left = game.system.layout.points(game.combatant(who).sheet, blood.key) - points_spent
    return (ResourceChanged(who, blood.key, left, points_spent, DUSK),)


def heal(
    game: Game, combatant: Combatant, healed_sheet: Sheet, healed: int, damage: Damage, cost: BloodHealing
) -> tuple[Event, ...]:
    """Heal with blood, as an action or reflexively; aggravated levels take days and, in some systems, Willpower."""
    points.check_bars(game, combatant.id, "blood")
    grave = damage is Damage.AGGRAVATED
    price = cost.price(damage, healed, game.system.settings)
    spent = {"blood": price, "willpower": cost.willpower * healed if grave else 0}
    _check_price(game, combatant, spent, cost)
    used: tuple[Event, ...] = ()
    if not grave:
        used = _action(game, combatant, healed, cost)
        points.check(game, combatant.id, "blood", min(price, game.system.layout.points(combatant.sheet, "blood")))
    told = Healed(combatant.id, {damage.value: healed}, 24 * healed if grave else None, cost.rule)
    return (told, *used, *_spent(game, combatant, spent), effects.boxes(game, combatant.id, healed_sheet))


def _check_price(game: Game, combatant: Combatant, price: dict[str, int], cost: BloodHealing) -> None:
    """Forbid healing for more points than there are."""
    layout, sheet = game.system.layout, combatant.sheet
    for key, needed in price.items():
        resource, had = layout.resource(key), layout.points(sheet, key)
        if resource and needed > had:
            message = phrase(
                "has-points-this-costs", name=sheet.name, had=had, points=in_words(resource.key), cost=needed
            )
            game.referee.forbid(cost.rule or game.system.cites["heal"], message)


def _action(game: Game, combatant: Combatant, levels: int, cost: BloodHealing) -> tuple[Event, ...]:
    """In a fight, healing takes an action, for one level at a time, or is reflexive; outside one, it takes none."""
    if game.state.status is not Status.RUNNING or game.state.outside_fights:
        return ()
    game.system.turns.check_able(game, combatant.id, reflexive=cost.reflexive)
    if cost.reflexive:
        return ()
    if levels > 1 and game.state.ordered:
        game.forbid("heal", phrase("one-action-heals-one-level"))
    return (effects.action(game, combatant.id, "heal"),)


def _spent(game: Game, combatant: Combatant, price: dict[str, int]) -> tuple[ResourceChanged, ...]:
    """The points spent, at most those there are."""
    layout, told = game.system.layout, list[ResourceChanged]()
    for name, needed in price.items():
        resource, had = layout.resource(name), layout.points(combatant.sheet, name)
        if resource and (paid := min(needed, had)):
            told.append(ResourceChanged(combatant.id, resource.key, had - paid, paid, "healing"))
    return tuple(told)
