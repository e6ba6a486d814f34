"""Initiative rolls, the turn order, and permanent changes of rank."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from rules.engine.messages import Event, decides
from rules.engine.phrases import phrase
from rules.engine.violations import bad_input
from rules.model import groups as bands
from rules.model.state import Score
from rules.model.system import Game
from rules.topics import effects
from rules.topics.commands import FreshStart, RollInitiative, SetInitiativeMode, SetOrder
from rules.topics.events import FreshStartTaken, InitiativeModeSet, InitiativeRolled, OrderSet, TurnRecordChanged
from rules.topics.initiative import surprise
from rules.topics.initiative.scores import FRESH_START, Order


@decides(RollInitiative)
def roll_initiative(game: Game, command: RollInitiative) -> tuple[Event, ...]:
    """Roll initiative for everyone due, or for those named; the others keep their totals.

    In rulesets with surprise, the surprised roll later (WD-SURP-1); in others they roll with everyone else.
    """
    for who in (*command.who, *command.surprised, *command.ambushed):
        game.combatant(who)
    state, part = game.state, game.system.initiative
    if not part.rolled:
        game.forbid("initiative", phrase("nobody-rolls-initiative"))
    surprised = command.surprised if "surprise" in game.system.cites else ()
    caught = surprise.caught(game, surprised)
    late = () if part.surprised_roll else surprised
    able = [who for who in state.combatants if who not in late and part.rolls(state, who)]
    wanted = _wanted(game, command.who, able)
    rolling = [who for who in state.combatants if who in wanted and who not in late]
    if not rolling:
        raise bad_input(phrase("everyone-already-has-initiative") if able else phrase("nobody-can-act"))
    anew = not command.who and len(rolling) == len(able)
    groups = bands.led(state, rolling)
    followers = frozenset(who for others in groups.values() for who in others)
    scores, order = part.roll_all(
        Game(bands.without(state, followers), game.system, dice=game.dice),
        list(groups),
        anew=anew,
        ambushed=frozenset(command.ambushed),
    )
    scores, order = _grouped(game, scores, order, groups)
    ranked = {who for rank in order for who in rank}
    seen = {who for who in ranked if not state.combatants[who].hidden}
    # A turn begins if everyone visible rolls, whether or not hidden combatants have a rank.
    return (*caught, InitiativeRolled(scores, order, (seen or ranked) <= set(rolling)))


def _grouped(
    game: Game, scores: dict[str, Score], order: Order, groups: Mapping[str, tuple[str, ...]]
) -> tuple[dict[str, Score], Order]:
    """The scores and the order with everyone who shares another's roll.

    Those who are as hurt as the one who rolled are beside them; others have a place of their own, together with those
    of their band whom wounds slow as much.
    """
    part, people = game.system.initiative, game.state.combatants
    ranked = {who for rank in order for who in rank}
    known: Mapping[str, Score] = {who: each for who, each in game.state.initiative.items() if who in ranked} | scores
    beside: dict[str, tuple[str, ...]] = {}
    for by, others in groups.items():
        firsts = {(scores[by].total, scores[by].rating): by}
        for who in others:
            score = part.shared(scores[by], people[by], people[who])
            first = firsts.setdefault((score.total, score.rating), who)
            if first != who:
                beside[first] = (*beside.get(first, ()), who)
                continue
            now, order = part.entered(game, who, {**known, who: score}, order)
            scores |= {one: each for one, each in now.items() if known.get(one) != each}
            known = now
    return bands.together(scores, order, beside)


def _wanted(game: Game, named: tuple[str, ...], able: list[str]) -> tuple[str, ...]:
    """Those named, else those due; some rulesets forbid rolling kept initiative again (AP-INIT-1)."""
    part = game.system.initiative
    asked = named or tuple(able)
    due = part.due(game.state, asked)
    if part.kept and (len(due) < len(asked) if named else asked and not due):
        game.referee.forbid(part.kept, phrase("initiative-is-rolled-once-and-kept"))
        return asked
    return named or due


@decides(SetOrder)
def set_order(game: Game, command: SetOrder) -> tuple[Event, ...]:
    """Set the ranks as the Storyteller wants them: everyone who had a rank, and nobody twice."""
    named = [who for rank in command.order for who in rank]
    for who in named:
        game.combatant(who)
    ranked = {who for rank in game.state.order for who in rank}
    if (
        len(set(named)) < len(named)
        or not ranked <= set(named)
        or any(who not in game.state.initiative for who in named)
    ):
        raise bad_input(phrase("order-must-name-everyone-with-initiative"))
    return (OrderSet(tuple(rank for rank in command.order if rank)),)


@decides(FreshStart)
def fresh_start(game: Game, command: FreshStart) -> tuple[Event, ...]:
    """Give up the turn for another rank in the roster, from the next turn on (WD-INIT-3)."""
    combatant, name = game.able(command.by), game.combatant(command.by).sheet.name
    if FRESH_START not in combatant.sheet.merits:
        game.forbid("fresh_start", phrase("doesnt-have-merit-fresh-start", name=name))
    if command.by not in game.state.initiative:
        raise bad_input(phrase("roll-initiative-first"))
    if game.system.initiative.each_turn(game.state):
        game.forbid("initiative_every_turn", phrase("ranks-dont-last-when-initiative-is-rolled"))
    used = effects.action(game, command.by, "fresh_start")
    record = replace(used.record, rank=command.rank)
    return (FreshStartTaken(command.by, command.rank), TurnRecordChanged(command.by, record))


@decides(SetInitiativeMode)
def set_initiative_mode(game: Game, command: SetInitiativeMode) -> tuple[Event, ...]:
    """Roll initiative every turn of this fight, or once (WD-INIT-4)."""
    return (InitiativeModeSet(command.every_turn),)
