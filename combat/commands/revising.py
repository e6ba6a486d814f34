"""Keeps the sheets in fights in sync with the characters' sheets."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from campaigns.models import Chronicle, User
from characters.sheets import placed, sheets_of
from combat.commands import outside
from combat.commands.dice import SystemDice
from combat.commands.entered import fights_with
from combat.commands.gathering import GOING_ON, bring
from combat.commands.writing import Asked, append, change, new_row, nobodys_row
from combat.history import records
from combat.log import codec, rows
from combat.models import Encounter, Kind, Status
from rules.decide import decide
from rules.engine.messages import replay
from rules.model.sheet import Sheet
from rules.model.state import Encounter as State
from rules.topics.cast.decide import edited
from rules.topics.commands import ReviseSheet
from rules.topics.events import SheetEdited, SheetRevised

UNFINISHED = (Status.DRAFT, Status.RUNNING, Status.PAUSED)

PARTS = {
    "name": ("name", "kind"),
    "Traits": ("traits", "merits", "specialties", "rated"),
    "points": ("resources",),
    "harm": ("marks", "injuries", "scars", "impairments", "lasting"),
    "gear": ("weapons", "armor"),
}
"""The parts of a sheet in words, with their fields."""


def revise_sheets(*, encounter_id: str, characters: Collection[str], worn: bool = False) -> list[SheetRevised]:
    """Copy the current sheets of these characters into the fight, as a row of its log.

    With `worn`, only what another fight did to them: harm, points, rounds. That row can't be undone here.

    Returns the changes. Raises `RuleViolation` for a sheet that the fight can't use.
    """
    # Sheets are read under the lock, after any damage that a concurrent command writes back to them.
    with change(encounter_id) as encounter:
        state = rows.state_now(encounter)
        events = list(differing(encounter, state, characters, worn=worn))
        if events:
            wanted = {"is": "ReviseSheet", "who": [event.who for event in events]}
            kind = Kind.CAST if worn else Kind.SHEET
            told = [] if worn else [each for one in events for each in _told(state, one)]
            row = nobodys_row(encounter, kind=kind, command=wanted, events=codec.dump_events([*told, *events]))
            append(encounter, row, state, replay(state, events))
        return events


def _told(state: State, revised: SheetRevised) -> tuple[SheetEdited, ...]:
    return edited(revised.who, state.combatants[revised.who].sheet, revised.sheet)


def note_edit(*, character_id: str, chronicle: Chronicle, before: Sheet, by: User) -> None:
    """Write an edit of health or points on a sheet into the chronicle's own log.

    `before` is the sheet before the edit. If the character is in a running or paused fight, that fight's log tells it.
    """
    after = sheets_of([character_id]).get(character_id)
    if after is None or not edited(character_id, before, after) or any(fights_with([character_id], GOING_ON)):
        return
    with change(outside.open_log(chronicle).pk) as encounter:
        encounter.chronicle = chronicle
        state = bring(encounter, rows.state_now(encounter), [character_id], sheets={character_id: before})
        command, ruleset = ReviseSheet(character_id, after, merged=True), records.ruleset_for(encounter)
        told = edited(character_id, before, after)
        events = (*told, *decide(state, command, ruleset, SystemDice()))
        wanted = {"is": "ReviseSheet", "who": [character_id]}
        row = new_row(encounter, Asked(by), kind=Kind.SHEET, command=wanted, events=codec.dump_events(events))
        append(encounter, row, state, replay(state, events))


def differing(
    encounter: Encounter, state: State, characters: Collection[str], *, worn: bool = False
) -> Iterator[SheetRevised]:
    """The events that bring these characters' sheets in a fight up to date. Raises as :func:`revise_sheets`."""
    present = {who: each for who, each in state.combatants.items() if each.character in characters}
    sheets = sheets_of(each.character for each in present.values())
    ruleset = records.ruleset_for(encounter)
    for who, each in present.items():
        if each.character in sheets:
            for event in decide(state, ReviseSheet(who, sheets[each.character], worn), ruleset, SystemDice()):
                assert isinstance(event, SheetRevised)
                if parts_apart(encounter, each.sheet, event.sheet):
                    yield event


def parts_apart(encounter: Encounter, mine: Sheet, written: Sheet) -> list[str]:
    """The parts, in words, in which two sheets differ: the fight's and the character's."""
    mine = placed(mine, encounter.pk)
    return [word for word, fields in PARTS.items() if _values(mine, fields) != _values(written, fields)]


def taken_back(encounter: Encounter) -> set[str]:
    """The combatants whose last sheet edit was undone in the fight: they keep the earlier sheet."""
    last: dict[str, bool] = {}
    for happened in reversed(rows.as_they_stand(rows.rows_of(encounter))):
        if happened.kind == Kind.SHEET:
            for who in happened.command["who"]:
                last.setdefault(who, happened.undone)
    return {who for who, undone in last.items() if undone}


def _values(sheet: Sheet, fields: Iterable[str]) -> list[object]:
    return [getattr(sheet, field) for field in fields]
