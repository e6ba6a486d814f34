"""Keeps the sheets in fights in sync with the characters' sheets."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from characters.sheets import sheets_of
from combat.commands.dice import SystemDice
from combat.commands.writing import append, change, nobodys_row
from combat.history import records
from combat.log import codec, rows
from combat.models import Encounter, Kind, Status
from rules.decide import decide
from rules.engine.messages import replay
from rules.model.sheet import Sheet
from rules.model.state import Encounter as State
from rules.topics.commands import ReviseSheet
from rules.topics.events import SheetRevised

UNFINISHED = (Status.DRAFT, Status.RUNNING, Status.PAUSED)

PARTS = {
    "name": ("name", "kind"),
    "Traits": ("traits", "merits"),
    "points": ("resources",),
    "harm": ("marks", "injuries", "scars"),
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
            row = nobodys_row(encounter, kind=kind, command=wanted, events=codec.dump_events(events))
            append(encounter, row, state, replay(state, events))
        return events


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
    # A scar from this fight has no fight id until it is written back.
    mine = replace(mine, scars=tuple(replace(scar, fight=scar.fight or encounter.pk) for scar in mine.scars))
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
