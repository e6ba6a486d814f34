"""Reads the log of a fight from an archive: verified by its seals, given new ids, replayed, and sealed as a new chain.

Every row is decoded and replayed as it was written, undoing and redoing included, so that all that the Storyteller
undoes later has been replayed before.
"""

from __future__ import annotations

import json
import zlib
from bisect import bisect, insort
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from operator import attrgetter
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from campaigns.archives import rows as columns
from campaigns.archives.box import BadArchive
from campaigns.archives.moving import Coming
from campaigns.archives.names import is_id
from campaigns.chains import BadExport
from combat.archives.values import NotAllowed, renewed
from combat.fields import Written
from combat.log import codec, export, seal
from combat.log.happened import MARKS, Happened
from combat.log.reseal import Why, noted
from combat.log.rows import first_state
from combat.models import Encounter, Kind, LogRow
from rules.engine.messages import replay
from rules.model.state import Encounter as State
from rules.topics.events import Joined

Json = dict[str, Any]

MOST_ROWS = 20_000
MOST_EARLIER = 300
LONGEST_NAME = 150

PLAIN = ("seq", "token", "kind", "target", "actor_name", "seal")
"""The columns of a row that are neither JSON nor a moment."""

CAST = {"begun": bool, "who": dict}
MORE_IN_CAST = {"typed": list, "by_player": bool}
"""What only some rows say: whose dice were typed, and in old ones that a player acted."""

CARD = {
    "name": str,
    "mask": str,
    "character": str,
    "gained": list,
    "hidden": bool,
    "player": bool,
    "figures": bool,
}
MORE_ON_CARD = {"dice": bool, "appeared": bool, "lifted": str}
"""What rows of earlier versions don't say."""


@dataclass(frozen=True, slots=True)
class ReadLog:
    """A log that was read: its rows as they happened, the state after them, and the seals that somebody may have noted.

    `last` is the last seal of the new chain, "" without rows. `before_held` is the state before the row that is held.
    """

    happened: tuple[Happened, ...]
    state: State
    last: str
    earlier: list[Json]
    before_held: State | None
    packed: bytes

    def rows(self, encounter: Encounter) -> Iterator[LogRow]:
        """The rows to save. They are packed until then: a chronicle's logs are large."""
        for *plain, command, events, cast, created in json.loads(zlib.decompress(self.packed)):
            row = LogRow(encounter=encounter, **dict(zip(PLAIN, plain, strict=True)))
            row.command, row.events, row.cast = Written(command), Written(events), Written(cast)
            row.created = datetime.fromisoformat(created)
            yield row


def read(coming: Coming, file: str, encounter: Encounter, old_id: str, ruleset: str) -> ReadLog:
    """Read the log of an encounter that is unsaved and has its new id. Raises `BadArchive`."""
    head, rows = _verified(coming, file, old_id, ruleset)
    history = _History(first_state(encounter))
    happened, written, tokens = list[Happened](), list[list[Any]](), set[str]()
    last, before_held = seal.first(encounter.pk), None
    for number, row in enumerate(rows, start=1):
        if number == encounter.held:
            before_held = history.state
        try:
            said = _renewed(row, coming)
            told = _decoded(said)
            _check_cast(said["cast"])
        except NotAllowed as problem:
            raise _unreadable(file, number, str(problem)) from None
        except Exception:  # decoding meets anything that an archive may hold
            raise _unreadable(file, number, "") from None
        if said["token"] in tokens:
            raise _unreadable(file, number, "token")
        tokens.add(said["token"])
        try:
            history.add(told)
        except Exception:  # a replay meets anything that an archive may hold
            raise BadArchive(file, _("Row %(row)s doesn’t fit the rows before it.") % {"row": number}) from None
        said["seal"] = last = seal.seal(last, said)
        happened.append(told)
        written.append(
            [
                *(said[name] for name in PLAIN),
                *(json.dumps(said[name]) for name in ("command", "events", "cast")),
                said["created"],
            ]
        )
    return ReadLog(
        tuple(happened),
        history.state,
        last if rows else "",
        _earlier(head, rows, old_id),
        before_held,
        zlib.compress(json.dumps(written).encode(), 1),
    )


