"""Who is involved in an action outside fights: brought up to date with their sheets, and refused while in a fight."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from characters.models import Character
from combat.commands import outside
from combat.commands.entered import fights_with
from combat.commands.writing import append, nobodys_row
from combat.history import records
from combat.log import codec
from combat.models import Encounter, Kind, LogRow, Status
from combat.secrecy.sight import cast_of
from rules.engine.messages import Command, command_type, replay
from rules.engine.phrases import phrase
from rules.engine.violations import bad_input
from rules.model.roll import RollTraits
from rules.model.sheet import Sheet
from rules.model.state import Encounter as State

GOING_ON = (Status.RUNNING, Status.PAUSED)


def gather(encounter: Encounter, command: Command, state: State) -> State:
    """The state with the characters that the command involves, with their current sheets."""
    if not command_type(type(command)).outside_fights:
        raise bad_input(phrase("you-can-only-do-that-in-fight"))
    return bring(encounter, state, outside.named_by(command, state), outside.shown_by(command))


def bring(
    encounter: Encounter,
    state: State,
    who: Iterable[str],
    shown: frozenset[str] = frozenset(),
    sheets: Mapping[str, Sheet] | None = None,
) -> State:
    """The state in which these characters are as on their current sheets; `shown` ones become visible to players.

    `sheets` are taken instead of the current ones.
    """
    ruleset = records.ruleset_for(encounter)
    events = outside.arrivals(state, encounter.chronicle, ruleset, sorted(who), shown, sheets)
    if not events:
        return state
    after = replay(state, events)
    told = codec.dump_events(events)
    append(encounter, nobodys_row(encounter, kind=Kind.CAST, command={"is": "Cast"}, events=told), state, after)
    return after


def refuse_in_a_fight(encounter: Encounter, command: Command, state: State) -> None:
    """Refuse to change the sheets of characters in a running or paused fight: there, the fight manages them.

    Their rows are locked first, so of an action and a fight that begins at the same time, one sees the other.
    """
    who = outside.changed_by(command)
    if isinstance(command, RollTraits) and records.ruleset_for(encounter).circumstances.costs(command.modifiers):
        who = frozenset({command.by})
    if not who:
        return
    list(Character.with_bin.filter(pk__in=who).order_by("pk").select_for_update().values_list("pk"))
    for fight, present in fights_with(who, GOING_ON):
        name = _first_name(state, present)
        raise bad_input(phrase("is-in-fight-do-that-there", name=name, fight=fight.name))


def refuse_fought_since(encounter: Encounter, before: State, after: State, target: int) -> None:
    """Refuse to undo or redo a row that changed the sheets of characters who have been in a fight since.

    `before` and `after` are the states around the change, `target` is the row's number.
    """
    who = frozenset(
        each.character
        for one, each in before.combatants.items()
        if one not in after.combatants or after.combatants[one].sheet != each.sheet
    )
    if not who:
        return
    made = LogRow.objects.only("created").get(encounter=encounter, seq=target).created
    list(Character.with_bin.filter(pk__in=who).order_by("pk").select_for_update().values_list("pk"))
    for fight, present in fights_with(who, (*GOING_ON, Status.ENDED)):
        # Nobody acts here while in a fight, so they entered any that ended later only after this.
        if fight.ended is None or fight.ended > made:
            name = _first_name(before, present)
            raise bad_input(phrase("has-been-in-fight-since", name=name, fight=fight.name))


def kept_private(before: State, after: State) -> dict[str, Any]:
    """The cast of a row that only Storytellers and each character's own player read.

    In a fight everybody is present. Outside one, nobody knows who sees a vampire feed.
    """
    return {who: {**card, "hidden": True} for who, card in cast_of(before, after)["who"].items()}


def _first_name(state: State, characters: Iterable[str]) -> str:
    return min(state.combatants[who].sheet.name for who in characters if who in state.combatants)
