"""Reading a fight from its rows. Rows never change, so each is decoded once a process."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from threading import Lock
from typing import Any

from characters import rulesets
from characters.models import Character
from combat import codec
from combat.models import Encounter, Kind, LogRow
from combat.perspectives.fight import Fight
from combat.perspectives.log import Happened
from rules.encounter import Encounter as State
from rules.encounter import Status
from rules.fold import replay
from rules.log import Entry, redo_target, standing, undo_target, undone
from rules.ruleset import Ruleset

MOST_DECODED = 5000
MOST_READ = 300
"""Far more rows than a log shows entries."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a log with its number, and which row it takes back or brings back."""

    seq: int
    target: int | None
    happened: Happened

    @property
    def entry(self) -> Entry:
        """The row as `rules.log` counts it."""
        kind = self.happened.kind
        undoes, redoes = (self.target if kind == each else None for each in (Kind.UNDO, Kind.REDO))
        return Entry(self.seq, self.happened.events, undoes, redoes, fixed=kind == Kind.CAST)


class _Decoded:
    """The rows decoded last, by their tokens, which are random: a row rolled back is never met again."""

    def __init__(self) -> None:
        self._rows: OrderedDict[str, Row] = OrderedDict()
        self._lock = Lock()

    def get(self, token: str) -> Row | None:
        with self._lock:
            if token in self._rows:
                self._rows.move_to_end(token)
            return self._rows.get(token)

    def put(self, row: Row) -> Row:
        with self._lock:
            self._rows[row.happened.token] = row
            while len(self._rows) > MOST_DECODED:
                self._rows.popitem(last=False)
        return row


_decoded = _Decoded()


def decode(row: LogRow) -> Row:
    """A row read from the database, or just written."""
    events = codec.load_events(row.events)
    happened = Happened(row.token, str(row.kind), row.command, events, row.cast, row.actor_name)
    return _decoded.put(Row(row.seq, row.target, happened))


def rows_of(encounter: Encounter, *, whole: bool = False) -> list[Row]:
    """The log up to the encounter's own number, oldest first.

    Of rolls outside fights, which are never over, the newest `MOST_READ` only, unless the `whole` log is asked for.
    """
    upto = LogRow.objects.filter(encounter_id=encounter.pk, seq__lte=encounter.seq)
    if encounter.outside_fights and not whole:
        upto = upto.filter(seq__gt=encounter.seq - MOST_READ)
    tokens = list(upto.order_by("seq").values_list("token", flat=True))
    found = {token: row for token in tokens if (row := _decoded.get(token))}
    missing = [token for token in tokens if token not in found]
    if missing:
        rows = upto.filter(token__in=missing) if len(missing) < 100 else upto
        found |= {row.token: decode(row) for row in rows}
    return [found[token] for token in tokens]


def first_state(encounter: Encounter) -> State:
    """The state before the first row: a fight is begun by one, rolls outside fights always go on."""
    return State(Status.RUNNING) if encounter.outside_fights else State()


def state_of(rows: Sequence[Row], first: State = State()) -> State:  # noqa: B008  # it is frozen
    """The state that the rows that count come to: what an encounter's `state` is a cache of."""
    told = (event for entry in standing([row.entry for row in rows]) for event in entry.events)
    return replay(first, told)


def targets(rows: Sequence[Row]) -> tuple[int | None, int | None]:
    """The numbers of the rows that undo would take back and redo would bring back."""
    entries = [row.entry for row in rows]
    return undo_target(entries), redo_target(entries)


def ruleset_for(encounter: Encounter) -> Ruleset:
    """The ruleset as the encounter's chronicle plays it."""
    return rulesets.ruleset_for(encounter.chronicle)


def fight_of(encounter: Encounter, state: State, rows: Sequence[Row]) -> Fight:
    """All that the views of a fight are built from."""
    gone = undone(row.entry for row in rows)
    undo, redo = targets(rows)
    happened = [replace(row.happened, undone=row.seq in gone) for row in rows if row.happened.kind not in _MARKS]
    return Fight(
        encounter.name,
        encounter.scene,
        state,
        happened,
        ruleset_for(encounter),
        owners_in(state),
        _label(rows, undo),
        _label(rows, redo),
        encounter.outside_fights,
    )


_MARKS = (Kind.UNDO, Kind.REDO)


def owners_in(state: State) -> dict[str, int]:
    """Whose the characters in the fight are; those of the Storyteller are left out."""
    ids = [each.character for each in state.combatants.values() if each.character]
    owned = Character.objects.filter(pk__in=ids, owner__isnull=False)
    return dict(owned.values_list("pk", "owner_id"))


def _label(rows: Iterable[Row], seq: int | None) -> str:
    row = next((row for row in rows if row.seq == seq), None)
    return "" if row is None else label_of(row.happened.command)


def label_of(command: dict[str, Any] | Any) -> str:
    """A command in a word or two: RollInitiative is "roll initiative"."""
    return re.sub(r"(?<!^)(?=[A-Z])", " ", str(command.get("is", ""))).lower()


def read(encounter: Encounter) -> Fight:
    """The fight as an encounter row just read from the database has it."""
    return fight_of(encounter, codec.load_state(encounter.state), rows_of(encounter))
