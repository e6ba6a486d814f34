"""The log as each audience reads it: the newest entries first, undone ones struck through."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from itertools import islice
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from campaigns.current import reading
from campaigns.words import said
from combat.cache import Kept
from combat.history import tell as tellers
from combat.history.actors import shown_name
from combat.history.citations import rule_of_condition, rules_of
from combat.history.deeds import Became
from combat.history.entries import Entry, Line, StorytellerEntry
from combat.history.filters import kinds_of, names_in, topic_of
from combat.history.panes import Log
from combat.history.tell.context import Told, harm, teller_of
from combat.history.tell.elsewhere import told_elsewhere
from combat.history.tell.sentences import sentence
from combat.log.happened import Happened, begun_by
from combat.log.seal import shown
from combat.secrecy.declarations import Unknown
from combat.secrecy.fight import Fight
from combat.secrecy.reader import Reader, sight_in
from combat.secrecy.sight import Sight
from rules.engine.messages import Event
from rules.model.conditions import condition_of
from rules.model.system import System
from rules.topics.events import (
    AttackOverridden,
    AttackResolved,
    ConditionsChanged,
    GrappleRolled,
    MishapSettled,
    Narrated,
    RollShown,
    RulesWaived,
    SheetEdited,
    TraitsRolled,
    TurnEnded,
    TurnMoved,
)

MOST_ENTRIES = 4000
_entries = Kept(MOST_ENTRIES)
_alike = Kept(MOST_ENTRIES)
"""Players' entries by digest."""

MOST_READERS = 400
"""Readers whose last logs are kept."""
MOST_ROWS = 200
"""Rows that a log is continued for at most: a reader may see nothing of many."""

ENTRIES = 40
"""The number of entries on a fight's screens; older ones are on a page of their own."""

tellers.load()


class _Last(NamedTuple):
    """A log made last: at which row's seal, of how many rows, which of them were sealed, and what else it shows."""

    head: str
    rows: int
    sealed: frozenset[str]
    shows: tuple[Any, ...]
    log: Log


_last = Kept(MOST_READERS)
_logs = Kept(MOST_READERS)
"""Logs by their entries, which they keep, so that no id of one can be another's."""

CHANGES_OTHERS = Narrated | RollShown | AttackOverridden | TurnEnded
"""Events that change what earlier entries show."""


def log_of(fight: Fight, reader: Reader, turn: int = 1, unnarrated: tuple[str, ...] = ()) -> Log:
    """The newest entries that the reader may see; `turn` is the current turn.

    If nothing else in it can differ, this is the last log of this fight with one more entry.
    """
    read_by = _read_by(reader, fight.ruleset)
    key, keeps = (fight.id, *read_by), bool(fight.id and fight.head)
    last: _Last | None = _last.get(key) if keeps and _once.get() is None else None
    newest = next(iter(reversed(fight.rows)), None)
    depth = last.rows + 1 if last else ENTRIES + 1
    sealed = _sealed(reader, depth) if keeps else frozenset()
    if last is not None and newest is not None and _goes_on(last, newest, sealed, turn, unnarrated):
        entry = _entry(newest, reader, fight.ruleset, read_by, _beside(newest, {}, frozenset(unnarrated), turn))
        log = last.log if entry is None else _newest((entry, *last.log.entries), older=last.log.older)
    else:
        found = islice(entries_back(fight.rows, reader, fight.ruleset, turn, unnarrated), ENTRIES + 1)
        log = _newest(tuple(found))
        depth = ENTRIES + 1
        sealed = _sealed(reader, depth) if keeps else frozenset()
    if keeps and depth < MOST_ROWS:
        _last.put(key, _Last(fight.head, depth, sealed, (turn, unnarrated), log))
    return log


