"""Digests of logs: what each reader's timeline, statistics, search and recap need, without reading every log again.

A log is read once per audience and language, and again when it, the house rules or the code change. A page reads only a
few logs itself; the others are read in the background, and the page says so.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from django.db import DatabaseError, transaction
from django.db.models import Q
from django.utils import translation
from django.utils.translation import get_language

from campaigns.aside import aside
from campaigns.folding import folded
from campaigns.marks import mark
from campaigns.models import Membership
from campaigns.rulesets import why_missing
from characters.models import Character
from combat.models import Encounter, Status
from combat.secrecy.access import audience_of
from combat.secrecy.audiences import STORYTELLER, TABLE
from combat.signals import fight_ended
from story.digesting import Told, made_from, packed, people_in, told_by, unpacked
from story.models import StoredDigest

MOST_AT_ONCE = 3
"""How many logs a page reads itself."""

AT_A_TIME = 8
"""How many logs' lines a search takes from the database at once."""


@dataclass(frozen=True, slots=True)
class Digest:
    """A log as a member may know it. `id`, `name`, `begun`, `ended` and `session` are the fight's.

    `outside`: it is the log outside fights, of which only the newest rows are read.
    """

    id: str
    name: str
    begun: datetime | None
    ended: datetime | None
    session: str
    outside: bool
    told: Told


@dataclass(frozen=True, slots=True)
class Digests:
    """The digests of ended fights, oldest first, and of the log outside fights, last.

    `waiting`: how many fights are not read yet.
    """

    found: tuple[Digest, ...] = ()
    waiting: int = 0

    @property
    def fights(self) -> tuple[Digest, ...]:
        """Those of fights."""
        return tuple(each for each in self.found if not each.outside)


def digests_for(
    membership: Membership,
    *,
    fights: Iterable[str] | None = None,
    outside: bool | None = None,
    most: int = MOST_AT_ONCE,
) -> Digests:
    """The digests that a member may know, of all ended fights or of these `fights`.

    That of the log outside fights is added if `outside`, by default if no fights were chosen.

    At most `most` logs are read now, the latest first. The rest is read in the background. Without the ruleset there
    are none.
    """
    if why_missing(membership.chronicle.ruleset):
        return Digests()
    logs = _logs(membership, fights, outside=fights is None if outside is None else outside)
    shelf, made, left = _up_to_date(membership, logs, most)
    rows = shelf.bodies() | made
    found = sorted((log for log in logs if log.pk in rows), key=_place)
    return Digests(tuple(_digest(log, rows[log.pk]) for log in found), left)


def _up_to_date(
    membership: Membership, logs: Sequence[Encounter], most: int
) -> tuple[_Shelf, dict[str, StoredDigest], int]:
    """The stored digests of some logs, those read now, and how many are left for the background."""
    shelf = _Shelf(membership, logs)
    lacking = [log for log in logs if log.pk not in shelf.rows]
    # The log outside fights is always read at once: that it changed must not show to those who see no change.
    now = [log for log in lacking if log.outside_fights] + [log for log in lacking if not log.outside_fights][:most]
    made = {log.pk: shelf.make(log) for log in now}
    left = len(lacking) - len(now)
    if left:
        _read_the_rest(membership)
    return shelf, made, left


def read_all(membership: Membership) -> None:
    """Read every log that has no digest for this member yet."""
    logs = _logs(membership, None, outside=True)
    shelf = _Shelf(membership, logs)
    for log in logs:
        if log.pk not in shelf.rows:
            shelf.make(log)


@dataclass(frozen=True, slots=True)
class Found:
    """An entry of a log in which words were found: the log's id and name, the entry's id and text."""

    log: str
    name: str
    outside: bool
    entry: str
    text: str


def entries_with(membership: Membership, words: Sequence[str], most: int) -> list[Found]:
    """The first entries that have all of these folded words, those of the latest fight first.

    Of logs that nobody has read for this member yet, a few are read now and the others found later.
    """
    if why_missing(membership.chronicle.ruleset):
        return []
    logs = {log.pk: log for log in _logs(membership, None, outside=True)}
    shelf, made, _left = _up_to_date(membership, list(logs.values()), MOST_AT_ONCE)
    stored = {*shelf.rows.values(), *(row.pk for row in made.values() if row.pk)}
    rows = StoredDigest.objects.filter(pk__in=stored)
    for word in words:
        rows = rows.filter(folded__has=word)
    found = list[Found]()
    ranked = rows.order_by("encounter__outside_fights", "-encounter__ended", "encounter").only("encounter_id", "lines")
    for row in ranked.iterator(chunk_size=AT_A_TIME):
        log = logs[row.encounter_id]
        entries = dict[str, str]()
        for entry, text in row.lines:
            entries[entry] = f"{entries[entry]} {text}" if entry in entries else text
        found += [
            Found(log.pk, log.name, log.outside_fights, entry, text)
            for entry, text in entries.items()
            if all(word in folded(text) for word in words)
        ]
        if len(found) >= most:
            break
    return found[:most]


