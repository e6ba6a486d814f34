"""A log read from its end. Whatever was said of a row later (taken back, shown, put right) stands after it.

So the newest rows are all that most readers need, however long the log is. Rows never change, and are kept in the
process by their seals. Each knows the seal of the one before, and the encounter that of the newest: what another
process wrote is found, and what was rolled back is never met again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any, TypeVar

from combat.cache import Kept
from combat.log import codec
from combat.log.happened import MARKS, Happened
from combat.models import Encounter, Kind, LogRow
from rules.engine.log import redo_target, standing
from rules.engine.messages import Event, replay
from rules.model.state import Encounter as State
from rules.model.state import Status
from rules.topics.events import AttackOverridden, RollShown

MOST_DECODED = 3000
MOST_STATES = 200
FEWEST_AT_ONCE = 4
"""Rows that are read from the database at first; twice as many each time, where more are wanted."""
MOST_AT_ONCE = 256

Read = TypeVar("Read")


class ReadBack(Sequence[Read]):
    """What an iterator gives newest first, as a sequence with the oldest first. It is read on only as far as needed.

    For one thread, like the iterator.
    """

    def __init__(self, newest_first: Iterator[Read]) -> None:
        self._source = newest_first
        self._found: list[Read] = []

    def __reversed__(self) -> Iterator[Read]:
        place = 0
        while self._reach(place):
            yield self._found[place]
            place += 1

    def __iter__(self) -> Iterator[Read]:
        self._found.extend(self._source)
        return iter(self._found[::-1])

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, int) and place < 0 and self._reach(-place - 1):
            return self._found[-place - 1]
        return list(self)[place]

    def __len__(self) -> int:
        self._found.extend(self._source)
        return len(self._found)

    def __bool__(self) -> bool:
        return self._reach(0)

    def _reach(self, place: int) -> bool:
        while len(self._found) <= place:
            try:
                self._found.append(next(self._source))
            except StopIteration:
                return False
        return True


def and_then(rows: Sequence[Read], newest: Read) -> Sequence[Read]:
    """A sequence with one more at its end, read on as the first is."""
    return ReadBack(chain((newest,), reversed(rows)))


# ------------------------------------------------------------------ rows

_decoded = Kept(MOST_DECODED)


def decode(row: LogRow, before: str = "") -> Happened:
    """A row read from the database, or just written; `before` is the seal of the one before."""
    events = codec.load_events(row.events)
    said = (row.token, str(row.kind), row.command, events, row.cast, row.actor_name)
    return Happened(*said, seq=row.seq, target=row.target, seal=row.seal, before=before)


def keep(row: LogRow, before: str) -> Happened:
    """As :func:`decode`, once a process. `before` has to be true: the log is walked by it."""
    kept: Happened = _decoded.get(row.seal) or _decoded.put(row.seal, decode(row, before))
    return kept


def rows_of(encounter: Encounter) -> Sequence[Happened]:
    """The log up to the encounter's own number, oldest first, read from its end as far as somebody looks."""
    return ReadBack(_rows_back(encounter.pk, encounter.seq, encounter.seal))


def _rows_back(encounter_id: str, seq: int, seal: str) -> Iterator[Happened]:
    many = FEWEST_AT_ONCE
    while seq:
        row = _decoded.get(seal)
        rows = [row] if row else _page(encounter_id, seq, many)
        if not row:
            many = min(2 * many, MOST_AT_ONCE)
        if not rows:
            return
        yield from rows
        seq, seal = rows[-1].seq - 1, rows[-1].before


def _page(encounter_id: str, seq: int, many: int) -> list[Happened]:
    """So many rows up to a number, newest first. One more is read, for what was before the oldest."""
    upto = LogRow.objects.filter(encounter_id=encounter_id, seq__lte=seq)
    rows = list(upto.order_by("-seq")[: many + 1])
    seals = [*(row.seal for row in rows[1:]), ""]
    return [keep(row, before) for row, before in zip(rows[:many], seals, strict=False)]


def as_they_stand(rows: Sequence[Happened]) -> Sequence[Happened]:
    """What happened, oldest first, with what the rest of the log says of it. Undoing and redoing are no happenings.

    Each knows the seal `before` it only as long as nothing before it was taken back or brought back since: then all
    that was worked out of the log as far as there is true still.
    """
    return ReadBack(_standing_back(rows))


