"""Facts and texts of a stored database as today's code renders them: README.md has how and when to write them again.

Facts (state, numbers, names, dice, who sees which entry) stay; texts may be reworded. Nothing else in these tests
knows the types that logs and panes are made of.
"""

from __future__ import annotations

import difflib
import json
import lzma
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from combat.history.entries import Entry
    from combat.models import Encounter

FOLDER = Path(__file__).parent
PACKED = "vesper.sqlite3.xz"
FACTS = "facts.json.xz"
LANGUAGES = ("en-gb", "de")
COUNTED = ("order", "me", "dice", "rolls", "scene")
"""Panes whose numbers and names are facts; the others are mostly forms."""

Told = dict[str, Any]


def words_file(language: str) -> str:
    return f"words.{language}.json.xz"


def databases() -> list[Path]:
    """The folders of the stored databases, oldest first."""
    return sorted(each.parent for each in FOLDER.glob(f"*/{PACKED}"))


def kept(file: Path) -> Any:
    return json.loads(lzma.decompress(file.read_bytes()))


# ------------------------------------------------------------------ to be called with the database open


def facts_of(encounter: Encounter) -> Told:
    """What stays true of a fight however it is worded: its state, and each entry's numbers, names, dice and readers."""
    from combat.log import rows

    state = rows.state_now(encounter)
    names = sorted(each.sheet.name for each in state.combatants.values())
    masks = sorted({each.mask for each in state.combatants.values() if each.mask})
    telling = {each: list(_entries(encounter, each)) for each in _audiences(encounter)}
    return {
        "ruleset": encounter.chronicle.ruleset,
        "rows": encounter.seq,
        "seal": encounter.seal,
        "held": encounter.held,
        "state": _state_facts(state),
        "log": _grouped(
            {
                audience: [_entry_facts(entry, [*names, *masks]) for entry in entries]
                for audience, entries in telling.items()
            }
        ),
        "panes": {
            pane: {audience: _numbers_and_names(text, [*names, *masks]) for audience, text in texts.items()}
            for pane, texts in _panes(encounter).items()
            if pane in COUNTED
        },
    }


def words_of(encounter: Encounter, language: str) -> Told:
    """Every text of a fight's log, its report and its panes, as each audience reads it."""
    from django.utils import translation

    with translation.override(language):
        audiences = _audiences(encounter)
        return {
            "log": _grouped({each: [_words(one) for one in _entries(encounter, each)] for each in audiences}),
            "report": {each: _report(encounter, each) for each in audiences if not encounter.outside_fights},
            "panes": _panes(encounter),
        }


def _audiences(encounter: Encounter) -> list[str]:
    from combat.panes.versions import audiences_of

    return audiences_of(encounter)


def _entries(encounter: Encounter, audience: str) -> Iterator[Entry]:
    from combat.history import records
    from combat.panes.build import whole_log

    return whole_log(records.read(encounter), audience)


def _entry_facts(entry: Entry, names: Iterable[str]) -> list[Any]:
    rolls = [
        [roll.by, roll.pool, roll.difficulty, [die.face for die in roll.dice], roll.successes] for roll in entry.rolls
    ]
    flags = f"{'undone ' * entry.undone}{'overridden ' * entry.overridden}{'told' * bool(entry.narration)}"
    return [entry.id, entry.at, flags, *_numbers_and_names(" ".join(_lines(entry)), names), rolls]


def _numbers_and_names(text: str, names: Iterable[str]) -> list[Any]:
    return [sorted(re.findall(r"\d+", text), key=int), [name for name in names if name in text]]


def _lines(entry: Entry) -> list[str]:
    return ["".join(span.text for span in line) for line in entry.lines]


def _words(entry: Entry) -> list[str]:
    """The Storyteller's words, the lines, the rolls and what they are made of, and the flags."""
    rolls = [f"{roll.name}, {roll.label}: {'; '.join(part.label for part in roll.parts)}" for roll in entry.rolls]
    flags = [text for _rule, text in getattr(entry, "flags", ())]
    return [entry.id, *filter(None, [entry.narration]), *_lines(entry), *rolls, *flags]


