"""Write all data of an account to a file, for its owner."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from campaigns import audit
from campaigns.models import User
from story.accounts import files


class Command(BaseCommand):
    """`manage.py account_data NAME FILE`: for an administrator who is asked for it."""

    help = "Write everything that Vesper keeps about an account to a zip, as its owner can download it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", metavar="NAME", help="the name with which the account signs in")
        parser.add_argument("file", metavar="FILE", type=Path, help="a file that doesn't exist yet")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            user = User.objects.get_by_natural_key(options["name"])
        except User.DoesNotExist:
            raise CommandError(f"There is no account “{options['name']}”.") from None
        path: Path = options["file"]
        try:
            with path.open("xb") as file:
                # Somebody's private words: for the administrator's eyes at most.
                path.chmod(0o600)
                files.write(user, file)
        except OSError as problem:
            raise CommandError(f"{path}: {problem.strerror}.") from None
        audit.note("account-data", account=user.pk)
        self.stdout.write(f"{path} holds the data of {user.username}.")
