"""Writing what comes of a command: a row of the log, what follows from it, and who is told, in one transaction."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass, replace
from functools import partial
from time import time
from typing import Any

from django.db import connection, transaction
from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils import timezone

from campaigns import conduct
from campaigns.models import User
from characters.sheets import write_back
from combat.history import records
from combat.log import clocks, codec, rows, seal
from combat.log.happened import Happened
from combat.models import Encounter, LogRow, Status
from combat.panes import versions
from combat.secrecy.access import Seen
from combat.secrecy.sight import cast_of
from combat.signals import Answered, acting_page, views_changed
from rules.engine.messages import Event
from rules.model.state import Encounter as State

# SQLite lets waiting writers starve one another; whoever waits here is served in turn.
_turnstile = threading.RLock()


@dataclass(frozen=True, slots=True)
class Performed:
    """What a command came to: its row's number and events, and whether it had been done already.

    `seen` is the fight as it was left, for whoever did it; None where that is not known.
    """

    seq: int
    events: tuple[Event, ...]
    repeated: bool = False
    seen: Seen | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """Who asks, from a page that stood at which number (`seq`) or audience's `version`; by which press (`key`), and a
    digest of the form that it `sent`."""

    actor: User
    seq: int | None = None
    version: int | None = None
    key: str = ""
    sent: str = ""


def _in_turn() -> contextlib.AbstractContextManager[Any]:
    # A transaction already has SQLite's only write lock. To wait here with it, for somebody who waits for that lock,
    # would be a deadlock.
    mine = connection.vendor != "sqlite" or connection.in_atomic_block
    return contextlib.nullcontext() if mine else _turnstile


@contextlib.contextmanager
def locked(encounters: QuerySet[Encounter]) -> Iterator[None]:
    """A transaction in which these encounters are locked, always in the same order."""
    with _in_turn(), transaction.atomic():
        list(encounters.order_by("pk").select_for_update().values_list("pk"))
        yield


@contextlib.contextmanager
def change(encounter_id: str) -> Iterator[Encounter]:
    """The encounter, locked, in a transaction. On SQLite the next one begins after what this one does on commit.

    Raises `Http404` for one that is gone: a draft may be thrown away between a page's question and the lock.
    """
    with _in_turn(), transaction.atomic():
        # Not with its chronicle: whoever waits for the lock would get that as it was before.
        yield get_object_or_404(Encounter.objects.without_state().select_for_update(), pk=encounter_id)


def alter(encounter: Encounter, fields: Mapping[str, Any]) -> None:
    """Set fields of an encounter that is locked, and tell the audiences whose view changed.

    By that, or by anything else beside the log.
    """
    before = copy(encounter)
    for name, value in fields.items():
        setattr(encounter, name, value)
    _announce(encounter, versions.advance(encounter, partial(records.read, before), records.read(encounter)))
    encounter.save()


def new_row(encounter: Encounter, asked: Asked, **fields: Any) -> LogRow:
    """A row of what somebody asked for, not written yet."""
    return LogRow(
        encounter=encounter,
        seq=encounter.seq + 1,
        actor=asked.actor,
        actor_name=asked.actor.display_name,
        key=asked.key or None,
        sent=asked.sent,
        **fields,
    )


def nobodys_row(encounter: Encounter, **fields: Any) -> LogRow:
    """A row of what nobody at the table did, not written yet."""
    return LogRow(encounter=encounter, seq=encounter.seq + 1, actor_name="", **fields)


def append(
    encounter: Encounter,
    row: LogRow,
    before: State,
    after: State,
    noted: Mapping[str, Any] | None = None,
    *,
    owners: Mapping[str, int] | None = None,
    hold: bool = False,
) -> Performed:
    """Write a row of an encounter that is locked, and all that follows from it; `noted` stands in its cast besides.

    `owners` are those of the characters in the state before, where they are known. With `hold` the row is held, where
    it can be: see `combat.history.reveal`.
    """
    row.cast = {**cast_of(before, after), **(noted or {})}
    was = partial(records.fight_of, copy(encounter), before)
    written = write(encounter, row)
    write_sheets(encounter.pk, before, after)
    encounter.state = codec.dump_state(rows.keep_state(encounter, after))
    _follow_status(encounter, after)
    if owners is None or after.combatants.keys() != before.combatants.keys():
        owners = records.owners_in(after)
    _set_clocks(encounter, after)
    now = partial(records.fight_of, encounter, after, owners)
    held, encounter.held = encounter.held, None
    if hold and records.can_be_held(encounter, owners, written):
        encounter.held = encounter.seq
    elif held and versions.is_unseen(encounter, replace(was(), held="", so_far=None), now()):
        # Anything else that is done ends it. But then nobody must be able to tell that the unseen did something.
        encounter.held = held
    _announce(encounter, versions.advance(encounter, was, now()))
    encounter.save()
    return Performed(row.seq, written.events)


def write(encounter: Encounter, row: LogRow) -> Happened:
    """Seal a row and save it. The encounter, which is not saved, knows of it."""
    before = encounter.seal
    row.seal = seal.seal(before or seal.first(encounter.pk), seal.content(row))
    row.save()
    encounter.seq, encounter.seal = row.seq, row.seal
    return rows.keep(row, before)


def _set_clocks(encounter: Encounter, state: State) -> None:
    """Begin and end the clocks of questions as a state has them. The encounter is not saved."""
    seconds = conduct.value(encounter.chronicle.conduct, conduct.ANSWER_SECONDS)
    kept = clocks.kept(encounter.clocks, state, seconds, time())
    if kept != encounter.clocks:
        encounter.clocks = kept
        transaction.on_commit(clocks.changed.set)


def write_sheets(fight: str, before: State, after: State) -> None:
    """Write onto the rows of characters what changed on their sheets between two states of a fight, by its id."""
    for who, combatant in after.combatants.items():
        known = before.combatants.get(who)
        if combatant.character and known and known.sheet != combatant.sheet:
            write_back(combatant.character, known.sheet, combatant.sheet, fight)


def _follow_status(encounter: Encounter, state: State) -> None:
    encounter.status = Status(state.status.value)
    if encounter.status != Status.DRAFT and encounter.begun is None:
        encounter.begun = timezone.now()
    if encounter.status != Status.ENDED:
        encounter.ended = None
    elif encounter.ended is None:
        encounter.ended = timezone.now()


def _announce(encounter: Encounter, audiences: Iterable[str]) -> None:
    page, changed = acting_page(), list(audiences)
    answered = Answered(page, versions.version_of(encounter, page.audience)) if page else None
    about = {"encounter_id": encounter.pk, "audiences": changed, "answered": answered}
    news = partial(views_changed.send, sender=Encounter, **about)

    # A hint that cannot be sent is a delay, and must not make a failure of what was done.
    transaction.on_commit(news, robust=True)
