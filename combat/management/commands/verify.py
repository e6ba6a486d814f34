"""Verify an exported log, an export of experience, or the ledgers of experience in the database."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from campaigns.chains import read_line
from characters import experience_seals
from combat.log.export import BadExport, faults_of, read_lines
from combat.log.reseal import FORMER, Why
from combat.log.seal import SEALED, shown

WHY = {
    Why.NAME_REMOVED: "the name of a deleted account was removed from the log",
    Why.IMPORTED: "it was imported and its ids changed",
}


class Command(BaseCommand):
    """`manage.py verify EXPORT [--seal SEAL ...]` works without a database, `manage.py verify --ledgers` on it.

    Exits with 1 if anything is wrong.
    """

    help = (
        "Check that no row of an exported log or of exported experience was changed, removed or inserted. With --seal, "
        "also check that it has the seals that somebody noted when the fight began or ended. With --before, also check "
        "that since an earlier export nothing but names of deleted accounts was changed. With --ledgers, check the "
        "experience of all characters in the database."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("export", type=Path, metavar="EXPORT", nargs="?")
        parser.add_argument("--seal", action="append", default=[], help="a seal as the page shows it, or in full")
        parser.add_argument(
            "--before", type=Path, metavar="EXPORT", help="an earlier export: only names may have been removed since"
        )
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
        for seal in options["seal"]:
            if _found(seal, rows):
                continue
            if was := _earlier(seal, head):
                self.stdout.write(_explained(seal, was))
            else:
                wrong.append(f"no row has the seal {seal}")
        if options["before"] and not last and not wrong:
            raise CommandError("--before is for logs.")
        if options["before"]:
            wrong += list(_differences(rows, self._rows_before(options["before"])))
        self._tell("This log was", wrong, f"{len(rows)} rows, none", last)

    def _rows_before(self, export: Path) -> list[dict[str, Any]]:
        """The rows of an earlier export, verified by its seals."""
        try:
            with export.open(encoding="utf-8") as text:
                head, rows = read_lines(text)
        except (OSError, UnicodeDecodeError, BadExport) as problem:
            raise CommandError(str(problem)) from None
        self._tell("The earlier export was", [fault.what for fault in faults_of(head, rows)], "In it, no row was")
        return rows

    def _tell(self, what: str, wrong: list[str], sound: str, more: str = "") -> None:
        if wrong:
            raise CommandError(f"{what} tampered with: {'; '.join(wrong)}.")
        self.stdout.write(f"{sound} changed, removed or inserted.{more}")


def _plain(said: str) -> str:
    return "".join(said.split()).lower()


def _found(said: str, rows: list[dict[str, Any]]) -> bool:
    wanted = _plain(said)
    return bool(wanted) and any(row["seal"].startswith(wanted) for row in rows)


def _earlier(said: str, head: dict[str, Any]) -> dict[str, Any] | None:
    wanted = _plain(said)
    seals = head.get("earlier_seals", []) if wanted else []
    return next((each for each in seals if each["seal"].startswith(wanted)), None)


def _explained(said: str, was: dict[str, Any]) -> str:
    why = WHY.get(was["why"], "it was sealed again")
    return (
        f"The log says that {said} was the seal of row {was['rows']} until {was['at']}, when {why}. The seal alone "
        "can't prove this any more: an export from before that has it can (--before)."
    )


def _differences(rows: list[dict[str, Any]], before: list[dict[str, Any]]) -> Iterator[str]:
    """Where a log differs from an earlier export in more than names that were removed and rows added since."""
    if len(rows) < len(before):
        yield f"rows after row {len(rows)} are missing"
    for row, was in zip(rows, before, strict=False):
        kept = [name for name in SEALED if name != "actor_name" or row[name] != FORMER]
        if [row[name] for name in kept] != [was[name] for name in kept]:
            yield f"row {was['seq']} is different in the earlier export"
            return
