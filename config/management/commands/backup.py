"""`manage.py backup FILE`: back up the embedded set-up to one file, while the server runs."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.template.defaultfilters import filesizeformat

from config import backups


class Command(BaseCommand):
    help = "Back up the database to one file and check it. You can run this during a fight."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="for example vesper-2026-11-21.zip; must not exist yet")

    def handle(self, *, file: Path, **_options: Any) -> None:
        try:
            size = backups.save(file.expanduser().absolute())
        except backups.Unfit as problem:
            raise CommandError(str(problem)) from None
        except OSError as problem:
            raise CommandError(f"{file} could not be written: {problem.strerror}.") from None
        self.stdout.write(f"Backed up to {file} ({filesizeformat(size)}) and checked.")
