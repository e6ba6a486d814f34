"""The log, read lazily from its end: later changes to a row (undone, shown, overridden) are recorded after it.

So most readers need only the newest rows, no matter how long the log is. Rows never change, and each process caches
them by seal. Each row knows the seal of the previous one, and the encounter that of the newest, so rows written by
other processes are found and rolled-back ones are never reached again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice
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
"""The rows of the first page read from the database; each further page is twice as large."""
MOST_AT_ONCE = 256

Read = TypeVar("Read")


class ReadBack(Sequence[Read]):
    """A lazy sequence, oldest first, over an iterator that yields the newest first.

    The iterator is consumed only when needed. Not thread-safe, like the iterator.
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
    """A sequence with one more item at its end; the rest is still read lazily."""
    return ReadBack(chain((newest,), reversed(rows)))


# ------------------------------------------------------------------ rows

_decoded = Kept(MOST_DECODED)


def decode(row: LogRow, before: str = "") -> Happened:
    """A row read from the database, or just written; `before` is the seal of the previous row."""
    events = codec.load_events(row.events)
    said = (row.token, str(row.kind), row.command, events, row.cast, row.actor_name)
    return Happened(*said, seq=row.seq, target=row.target, seal=row.seal, before=before)


def keep(row: LogRow, before: str) -> Happened:
    """Like :func:`decode`, cached. `before` must be right: the log is walked by it."""
    kept: Happened = _decoded.get(row.seal) or _decoded.put(row.seal, decode(row, before))
    return kept


def rows_of(encounter: Encounter) -> Sequence[Happened]:
    """The log up to the encounter's own number, oldest first, read lazily from its end."""
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
    """A page of rows up to a number, newest first. One more is read, for the seal before the oldest."""
    upto = LogRow.objects.filter(encounter_id=encounter_id, seq__lte=seq)
    rows = list(upto.order_by("-seq")[: many + 1])
    seals = [*(row.seal for row in rows[1:]), ""]
    return [keep(row, before) for row, before in zip(rows[:many], seals, strict=False)]


def as_they_stand(rows: Sequence[Happened]) -> Sequence[Happened]:
    """The rows with later changes applied (undone, shown, overridden), oldest first, without undo and redo rows.

    `before` is left empty if an earlier row was undone or redone since: values cached under that seal are then stale.
    """
    return ReadBack(_standing_back(rows))


def _standing_back(rows: Sequence[Happened]) -> Iterator[Happened]:
    marks, shown, overridden = dict[int | None, str](), dict[str, bool](), set[str]()
    turned = set[int | None]()  # undone or redone by a row already seen, and not reached yet
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
    """The numbers of the rows that undo and redo would affect."""
    undo = next((row.seq for row in counting_back(rows) if not row.fixed), None)
    return undo, redo_target(_since_something_new(rows)[::-1])


def _since_something_new(rows: Sequence[Happened]) -> list[Happened]:
    """The newest rows, newest first, back to the last action: nothing before it can be redone."""
    found = []
    for row in reversed(rows):
        found.append(row)
        if row.kind not in (*MARKS, Kind.CAST):
            break
    return found


# ------------------------------------------------------------------ states

_states = Kept(MOST_STATES)


def first_state(encounter: Encounter) -> State:
    """The state before the first row; the log of rolls outside fights is always running."""
    return State(Status.RUNNING, outside_fights=True) if encounter.outside_fights else State()


def keep_state(encounter: Encounter, state: State) -> State:
    """Cache the state after the rows up to the encounter's seal."""
    if encounter.seal:
        _states.put(encounter.seal, state)
    return state


def state_now(encounter: Encounter) -> State:
    """The state of an encounter at the seal of its row."""
    return _states.get(encounter.seal) or keep_state(encounter, _carried_on(encounter) or _read_state(encounter))


def _carried_on(encounter: Encounter) -> State | None:
    """The state from a cached one a few rows back, which the seals prove the log to continue; None without one.

    Another process wrote these rows. Every view shows them, so reading them costs nothing more, and what a row left
    alone stays the same object: views keep their rows and sheets.
    """
    rows = rows_of(encounter)
    near = islice(reversed(rows), FEWEST_AT_ONCE)
    return fold_of(encounter, rows) if any(_states.get(row.before) for row in near) else None


def _read_state(encounter: Encounter) -> State:
    if "state" not in encounter.get_deferred_fields():
        return load_state(encounter, encounter.state)
    found = Encounter.objects.filter(pk=encounter.pk).values_list("seal", "state").first()
    if found is None or found[0] != encounter.seal:
        # A command was carried out since the row was read, so the stored state is a later one.
        return fold_of(encounter, rows_of(encounter))
    return load_state(encounter, found[1])


def load_state(encounter: Encounter, written: codec.Json) -> State:
    """A stored state of an encounter; those of earlier versions don't say that they are outside fights."""
    return replace(codec.load_state(written), outside_fights=encounter.outside_fights)


def fold_of(encounter: Encounter, rows: Sequence[Happened], before: int | None = None) -> State:
    """The fold of the rows that count, or of those before the number `before`.

    It starts from the newest cached state in which the same rows counted as now.
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
            # Undo and redo alternate: after both, a row counts as before.
            otherwise ^= {row.target}
            continue
        otherwise.discard(row.seq)
        if wanted and marks.get(row.seq) != Kind.UNDO:
            told.append(row.events)
    return replay(state, (event for events in reversed(told) for event in events))


def state_of(rows: Sequence[Happened], first: State = State()) -> State:  # noqa: B008  # it is frozen
    """The same from the first row on; an encounter's `state` caches it."""
    return replay(first, (event for row in standing(rows) for event in row.events))
