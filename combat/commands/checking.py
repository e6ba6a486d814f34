"""Whether fights that are not over agree with the characters' sheets and with their own logs, and what mends them."""

from __future__ import annotations

import logging
from collections.abc import Iterator

from django.db import DatabaseError
from django.http import Http404

from campaigns.words import said
from combat.commands.perform import refresh
from combat.commands.revising import UNFINISHED, characters_in, differing, parts_apart, revise_sheets, taken_back
from combat.commands.writing import alter, change
from combat.history import records
from combat.log import codec, export, rows
from combat.models import Encounter
from combat.panes import versions
from rules.engine.violations import RuleViolation

logger = logging.getLogger(__name__)


def check_at_start() -> None:
    """Mend the sheets in fights before a server listens, and log what was found. Never raises.

    Logs are not played again here: that takes a second for every four thousand rows.
    """
    try:
        for fight in _unfinished():
            _log_check(fight)
    except DatabaseError as problem:  # such as one without tables: the pages say so
        logger.warning("The sheets in fights could not be checked: %s", type(problem).__name__)


def _log_check(fight: Encounter) -> None:
    try:
        for sentence in _check_sheets(fight):
            logger.warning(sentence)
    except DatabaseError:
        raise
    except Exception:  # one broken fight must not keep the others from being checked
        logger.warning("The sheets in fight %s could not be checked", fight.pk, exc_info=True)


def check_everything() -> Iterator[str]:
    """Check and mend logs' states, sheets and views; a sentence for each thing that was wrong."""
    for check in (_check_log, _check_sheets, _check_views):
        for fight in _unfinished():
            yield from check(fight)


def _unfinished() -> Iterator[Encounter]:
    going_on = Encounter.objects.playable().filter(status__in=UNFINISHED)
    for pk in list(going_on.order_by("created", "pk").values_list("pk", flat=True)):
        # One at a time: their states are long.
        yield from going_on.filter(pk=pk).select_related("chronicle")


def _check_sheets(fight: Encounter) -> Iterator[str]:
    if fight.outside_fights:
        return  # each roll takes the sheets as they are
    try:
        state = rows.state_now(fight)
        found = [event.who for event in differing(fight, state, characters_in(fight))]
        wanted = {state.combatants[who].character for who in set(found) - taken_back(fight)} if found else set()
        # Looked at without a lock: what somebody changed at this moment is no difference under it.
        for event in revise_sheets(encounter_id=fight.pk, characters=wanted) if wanted else ():
            before = state.combatants[event.who]
            parts = ", ".join(parts_apart(fight, before.sheet, event.sheet))
            yield f"Fight {fight.pk} did not have the sheet of character {before.character} ({parts}). Mended."
    except RuleViolation as violation:
        yield f"Fight {fight.pk} cannot take a sheet: {said(violation.message)} Edit the sheet."
    except Http404:
        return  # a draft that was deleted meanwhile


def _check_log(fight: Encounter) -> Iterator[str]:
    if not export.is_whole(fight):
        # What such a log says is not to be trusted, so nothing is worked out from it.
        yield f"Fight {fight.pk}: the seals of the log are broken. Rows were changed by hand; that cannot be mended."
        return
    with change(fight.pk) as locked:
        worked_out = rows.state_of(rows.rows_of(locked), rows.first_state(locked))
        if codec.load_state(Encounter.objects.values_list("state", flat=True).get(pk=fight.pk)) != worked_out:
            alter(locked, {"state": codec.dump_state(rows.keep_state(locked, worked_out))})
            yield f"Fight {fight.pk} was not as its log says. Mended."


def _check_views(fight: Encounter) -> Iterator[str]:
    read = records.read(fight)
    if behind := versions.advance(fight, lambda: read, read):
        refresh(encounter_id=fight.pk)
        yield f"Fight {fight.pk}: pages of {', '.join(behind)} did not know that something changed. Mended."