# ------------------------------------------------------------------ as it was written


def _verified(coming: Coming, file: str, old_id: str, ruleset: str) -> tuple[Json, list[Json]]:
    """The header and the rows of a log whose chain is whole."""
    said = coming.box.lines(file)
    try:
        head, rows = export.checked(said)
    except BadExport:
        raise BadArchive(file, _("This isn’t the log of a fight.")) from None
    if head.get("encounter") != old_id:
        raise BadArchive(file, _("This is the log of another fight."))
    if head.get("ruleset") != ruleset:
        raise BadArchive(file, _("This log is of another ruleset."))
    if len(rows) > MOST_ROWS:
        raise BadArchive(file, _("A log has at most %(most)s rows.") % {"most": MOST_ROWS})
    if any(columns.moment(each["at"]) is None for each in head.get("earlier_seals", [])):
        raise _unreadable(file, 0, "earlier_seals")
    for fault in export.faults_of(head, rows):
        raise BadArchive(
            file,
            _("Row %(row)s is missing, or something was changed, removed or inserted there: the seals don’t match.")
            % {"row": fault.seq},
        )
    return head, rows


def _earlier(head: Json, rows: list[Json], old_id: str) -> list[Json]:
    """The seals that the log had before this import."""
    return [*head.get("earlier_seals", []), *noted(old_id, rows, Why.IMPORTED, timezone.now())][-MOST_EARLIER:]


def _unreadable(file: str, number: int, name: str) -> BadArchive:
    if name:
        return BadArchive(file, _("Row %(row)s: “%(field)s” isn’t valid.") % {"row": number, "field": name[:80]})
    return BadArchive(file, _("Row %(row)s can’t be read.") % {"row": number})


# ------------------------------------------------------------------ with new ids


def _renewed(row: Json, coming: Coming) -> Json:
    """The content of a row with new ids, as its seal covers it. Raises `NotAllowed`."""
    kind, target, name = row["kind"], row["target"], row["actor_name"]
    if kind not in Kind.values:
        raise NotAllowed("kind")
    if not is_id(row["token"]):
        raise NotAllowed("token")
    if type(target) not in (int, type(None)) or (target is None) is (kind in MARKS):
        raise NotAllowed("target")
    if type(name) is not str or len(name) > LONGEST_NAME:
        raise NotAllowed("actor_name")
    for part, wanted in (("command", dict), ("events", list), ("cast", dict), ("created", str)):
        if type(row[part]) is not wanted:
            raise NotAllowed(part)
    when = columns.moment(row["created"])
    if when is None:
        raise NotAllowed("created")
    return {
        "seq": row["seq"],
        "token": coming.new(row["token"]),
        "kind": kind,
        "target": target,
        "actor_name": name,
        "command": renewed(row["command"], coming.new, "command"),
        "events": renewed(row["events"], coming.new, "events"),
        "cast": renewed(row["cast"], coming.new, "cast"),
        "created": seal.moment(when),
    }


def _decoded(said: Json) -> Happened:
    """The row as readers of the log know it. Raises anything."""
    kind, command, events = said["kind"], said["command"], codec.load_events(said["events"])
    if kind == Kind.COMMAND:
        codec.load_command(command)
        _check_command(command)
    else:
        _check_nobodys(kind, command, events)
    _check_people(events)
    row = (said["token"], kind, command, events, said["cast"], said["actor_name"])
    return Happened(*row, seq=said["seq"], target=said["target"])


def _check_command(command: Json) -> None:
    """What readers of the log take from a command as it was written."""
    who = command.get("who", "")
    plain = (command["is"], command.get("by", ""), *(who if type(who) is list else (who,)))
    if any(type(each) is not str for each in plain):
        raise NotAllowed("command")


