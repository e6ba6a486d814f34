"""The effects of the end of a turn."""

from __future__ import annotations

from rules.engine.messages import Event
from rules.model.conditions import Acts
from rules.model.system import Game
from rules.topics import effects
from rules.topics.events import Healed, StandingsChanged
from rules.topics.powers.lasting import at_turn_end as powers_over


def at_turn_end(game: Game) -> tuple[Event, ...]:
    """In this order: healing, conditions and powers that end, the next order, and the ruleset's own effects."""
    told: list[Event] = [*_healing(game)]
    told += _recovered(game.after(told))
    told += powers_over(game.after(told))
    told += _standings(game.after(told))
    told += game.system.turns.close(game.after(told))
    return tuple(told)


def _healing(game: Game) -> tuple[Event, ...]:
    """Healing that happens by itself (AP-HEAL-1)."""
    told: list[Event] = []
    for who, combatant in game.state.combatants.items():
        sheet, healed = game.system.health.turn_end(combatant.sheet)
        if healed:
            rule = game.system.cites["regeneration"]
            told += (Healed(who, healed, rule=rule), effects.boxes(game, who, sheet))
    return tuple(told)


def _recovered(game: Game) -> tuple[Event, ...]:
    """End the conditions that cost a combatant this turn (AP-SIT-4)."""
    told: list[Event] = []
    for who, combatant in game.state.combatants.items():
        if game.system.turns.loses_turn(game.state, who):
            found = game.system.conditions.of(combatant.conditions)
            over = frozenset(each.key for each in found if each.acts is Acts.LOSES_TURN)
            told += effects.marked(game, who, frozenset(), over)
    return tuple(told)


def _standings(game: Game) -> tuple[Event, ...]:
    """Adjust kept initiative to wounds from the next turn on (AP-INIT-3)."""
    part = game.system.initiative
    if not game.state.ordered or part.each_turn(game.state):
        return ()
    scores = part.next_turn(game.state)
    changed = {who: score for who, score in scores.items() if score != game.state.initiative[who]}
    return (StandingsChanged(changed, part.moved(game.state, scores)),) if changed else ()