def _newest(entries: tuple[Entry, ...], *, older: bool = False) -> Log:
    """A log of as many of these entries as a screen shows, the newest first: one object for all readers of the same."""
    shown, older = entries[:ENTRIES], older or len(entries) > ENTRIES
    key = (*map(id, shown), older)
    log: Log = _logs.get(key) or _logs.put(key, Log(shown, older))
    return log


def _goes_on(last: _Last, newest: Happened, sealed: frozenset[str], turn: int, unnarrated: tuple[str, ...]) -> bool:
    """Whether a row follows right after those of a log, and leaves all that it shows as it was.

    `sealed` are the tokens that the reader may not know now.
    """
    owed = tuple(each for each in unnarrated if each != newest.resolution)
    return (
        newest.before == last.head != ""
        and not (newest.undone or newest.overridden or newest.any_of(CHANGES_OTHERS))
        and (turn, owed) == last.shows
        and sealed - {newest.token} == last.sealed
    )


def _sealed(reader: Reader, newest: int) -> frozenset[str]:
    """The tokens that the reader may not know yet, among so many newest rows."""
    return reader.sealed.among(newest) if isinstance(reader.sealed, Unknown) else frozenset()


def entries_back(
    rows: Sequence[Happened], reader: Reader, ruleset: System, turn: int = 1, unnarrated: Iterable[str] = ()
) -> Iterator[Entry]:
    """All entries that the reader may see, newest first."""
    words, owed, read_by = dict[str, str](), frozenset(unnarrated), _read_by(reader, ruleset)
    for row in reversed(rows):
        if Narrated in row.kinds:
            # Only the newest narration of a resolution counts, and it is met first.
            words = _narrations([row]) | words
        begun = begun_by(row)
        at = begun if begun is not None and row.undone else turn
        entry = _entry(row, reader, ruleset, read_by, _beside(row, words, owed, at))
        if entry is not None:
            yield entry
        if begun is not None and not row.undone:
            turn = begun - 1


def entries_of(rows: Sequence[Happened], reader: Reader, ruleset: System) -> Iterator[Entry]:
    """All entries that the reader may see, oldest first."""
    words, turn, read_by = _narrations(rows), 1, _read_by(reader, ruleset)
    for row in rows:
        begun = begun_by(row)
        turn = turn if begun is None or row.undone else begun
        entry = _entry(row, reader, ruleset, read_by, _beside(row, words, frozenset(), turn))
        if entry is not None:
            yield entry


def told_of(row: Happened, reader: Reader, ruleset: System) -> Told:
    """What the reader is told of a row; empty if they may not see it."""
    tell = _tell_sealed if row.token in reader.sealed else _tell
    told = tell(row, sight_in(row, reader), ruleset)
    return told if told.lines else Told(told.sight, told.command)


_once = ContextVar[dict[Any, Any] | None]("once", default=None)


@contextmanager
def telling_once() -> Iterator[None]:
    """Tell each row once to all who read it alike, for as long as several things are made of the same log."""
    token = _once.set({})
    try:
        yield
    finally:
        _once.reset(token)


def _narrations(rows: Iterable[Happened]) -> dict[str, str]:
    told = (event for row in rows if Narrated in row.kinds and not row.undone for event in row.events)
    return {event.resolution: event.text for event in told if isinstance(event, Narrated)}


def _read_by(reader: Reader, ruleset: System) -> tuple[Hashable, ...]:
    """The part of the cache key that is the same for all of a reader's entries."""
    return (reader.everything, reader.mine, ruleset, reading().language)


class _Beside(NamedTuple):
    """What an entry needs from other rows: the narration of what it resolved, whether one is due, and its turn."""

    resolution: str
    words: str
    wants_words: bool
    turn: int


def _beside(row: Happened, words: Mapping[str, str], owed: frozenset[str], turn: int) -> _Beside:
    # A mishap belongs to its attack, whose entry has the narration of both.
    if MishapSettled in row.kinds or not row.resolution:
        return _Beside("", "", wants_words=False, turn=turn)
    if row.undone:
        # A roll made after the undo has the same resolution id now, and the narration is its own.
        return _Beside(row.resolution, "", wants_words=False, turn=turn)
    return _Beside(row.resolution, words.get(row.resolution, ""), row.resolution in owed, turn)


