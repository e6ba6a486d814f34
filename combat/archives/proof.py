"""Proves that a fight from an archive can be shown, by building its pages’ contents for every reader.

A log that decodes may still hold what no page can tell, such as an attack on somebody who was never there.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import replace

from django.conf import settings
from django.utils import translation

from combat.history.faces import fallen_in, tally
from combat.history.log import telling_once
from combat.history.report import report_of
from combat.history.reveal import as_seen_by, can_be_held
from combat.log.happened import Happened
from combat.log.rows import as_they_stand
from combat.models import Encounter
from combat.panes.build import reader_of, view_for, whole_log
from combat.secrecy.audiences import STORYTELLER, TABLE, player_audience
from combat.secrecy.fight import Fight
from rules.model.state import Encounter as State
from rules.model.system import Game, System

PLAYER, NOBODY = 1, 0
"""One account plays all players' characters here: their readers differ only in how many they play."""

AUDIENCES = (STORYTELLER, TABLE, player_audience(PLAYER))


def prove(
    encounter: Encounter, ruleset: System, happened: Sequence[Happened], state: State, before_held: State | None
) -> None:
    """Build everything once. Raises anything if that fails."""
    rows = list(as_they_stand(happened))
    fight = _fight(encounter, ruleset, rows, state)
    with translation.override(settings.LANGUAGE_CODE), telling_once():
        for audience in AUDIENCES:
            _show(fight, audience)
        if encounter.held is not None and before_held is not None:
            before = list(as_they_stand(happened[: encounter.held - 1]))
            _show_held(fight, _fight(encounter, ruleset, before, before_held), encounter.held)


def _fight(encounter: Encounter, ruleset: System, rows: Sequence[Happened], state: State) -> Fight:
    played = (each for each in state.combatants.values() if each.character)
    return Fight(
        encounter.name,
        encounter.scene,
        Game(state, ruleset),
        rows,
        {each.character: PLAYER if each.player else NOBODY for each in played},
        outside_fights=encounter.outside_fights,
        clocks=encounter.clocks,
    )


def _show(fight: Fight, audience: str) -> None:
    view_for(fight, audience).panes()
    if audience == TABLE:
        return  # what the table is told of a row is a part of the Storyteller's entry
    _drain(whole_log(fight, audience))
    reader = reader_of(fight, audience)
    for each in fallen_in(fight.rows, reader, fight.ruleset):
        tally("", [each])
    if not fight.outside_fights:
        report_of(fight.name, fight.rows, fight.ruleset, reader)


def _show_held(fight: Fight, before: Fight, held: int) -> None:
    row = next(row for row in fight.rows if row.seq == held)
    if row.undone or not can_be_held(row, fight.owners, fight.ruleset):
        raise ValueError("no roll of a player's is held")
    fight = replace(fight, held=row.token, so_far=lambda: before)
    for audience in AUDIENCES:
        view_for(fight, audience).panes()
        _drain(whole_log(as_seen_by(fight, audience), audience))


def _drain(items: Iterable[object]) -> None:
    deque(items, maxlen=0)
