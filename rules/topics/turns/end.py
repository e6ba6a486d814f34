"""What the end of a turn brings."""

from __future__ import annotations

from rules.engine.messages import Event
from rules.topics.desk import Desk
from rules.topics.events import Healed, StandingsChanged


def at_turn_end(desk: Desk) -> tuple[Event, ...]:
    """Healing first, then conditions that have lasted their turn, the order of the next turn, and what turns bring."""
    told: list[Event] = [*_healing(desk)]
    told += _recovered(desk.after(told))
    told += _standings(desk.after(told))
    told += desk.ruleset.turns.close(desk.after(told).state, desk.ruleset, desk.dice)
    return tuple(told)


def _healing(desk: Desk) -> tuple[Event, ...]:
    """What heals by itself (AP-HEAL-1)."""
    told: list[Event] = []
    for who, combatant in desk.state.combatants.items():
        sheet, healed = desk.ruleset.health.turn_end(combatant.sheet, desk.ruleset)
        if healed:
            told += (Healed(who, healed), desk.boxes(who, sheet))
    return tuple(told)


def _recovered(desk: Desk) -> tuple[Event, ...]:
    """Whoever has lost this turn to a condition has done with it (AP-SIT-4)."""
    turns = desk.ruleset.turns
    told: list[Event] = []
    for who in desk.state.combatants:
        if turns.loses_turn(desk.state, who):
            told += desk.marked(who, frozenset(), turns.lost_to)
    return tuple(told)


def _standings(desk: Desk) -> tuple[Event, ...]:
    """Initiative that is kept follows the wounds from the next turn on (AP-INIT-3)."""
    part = desk.ruleset.initiative
    if not desk.state.ordered or part.each_turn(desk.state, desk.ruleset):
        return ()
    scores = part.next_turn(desk.state, desk.ruleset)
    changed = {who: score for who, score in scores.items() if score != desk.state.initiative[who]}
    return (StandingsChanged(changed, part.moved(desk.state, scores)),) if changed else ()