# ------------------------------------------------------------------ the store


class _Shelf:
    """The stored digests of some logs that one member may read, by encounter id: `rows` are their numbers."""

    def __init__(self, membership: Membership, logs: Sequence[Encounter]) -> None:
        self.audience = audience_of(membership)
        self.language = (get_language() or "en")[:10]
        self.mine = own_characters(membership, self.audience)
        self.rows: dict[str, int] = {}
        marks = {log.pk: made_from(log) for log in logs}
        kept = StoredDigest.objects.filter(encounter__in=marks, language=self.language)
        for pk, encounter, audience, made, people in kept.values_list(
            "pk", "encounter_id", "audience", "made_from", "people"
        ):
            if made == marks[encounter] and audience == self.key(people):
                self.rows[encounter] = pk

    def key(self, people: Iterable[str]) -> str:
        """The audience under which the digest of a log with these characters is stored.

        Players share the table's, except for logs with characters that are theirs now.
        """
        if self.audience == STORYTELLER:
            return STORYTELLER
        own = sorted(self.mine.intersection(people))
        return f"player-{mark(' '.join(own))}" if own else TABLE

    def bodies(self) -> dict[str, StoredDigest]:
        """The stored rows, without the lines."""
        rows = StoredDigest.objects.filter(pk__in=self.rows.values()).defer("lines", "folded", "people")
        return {row.encounter_id: row for row in rows}

    def make(self, log: Encounter) -> StoredDigest:
        """Read a log and store its digest. If it can’t be stored now, it is read again next time.

        Stored in views as a member too: it is a cache, and nobody sees that it is there.
        """
        people = people_in(log)
        told, lines = told_by(log, self.audience)
        row = StoredDigest(
            encounter=log,
            audience=self.key(people),
            language=self.language,
            made_from=made_from(log),
            people=people,
            body=packed(told),
            lines=[list(each) for each in lines],
            folded=folded("\n".join(text for _entry, text in lines)),
        )
        fields = ["made_from", "people", "body", "lines", "folded"]
        unique = ["encounter", "audience", "language"]
        with contextlib.suppress(DatabaseError), transaction.atomic():
            StoredDigest.objects.bulk_create([row], update_conflicts=True, unique_fields=unique, update_fields=fields)
            row.pk = StoredDigest.objects.values_list("pk", flat=True).get(
                encounter=log, audience=row.audience, language=row.language
            )
        return row


def _logs(membership: Membership, fights: Iterable[str] | None, *, outside: bool) -> list[Encounter]:
    """The logs of a chronicle that have digests, the latest fight first."""
    wanted = Q(status=Status.ENDED, outside_fights=False)
    if fights is not None:
        wanted &= Q(pk__in=list(fights))
    if outside:
        wanted |= Q(outside_fights=True)
    logs = Encounter.objects.filter(wanted, chronicle_id=membership.chronicle_id, seq__gt=0)
    found = list(logs.defer("state", "versions", "clocks").order_by("-ended", "-pk"))
    for log in found:
        log.chronicle = membership.chronicle
    return found


def own_characters(membership: Membership, audience: str) -> frozenset[str]:
    """The characters that a player plays now, those in the bin included, as in `combat.history.records`."""
    if audience in (STORYTELLER, TABLE):
        return frozenset()
    mine = Character.with_bin.filter(chronicle_id=membership.chronicle_id, owner_id=membership.user_id)
    return frozenset(mine.values_list("pk", flat=True))


def _place(log: Encounter) -> Any:
    return (log.outside_fights, (log.begun or log.created), log.pk)


def _digest(log: Encounter, row: StoredDigest) -> Digest:
    session = log.session_id or ""
    return Digest(log.pk, log.name, log.begun, log.ended, session, log.outside_fights, unpacked(row.body))


# ------------------------------------------------------------------ in the background

_reading = set[tuple[int, str]]()
_lock = threading.Lock()


def _read_the_rest(membership: Membership) -> None:
    key = (membership.pk, get_language() or "")
    with _lock:
        if key in _reading:
            return
        _reading.add(key)

    def read() -> None:
        try:
            read_all(membership)
        finally:
            _reading.discard(key)

    aside(read)


def connect() -> None:
    """Read fights when they end. Called once, when the app is ready."""
    fight_ended.connect(_fight_ended, dispatch_uid="story")


def _fight_ended(encounter_id: str, **_more: Any) -> None:
    aside(partial(read_for_everybody, encounter_id))


def read_for_everybody(encounter_id: str) -> None:
    """Read an ended fight for each member, in the language that they chose."""
    log = Encounter.objects.filter(pk=encounter_id, status=Status.ENDED).first()
    members = Membership.objects.active().filter(chronicle__encounters=encounter_id, user__is_active=True)
    for member in members.select_related("user", "chronicle") if log else ():
        with translation.override(member.user.language or get_language()):
            digests_for(member, fights=[encounter_id])
