"""Grapples that go on: who may roll in them, and which moves somebody has won."""

from __future__ import annotations

from collections.abc import Iterable

from combat.perspectives.fight import Fight
from combat.perspectives.panes import GrappleAsk
from combat.perspectives.possible import moves
from combat.perspectives.sight import visible_state
from rules.actions import why_not
from rules.encounter import Encounter, Grapple
from rules.grapples import owes
from rules.ruleset import Ruleset

ROLL = "grapple"
"""The action by which two who grapple roll for who moves."""


def player_grapples(fight: Fight, own: frozenset[str]) -> tuple[GrappleAsk, ...]:
    """Those of the reader's own, as far as they see who it is that they grapple with."""
    state = visible_state(fight.state, own)
    mine = ((grapple, who) for grapple in state.grapples for who in grapple.members if who in own)
    return tuple(_asks(state, fight.ruleset, mine))


def storyteller_grapples(fight: Fight) -> tuple[GrappleAsk, ...]:
    """All of them: for whoever has won a move, else for the one on whose Initiative the roll comes."""
    state = fight.state
    theirs = ((grapple, _first(state, grapple)) for grapple in state.grapples)
    return tuple(_asks(state, fight.ruleset, theirs))


def _first(state: Encounter, grapple: Grapple) -> str:
    winner = next((who for who in grapple.members if owes(state, grapple, who)), "")
    ranked = [who for rank in state.order for who in rank if who in grapple.members]
    able = [who for who in (*ranked, *grapple.members) if state.combatants[who].turn.actions]
    return winner or next(iter(able), grapple.one)


def _asks(state: Encounter, ruleset: Ruleset, theirs: Iterable[tuple[Grapple, str]]) -> Iterable[GrappleAsk]:
    if state.status != "running":
        return
    for grapple, who in theirs:
        rule = ruleset.cites["in_grapple"]
        at = grapple.opponent(who)
        name, opponent = (state.combatants[each].sheet.name for each in (who, at))
        if owes(state, grapple, who):
            yield GrappleAsk(who, name, opponent, grapple.picks, rule, moves(state, who, ruleset))
        elif why_not(state, ROLL, who, ruleset) is None:
            lent = sum(hand.successes for hand in state.hands if hand.against == at)
            yield GrappleAsk(who, name, opponent, 0, rule, lent=lent)
