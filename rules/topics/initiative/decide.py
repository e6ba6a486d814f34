"""Who comes before whom: initiative, the order, and what changes a rank for good."""

from __future__ import annotations

from dataclasses import replace

from rules.engine.messages import Event, decides
from rules.engine.phrases import phrase
from rules.engine.violations import bad_input
from rules.model import groups as bands
from rules.model.system import Game
from rules.topics import effects
from rules.topics.commands import FreshStart, RollInitiative, SetInitiativeMode, SetOrder
from rules.topics.events import FreshStartTaken, InitiativeModeSet, InitiativeRolled, OrderSet, TurnRecordChanged
from rules.topics.initiative import surprise
from rules.topics.initiative.scores import FRESH_START


@decides(RollInitiative)
def roll_initiative(game: Game, command: RollInitiative) -> tuple[Event, ...]:
    """Roll for everybody whose it is to roll, or for those named; the others keep their totals.

    Where a ruleset knows surprise, those caught unawares roll later (WD-SURP-1); elsewhere they roll with the rest.
    """
    for who in (*command.who, *command.surprised, *command.ambushed):
        game.combatant(who)
    state, part = game.state, game.system.initiative
    if not part.rolled:
        game.forbid("initiative", phrase("Nobody rolls initiative."))
    surprised = command.surprised if "surprise" in game.system.cites else ()
    caught = surprise.caught(game, surprised)
    late = () if part.surprised_roll else surprised
    able = [who for who in state.combatants if who not in late and part.rolls(state, who)]
    wanted = _wanted(game, command.who, able)
    rolling = [who for who in state.combatants if who in wanted and who not in late]
    if not rolling:
        raise bad_input(phrase("Everybody has initiative already.") if able else phrase("Nobody can act."))
    anew = not command.who and len(rolling) == len(able)
    groups = bands.led(state, rolling)
    followers = frozenset(who for others in groups.values() for who in others)
    scores, order = part.roll_all(
        Game(bands.without(state, followers), game.system, dice=game.dice),
        list(groups),
        anew=anew,
        ambushed=frozenset(command.ambushed),
    )
    scores, order = bands.together(scores, order, groups)
    ranked = {who for rank in order for who in rank}
    seen = {who for who in ranked if not state.combatants[who].hidden}
    # The turn begins for those who are seen, whatever places the hidden hold already.
    return (*caught, InitiativeRolled(scores, order, (seen or ranked) <= set(rolling)))


def _wanted(game: Game, named: tuple[str, ...], able: list[str]) -> tuple[str, ...]:
    """Those named, or whose it is to roll; where a ruleset says so nobody rolls again what is kept (AP-INIT-1)."""
    part = game.system.initiative
    asked = named or tuple(able)
    due = part.due(game.state, asked)
    if part.kept and (len(due) < len(asked) if named else asked and not due):
        game.referee.forbid(part.kept, phrase("Initiative is rolled once and kept for the fight."))
        return asked
    return named or due


@decides(SetOrder)
def set_order(game: Game, command: SetOrder) -> tuple[Event, ...]:
    """Put the ranks as the Storyteller wants them: everybody who had a rank, and no one twice."""
    named = [who for rank in command.order for who in rank]
    for who in named:
        game.combatant(who)
    ranked = {who for rank in game.state.order for who in rank}
    if (
        len(set(named)) < len(named)
        or not ranked <= set(named)
        or any(who not in game.state.initiative for who in named)
    ):
        raise bad_input(phrase("The order names everybody who has initiative once."))
    return (OrderSet(tuple(rank for rank in command.order if rank)),)


@decides(FreshStart)
def fresh_start(game: Game, command: FreshStart) -> tuple[Event, ...]:
    """Give the turn for another rank in the roster, from the next turn on (WD-INIT-3)."""
    combatant, name = game.able(command.by), game.combatant(command.by).sheet.name
    if FRESH_START not in combatant.sheet.merits:
        game.forbid("fresh_start", phrase("{name} does not have the Merit Fresh Start.", name=name))
    if command.by not in game.state.initiative:
        raise bad_input(phrase("Roll initiative first."))
    if game.system.initiative.each_turn(game.state):
        game.forbid("initiative_every_turn", phrase("Where initiative is rolled every turn, no rank lasts."))
    used = effects.action(game, command.by, "fresh_start")
    record = replace(used.record, rank=command.rank)
    return (FreshStartTaken(command.by, command.rank), TurnRecordChanged(command.by, record))


@decides(SetInitiativeMode)
def set_initiative_mode(game: Game, command: SetInitiativeMode) -> tuple[Event, ...]:
    """Roll initiative every turn of this fight, or once (WD-INIT-4)."""
    return (InitiativeModeSet(command.every_turn),)
