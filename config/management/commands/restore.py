"""`manage.py restore FILE`: back to what a backup holds, with the present data kept aside."""

from argparse import ArgumentParser
from io import StringIO
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from config import backups, lock


class Command(BaseCommand):
    help = "Put a backup in the place of the present data, which is kept aside. The server must be stopped."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="a file that `manage.py backup` wrote")
        parser.add_argument("--upgrade", action="store_true", help="also a backup of an older Vesper: migrate it")

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
            raise CommandError("A Vesper serves this database: stop it first, then restore.") from None
        except backups.Unfit as problem:
            raise CommandError(str(problem)) from None
        except OSError as problem:
            raise CommandError(f"{file} could not be restored: {problem.strerror}.") from None
        kept = f" What was there before is in {aside}." if aside else ""
        self.stdout.write(f"Restored {file}. Everybody has to sign in again.{kept}")
