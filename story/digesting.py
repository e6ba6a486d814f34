"""Makes the digest of a log for one audience, from what the log tells this audience and nothing else."""

from __future__ import annotations

import functools
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any

from django.conf import settings

from campaigns.marks import mark
from campaigns.models import Chronicle
from combat.history import records
from combat.history.entries import Entry
from combat.history.log import told_of
from combat.history.report import Person, Report, Turning, report_of
from combat.history.reveal import as_seen_by
from combat.history.tell.sentences import text_of
from combat.log import rows as logs
from combat.log.happened import Happened
from combat.models import Encounter, LogRow
from combat.panes.build import reader_of
from combat.secrecy.fight import Fight
from combat.secrecy.reader import Reader

MOST_ROWS = 400
"""How many of the newest rows are read outside fights, where the log has no end."""

MOST_RULES = 40
"""How many of a log's most cited rules are kept."""

CODE = ("combat/history", "combat/secrecy", "rules", "story/digesting.py", "locale")
"""The code and the catalogues that decide what a log tells."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A turning point or a scar, and the entry in which it is told.

    `character` is the id of a player's character (or to Storytellers of any), "" for others; `name` is who it is about,
    "" if nobody is. `at` is when, in a log outside fights, as an ISO date.
    """

    entry: str
    turn: int
    text: str
    name: str = ""
    character: str = ""
    dead: bool = False
    at: str = ""


@dataclass(frozen=True, slots=True)
class Narration:
    """The Storyteller's words for an entry."""

    entry: str
    turn: int
    text: str
    at: str = ""


@dataclass(frozen=True, slots=True)
class Told:
    """A digest's contents, apart from the fight's own fields. `rules` are the cited rules with counts."""

    turns: int = 1
    turnings: tuple[Moment, ...] = ()
    scars: tuple[Moment, ...] = ()
    narration: tuple[Narration, ...] = ()
    deeds: tuple[Person, ...] = ()
    rules: tuple[tuple[str, int], ...] = ()


Lines = tuple[tuple[str, str], ...]
"""The lines of a log, oldest first, each with the id of its entry."""


def told_by(encounter: Encounter, audience: str) -> tuple[Told, Lines]:
    """What a log tells an audience, in the active language."""
    fight = as_seen_by(records.read(encounter), audience)
    report = _report(fight, audience)
    entries = [entry for chapter in report.chapters for entry in chapter.entries]
    when = _times(encounter, entries)
    told = Told(
        report.turns,
        tuple(_moment(each, when) for each in report.turnings),
        tuple(_moment(each, when) for each in report.scars),
        tuple(Narration(each.id, each.at, each.narration, when.get(each.id, "")) for each in entries if each.narration),
        tuple(replace(each, expected=round(each.expected, 3)) for each in report.people),
        tuple(Counter(_cited(entries)).most_common(MOST_RULES)),
    )
    return told, tuple(_lines(entries))


def people_in(encounter: Encounter) -> list[str]:
    """The ids of all characters in a log, hidden ones included."""
    combatants = logs.state_now(encounter).combatants.values()
    return sorted({each.character for each in combatants if each.character})


def made_from(encounter: Encounter) -> str:
    """The digest of everything that a log's digest depends on. A roll that is released changes no seal."""
    return mark(f"{encounter.seal} {encounter.held} {rules_mark(encounter.chronicle)} {_code()}")


def rules_mark(chronicle: Chronicle) -> str:
    """The digest of a chronicle's ruleset with its house rules."""
    own = (chronicle.options, chronicle.own_kinds, chronicle.own_traits, chronicle.own_powers)
    return mark(json.dumps([chronicle.ruleset, *own], sort_keys=True))


def packed(told: Told) -> Any:
    """The contents as JSON."""
    return asdict(told)


def unpacked(body: Any) -> Told:
    """The contents from JSON."""
    return Told(
        body["turns"],
        tuple(Moment(**each) for each in body["turnings"]),
        tuple(Moment(**each) for each in body["scars"]),
        tuple(Narration(**each) for each in body["narration"]),
        tuple(Person(**each) for each in body["deeds"]),
        tuple((rule, count) for rule, count in body["rules"]),
    )


# ------------------------------------------------------------------ parts


def _report(fight: Fight, audience: str) -> Report:
    reader = reader_of(fight, audience)
    rows = list(_newest(fight, reader))[::-1] if fight.outside_fights else fight.rows
    return report_of(fight.name, rows, fight.ruleset, reader)


def _newest(fight: Fight, reader: Reader) -> Iterator[Happened]:
    """The newest rows that the reader is told of, newest first. Others don't count: fewer older ones would show."""
    told = (row for row in reversed(fight.rows) if not row.undone and told_of(row, reader, fight.ruleset).lines)
    return islice(told, MOST_ROWS)


def _times(encounter: Encounter, entries: Iterable[Entry]) -> dict[str, str]:
    """When the entries of a log outside fights were written. A fight's entries belong to the fight's own time."""
    if not encounter.outside_fights:
        return {}
    wanted = [entry.id for entry in entries]
    rows = LogRow.objects.filter(encounter_id=encounter.pk, token__in=wanted).values_list("token", "created")
    return {token: created.isoformat() for token, created in rows}


def _moment(each: Turning, when: dict[str, str]) -> Moment:
    at = when.get(each.entry, "")
    return Moment(each.entry, each.turn, each.text, each.name, each.character, each.dead, at)


def _cited(entries: Iterable[Entry]) -> Iterator[str]:
    """The rules behind each entry and its rolls, each once per entry."""
    for entry in entries:
        parts = (part.rule for roll in entry.rolls for part in roll.parts)
        yield from dict.fromkeys(filter(None, (*entry.rules, *parts)))


def _lines(entries: Iterable[Entry]) -> Iterator[tuple[str, str]]:
    for entry in entries:
        for line in entry.lines:
            yield entry.id, text_of(line)
        if entry.narration:
            yield entry.id, entry.narration


@functools.cache
def _code() -> str:
    """The digest of the code that decides what a log tells: after an update, digests are made again."""
    found = sha256()
    for name in CODE:
        place = Path(settings.BASE_DIR) / name
        for path in sorted(place.rglob("*")) if place.is_dir() else [place]:
            if path.suffix in (".py", ".mo", ".toml"):
                found.update(path.read_bytes())
    return found.hexdigest()[:16]
