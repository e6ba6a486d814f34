"""Grapples in progress: who may roll, with which pool, and which moves somebody has won."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from campaigns.words import said
from combat.history.plan_parts import as_told
from combat.panes.chances import percent
from combat.panes.possible import moves
from combat.panes.questions import GrappleAsk, GrapplePlan
from combat.secrecy.declarations import seen_by
from combat.secrecy.fight import Fight
from combat.secrecy.sight import UNSEEN
from rules.engine.violations import RuleViolation
from rules.model.choices import Modifier
from rules.model.plan import Part, dice_of
from rules.model.state import Encounter
from rules.model.system import Game
from rules.odds.attacks import wins
from rules.topics.actions import why_not
from rules.topics.grapples.grapple import GRAPPLES, HANDS, OF_OPPONENT, Grapple
from rules.topics.grapples.holds import owes

ROLL = "grapple"
"""The action with which both grapplers roll for a move."""

TOTALS = frozenset({"limit", "least", "chance"})
"""Parts that depend on all the others, and would reveal the omitted ones."""


def player_grapples(fight: Fight, own: frozenset[str]) -> tuple[GrappleAsk, ...]:
    """The grapples of the reader's own characters. An unseen opponent is felt, but stays nameless."""
    felt = felt_by(seen_by(fight, own), fight.state, own)
    mine = ((grapple, who) for grapple in GRAPPLES.of(felt) for who in grapple.members if who in own)
    return tuple(_asks(fight.game.at(felt), mine, everything=False))


def felt_by(seen: Encounter, state: Encounter, own: frozenset[str]) -> Encounter:
    """The fight as `seen` by the player of `own`, plus their unseen opponents in grapples, without names."""
    unseen = [each for each in GRAPPLES.of(state) if not own.isdisjoint(each.members) and each not in GRAPPLES.of(seen)]
    if not unseen:
        return seen
    hidden = {who: state.combatants[who] for each in unseen for who in each.members if who not in seen.combatants}
    nameless = {who: replace(each, sheet=replace(each.sheet, name=str(UNSEEN))) for who, each in hidden.items()}
    felt = replace(seen, combatants={**seen.combatants, **nameless})
    return GRAPPLES.put(felt, (*GRAPPLES.of(seen), *unseen))


def storyteller_grapples(fight: Fight) -> tuple[GrappleAsk, ...]:
    """All grapples, each for the winner of a move, or else for the first in the turn order."""
    state = fight.state
    theirs = ((grapple, _first(state, grapple)) for grapple in GRAPPLES.of(state))
    return tuple(_asks(fight.game, theirs, everything=True))


def _first(state: Encounter, grapple: Grapple) -> str:
    winner = next((who for who in grapple.members if owes(state, grapple, who)), "")
    ranked = [who for rank in state.order for who in rank if who in grapple.members]
    able = [who for who in (*ranked, *grapple.members) if state.combatants[who].turn.actions]
    return winner or next(iter(able), grapple.one)


def _asks(game: Game, theirs: Iterable[tuple[Grapple, str]], *, everything: bool) -> Iterable[GrappleAsk]:
    state = game.state
    # Where grapplers don't roll for moves, each is an action like any other.
    if state.status != "running" or game.system.grappling is None:
        return
    for grapple, who in theirs:
        rule = game.system.cites["in_grapple"]
        at = grapple.opponent(who)
        name, opponent = (state.combatants[each].sheet.name for each in (who, at))
        if owes(state, grapple, who):
            yield GrappleAsk(who, name, opponent, grapple.picks, rule, moves(game, who))
        elif why_not(game, ROLL, who) is None:
            lent = sum(hand.successes for hand in HANDS.of(state) if hand.against == at)
            plan = plan_of_grapple(game, who, at, everything=everything)
            yield GrappleAsk(who, name, opponent, 0, rule, lent=lent, plan=plan)


def plan_of_grapple(
    game: Game,
    who: str,
    at: str,
    *,
    everything: bool,
    weapon: str = "",
    modifiers: tuple[Modifier, ...] = (),
) -> GrapplePlan | None:
    """The plan of a grapple's roll, or of the roll that begins one; None if the rules forbid it."""
    rules = game.system.grappling
    if rules is None or not {who, at} <= game.state.combatants.keys():
        return None
    try:
        mine, theirs = rules.planned(game, who, at, weapon, modifiers)
    except RuleViolation:
        return None
    if not everything:
        # The opponent's Strength is a secret until the dice are rolled.
        own = [part for part in mine.parts if part.key != OF_OPPONENT and part.key not in TOTALS]
        less = any(part.key == OF_OPPONENT for part in mine.parts)
        return GrapplePlan(max(0, dice_of(own)), _lines(own), less)
    mechanic = game.system.mechanic
    outcomes = mechanic.outcomes_of(mine)
    against = None if theirs is None else mechanic.outcomes_of(theirs)
    return GrapplePlan(
        mine.pool,
        _lines(mine.parts),
        chance=mine.chance,
        resisted=None if theirs is None else theirs.pool,
        against=_lines(theirs.parts) if theirs else (),
        wins=percent(wins(outcomes, against, rules.lent(game.state, who, at))),
    )


def _lines(parts: Iterable[Part]) -> tuple[Part, ...]:
    return tuple(as_told(part, said(part.label)) for part in parts)