def _state_facts(state: Any) -> Told:
    return {
        "status": state.status.value,
        "turn": state.turn,
        "order": [list(rank) for rank in state.order],
        "acting": sorted(state.acting),
        "exchanges": [[each.attack.by, *each.attack.at] for each in state.exchanges],
        "extended": [[each.command.by, each.total, each.made] for each in state.extended],
        "people": {
            who: {
                "name": each.sheet.name,
                "marks": [mark.value for mark in each.sheet.marks],
                "injuries": [injury.level for injury in each.sheet.injuries],
                "conditions": sorted(each.conditions),
                "resources": dict(each.sheet.resources),
                "rounds": {weapon.name: weapon.rounds for weapon in each.sheet.weapons if weapon.clip},
                "seen as": ["nobody"] if each.hidden else [each.mask or each.sheet.name],
            }
            for who, each in state.combatants.items()
        },
    }


def _report(encounter: Encounter, audience: str) -> list[str]:
    from combat.history import records
    from combat.history.report import report_of
    from combat.history.report_markdown import in_markdown
    from combat.history.reveal import as_seen_by
    from combat.panes.build import reader_of

    fight = as_seen_by(records.read(encounter), audience)
    report = report_of(fight.name, fight.rows, fight.ruleset, reader_of(fight, audience))
    return in_markdown(replace(report, chapters=())).splitlines()  # the log is read already


def _panes(encounter: Encounter) -> dict[str, dict[str, str]]:
    """The rendered text of each pane but the log, by pane and audience."""
    from combat.live import frames

    found: dict[str, dict[str, str]] = {}
    for audience in _audiences(encounter):
        for name in frames.view_of(encounter, audience).panes():
            if name != "log":
                found.setdefault(name, {})[audience] = text_of(frames._pane(encounter, audience, name))
    return found


class _Text(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_data(self, data: str) -> None:
        self.found.extend(data.split())


def text_of(html: str) -> str:
    """The text of a piece of HTML, words separated by single spaces."""
    parser = _Text()
    parser.feed(html)
    return " ".join(parser.found)


def _grouped(by_audience: Mapping[str, list[Any]]) -> list[list[Any]]:
    """Entries by id, audiences that read the same together: [[id, {audiences: content}]]."""
    found: dict[str, dict[str, Any]] = {}
    for audience, entries in by_audience.items():
        for one, *rest in entries:
            same = found.setdefault(one, {})
            key = next((key for key, said in same.items() if said == rest), "")
            same.pop(key, None)
            same[f"{key} {audience}".strip()] = rest
    return [[one, same] for one, same in found.items()]


# ------------------------------------------------------------------ to be called by hand


def main(folder: Path, *, facts: bool) -> None:
    """Write the texts, and with `facts` the facts, and print what differs from those stored before."""
    from combat.models import Encounter

    told: dict[str, Told] = {words_file(language): {} for language in LANGUAGES} | {FACTS: {}}
    for encounter in Encounter.objects.select_related("chronicle").order_by("pk"):
        told[FACTS][encounter.pk] = facts_of(encounter)
        for language in LANGUAGES:
            told[words_file(language)][encounter.pk] = words_of(encounter, language)
    for name, found in told.items():
        if name != FACTS or facts:
            write(folder / name, found)


def write(file: Path, found: Told) -> None:
    before = _plain(kept(file)) if file.exists() else []
    changed = difflib.unified_diff(before, _plain(found), file.stem, file.stem, n=0, lineterm="")
    if before:
        sys.stdout.write("\n".join(dict.fromkeys(changed)) + "\n")
    file.write_bytes(lzma.compress(json.dumps(found, ensure_ascii=False).encode(), preset=9 | lzma.PRESET_EXTREME))


def _plain(found: Told) -> list[str]:
    return json.dumps(found, ensure_ascii=False, indent=0).splitlines()


def unpacked(folder: Path, data: Path) -> Path:
    """Unpack a stored database into a data folder and upgrade it."""
    file = data / "vesper.sqlite3"
    file.write_bytes(lzma.decompress((folder / PACKED).read_bytes()))
    return upgraded(file)


def upgraded(file: Path) -> Path:
    """Upgrade a data folder's database in a process of its own, as `script/server` does."""
    environment = {"PATH": os.environ["PATH"], "VESPER_DATA": str(file.parent)}
    subprocess.run([sys.executable, "manage.py", "prepare"], check=True, capture_output=True, env=environment)
    return file


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as data:
        unpacked(FOLDER / sys.argv[1], Path(data))
        os.environ |= {"VESPER_DATA": data, "DJANGO_SETTINGS_MODULE": "config.settings"}
        import django

        django.setup()
        main(FOLDER / sys.argv[1], facts="--facts" in sys.argv)
