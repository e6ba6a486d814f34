"""`manage.py load_tables`: load the shipped weapons and armour into the database."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from characters import tables


class Command(BaseCommand):
    help = "Adds shipped weapons and armour that are missing. Manual changes are kept."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--refresh", action="store_true", help="overwrite manual changes to shipped rows")

    def handle(self, *_args: Any, refresh: bool, **_options: Any) -> None:
        written = tables.load(refresh=refresh)
        self.stdout.write(f"Rows of weapons and armour written: {written}.")
