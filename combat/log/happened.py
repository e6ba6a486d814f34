"""A row of the log as views read it, and who reads."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field
from types import UnionType
from typing import Any

from combat.secrecy.sight import Sight
from rules.topics.events import AttackResolved, Event, GrappleRolled, MishapSettled, TraitsRolled, TurnEnded

RESOLVE = AttackResolved | TraitsRolled | MishapSettled | GrappleRolled
"""Events that resolve something."""


@dataclass(frozen=True, slots=True)
class Happened:
    """A row of the log: its events, its seal, whether it was taken back or overridden, and the word on its dice.

    `before` is the seal of the row before. `kinds` are the types of its events: most questions about a row are answered
    by what it has none of.
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
    kinds: frozenset[type] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "kinds", frozenset(map(type, self.events)))

    def any_of(self, kinds: UnionType) -> bool:
        """Whether it holds an event of one of these kinds."""
        return not self.kinds.isdisjoint(kinds.__args__)

    @property
    def by_player(self) -> bool:
        """Whether a player brought it about, in words of their own."""
        return bool(self.cast.get("by_player"))


@dataclass(frozen=True, slots=True)
class Reader:
    """Who reads: the Storyteller (`everything`), or somebody who plays the characters `mine`.

    `sealed` are the tokens of rows with declarations that they may not know yet.
    """

    everything: bool = False
    mine: frozenset[str] = frozenset()
    sealed: Container[str] = frozenset()


def begun_by(row: Happened) -> int | None:
    """The turn that a row begins, None where it begins none."""
    if TurnEnded not in row.kinds:
        return None
    return next(event.next for event in row.events if isinstance(event, TurnEnded))


def sight_in(row: Happened, reader: Reader) -> Sight:
    """How a reader sees the people of a row and its dice."""
    return Sight(row.cast["who"], reader.everything, reader.mine, row.by_player, row.shown)


def resolution_of(events: Iterable[Event]) -> str:
    """What the row resolved, "" for nothing: narration is kept under it."""
    return next((event.resolution for event in events if isinstance(event, RESOLVE)), "")
