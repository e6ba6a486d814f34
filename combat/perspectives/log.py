"""The log as each audience reads it: the newest entries first, what was taken back struck."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from combat.perspectives.cited import rule_of_condition, rules_of
from combat.perspectives.panes import Entry, Line, Log, Span, StorytellerEntry
from combat.perspectives.sight import Sight
from combat.perspectives.telling import TELLING
from combat.perspectives.told import Told, harm
from rules.events import (
    AttackResolved,
    Event,
    GrappleRolled,
    InjuriesMarked,
    MishapSettled,
    Narrated,
    RulesWaived,
    TraitsRolled,
    TurnEnded,
    TurnMoved,
)
from rules.ruleset import Ruleset

ENTRIES = 60

LIMBS = {"arm_wrack": "an arm wracked", "leg_wrack": "a leg wracked"}
"""Conditions that somebody has, and is not."""


@dataclass(frozen=True, slots=True)
class Happened:
    """A row of the log with its events, and whether it was taken back since."""

    token: str
    kind: str
    command: Mapping[str, Any]
    events: tuple[Event, ...]
    cast: Mapping[str, Any]
    by: str
    undone: bool = False

    @property
    def by_player(self) -> bool:
        """Whether a player brought it about, in words of their own."""
        return bool(self.cast.get("by_player"))


@dataclass(frozen=True, slots=True)
class Reader:
    """Who reads: the Storyteller (`everything`), or somebody who plays the characters `mine`."""

    everything: bool = False
    mine: frozenset[str] = frozenset()


def log_of(rows: Sequence[Happened], reader: Reader, ruleset: Ruleset, unnarrated: Iterable[str] = ()) -> Log:
    """The newest entries that the reader may see. `rows` are all rows, oldest first."""
    words = _narrations(rows)
    owed = frozenset(unnarrated)
    entries: list[Entry] = []
    for row in reversed(rows):
        entry = _entry(row, reader, ruleset, words, owed)
        if entry is not None:
            entries.append(entry)
        if len(entries) == ENTRIES:
            break
    return Log(tuple(entries))


def entries_of(rows: Sequence[Happened], reader: Reader, ruleset: Ruleset) -> Iterator[Entry]:
    """All entries that the reader may see, oldest first."""
    words = _narrations(rows)
    for row in rows:
        entry = _entry(row, reader, ruleset, words, frozenset())
        if entry is not None:
            yield entry


def _narrations(rows: Iterable[Happened]) -> dict[str, str]:
    told = (event for row in rows if not row.undone for event in row.events)
    return {event.resolution: event.text for event in told if isinstance(event, Narrated)}


def _entry(
    row: Happened, reader: Reader, ruleset: Ruleset, words: Mapping[str, str], owed: frozenset[str]
) -> Entry | None:
    sight = Sight(row.cast["who"], reader.everything, reader.mine, row.by_player)
    told = _tell(row, sight, ruleset)
    if not told.lines:
        return None
    # A mishap belongs to its attack, which carries the words for both.
    settles = any(isinstance(event, MishapSettled) for event in row.events)
    resolution = "" if settles else resolution_of(row.events)
    entry: dict[str, Any] = {
        "id": row.token,
        "lines": tuple(told.lines),
        "narration": sight.clean(words.get(resolution, "")),
        "rolls": tuple(told.rolls),
        "rules": tuple(dict.fromkeys(filter(None, told.rules))),
        "undone": row.undone,
        "turn": next((event.next for event in row.events if isinstance(event, TurnEnded)), None),
    }
    if not reader.everything:
        return Entry(**entry)
    return StorytellerEntry(
        **entry,
        by=row.by,
        secret=_is_secret(row, ruleset),
        resolution=resolution,
        wants_words=resolution in owed and not row.undone,
        flags=tuple((flag.rule, flag.text) for flag in _flags(row.events)),
    )


def _tell(row: Happened, sight: Sight, ruleset: Ruleset) -> Told:
    kinds = not any(isinstance(event, InjuriesMarked) for event in row.events)
    told = Told(sight, str(row.command.get("is", "")), kinds)
    if row.kind == "cast":
        return told
    if row.kind == "sheet":
        for who in row.command.get("who", ()):
            if sight.everything or sight.owns(who):
                told.say(told.name(who), Span(": the sheet was edited.", "quiet"))
        return told
    if _before_the_fight(row, sight) or _rolled_unseen(row, sight):
        return told
    for event in row.events:
        tell = TELLING.get(type(event))
        before = len(told.lines)
        if tell is not None:
            tell(event, told)
        if len(told.lines) > before:
            told.rules.extend(rules_of(event, sight, ruleset))
    for who, condition in sight.gained():
        told.lines.append(_came_over(told, who, condition))
        told.rules.append(rule_of_condition(condition, ruleset))
    return told


def _came_over(told: Told, who: str, condition: str) -> Line:
    word = condition.replace("_", " ")
    verb = " has " if condition in LIMBS else " is "
    return (
        told.name(who),
        Span(verb),
        harm(f"in {word}" if condition == "torpor" else LIMBS.get(condition, word)),
        Span("."),
    )


def _before_the_fight(row: Happened, sight: Sight) -> bool:
    # How the fight was put together is nothing that happened in it.
    return not sight.everything and not row.cast["begun"] and row.command.get("is") != "Begin"


def _rolled_unseen(row: Happened, sight: Sight) -> bool:
    # A new roll for some hidden ones tells the others' totals again: that alone would show that somebody is there.
    asked = row.command.get("who") if row.command.get("is") == "RollInitiative" else None
    return bool(asked) and not any(sight.sees(who) for who in asked or ())


def resolution_of(events: Iterable[Event]) -> str:
    """What the row resolved, "" for nothing: narration is kept under it."""
    kinds = AttackResolved | TraitsRolled | MishapSettled | GrappleRolled
    return next((event.resolution for event in events if isinstance(event, kinds)), "")


def _flags(events: Iterable[Event]) -> Iterable[Any]:
    for event in events:
        if isinstance(event, RulesWaived | TraitsRolled | GrappleRolled):
            yield from event.flags
        elif isinstance(event, AttackResolved):
            yield from event.plan.flags


def _is_secret(row: Happened, ruleset: Ruleset) -> bool:
    """Whether nothing of the row reaches the players; that the turn moved on is no secret, only not worth telling."""
    if row.events and all(isinstance(event, TurnMoved) for event in row.events):
        return False
    return not _tell(row, Sight(row.cast["who"]), ruleset).lines
