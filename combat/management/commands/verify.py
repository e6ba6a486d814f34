"""Verify an exported log."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from combat.log.export import BadExport, faults_of, read_lines
from combat.log.seal import shown


class Command(BaseCommand):
    """`manage.py verify EXPORT [--seal SEAL ...]`: works without a database. Exits with 1 if anything is wrong."""

    help = (
        "Check that no row of an exported log was changed, removed or inserted. With --seal, also check that it has "
        "the seals that somebody noted when the fight began or ended."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("export", type=Path, metavar="EXPORT")
        parser.add_argument("--seal", action="append", default=[], help="a seal as the page shows it, or in full")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            with options["export"].open(encoding="utf-8") as text:
                head, rows = read_lines(text)
        except (OSError, UnicodeDecodeError, BadExport) as problem:
            raise CommandError(str(problem)) from None
        wrong = [fault.what for fault in faults_of(head, rows)]
        wrong += [f"no row has the seal {seal}" for seal in options["seal"] if not _found(seal, rows)]
        if wrong:
            raise CommandError("This log was tampered with: " + "; ".join(wrong) + ".")
        self.stdout.write(f"{len(rows)} rows, none changed, removed or inserted. Last seal: {shown(head['seal'])}")


def _found(said: str, rows: list[dict[str, Any]]) -> bool:
    wanted = "".join(said.split()).lower()
    return bool(wanted) and any(row["seal"].startswith(wanted) for row in rows)
