"""Verify an exported log, an export of experience, or the ledgers of experience in the database."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from campaigns.chains import read_line
from characters import experience_seals
from combat.log.export import BadExport, faults_of, read_lines
from combat.log.seal import shown


class Command(BaseCommand):
    """`manage.py verify EXPORT [--seal SEAL ...]` works without a database, `manage.py verify --ledgers` on it.

    Exits with 1 if anything is wrong.
    """

    help = (
        "Check that no row of an exported log or of exported experience was changed, removed or inserted. With --seal, "
        "also check that it has the seals that somebody noted when the fight began or ended. With --ledgers, check the "
        "experience of all characters in the database."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("export", type=Path, metavar="EXPORT", nargs="?")
        parser.add_argument("--seal", action="append", default=[], help="a seal as the page shows it, or in full")
        parser.add_argument("--ledgers", action="store_true", help="check the experience in the database")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["ledgers"]:
            self._tell("The ledgers were", [fault.what for fault in experience_seals.faults_here()], "No entry was")
        if options["export"] is None:
            if not options["ledgers"]:
                raise CommandError("Name an exported file, or use --ledgers.")
            return
        try:
            with options["export"].open(encoding="utf-8") as text:
                first = next(text, "")
                whole = chain([first], text)
                if first.strip() and experience_seals.is_export(read_line(first, 1)):
                    head, rows = experience_seals.read_lines(whole)
                    wrong, last = [fault.what for fault in experience_seals.faults_of(head, rows)], ""
                else:
                    head, rows = read_lines(whole)
                    wrong = [fault.what for fault in faults_of(head, rows)]
                    last = "" if wrong else f" Last seal: {shown(head['seal'])}"
        except (OSError, UnicodeDecodeError, BadExport) as problem:
            raise CommandError(str(problem)) from None
        wrong += [f"no row has the seal {seal}" for seal in options["seal"] if not _found(seal, rows)]
        self._tell("This log was", wrong, f"{len(rows)} rows, none", last)

    def _tell(self, what: str, wrong: list[str], sound: str, more: str = "") -> None:
        if wrong:
            raise CommandError(f"{what} tampered with: {'; '.join(wrong)}.")
        self.stdout.write(f"{sound} changed, removed or inserted.{more}")


def _found(said: str, rows: list[dict[str, Any]]) -> bool:
    wanted = "".join(said.split()).lower()
    return bool(wanted) and any(row["seal"].startswith(wanted) for row in rows)
