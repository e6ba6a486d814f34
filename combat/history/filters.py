"""Filters of the log: by character, turn and type of entry."""

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
"""Entry types and their labels, by their value in a URL's query."""

LONGEST = 100


def topic_of(event: Event) -> str:
    """The entry type of an event, "" for none in particular."""
    return event_type(type(event)).about


def kinds_of(told: Told, narration: str) -> tuple[str, ...]:
    """An entry's types, derived from its visible text alone."""
    found = {topic for topic in told.topics if topic}
    if told.rolls:
        found.add("roll")
    if any(span.tone in ("harm", "heal") for line in told.lines for span in line):
        found.add("damage")
    if narration:
        found.add("narration")
    return tuple(kind for kind in KINDS if kind in found) or ("other",)


def names_in(told: Told) -> tuple[str, ...]:
    """The names in an entry, as its reader knows them."""
    named = [span.text for line in told.lines for span in line if span.tone == "name"]
    return tuple(dict.fromkeys(map(told.sight.leading, [*named, *(roll.name for roll in told.rolls)])))


@dataclass(frozen=True, slots=True)
class Wanted:
    """A filter; "" and 0 match everything."""

    who: str = ""
    turn: int = 0
    kind: str = ""

    def __bool__(self) -> bool:
        return bool(self.who or self.turn or self.kind)

    def lets(self, entry: Entry) -> bool:
        """Whether an entry matches."""
        return (
            (not self.who or self.who in entry.names)
            and (not self.turn or self.turn == entry.at)
            and (not self.kind or self.kind in entry.kinds)
        )


def wanted_of(asked: Mapping[str, str]) -> Wanted:
    """The filter in a URL's query; invalid values match everything."""
    turn, kind = asked.get("log_turn", ""), asked.get("log_kind", "")
    counts = turn.isascii() and turn.isdigit() and len(turn) < 5
    return Wanted(asked.get("log_who", "")[:LONGEST], int(turn) if counts else 0, kind if kind in KINDS else "")


@dataclass(frozen=True, slots=True)
class Choices:
    """The options of the filter form: every name and every turn that occurs."""

    names: tuple[str, ...]
    turns: tuple[int, ...]

    @property
    def kinds(self) -> tuple[tuple[str, Any], ...]:
        """Each entry type's query value and its label."""
        return tuple(KINDS.items())


def choices_in(entries: Iterable[Entry], wanted: Wanted = Wanted()) -> Choices:  # it is frozen
    """The options that occur in these entries, plus those chosen now."""
    found = list(entries)
    names = {name for entry in found for name in entry.names} | {wanted.who}
    turns = {entry.at for entry in found} | {wanted.turn}
    return Choices(tuple(sorted(names - {""}, key=str.casefold)), tuple(sorted(turns - {0})))
