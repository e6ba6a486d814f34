"""Numbers copies as players see them, and completes players' commands with what players must not know."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any

from campaigns import conduct
from campaigns.models import Membership
from combat.history import records
from combat.models import Encounter
from combat.secrecy.sight import shown_name, visible_state
from rules.engine.inputs import Want
from rules.engine.messages import Command, command_type
from rules.engine.phrases import PLAYERS_WORDS, Typed
from rules.model.state import Combatant
from rules.model.state import Encounter as State
from rules.topics.commands import Declare, ProposeAttack, SetVisibility

_NUMBERED = re.compile(r"^(?P<base>.*) (?P<number>\d+)$")


def numbers_in(names: Iterable[str], base: str) -> list[int]:
    """The numbers already used with a base name; 1 for the bare name."""
    found = []
    for name in names:
        match = _NUMBERED.match(name)
        if match and match["base"] == base:
            found.append(int(match["number"]))
        elif name == base:
            found.append(1)
    return found


def next_number(names: Iterable[str], base: str) -> int:
    """The highest number used, plus one."""
    return max(numbers_in(names, base), default=0) + 1


def mask_for(name: str, seen: Iterable[Combatant]) -> str:
    """The mask for a copy that players see for the first time, numbered after those they know; "" for its own name.

    “Thug 5” next to a single other thug would give away three more in the dark.
    """
    match = _NUMBERED.match(name)
    if match is None:
        return ""
    shown = f"{match['base']} {next_number((shown_name(each) for each in seen), match['base'])}"
    return "" if shown == name else shown


def as_players_mean_it(command: Command, state: State, membership: Membership, encounter: Encounter) -> Command:
    """The command, completed with what only the server knows because players must not."""
    if isinstance(command, SetVisibility) and command.hidden is False and command.mask is None:
        return _revealed(command, state)
    if membership.is_storyteller:
        return command
    if isinstance(command, Declare):
        command = _not_waiting_for_the_unseen(command, state, encounter)
    elif isinstance(command, ProposeAttack):
        command = replace(command, approval=conduct.value(encounter.chronicle.conduct, conduct.APPROVAL))
    asked = command_type(type(command)).asked
    asked_for = frozenset(each.key for each in asked.inputs if each.kind is Want.WORDS) if asked else frozenset[str]()
    meant: Command = _typed(command, asked_for)
    return meant


def _typed(part: Any, asked_for: frozenset[str] = frozenset(), *, words: bool = False) -> Any:
    """Mark the texts in a command that the player typed (:class:`rules.engine.phrases.Typed`).

    These are the fields named in `asked_for` or declared as players' words, with all texts inside them (`words`).
    """
    if isinstance(part, str):
        return Typed(part) if words else part
    if isinstance(part, tuple):
        return tuple(_typed(each, words=words) for each in part)
    if isinstance(part, Mapping):
        return {key: _typed(value, words=words) for key, value in part.items()}
    if is_dataclass(part) and not isinstance(part, type):
        typed = {
            each.name: _typed(
                getattr(part, each.name), words=each.name in asked_for or PLAYERS_WORDS.items() <= each.metadata.items()
            )
            for each in fields(part)
        }
        return replace(part, **typed)
    return part


def _revealed(command: SetVisibility, state: State) -> Command:
    combatant = state.combatants.get(command.who)
    if combatant is None or not combatant.hidden or not combatant.group or combatant.mask:
        return command
    seen = (each for each in state.combatants.values() if not each.hidden)
    return replace(command, mask=mask_for(combatant.sheet.name, seen))


def _not_waiting_for_the_unseen(command: Declare, state: State, encounter: Encounter) -> Command:
    """Don't make a player wait for slower combatants they can't see: a refusal would give them away."""
    ruleset = records.ruleset_for(encounter)
    turns = ruleset.turns
    seen = visible_state(state, frozenset({command.by}))
    early = command.by not in turns.declaring(state)
    return replace(command, out_of_order=early and command.by in turns.declaring(seen))
