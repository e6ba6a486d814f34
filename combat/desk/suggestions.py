"""Suggestions for the NPC that acts: computed when the Storyteller's page asks for them, never by an action."""

from __future__ import annotations

from dataclasses import dataclass

from campaigns import conduct
from combat.cache import Kept
from combat.history import records
from combat.log.codec import state_mark
from combat.log.rows import state_now
from combat.models import Encounter
from rules.forecast.suggestions import Suggestion, suggestions, to_move
from rules.model.system import Game

MOST_KEPT = 200
_kept = Kept(MOST_KEPT)
"""The suggestions by fight, seal, combatant and ruleset: the seal stands for the whole state."""


@dataclass(frozen=True, slots=True)
class Advice:
    """Suggestions for one NPC. `mark` is the digest of the state that they are for.

    `after` is the next of those who act at the same moment: id and name, or None.
    """

    who: str
    name: str
    mark: str
    moves: tuple[Suggestion, ...]
    after: tuple[str, str] | None = None


def are_on(encounter: Encounter) -> bool:
    """Whether the chronicle has suggestions switched on."""
    return bool(conduct.value(encounter.chronicle.conduct, conduct.SUGGESTIONS))


def advice_for(encounter: Encounter, who: str = "") -> Advice | None:
    """The suggestions for the NPC `who`, or for the first, of those who act now; None if none acts."""
    state, system = state_now(encounter), records.ruleset_for(encounter)
    acting = to_move(state, system)
    if not acting:
        return None
    chosen = who if who in acting else acting[0]
    key = (encounter.pk, encounter.seal, chosen, system)
    kept: tuple[str, tuple[Suggestion, ...]] | None = _kept.get(key)
    mark, moves = kept or _kept.put(key, (state_mark(state), suggestions(Game(state, system), chosen)))
    following = acting[(acting.index(chosen) + 1) % len(acting)]
    after = (following, state.combatants[following].sheet.name) if len(acting) > 1 else None
    return Advice(chosen, state.combatants[chosen].sheet.name, mark, moves, after)