def _standing_back(rows: Sequence[Happened]) -> Iterator[Happened]:
    marks, shown, overridden = dict[int | None, str](), dict[str, bool](), set[str]()
    turned = set[int | None]()  # taken back or brought back by a row met already, and not met yet
    for happened in reversed(rows):
        if happened.kind in MARKS:
            marks.setdefault(happened.target, happened.kind)
            turned.add(happened.target)
            continue
        turned.discard(happened.seq)
        gone = marks.get(happened.seq) == Kind.UNDO
        for event in () if gone else reversed(happened.events):
            if isinstance(event, RollShown):
                shown.setdefault(event.entry, event.shown)
            elif isinstance(event, AttackOverridden):
                overridden.add(event.resolution)
        word = shown.get(happened.token)
        again = bool(overridden) and happened.resolution in overridden
        plain = not gone and word is None and not again and not turned
        before = "" if turned else happened.before
        yield happened if plain else replace(happened, undone=gone, shown=word, overridden=again, before=before)


def counting_back(rows: Sequence[Happened]) -> Iterator[Happened]:
    """The rows that count, newest first."""
    marks = dict[int | None, str]()
    for row in reversed(rows):
        if row.kind in MARKS:
            marks.setdefault(row.target, row.kind)
        elif marks.get(row.seq) != Kind.UNDO:
            yield row


def targets(rows: Sequence[Happened]) -> tuple[int | None, int | None]:
    """The numbers of the rows that undo would take back and redo would bring back."""
    undo = next((row.seq for row in counting_back(rows) if not row.fixed), None)
    return undo, redo_target(_since_something_new(rows)[::-1])


def _since_something_new(rows: Sequence[Happened]) -> list[Happened]:
    """The newest rows, newest first, back to what was done last: nothing before that can be brought back."""
    found = []
    for row in reversed(rows):
        found.append(row)
        if row.kind not in (*MARKS, Kind.CAST):
            break
    return found


# ------------------------------------------------------------------ states

_states = Kept(MOST_STATES)


def first_state(encounter: Encounter) -> State:
    """The state before the first row: a fight is begun by one, rolls outside fights always go on."""
    return State(Status.RUNNING) if encounter.outside_fights else State()


def keep_state(encounter: Encounter, state: State) -> State:
    """Keep the state that the rows up to the encounter's seal come to."""
    if encounter.seal:
        _states.put(encounter.seal, state)
    return state


def state_now(encounter: Encounter) -> State:
    """The state of an encounter as its row was read, or written."""
    return _states.get(encounter.seal) or keep_state(encounter, _read_state(encounter))


def _read_state(encounter: Encounter) -> State:
    if "state" not in encounter.get_deferred_fields():
        return codec.load_state(encounter.state)
    found = Encounter.objects.filter(pk=encounter.pk).values_list("seal", "state").first()
    if found is None or found[0] != encounter.seal:
        # Something else was done since it was read: what stands there now is a later state.
        return fold_of(encounter, rows_of(encounter))
    return codec.load_state(found[1])


def fold_of(encounter: Encounter, rows: Sequence[Happened], before: int | None = None) -> State:
    """The state that the rows that count come to; those before the number `before` alone, if there is one.

    It is played on from the newest state that is still known and in which the same rows counted as do now.
    """
    state, told = first_state(encounter), list[tuple[Event, ...]]()
    marks, otherwise = dict[int | None, str](), set[int | None]()
    for row in reversed(rows):
        wanted = before is None or row.seq < before
        if wanted and not otherwise and (known := _states.get(row.seal)):
            state = known
            break
        if row.kind in MARKS:
            marks.setdefault(row.target, row.kind)
            # Undone and redone by turns: after two of them a row counts as it did before them.
            otherwise ^= {row.target}
            continue
        otherwise.discard(row.seq)
        if wanted and marks.get(row.seq) != Kind.UNDO:
            told.append(row.events)
    return replay(state, (event for events in reversed(told) for event in events))


def state_of(rows: Sequence[Happened], first: State = State()) -> State:  # noqa: B008  # it is frozen
    """The same, from the first row on: what an encounter's `state` is a cache of."""
    return replay(first, (event for row in standing(rows) for event in row.events))
