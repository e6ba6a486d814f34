"""`manage.py load_tables`: the shipped weapons and armour into the database."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from characters import tables


class Command(BaseCommand):
    help = "Adds the shipped weapons and armour that are missing. What was changed by hand stays."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--refresh", action="store_true", help="overwrite shipped rows that were changed by hand")

    def handle(self, *_args: Any, refresh: bool, **_options: Any) -> None:
        written = tables.load(refresh=refresh)
        self.stdout.write(f"{written} rows of weapons and armour written.")
