"""Persists a command in one transaction: the log row, its effects on sheets and caches, and the notifications."""

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
from django.db.models import Exists, FilteredRelation, OuterRef, Q, QuerySet
from django.http import Http404
from django.utils import timezone

from campaigns import conduct, sessions
from campaigns.models import Membership, User
from campaigns.prepared import Param, Prepared
from characters.changes import Made, close_fight
from characters.models import Cause
from characters.sheets import write_back
from combat.commands import entered
from combat.history import records
from combat.log import clocks, codec, rows, seal
from combat.log.happened import Happened
from combat.models import Encounter, Kind, LogRow, Reinforcement, Status
from combat.panes import versions
from combat.secrecy.access import Seen, member_of, with_member
from combat.secrecy.sight import cast_of
from combat.signals import Answered, acting_page, fight_ended, sheets_written, views_changed
from rules.engine.messages import Event
from rules.model.state import Encounter as State
from rules.topics.health.commands import PassTime

READ_FROM_SHEETS = (Kind.SHEET, Kind.CAST)
"""Rows that only contain what characters' sheets already say."""

# Waiting SQLite writers can starve one another; this lock serves them in turn.
_turnstile = threading.RLock()


@dataclass(frozen=True, slots=True)
class Performed:
    """The result of a command: its row's number and events, and whether it is a repeated press.

    `seen` is the resulting fight as the actor may see it, or None if unknown.
    """

    seq: int
    events: tuple[Event, ...]
    repeated: bool = False
    seen: Seen | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """A request for a change: the actor, the log number (`seq`) or audience's `version` that their page showed, the
    idempotency `key`, and a digest of the form `sent`."""

    actor: User
    seq: int | None = None
    version: int | None = None
    key: str = ""
    sent: str = ""


@dataclass(frozen=True, slots=True)
class Pressed:
    """A locked encounter with the actor's membership and the row with the actor's key, None if there is none."""

    encounter: Encounter
    membership: Membership | None
    answer: LogRow | None


def _in_turn() -> contextlib.AbstractContextManager[Any]:
    # A transaction already holds SQLite's only write lock: waiting here for a thread that waits for it is a deadlock.
    mine = connection.vendor != "sqlite" or connection.in_atomic_block
    return contextlib.nullcontext() if mine else _turnstile


@contextlib.contextmanager
def locked(encounters: QuerySet[Encounter]) -> Iterator[None]:
    """A transaction that locks these encounters, always in the same order."""
    with _in_turn(), transaction.atomic():
        list(encounters.order_by("pk").select_for_update().values_list("pk"))
        yield


@Prepared
def _locked() -> QuerySet[Encounter]:
    """An encounter with its lock, and without its chronicle, which PostgreSQL would read before the lock is granted."""
    return Encounter.objects.without_state().filter(pk=Param("encounter", Encounter)).select_for_update()


@Prepared
def _lock() -> QuerySet[Encounter, str]:
    """Nothing but the lock of an encounter."""
    only: Any = Encounter.objects.filter(pk=Param("encounter", Encounter)).select_for_update()
    ids: QuerySet[Encounter, str] = only.values_list("pk", flat=True)
    return ids


@Prepared
def _with_answer() -> QuerySet[Encounter]:
    """An encounter with its chronicle, the actor's membership, the row that already answers the actor's key, and
    whether there are reinforcements."""
    theirs = Q(rows__actor=Param("user", User), rows__key=Param("key", LogRow, "key"))
    answer: Any = FilteredRelation("rows", condition=theirs)
    prepared = Exists(Reinforcement.objects.filter(encounter=OuterRef("pk")))
    fight: Any = with_member()
    found = fight.annotate(answer=answer, reinforced=prepared)
    wanted: QuerySet[Encounter] = found.select_related("answer")
    return wanted


@contextlib.contextmanager
def change(encounter_id: str) -> Iterator[Encounter]:
    """A transaction that locks an encounter. On SQLite the next one starts after this one's on-commit hooks.

    Raises `Http404` if it is gone: a draft can be discarded between a page's request and the lock.
    """
    with _in_turn(), transaction.atomic():
        yield _or_404(_locked.one(encounter=encounter_id))


@contextlib.contextmanager
def change_asked(encounter_id: str, asked: Asked) -> Iterator[Pressed]:
    """The same with the actor's membership and the answer that their key already has, as they are under the lock.

    PostgreSQL locks in a statement of its own: one that joins other tables reads them before it waits for the lock. On
    SQLite a transaction that begins has the only lock there is.
    """
    with _in_turn(), transaction.atomic():
        if connection.features.has_select_for_update:
            _lock.all(encounter=encounter_id)
        found = _with_answer.one(encounter=encounter_id, user=asked.actor.pk, key=asked.key or None)
        encounter = _or_404(found)
        yield Pressed(encounter, member_of(encounter, asked.actor), vars(encounter).get("answer"))


def _or_404(encounter: Encounter | None) -> Encounter:
    if encounter is None:
        raise Http404("No such encounter")
    return encounter


def alter(encounter: Encounter, fields: Mapping[str, Any]) -> None:
    """Set fields of a locked encounter, and notify the audiences whose view changed.

    The change may also come from anything else outside the log.
    """
    before = copy(encounter)
    for name, value in fields.items():
        setattr(encounter, name, value)
    _announce(encounter, versions.advance(encounter, partial(records.read, before), records.read(encounter)))
    encounter.save_changed()


@contextlib.contextmanager
def altering(encounter: Encounter) -> Iterator[None]:
    """Notify the audiences whose view of a locked encounter changes because other tables are written here."""
    before = records.read(copy(encounter))
    waiting = before.waiting()  # while it is still so
    yield
    was = replace(before, waiting=lambda: waiting)
    _announce(encounter, versions.advance(encounter, lambda: was, records.read(encounter)))
    encounter.save_changed()


