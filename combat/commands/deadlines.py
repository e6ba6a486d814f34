"""Deadlines: answers overdue questions by default, exactly once, even with nobody's page open.

A fight's page, polls, commands and heartbeats call :func:`in_time` first. Each server process also has a thread that
wakes when the next question is due. Due times are kept in the database, so they survive a restart.
"""

from __future__ import annotations

import logging
import threading
from time import monotonic, time

from django.db import DatabaseError, close_old_connections, transaction
from django.http import Http404

from campaigns import bins, conduct
from campaigns.models import User
from campaigns.viewing import viewing
from combat.commands import perform
from combat.commands.writing import alter, change
from combat.log import clocks, rows
from combat.models import Encounter, Status
from combat.secrecy.access import Seen, encounter_or_404
from rules.engine.phrases import phrase
from rules.engine.violations import RuleViolation, bad_input
from rules.topics.commands import AnswerByDefault

logger = logging.getLogger(__name__)

LONGEST_SLEEP = 30.0
"""Maximum sleep of the thread in seconds, since other processes can start clocks."""

PURGED_EVERY = 3600.0
"""Seconds after which the thread looks again for what has been in a bin for too long."""


def in_time(seen: Seen) -> Seen:
    """The fight after its overdue questions are answered. Raises `Http404` if it has been deleted."""
    if viewing() or not clocks.overdue(seen.encounter.clocks, time()):
        return seen
    try:
        answer_overdue(encounter_id=seen.encounter.pk)
    except (DatabaseError, Http404):
        raise
    except Exception:  # the fight must still open, so that the faulty step can be undone
        logger.exception("Overdue questions in %s could not be answered", seen.encounter.pk)
        return seen
    return encounter_or_404(seen.membership.user, seen.encounter.pk)


def answer_overdue(*, encounter_id: str, now: float | None = None) -> int:
    """Answer all overdue questions by default, and return their number. Concurrent calls answer each only once."""
    answered = 0
    with change(encounter_id) as encounter:
        if not _seconds(encounter):
            alter(encounter, {"clocks": {}})
            return 0
        for question in clocks.overdue(encounter.clocks, time() if now is None else now):
            due = encounter.clocks[question]
            exchange, _space, target = question.partition(" ")
            try:
                perform.carry_on(encounter, AnswerByDefault(exchange, target), f"clock {question} {int(due or 0)}")
            except RuleViolation:
                # No longer open, so its clock goes as well.
                alter(encounter, {"clocks": {k: v for k, v in encounter.clocks.items() if k != question}})
            else:
                answered += 1
    return answered


def set_clock(*, encounter_id: str, actor: User, question: str, runs: bool) -> None:
    """Restart the clock of a question, or stop it (`runs` False). For Storytellers only.

    Raises `RuleViolation` ("input") if the question is no longer open or the chronicle has no clock.
    """
    with change(encounter_id) as encounter:
        perform.storyteller_of(encounter, actor)
        if question not in clocks.asked(rows.state_now(encounter)) or question not in encounter.clocks:
            raise bad_input(phrase("that-question-is-no-longer-open"))
        due = time() + _seconds(encounter) if runs else None
        alter(encounter, {"clocks": {**encounter.clocks, question: due}})
        transaction.on_commit(clocks.changed.set)


def _seconds(encounter: Encounter) -> int:
    return int(conduct.value(encounter.chronicle.conduct, conduct.ANSWER_SECONDS))


# ------------------------------------------------------------------ with nobody's page open


def keep_watch() -> threading.Thread:
    """Start a daemon thread that answers overdue questions. Called by servers."""
    thread = threading.Thread(target=_watch, name="deadlines", daemon=True)
    thread.start()
    return thread


def _watch() -> None:
    purged = 0.0
    while True:
        clocks.changed.clear()
        if monotonic() > purged:
            purged = monotonic() + PURGED_EVERY
            _purge()
        try:
            sleep = settle()
        except Exception:  # even database errors: the next round tries again
            logger.warning("Overdue questions could not be answered", exc_info=True)
            sleep = LONGEST_SLEEP / 10
        finally:
            close_old_connections()
        clocks.changed.wait(max(0.05, sleep))


def _purge() -> None:
    """Delete what has been in a bin for too long. Servers may run for months, so not only when they start."""
    try:
        bins.purge()
    except Exception:  # even database errors: an hour later it tries again
        logger.warning("The bins could not be emptied", exc_info=True)


def settle(now: float | None = None) -> float:
    """Answer the overdue questions of all fights, and return the seconds until the next is due."""
    now = time() if now is None else now
    sleep = LONGEST_SLEEP
    # Fights without clocks are filtered here: PostgreSQL can't compare this field in a query.
    running = Encounter.objects.playable().filter(status=Status.RUNNING)
    for encounter_id, kept in running.values_list("pk", "clocks"):
        if clocks.overdue(kept, now):
            try:
                answer_overdue(encounter_id=encounter_id, now=now)
            except Http404:
                continue  # deleted with its chronicle
            except Exception:  # one broken fight must not stop the clocks of the others
                logger.warning("Overdue questions in %s could not be answered", encounter_id, exc_info=True)
        due = clocks.next_due({question: at for question, at in kept.items() if at and at + clocks.GRACE > now})
        sleep = sleep if due is None else min(sleep, due - now)
    return sleep
