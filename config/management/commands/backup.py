"""`manage.py backup FILE`: everything of the embedded set-up in one file, while the server runs."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.template.defaultfilters import filesizeformat

from config import backups


class Command(BaseCommand):
    help = "Write the database, checked, into one file. Can be done in the midst of a fight."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="such as vesper-2026-11-21.zip; it must not be there yet")

    def handle(self, *, file: Path, **_options: Any) -> None:
        try:
            size = backups.save(file.expanduser().absolute())
        except backups.Unfit as problem:
            raise CommandError(str(problem)) from None
        except OSError as problem:
            raise CommandError(f"{file} could not be written: {problem.strerror}.") from None
        self.stdout.write(f"Backed up to {file} ({filesizeformat(size)}), checked.")