def new_row(encounter: Encounter, asked: Asked, **fields: Any) -> LogRow:
    """An unsaved row for what somebody asked for."""
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
    """An unsaved row for what nobody at the table did."""
    return LogRow(encounter=encounter, seq=encounter.seq + 1, actor_name="", **fields)


def append(
    encounter: Encounter,
    row: LogRow,
    before: State,
    after: State,
    noted: Mapping[str, Any] | None = None,
    *,
    people: records.People | None = None,
    hold: bool = False,
    first: State | None = None,
) -> Performed:
    """Write a row of a locked encounter, with all its consequences. `noted` is added to the row's cast.

    `first` is the state before the whole change, if that is more than this row. `people` are those in the
    state before, if known. With `hold` the row is held if possible: see `combat.history.reveal`.

    Raises `RuleViolation` if somebody would be in two running fights.
    """
    entering = entered.entering(encounter, before if first is None else first, after)
    entered.refuse_elsewhere(encounter, after, entering)
    row.cast = {**cast_of(before, after), **(noted or {})}
    was = partial(records.fight_of, copy(encounter), before)
    written = write(encounter, row)
    if row.kind not in READ_FROM_SHEETS:
        write_sheets(encounter, before, after, row)
    if entering:
        _follow(encounter, (), entering)
    encounter.state = codec.dump_state(rows.keep_state(encounter, after))
    _follow_status(encounter, after)
    if people is None or after.combatants.keys() != before.combatants.keys():
        people = records.people_in(after)
    _set_clocks(encounter, after)
    now = partial(records.fight_of, encounter, after, people)
    held, encounter.held = encounter.held, None
    if hold and records.can_be_held(encounter, people.owners, written):
        encounter.held = encounter.seq
    elif held and versions.is_unseen(encounter, replace(was(), held="", so_far=None), now()):
        # Any other row releases the held one, except one that nobody may see: the release would give it away.
        encounter.held = held
    _announce(encounter, versions.advance(encounter, was, now()))
    encounter.save_changed()
    return Performed(row.seq, written.events)


def write(encounter: Encounter, row: LogRow) -> Happened:
    """Seal and save a row. Updates the encounter's `seq` and `seal` without saving it."""
    before = encounter.seal
    row.seal = seal.seal(before or seal.first(encounter.pk), seal.content(row))
    row.save()
    encounter.seq, encounter.seal = row.seq, row.seal
    return rows.keep(row, before)


def _set_clocks(encounter: Encounter, state: State) -> None:
    """Start and stop clocks to match the state's open questions. Doesn't save the encounter."""
    seconds = conduct.value(encounter.chronicle.conduct, conduct.ANSWER_SECONDS)
    kept = clocks.kept(encounter.clocks, state, seconds, time())
    if kept != encounter.clocks:
        encounter.clocks = kept
        transaction.on_commit(clocks.changed.set)


def write_sheets(encounter: Encounter, before: State, after: State, row: LogRow | None = None) -> None:
    """Write the changes to characters' sheets between two states of a fight back to the characters.

    `row` is the row that made them, if it is one.

    Always in the same order, because fights lock the sheets. Other fights follow after the commit.
    """
    changed = {
        combatant.character: (known.sheet, combatant.sheet)
        for who, combatant in after.combatants.items()
        if combatant.character and (known := before.combatants.get(who)) and known.sheet != combatant.sheet
    }
    fight, made = ("", _made(row)) if encounter.outside_fights else (encounter.pk, None)
    behind = [who for who in sorted(changed) if write_back(who, *changed[who], fight, made)]
    if changed:
        _follow(encounter, changed, behind)


def _made(row: LogRow | None) -> Made:
    """What sheets' histories say of a row outside fights."""
    if row is None:
        return Made(None, Cause.PLAY)
    time = row.command.get("is") == PassTime.__name__
    return Made(row.actor, Cause.TIME if time else Cause.PLAY, row.token)


def _follow(encounter: Encounter, characters: Iterable[str], behind: Iterable[str]) -> None:
    """Let other fights follow the sheets of `characters` after the commit, and this one those `behind`."""
    who = {"characters": frozenset(characters), "behind": frozenset(behind)}
    about = {"encounter_id": encounter.pk, "chronicle_id": encounter.chronicle_id, **who}
    if not encounter.outside_fights or who["characters"]:
        transaction.on_commit(partial(sheets_written.send, sender=Encounter, **about), robust=True)


def _follow_status(encounter: Encounter, state: State) -> None:
    encounter.status = Status(state.status.value)
    if encounter.status != Status.DRAFT and encounter.begun is None:
        encounter.begun = timezone.now()
        encounter.session = sessions.playing(encounter.chronicle_id)
        sessions.use_fight(encounter.pk, encounter.session, encounter.begun)
    if encounter.status != Status.ENDED:
        encounter.ended = None
    elif encounter.ended is None:
        encounter.ended = timezone.now()
        close_fight(encounter.chronicle_id, encounter.pk)
        over = partial(fight_ended.send_robust, sender=Encounter, encounter_id=encounter.pk)
        transaction.on_commit(over, robust=True)


def _announce(encounter: Encounter, audiences: Iterable[str]) -> None:
    page, changed = acting_page(), list(audiences)
    answered = Answered(page, versions.version_of(encounter, page.audience)) if page else None
    about = {"encounter_id": encounter.pk, "audiences": changed, "answered": answered}
    news = partial(views_changed.send, sender=Encounter, **about)

    # A hint that can't be sent only causes a delay; it must not fail the command.
    transaction.on_commit(news, robust=True)
