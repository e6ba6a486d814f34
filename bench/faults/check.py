"""Looks into the database after a run: is the log what people were told? A process of its own, as bench/set_table.py.

    bench/faults/check.py FILE

`FILE` is JSON: the `encounter`, its number before anybody acted (`first`), what was `done` and what `refused` (lists of
[user, key, mark]), and the `notes` that were kept last. Prints what is wrong as JSON: a list of sentences.
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

from characters.sheets import sheets_of
from combat.desk import storage as desk
from combat.history import records
from combat.log import codec
from combat.log import export as exports
from combat.log import rows as logs
from combat.models import Encounter, LogRow
from combat.panes import versions


def main() -> None:
    told = json.loads(Path(sys.argv[1]).read_text())
    fight = Encounter.objects.select_related("chronicle").get(pk=told["encounter"])
    print(json.dumps([*faults_of_presses(fight, told), *faults_of_fight(fight)]))


def faults_of_presses(fight: Encounter, told: dict[str, Any]) -> Iterator[str]:
    """Where what people were told is not what the log says."""
    rows = list(LogRow.objects.filter(encounter=fight, seq__gt=told["first"]).order_by("seq"))
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
    known = {(user, key) for user, key, _mark in (*told["done"], *told["refused"])}
    for row in rows:
        if (row.actor_id, row.key) not in known:
            yield f"unknown: row {row.seq} is nobody's press"
    if told["notes"] and desk.notes_of(fight).text != told["notes"]:
        yield "lost: notes that were kept"


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
    if not exports.is_whole(fight):
        yield "seals: the chain is broken"
    read = records.read(fight)
    if behind := versions.advance(fight, lambda: read, read):
        yield f"versions: those of {', '.join(behind)} are not of what there is"
    people = {each.character: each.sheet for each in state.combatants.values() if each.character}
    for character, sheet in sheets_of(list(people)).items():
        if (sheet.marks, sheet.resources) != (people[character].marks, people[character].resources):
            yield f"sheet: that of {sheet.name} is not what the fight made of it"


if __name__ == "__main__":
    main()
