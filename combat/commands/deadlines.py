"""Questions whose time is up, answered by default: once, by whoever comes by, or with nobody's page open.

A fight's page, polls, commands and heartbeats call :func:`in_time` first. A server process has a thread besides
that wakes when the next question is due, also after a restart: what is due stands in the database.
"""

from __future__ import annotations

import logging
import threading
from time import time

from django.db import DatabaseError, close_old_connections, transaction
from django.http import Http404

from campaigns import conduct
from campaigns.models import User
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
"""Seconds after which the thread looks for clocks that other processes have begun."""


def in_time(seen: Seen) -> Seen:
    """The same fight once all questions are answered whose time is up. Raises `Http404` for one that is gone."""
    if not clocks.overdue(seen.encounter.clocks, time()):
        return seen
    try:
        answer_overdue(encounter_id=seen.encounter.pk)
    except (DatabaseError, Http404):
        raise
    except Exception:  # whatever is wrong with a question: the fight must be seen, so that it can be taken back
        logger.exception("What is overdue in %s could not be settled", seen.encounter.pk)
        return seen
    return encounter_or_404(seen.membership.user, seen.encounter.pk)


def answer_overdue(*, encounter_id: str, now: float | None = None) -> int:
    """Answer by default whatever is overdue; how many questions that were. Each is answered once, whoever calls."""
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
                # There is nothing to answer any more: it has no clock either.
                alter(encounter, {"clocks": {k: v for k, v in encounter.clocks.items() if k != question}})
            else:
                answered += 1
    return answered


def set_clock(*, encounter_id: str, actor: User, question: str, runs: bool) -> None:
    """Start the clock of a question anew, or stop it (`runs` False). The Storyteller's alone.

    Raises `RuleViolation` ("input") where nothing is asked any more, or the chronicle has no clock.
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
    """Answer what is overdue for as long as the process lives, on a thread of its own. To be called by a server."""
    thread = threading.Thread(target=_watch, name="deadlines", daemon=True)
    thread.start()
    return thread


def _watch() -> None:
    while True:
        clocks.changed.clear()
        try:
            sleep = settle()
        except Exception:  # whatever the database says: the next round tries again
            logger.warning("What is overdue could not be settled", exc_info=True)
            sleep = LONGEST_SLEEP / 10
        finally:
            close_old_connections()
        clocks.changed.wait(max(0.05, sleep))


def settle(now: float | None = None) -> float:
    """Answer what is overdue in any fight; the seconds until there is more to do."""
    now = time() if now is None else now
    sleep = LONGEST_SLEEP
    # Those without a clock are passed over here: on PostgreSQL what is written cannot be compared in a query.
    running = Encounter.objects.playable().filter(status=Status.RUNNING)
    for encounter_id, kept in running.values_list("pk", "clocks"):
        if clocks.overdue(kept, now):
            try:
                answer_overdue(encounter_id=encounter_id, now=now)
            except Http404:
                continue  # it is gone with its chronicle, and its questions with it
            except Exception:  # whatever is wrong with one fight: the others have their clocks too
                logger.warning("What is overdue in %s could not be settled", encounter_id, exc_info=True)
        due = clocks.next_due({question: at for question, at in kept.items() if at and at + clocks.GRACE > now})
        sleep = sleep if due is None else min(sleep, due - now)
    return sleep
