"""`manage.py restore FILE`: replace the current data with a backup, and keep the old data aside."""

from argparse import ArgumentParser
from io import StringIO
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from config import backups, lock


class Command(BaseCommand):
    help = "Replace the current data with a backup. The old data is kept in a folder beside it. Stop the server first."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="a file written by `manage.py backup`")
        parser.add_argument("--upgrade", action="store_true", help="accept a backup of an older Vesper, and migrate it")

    def handle(self, *, file: Path, upgrade: bool, **_options: Any) -> None:
        connection.close()
        try:
            place = backups.database_file()
            place.parent.mkdir(parents=True, exist_ok=True)
            with lock.held(place, alone=True):
                aside = backups.restore(file.expanduser().absolute(), older=upgrade)
                if upgrade:
                    call_command("migrate", interactive=False, verbosity=0)
                call_command("restored", stdout=StringIO())
                connection.close()
        except lock.Taken:
            raise CommandError("Vesper is running on this database. Stop it, then restore.") from None
        except backups.Unfit as problem:
            raise CommandError(str(problem)) from None
        except OSError as problem:
            raise CommandError(f"{file} could not be restored: {problem.strerror}.") from None
        kept = f" The old data is in {aside}." if aside else ""
        self.stdout.write(f"Restored {file}. Everybody has to sign in again.{kept}")
