"""Sealed declarations: players read each other's only once they may know them (`rules.topics.declarations`)."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from dataclasses import replace
from itertools import islice

from combat.cache import for_each
from combat.log.happened import Happened
from combat.secrecy.fight import Fight
from combat.secrecy.initiative import initiative_due
from combat.secrecy.looking_back import look_back
from combat.secrecy.sight import MOST_SEEN, visible_state
from rules.engine.messages import Event
from rules.model.state import OPEN_ACTION, Combatant, Declaration, Encounter, Status
from rules.model.system import Game, System
from rules.topics.declarations import may_know, still_declaring
from rules.topics.events import (
    Aborted,
    Declared,
    Delayed,
    FullDefenceTaken,
    StatusChanged,
    TurnEnded,
    TurnMoved,
    TurnRecordChanged,
)

MOST_SEALED = 500


def seen_by(fight: Fight, own: frozenset[str]) -> Encounter:
    """The fight as the player of `own` may know it."""
    return sealed(visible_state(fight.state, own), own, hearing(fight, own), fight.ruleset)


def hearing(fight: Fight, own: frozenset[str]) -> frozenset[str]:
    """The combatants of `own` who may hear declarations: nobody before this turn's initiative is rolled (MQ-INIT-1).

    Until then, the turn order is the last turn's, and those who are faster in it may be slower in the next.
    """
    state, ruleset = fight.state, fight.ruleset
    if not still_declaring(fight.game) or ruleset.turns.at_once():
        return own
    due = ruleset.initiative.each_turn(state) and initiative_due(fight, state)
    return frozenset() if due else own


@for_each(MOST_SEEN, worded=False)
def sealed(state: Encounter, own: frozenset[str], hearing: frozenset[str], ruleset: System) -> Encounter:
    """The state without other combatants' declarations that the player of `own` may not know yet.

    `hearing` is the result of :func:`hearing`. `state` holds only the combatants the reader sees. It stays visible
    that somebody has declared.
    """
    game = Game(state, ruleset)
    if not still_declaring(game) or not any(map(_has_secrets, state.combatants.values())):
        return state
    shown = {
        who: each if _knows(game, own, hearing, who, each.turn.spoke) else _sealed(each)
        for who, each in state.combatants.items()
    }
    return replace(state, combatants=shown)


def _knows(game: Game, own: frozenset[str], hearing: frozenset[str], who: str, spoke: int) -> bool:
    return who in own or any(may_know(game, reader, who, spoke) for reader in hearing)


@for_each(MOST_SEALED, worded=False)
def _has_secrets(combatant: Combatant) -> bool:
    """Whether a combatant's turn has anything that others don't know while they declare."""
    return _sealed(combatant) != combatant


@for_each(MOST_SEALED, worded=False)
def _sealed(combatant: Combatant) -> Combatant:
    """The combatant with an empty declaration, if there is one, and none of its effects."""
    turn = combatant.turn
    return replace(
        combatant,
        turn=replace(
            turn,
            declaration=Declaration() if turn.declaration else None,
            actions=(OPEN_ACTION,),
            split=None,
            full_defence=False,
            delaying=False,
            waits_for="",
            abort_failed=False,
        ),
    )


class Unknown(Container[str]):
    """A lazy set: the tokens of the log rows that a reader may not know yet, evaluated only as far back as needed."""

    def __init__(self, newest_first: Iterator[tuple[str, bool]]) -> None:
        self._source = newest_first
        self._told: dict[str, bool] = {}

    def __contains__(self, token: object) -> bool:
        while token not in self._told and self._tell():
            pass
        return self._told.get(str(token), False)

    def among(self, newest: int) -> frozenset[str]:
        """Those that are among so many newest rows."""
        while len(self._told) < newest and self._tell():
            pass
        return frozenset(token for token, unknown in islice(self._told.items(), newest) if unknown)

    def _tell(self) -> bool:
        """Go one row further back. False at the end."""
        row = next(self._source, None)
        if row is not None:
            self._told[row[0]] = row[1]
        return row is not None


def sealed_rows(fight: Fight, own: frozenset[str]) -> Container[str]:
    """The tokens of the log rows that the player of `own` may not know yet.

    What was revealed once stays so, even if the turn is undone back to its declarations. What is undone while sealed
    stays sealed until the other declarations are revealed.
    """
    if not fight.ruleset.turns.declares or not look_back(fight, "declared", _declared):
        return frozenset()
    return Unknown(_unknown(fight, own))


def _declared(row: Happened) -> bool | None:
    """Whether somebody declared in a row; False if it ended the declarations for everybody, None otherwise."""
    if row.any_of(SPEAK):
        return True
    return False if row.any_of(OPEN) and any(_opens(event, row, frozenset()) for event in row.events) else None


def _unknown(fight: Fight, own: frozenset[str]) -> Iterator[tuple[str, bool]]:
    game, hears = fight.game.at(visible_state(fight.state, own)), hearing(fight, own)
    still = still_declaring(game)
    for row in reversed(fight.rows):
        if row.any_of(OPEN) and any(_opens(event, row, own) for event in row.events):
            return
        # What is said outside the declarations has no position among them and is public.
        said = {who: spoke for who, spoke in _said(row.events).items() if spoke} if row.any_of(SPEAK) else {}
        if still:
            unknown = any(not _knows(game, own, hears, who, spoke) for who, spoke in said.items())
        else:
            unknown = row.undone and not own.issuperset(said)
        yield row.token, unknown


SPEAK = Declared | Delayed | FullDefenceTaken | Aborted
"""Events with which somebody declares or changes a declaration."""

OPEN = TurnMoved | TurnEnded | StatusChanged
"""Events that end the declarations."""


def _said(events: Iterable[Event]) -> dict[str, int]:
    """Who declared or changed a declaration in a row, each with their position among the declarations."""
    speakers = {event.by for event in events if isinstance(event, SPEAK)}
    changed = (event for event in events if isinstance(event, TurnRecordChanged))
    places = {event.who: event.record.spoke for event in changed if event.who in speakers}
    return (
        dict.fromkeys(speakers, 0)
        | places
        | {event.by: event.record.spoke for event in events if isinstance(event, Declared)}
    )


def _opens(event: Event, row: Happened, own: frozenset[str]) -> bool:
    """Whether the event ended the declarations for this reader, who knows nothing of acts by hidden combatants."""
    if isinstance(event, TurnMoved):
        cast = row.cast["who"]
        return event.visit is None or any(who in own or not cast[who]["hidden"] for who in event.visit.ids)
    return isinstance(event, TurnEnded) or (isinstance(event, StatusChanged) and event.status is Status.ENDED)
