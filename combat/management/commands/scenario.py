"""Play scenario files."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from rules.scenario.fields import BadScenario
from rules.scenario.play import Report, play_file
from rules.scenario.reading import files


class Command(BaseCommand):
    """`manage.py scenario FILE-OR-FOLDER ...`: works without a database."""

    help = "Play scenario files through the rules and report which pass. See docs/scenarios.md."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("paths", nargs="+", type=Path, metavar="FILE-OR-FOLDER")
        parser.add_argument("--json", action="store_true", help="print one JSON object per scenario and nothing else")

    def handle(self, *args: Any, **options: Any) -> None:
        tell = _as_json if options["json"] else _as_line
        played = failed = 0
        for report in _reports(options["paths"]):
            played += 1
            failed += not report.ok
            self._say(tell(report))
        if not options["json"]:
            noun = "scenario" if played == 1 else "scenarios"
            self._say(f"{played} {noun}: {played - failed} ok, {failed} failed.")
        if failed:
            raise SystemExit(1)

    def _say(self, line: str) -> None:
        """Write a line, escaping characters that the terminal can't encode."""
        encoding = getattr(self.stdout, "encoding", None) or "utf-8"
        self.stdout.write(line.encode(encoding, "backslashreplace").decode(encoding))


def _reports(paths: list[Path]) -> Iterator[Report]:
    for given in paths:
        try:
            found = tuple(files(given))
        except (BadScenario, OSError) as problem:
            yield Report(given, given.name, "", fault=str(problem))
        else:
            yield from map(play_file, found)


def _as_json(report: Report) -> str:
    return json.dumps(report.as_json(), ensure_ascii=False, default=str)


def _as_line(report: Report) -> str:
    """The report as a single line, even if the title contains line breaks."""
    line = f"{report.path}: {report.title}"
    return " ".join(f"ok   {line}".split()) if report.ok else " ".join(f"FAIL {line}: {report.failure}".split())