def _entry(
    row: Happened, reader: Reader, ruleset: System, read_by: tuple[Hashable, ...], beside: _Beside
) -> Entry | None:
    """A row's entry for the reader, None if they see nothing; cached for all readers who see the same."""
    once = _once.get()
    if once is not None:
        key = (row.token, row.undone, row.shown, row.overridden, row.token in reader.sealed, read_by, beside)
        if key not in once:
            once[key] = _put_together(row, reader, ruleset, beside)
        found: Entry | None = once[key]
        return found
    if not row.seal:
        return _put_together(row, reader, ruleset, beside)
    key = (row.seal, row.undone, row.shown, row.overridden, row.token in reader.sealed, read_by, beside)
    kept: tuple[Entry | None] | None = _entries.get(key)
    if kept is None:
        kept = _entries.put(key, (_put_together(row, reader, ruleset, beside),))
    return kept[0]


def _put_together(row: Happened, reader: Reader, ruleset: System, beside: _Beside) -> Entry | None:
    told = told_of(row, reader, ruleset)
    sight = told.sight
    if not told.lines:
        return None
    narration = sight.clean(beside.words)
    entry: dict[str, Any] = {
        "id": row.token,
        "lines": tuple(told.lines),
        "narration": narration,
        "rolls": tuple(told.rolls),
        "rules": tuple(dict.fromkeys(filter(None, told.rules))),
        "undone": row.undone,
        "overridden": row.overridden,
        "turn": begun_by(row),
        "told_elsewhere": told_elsewhere(row.events, sight),
        "at": beside.turn,
        "names": names_in(told),
        "kinds": kinds_of(told, narration),
        "seal": shown(row.seal) if told.command in ("Begin", "End") else "",
    }
    if not reader.everything:
        # What several readers see alike is one object, which is quick to compare.
        made = Entry(**entry)
        one: Entry = _alike.get(made.digest) or _alike.put(made.digest, made)
        return one
    public = _tell(row, sight_in(row, TABLE), ruleset)
    roller, successes = _gathered(row.events)
    secret = _is_secret(row, public)
    return StorytellerEntry(
        **entry,
        by=shown_name(row.by),
        secret=secret,
        private=secret and bool(_tell(row, sight_in(row, _players_of(row)), ruleset).lines),
        roller=roller,
        successes=successes,
        dice=_dice_of(row, public, ruleset),
        attack=AttackResolved in row.kinds,
        resolution=beside.resolution,
        wants_words=beside.wants_words,
        flags=tuple((flag.rule, said(flag.text)) for flag in _flags(row.events)),
    )


def _tell(row: Happened, sight: Sight, ruleset: System) -> Told:
    once = _once.get()
    if once is None:
        return _tell_now(row, sight, ruleset)
    key = (row.token, sight.everything, sight.mine, sight.shown)
    known: tuple[Any, Told] | None = once.get(key)
    # An overridden row is told with other events, too.
    if known is None or known[0] is not row.events:
        known = once[key] = row.events, _tell_now(row, sight, ruleset)
    return known[1]


