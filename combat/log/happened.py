"""A decoded row of the log: what happened, and whether it still counts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import UnionType
from typing import Any

from combat.models import Kind
from rules.engine.messages import Event, event_type
from rules.topics.events import TurnEnded

MARKS = (Kind.UNDO, Kind.REDO)
"""Row kinds that only say which other rows count."""


@dataclass(frozen=True, slots=True)
class Happened:
    """A row of the log: its events, its seal, whether it was undone or overridden, and whether its dice are shown.

    `seq` is its number, which no view holds: it would reveal how many rows are hidden. `target` is the number of the
    row that it undoes or redoes, `before` the seal of the previous row. `kinds` are the types of its events, a quick
    check before looking at the events themselves.
    """

    token: str
    kind: str
    command: Mapping[str, Any]
    events: tuple[Event, ...]
    cast: Mapping[str, Any]
    by: str
    undone: bool = False
    seal: str = ""
    shown: bool | None = None
    overridden: bool = False
    before: str = ""
    seq: int = 0
    target: int | None = None
    kinds: frozenset[type] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "kinds", frozenset(map(type, self.events)))

    @property
    def undoes(self) -> int | None:
        """The number of the row that it undoes."""
        return self.target if self.kind == Kind.UNDO else None

    @property
    def redoes(self) -> int | None:
        """The number of the row that it redoes."""
        return self.target if self.kind == Kind.REDO else None

    @property
    def fixed(self) -> bool:
        """Whether it was nobody's action, so that it can't be undone."""
        return self.kind == Kind.CAST

    def any_of(self, kinds: UnionType) -> bool:
        """Whether it holds an event of one of these types."""
        return not self.kinds.isdisjoint(kinds.__args__)

    @property
    def holds_dice(self) -> bool:
        """Whether it holds dice that the Storyteller may show or hide."""
        return any(event_type(kind).dice for kind in self.kinds)

    @property
    def resolution(self) -> str:
        """The id of what the row resolved, "" for nothing; narration is stored under it."""
        return next((str(event.resolution) for event in self.events if event_type(type(event)).resolves), "")  # type: ignore[attr-defined]

    @property
    def by_player(self) -> bool:
        """Whether a player caused it, in old rows that don't mark which text a player typed."""
        return bool(self.cast.get("by_player"))


def begun_by(row: Happened) -> int | None:
    """The turn that a row begins, None if it begins none."""
    if TurnEnded not in row.kinds:
        return None
    return next(event.next for event in row.events if isinstance(event, TurnEnded))
