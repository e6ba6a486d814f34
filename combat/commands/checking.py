"""Consistency checks and repairs: unfinished fights against their logs, the characters' sheets and the views."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable, Iterator

from django.db import DatabaseError
from django.http import Http404

from campaigns.words import said
from combat.commands.entered import characters_in
from combat.commands.perform import refresh
from combat.commands.revising import UNFINISHED, differing, parts_apart, revise_sheets, taken_back
from combat.commands.writing import alter, change
from combat.history import records
from combat.log import codec, export, rows
from combat.models import Encounter
from combat.panes import versions
from rules.engine.violations import RuleViolation
from rules.topics.events import SheetRevised

logger = logging.getLogger(__name__)


def check_at_start() -> None:
    """Repair the sheets in fights before a server starts listening, and log what was found. Never raises.

    Logs are not replayed here: that takes a second for every four thousand rows.
    """
    try:
        for fight in _unfinished():
            _log_check(fight)
    except DatabaseError as problem:  # for example no tables yet: the pages report that
        logger.warning("The sheets in fights could not be checked: %s", type(problem).__name__)


def _log_check(fight: Encounter) -> None:
    try:
        for sentence in _check_sheets(fight):
            logger.warning(sentence)
    except DatabaseError:
        raise
    except Exception:  # one broken fight must not stop the check of the others
        logger.warning("The sheets in fight %s could not be checked", fight.pk, exc_info=True)


def check_everything() -> Iterator[str]:
    """Check and repair states, sheets and views; yields a sentence for each difference found."""
    for check in (_check_log, _check_sheets, _check_views):
        for fight in _unfinished():
            yield from check(fight)


def _unfinished() -> Iterator[Encounter]:
    going_on = Encounter.objects.playable().filter(status__in=UNFINISHED)
    for pk in list(going_on.order_by("created", "pk").values_list("pk", flat=True)):
        # Loaded one at a time: their states are large.
        yield from going_on.filter(pk=pk).select_related("chronicle")


def _check_sheets(fight: Encounter) -> Iterator[str]:
    if fight.outside_fights:
        return  # each roll reads the current sheets
    try:
        state = rows.state_now(fight)
        found = [event.who for event in differing(fight, state, characters_in(fight))]
        wanted = {state.combatants[who].character for who in set(found) - taken_back(fight)} if found else set()
        # Compared without a lock; a change made at this moment is no longer a difference under the lock.
        for event in _repaired(fight, wanted) if wanted else ():
            before = state.combatants[event.who]
            parts = ", ".join(parts_apart(fight, before.sheet, event.sheet))
            yield f"Fight {fight.pk} had an old sheet of character {before.character} ({parts}). Repaired."
    except RuleViolation as violation:
        yield f"Fight {fight.pk} can't use a sheet: {said(violation.message)} Edit the sheet."
    except Http404:
        return  # a draft that has been deleted since


def _repaired(fight: Encounter, characters: Collection[str]) -> Iterable[SheetRevised]:
    """Bring sheets in a fight up to date: first what another fight did, which undo must not take back here."""
    events = revise_sheets(encounter_id=fight.pk, characters=characters, worn=True)
    events += revise_sheets(encounter_id=fight.pk, characters=characters)
    return {event.who: event for event in events}.values()


def _check_log(fight: Encounter) -> Iterator[str]:
    if not export.is_whole(fight):
        # Such a log can't be trusted, so nothing is derived from it.
        yield f"Fight {fight.pk}: the seals of the log are broken. Rows were changed by hand, which can't be repaired."
        return
    with change(fight.pk) as locked:
        worked_out = rows.state_of(rows.rows_of(locked), rows.first_state(locked))
        if rows.load_state(locked, Encounter.objects.values_list("state", flat=True).get(pk=fight.pk)) != worked_out:
            alter(locked, {"state": codec.dump_state(rows.keep_state(locked, worked_out))})
            yield f"Fight {fight.pk} didn't match its log. Repaired."


def _check_views(fight: Encounter) -> Iterator[str]:
    read = records.read(fight)
    if behind := versions.advance(fight, lambda: read, read):
        refresh(encounter_id=fight.pk)
        yield f"Fight {fight.pk}: pages of {', '.join(behind)} were out of date. Repaired."
