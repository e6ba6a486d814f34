"""Looks into the database after a run: is the log what people were told? A process of its own, as bench/set_table.py.

    bench/faults/check.py FILE

`FILE` is JSON: the `encounter`, its number before anybody acted (`first`), what was `done` and what `refused` (lists of
[user, key, mark]), the entries that were `shown` to the table, the `notes` that were kept last, and the dots `edited`
last by the names on sheets. Prints what is wrong as JSON: a list of sentences.
"""

# ruff: noqa: T201, E402 (its result is what it prints; Django first has to be set up)

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django

django.setup()

from bench.faults.acting import EDITED
from combat.commands import revising
from combat.desk import storage
from combat.history import records
from combat.log import codec, export
from combat.log import rows as logs
from combat.models import Encounter, Kind, LogRow
from combat.panes import versions


def main() -> None:
    told = json.loads(Path(sys.argv[1]).read_text())
    fight = Encounter.objects.select_related("chronicle").get(pk=told["encounter"])
    print(json.dumps([*faults_of_presses(fight, told), *faults_of_fight(fight)]))


def faults_of_presses(fight: Encounter, told: dict[str, Any]) -> Iterator[str]:
    """Where what people were told is not what the log says."""
    since = LogRow.objects.filter(encounter=fight, seq__gt=told["first"]).order_by("seq")
    rows = list(since.exclude(kind=Kind.SHEET))
    keys = Counter((row.actor_id, row.key) for row in rows if row.key)
    texts = [json.dumps(row.command) for row in rows]
    marks = Counter({mark: sum(mark in text for text in texts) for mark in _marks(told)})
    for user, key, mark in told["done"]:
        times = max(keys[user, key], marks[mark] if mark else 0)
        if times != 1:
            yield f"lost: {key} {mark} was acknowledged" if not times else f"twice: {key} {mark} is there {times} times"
    for user, key, mark in told["refused"]:
        if keys[user, key] or (mark and marks[mark]):
            yield f"refused: {key} {mark} was turned down, and is there"
    if (held := records.read(fight).held) in told["shown"]:
        yield f"lost: {held} was shown to the table, and is held back"
    known = {(user, key) for user, key, _mark in (*told["done"], *told["refused"])}
    for row in rows:
        if (row.actor_id, row.key) not in known:
            yield f"unknown: row {row.seq} is nobody's press"
    if told["notes"] and storage.notes_of(fight).text != told["notes"]:
        yield "lost: notes that were kept"
    for name, dots in told["edited"].items():
        if fight.chronicle.characters.get(name=name).traits.get(EDITED) != dots:
            yield f"lost: an edit of {name}'s sheet"


def _marks(told: dict[str, Any]) -> list[str]:
    return [mark for _user, _key, mark in (*told["done"], *told["refused"]) if mark]


def faults_of_fight(fight: Encounter) -> Iterator[str]:
    """Where a fight contradicts itself."""
    numbers = list(LogRow.objects.filter(encounter=fight).order_by("seq").values_list("seq", flat=True))
    if numbers != list(range(1, len(numbers) + 1)) or len(numbers) != fight.seq:
        yield f"numbers: {len(numbers)} rows, the last {numbers[-1:]}, the fight stands at {fight.seq}"
    state = codec.load_state(fight.state)
    if logs.state_of(logs.rows_of(fight), logs.first_state(fight)) != state:
        yield "state: it is not the fold of the log"
    if not export.is_whole(fight):
        yield "seals: the chain is broken"
    read = records.read(fight)
    if behind := versions.advance(fight, lambda: read, read):
        yield f"versions: those of {', '.join(behind)} are not of what there is"
    kept = revising.taken_back(fight)
    for event in revising.differing(fight, state, revising.characters_in(fight)):
        if event.who not in kept:
            yield f"sheet: that of {event.sheet.name} is not the one in the fight"


if __name__ == "__main__":
    main()
