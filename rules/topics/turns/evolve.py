"""Evolvers for the course of a fight, its ranks and its turns."""

from __future__ import annotations

from rules.engine.copies import replace
from rules.engine.messages import evolves
from rules.model.state import Combatant, Encounter, Stage, TurnRecord
from rules.topics import events
from rules.topics.changes import with_combatant


@evolves(events.StatusChanged)
def _status(state: Encounter, event: events.StatusChanged) -> Encounter:
    return replace(state, status=event.status)


@evolves(events.InitiativeRolled)
def _initiative(state: Encounter, event: events.InitiativeRolled) -> Encounter:
    ranked = {who for rank in event.order for who in rank}
    scores = {who: score for who, score in {**state.initiative, **event.scores}.items() if who in ranked}
    # Ties also record the dice of those who already have a rank; old logs count those as new.
    anew = len(event.scores) >= len(ranked) if event.anew is None else event.anew
    if not anew:
        return replace(state, initiative=scores, order=event.order)
    # Actions from before there were ranks belong to no turn.
    fresh = state.combatants if state.ordered else _rested(state)
    return replace(
        state,
        combatants=fresh,
        initiative=scores,
        order=event.order,
        stage=Stage.INITIATIVE,
        acting=(),
        visited=(),
        rank_start={},
    )


@evolves(events.StandingsChanged)
def _standings(state: Encounter, event: events.StandingsChanged) -> Encounter:
    return replace(state, initiative={**state.initiative, **event.scores}, order=event.order)


def _rested(state: Encounter) -> dict[str, Combatant]:
    return {who: replace(combatant, turn=TurnRecord(), spent={}) for who, combatant in state.combatants.items()}


def _begun(state: Encounter) -> dict[str, Combatant]:
    """Everyone's turn record as the next turn begins: those who held over may act at any moment during that turn."""
    return {
        who: replace(
            combatant,
            turn=TurnRecord(slowed=combatant.turn.slow_next, free=combatant.turn.holding),
            spent={},
        )
        for who, combatant in state.combatants.items()
    }


@evolves(events.RankMoved)
def _rank_moved(state: Encounter, event: events.RankMoved) -> Encounter:
    placed = replace(state, initiative={**state.initiative, **event.scores}, order=event.order)
    turn = state.combatants[event.who].turn
    return with_combatant(placed, event.who, turn=replace(turn, moment=event.moment or turn.moment))


@evolves(events.InitiativeModeSet)
def _mode(state: Encounter, event: events.InitiativeModeSet) -> Encounter:
    return replace(state, initiative_every_turn=event.every_turn)


@evolves(events.OrderSet)
def _order(state: Encounter, event: events.OrderSet) -> Encounter:
    return replace(state, order=event.order)


@evolves(events.Declared)
def _declared(state: Encounter, event: events.Declared) -> Encounter:
    return with_combatant(state, event.by, turn=event.record)


@evolves(events.TurnMoved)
def _moved(state: Encounter, event: events.TurnMoved) -> Encounter:
    if event.visit is None:
        return replace(state, stage=event.stage, acting=(), rank_start={})
    together = event.visit.ids if len(event.visit.ids) > 1 else ()
    return replace(
        state,
        stage=event.stage,
        acting=event.visit.ids,
        visited=(*state.visited, event.visit),
        rank_start={who: state.combatants[who].sheet.marks for who in together},
    )


@evolves(events.TurnEnded)
def _turn_ended(state: Encounter, event: events.TurnEnded) -> Encounter:
    return replace(
        state,
        turn=event.next,
        stage=Stage.INITIATIVE,
        combatants=_begun(state),
        acting=(),
        visited=(),
        rank_start={},
        exchanges=(),
    )


@evolves(events.TurnRecordChanged)
def _record(state: Encounter, event: events.TurnRecordChanged) -> Encounter:
    same = state.combatants[event.who].turn is event.record
    return state if same else with_combatant(state, event.who, turn=event.record)
