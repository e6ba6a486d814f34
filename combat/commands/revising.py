"""The sheets in fights, kept the same as the characters' own."""

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
"""The fields of a sheet by the words for them."""


def characters_in(encounter: Encounter) -> frozenset[str]:
    """The ids of the characters who are in a fight, without those whose copies are."""
    people = encounter.state.get("combatants", {}).values()
    return frozenset(each["character"] for each in people if each["character"])


def revise_sheets(*, encounter_id: str, characters: Collection[str]) -> list[SheetRevised]:
    """Put the sheets of these characters, as they are now, into the fight, as a row of its log.

    Returns what that changed, empty where nothing did. Raises `RuleViolation` for a sheet that the fight cannot take.
    """
    # Read under the lock: a fight that harms somebody at this moment writes that on the sheet first.
    with change(encounter_id) as encounter:
        state = rows.state_now(encounter)
        events = list(differing(encounter, state, characters))
        if events:
            wanted = {"is": "ReviseSheet", "who": [event.who for event in events]}
            row = nobodys_row(encounter, kind=Kind.SHEET, command=wanted, events=codec.dump_events(events))
            append(encounter, row, state, replay(state, events))
        return events


def differing(encounter: Encounter, state: State, characters: Collection[str]) -> Iterator[SheetRevised]:
    """What has to be written so that a fight has the sheets of these characters. Raises as :func:`revise_sheets`."""
    present = {who: each for who, each in state.combatants.items() if each.character in characters}
    sheets = sheets_of(each.character for each in present.values())
    ruleset = records.ruleset_for(encounter)
    for who, each in present.items():
        if each.character in sheets:
            for event in decide(state, ReviseSheet(who, sheets[each.character]), ruleset, SystemDice()):
                assert isinstance(event, SheetRevised)
                if parts_apart(encounter, each.sheet, event.sheet):
                    yield event


def parts_apart(encounter: Encounter, mine: Sheet, written: Sheet) -> list[str]:
    """The parts in which a fight's sheet is not what is written elsewhere, by the words for them."""
    # Only the sheet itself says which fight a scar is from.
    mine = replace(mine, scars=tuple(replace(scar, fight=scar.fight or encounter.pk) for scar in mine.scars))
    return [word for word, fields in PARTS.items() if _values(mine, fields) != _values(written, fields)]


def taken_back(encounter: Encounter) -> set[str]:
    """Combatants whose last edit the Storyteller took out of the fight again: they keep the sheet of before."""
    last: dict[str, bool] = {}
    for happened in reversed(rows.as_they_stand(rows.rows_of(encounter))):
        if happened.kind == Kind.SHEET:
            for who in happened.command["who"]:
                last.setdefault(who, happened.undone)
    return {who for who, undone in last.items() if undone}


def _values(sheet: Sheet, fields: Iterable[str]) -> list[object]:
    return [getattr(sheet, field) for field in fields]
