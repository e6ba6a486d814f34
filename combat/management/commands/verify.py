"""Prove that a log is what was written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from combat.log.export import BadExport, faults_of, read_lines
from combat.log.seal import shown


class Command(BaseCommand):
    """`manage.py verify EXPORT [--seal SEAL ...]`: needs no database. Ends with 1 when anything is wrong."""

    help = (
        "Check an exported log: that no row was changed, dropped or slipped in. With --seal, that it holds the seals "
        "which somebody noted when the fight began or ended."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("export", type=Path, metavar="EXPORT")
        parser.add_argument("--seal", action="append", default=[], help="a seal as the page shows it, or more of it")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            with options["export"].open(encoding="utf-8") as text:
                head, rows = read_lines(text)
        except (OSError, UnicodeDecodeError, BadExport) as problem:
            raise CommandError(str(problem)) from None
        wrong = [fault.what for fault in faults_of(head, rows)]
        wrong += [f"no row has the seal {seal}" for seal in options["seal"] if not _found(seal, rows)]
        if wrong:
            raise CommandError("This log is not what was written: " + "; ".join(wrong) + ".")
        self.stdout.write(
            f"{len(rows)} rows, none changed, dropped or slipped in. The last seal: {shown(head['seal'])}"
        )


def _found(said: str, rows: list[dict[str, Any]]) -> bool:
    wanted = "".join(said.split()).lower()
    return bool(wanted) and any(row["seal"].startswith(wanted) for row in rows)
