"""Which entries of a log somebody wants to see: those about somebody, of a turn, of a kind."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy as _

from combat.history.entries import Entry
from rules.engine.messages import Event, event_type

if TYPE_CHECKING:
    from combat.history.tell.context import Told

KINDS: Mapping[str, Any] = {
    "attack": _("Attacks"),
    "damage": _("Damage and healing"),
    "roll": _("Rolls"),
    "turn": _("Turns"),
    "narration": _("Narration"),
    "other": _("Everything else"),
}
"""The kinds of entries, by the word that stands for each in an address."""

LONGEST = 100


def topic_of(event: Event) -> str:
    """The kind of entry that tells of an event, "" for none in particular."""
    return event_type(type(event)).about


def kinds_of(told: Told, narration: str) -> tuple[str, ...]:
    """The kinds of an entry, from nothing but what its reader reads in it."""
    found = {topic for topic in told.topics if topic}
    if told.rolls:
        found.add("roll")
    if any(span.tone in ("harm", "heal") for line in told.lines for span in line):
        found.add("damage")
    if narration:
        found.add("narration")
    return tuple(kind for kind in KINDS if kind in found) or ("other",)


def names_in(told: Told) -> tuple[str, ...]:
    """Those whom an entry is about, as its reader knows them."""
    named = [span.text for line in told.lines for span in line if span.tone == "name"]
    return tuple(dict.fromkeys([*named, *(roll.name for roll in told.rolls)]))


@dataclass(frozen=True, slots=True)
class Wanted:
    """What somebody wants to see of a log; "" and 0 are everything."""

    who: str = ""
    turn: int = 0
    kind: str = ""

    def __bool__(self) -> bool:
        return bool(self.who or self.turn or self.kind)

    def lets(self, entry: Entry) -> bool:
        """Whether it is one of those that are wanted."""
        return (
            (not self.who or self.who in entry.names)
            and (not self.turn or self.turn == entry.at)
            and (not self.kind or self.kind in entry.kinds)
        )


def wanted_of(asked: Mapping[str, str]) -> Wanted:
    """What an address asks for; what makes no sense there asks for nothing."""
    turn, kind = asked.get("log_turn", ""), asked.get("log_kind", "")
    counts = turn.isascii() and turn.isdigit() and len(turn) < 5
    return Wanted(asked.get("log_who", "")[:LONGEST], int(turn) if counts else 0, kind if kind in KINDS else "")


@dataclass(frozen=True, slots=True)
class Choices:
    """What can be chosen: everybody who is named, and the turns there are."""

    names: tuple[str, ...]
    turns: tuple[int, ...]

    @property
    def kinds(self) -> tuple[tuple[str, Any], ...]:
        """Each kind's word and its name."""
        return tuple(KINDS.items())


def choices_in(entries: Iterable[Entry], wanted: Wanted = Wanted()) -> Choices:  # it is frozen
    """What there is to choose in these entries, and what is chosen, whether it is there or not."""
    found = list(entries)
    names = {name for entry in found for name in entry.names} | {wanted.who}
    turns = {entry.at for entry in found} | {wanted.turn}
    return Choices(tuple(sorted(names - {""}, key=str.casefold)), tuple(sorted(turns - {0})))