def _tell_now(row: Happened, sight: Sight, ruleset: System) -> Told:
    defences = ruleset.attack.defences
    passive = said(defences.plain) if defences.changes else ""
    told = Told(sight, str(row.command.get("is", "")), ruleset.health.one_by_one, passive)
    if row.kind == "cast":
        return told
    if row.kind == "sheet":
        for who in row.command.get("who", ()):
            if sight.everything or sight.owns(who):
                told.tell(_("{who}’s sheet was edited."), "quiet", who=told.name(who))
        for event in row.events:
            if isinstance(event, SheetEdited) and (tell := teller_of(SheetEdited)):
                tell(event, told)
        return told
    if _before_the_fight(row, sight) or _rolled_unseen(row, sight):
        return told
    for event in row.events:
        tell = teller_of(type(event))
        before = len(told.lines)
        if tell is not None:
            tell(event, told)
        if len(told.lines) > before:
            told.rules.extend(rules_of(event, sight, ruleset))
            told.topics.add(topic_of(event))
    whys = {event.who: event.why for event in row.events if isinstance(event, ConditionsChanged)}
    for who, condition in sight.gained():
        told.topics.add("damage")
        told.lines.append(_came_over(told, who, condition))
        if why := whys.get(who):
            told.go_on("({why})", "quiet", why=sight.clean(why))
        told.deeds.append(Became(who, condition))
        told.rules.append(rule_of_condition(condition, ruleset))
    return told


def _tell_sealed(row: Happened, sight: Sight, ruleset: System) -> Told:
    """A declaration whose content the reader may not know yet: only that it was made."""
    told = Told(sight, str(row.command.get("is", "")))
    by = str(row.command.get("by", ""))
    if sight.sees(by) and not _before_the_fight(row, sight):
        told.tell(_("{who} has declared."), "quiet", who=told.name(by))
        told.cite(ruleset.cites["declaration"])
        told.topics.add("turn")
    return told


def _came_over(told: Told, who: str, condition: str) -> Line:
    declared = condition_of(condition)
    if declared.has:
        return sentence(_("{who} has {what}."), who=told.name(who), what=harm(said(declared.has)))
    return sentence(_("{who} is {condition}."), who=told.name(who), condition=harm(said(declared.label)))


def _before_the_fight(row: Happened, sight: Sight) -> bool:
    # Setting up the fight is not part of its story.
    return not sight.everything and not row.cast["begun"] and row.command.get("is") != "Begin"


def _rolled_unseen(row: Happened, sight: Sight) -> bool:
    # A reroll for hidden combatants repeats everyone's totals, which would reveal that somebody is there.
    asked = row.command.get("who") if row.command.get("is") == "RollInitiative" else None
    return bool(asked) and not any(sight.sees(who) for who in asked or ())


def _flags(events: Iterable[Event]) -> Iterable[Any]:
    for event in events:
        if isinstance(event, RulesWaived | TraitsRolled | GrappleRolled):
            yield from event.flags
        elif isinstance(event, AttackResolved):
            yield from event.plan.flags


def _gathered(events: Iterable[Event]) -> tuple[str, int]:
    """Who rolled, and the successes; ("", 0) without any."""
    rolled = ((each.by, each.roll.roll.successes) for each in events if isinstance(each, TraitsRolled))
    return next((each for each in rolled if each[1] > 0), ("", 0))


def _players_of(row: Happened) -> Reader:
    """A reader who plays all the players' characters of a row."""
    return Reader(mine=frozenset(card["character"] for card in row.cast["who"].values() if card["player"]))


def _is_secret(row: Happened, public: Told) -> bool:
    """Whether players see nothing of the row. Moving on and showing dice don't count as secret.

    `public` is what the table is told.
    """
    if row.events and all(isinstance(event, TurnMoved | RollShown) for event in row.events):
        return False
    return not public.lines


TABLE = Reader()


def _dice_of(row: Happened, public: Told, ruleset: System) -> str:
    """Whether players see the dice of a row: "shown" or "secret", "" if showing them would make no difference.

    `public` is what the table is told now.
    """
    if row.undone or not row.holds_dice:
        return ""
    hidden, shown = (
        public if row.shown is word else _tell(row, sight_in(replace(row, shown=word), TABLE), ruleset)
        for word in (False, True)
    )
    if (hidden.lines, hidden.rolls) == (shown.lines, shown.rolls):
        return ""
    return "secret" if (hidden.lines, hidden.rolls) == (public.lines, public.rolls) else "shown"