def _check_nobodys(kind: str, command: Json, events: tuple[Any, ...]) -> None:
    """The commands of rows that are nobody's, or that only say which other rows count."""
    more = {name: value for name, value in command.items() if name != "is"}
    if kind in MARKS:
        fits = command.get("is") == kind.capitalize() and not events and more.keys() <= {"to"}
        fits = fits and all(map(is_id, more.values()))
    else:
        who = more.get("who", [])
        named = type(who) is list and all(type(each) is str for each in who)
        revises = command.get("is") == "ReviseSheet" and more.keys() == {"who"} and named
        fits = revises or (kind == Kind.CAST and command == {"is": "Cast"})
    if not fits:
        raise NotAllowed("command")


def _check_people(events: tuple[Any, ...]) -> None:
    """Who joins is a character by an id, or nobody's: what is written back finds the character by it."""
    for event in events:
        if isinstance(event, Joined):
            who = event.combatant
            # By their exact type: an id may hide in a typed text, which gets no new ids.
            if any(type(each) is not str for each in (who.id, who.character, who.group, who.band)):
                raise NotAllowed("character")
            if who.character and not is_id(who.character):
                raise NotAllowed("character")


def _check_cast(cast: Json) -> None:
    """Who was there, and how they were seen. Raises `NotAllowed`."""
    _check_types(cast, CAST, MORE_IN_CAST, "cast")
    if any(type(each) is not str for each in cast.get("typed", ())):
        raise NotAllowed("typed")
    for card in cast["who"].values():
        if type(card) is not dict:
            raise NotAllowed("who")
        _check_types(card, CARD, MORE_ON_CARD, "who")
        if (card["character"] and not is_id(card["character"])) or any(
            type(each) is not str for each in card["gained"]
        ):
            raise NotAllowed("character")


def _check_types(said: Json, wanted: Mapping[str, type], more: Mapping[str, type], name: str) -> None:
    if wanted.keys() - said.keys() or said.keys() - wanted.keys() - more.keys():
        raise NotAllowed(name)
    for key, value in said.items():
        if type(value) is not (wanted.get(key) or more[key]):
            raise NotAllowed(key)


# ------------------------------------------------------------------ replayed


@dataclass(slots=True)
class _Step:
    """A row that counts, and the state before it."""

    row: Happened
    before: State


@dataclass(slots=True)
class _History:
    """The replay of a log, row by row. Undo takes back the last step, redo the last one undone."""

    state: State
    steps: list[_Step] = field(default_factory=list)
    undone: list[_Step] = field(default_factory=list)

    def add(self, row: Happened) -> None:
        """Replay a row. Raises anything."""
        if row.kind == Kind.UNDO:
            self._undo(row)
        elif row.kind == Kind.REDO:
            self._redo(row)
        else:
            if not row.fixed:
                self.undone.clear()
            self.steps.append(_Step(row, self.state))
            self.state = replay(self.state, row.events)

    def _undo(self, row: Happened) -> None:
        place = max(place for place, step in enumerate(self.steps) if not step.row.fixed)
        step = self.steps.pop(place)
        if step.row.seq != row.target:
            raise ValueError("only the last step can be undone")
        self.undone.append(step)
        self._from(place, step.before)

    def _redo(self, row: Happened) -> None:
        step = self.undone.pop()
        if step.row.seq != row.target:
            raise ValueError("only what was undone last can be redone")
        place = bisect(self.steps, step.row.seq, key=attrgetter("row.seq"))
        before = self.steps[place].before if place < len(self.steps) else self.state
        insort(self.steps, step, key=attrgetter("row.seq"))
        self._from(place, before)

    def _from(self, place: int, state: State) -> None:
        """Replay the steps from this place on again."""
        for step in self.steps[place:]:
            step.before = state
            state = replay(state, step.row.events)
        self.state = state
