"""Checks a database after a run against what people were told. A process of its own, like bench/set_table.py.

    bench/faults/check.py FILE

`FILE` is JSON: the `encounter`, its number before anybody acted (`first`), the presses `done` and `refused` (lists of
[user, key, mark]), the entries `shown` to the table, the `notes` that were saved last, and the dots `edited` last by
sheet name. Prints the faults as JSON: a list of sentences.
"""

# ruff: noqa: T201, E402 (prints its results; Django must be set up before imports)

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
from combat.commands import entered, revising
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
    """Where the log differs from what people were told."""
    since = LogRow.objects.filter(encounter=fight, seq__gt=told["first"]).order_by("seq")
    rows = list(since.exclude(kind=Kind.SHEET))
    keys = Counter((row.actor_id, row.key) for row in rows if row.key)
    texts = [json.dumps(row.command) for row in rows]
    marks = Counter({mark: sum(mark in text for text in texts) for mark in _marks(told)})
    for user, key, mark in told["done"]:
        times = max(keys[user, key], marks[mark] if mark else 0)
        if times != 1:
            yield (
                f"lost: {key} {mark} was acknowledged"
                if not times
                else f"twice: {key} {mark} is in the log {times} times"
            )
    for user, key, mark in told["refused"]:
        if keys[user, key] or (mark and marks[mark]):
            yield f"refused: {key} {mark} was refused, but is in the log"
    if (held := records.read(fight).held) in told["shown"]:
        yield f"lost: {held} was shown to the table, but is hidden again"
    known = {(user, key) for user, key, _mark in (*told["done"], *told["refused"])}
    for row in rows:
        if (row.actor_id, row.key) not in known:
            yield f"unknown: row {row.seq} is nobody's press"
    if told["notes"] and storage.notes_of(fight).text != told["notes"]:
        yield "lost: notes that were saved"
    for name, dots in told["edited"].items():
        if fight.chronicle.characters.get(name=name).traits.get(EDITED) != dots:
            yield f"lost: an edit of {name}'s sheet"


def _marks(told: dict[str, Any]) -> list[str]:
    return [mark for _user, _key, mark in (*told["done"], *told["refused"]) if mark]


def faults_of_fight(fight: Encounter) -> Iterator[str]:
    """Where a fight contradicts itself."""
    numbers = list(LogRow.objects.filter(encounter=fight).order_by("seq").values_list("seq", flat=True))
    if numbers != list(range(1, len(numbers) + 1)) or len(numbers) != fight.seq:
        yield f"numbers: {len(numbers)} rows, the last {numbers[-1:]}, the fight is at {fight.seq}"
    state = codec.load_state(fight.state)
    if logs.state_of(logs.rows_of(fight), logs.first_state(fight)) != state:
        yield "state: it is not the replay of the log"
    if not export.is_whole(fight):
        yield "seals: the chain is broken"
    read = records.read(fight)
    if behind := versions.advance(fight, lambda: read, read):
        yield f"versions: those of {', '.join(behind)} are not current"
    kept = revising.taken_back(fight)
    for event in revising.differing(fight, state, entered.characters_in(fight)):
        if event.who not in kept:
            yield f"sheet: {event.sheet.name}'s differs from the fight's"


if __name__ == "__main__":
    main()
