"""Delete an account as its owner would."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from campaigns import leaving
from campaigns.errors import Refused
from campaigns.models import User


class Command(BaseCommand):
    """`manage.py delete_account NAME`: says what happens, and asks for the name again unless --yes is given."""

    help = (
        "Delete an account for good, as its owner can: its characters become the Storytellers', logs lose its name, "
        "and chronicles in which it is alone are deleted."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", metavar="NAME", help="the name with which the account signs in")
        parser.add_argument("--yes", action="store_true", help="don't ask")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            user = User.objects.get_by_natural_key(options["name"])
        except User.DoesNotExist:
            raise CommandError(f"There is no account “{options['name']}”.") from None
        goodbye = leaving.farewell(user)
        if goodbye.last_admin:
            raise CommandError("This is the only account that can manage this server.")
        if goodbye.blocking:
            raise CommandError(f"It is the only Storyteller of {_named(goodbye.blocking)}, which has other members.")
        for what, names in (
            ("Chronicles that are deleted with it", goodbye.alone),
            ("Chronicles that it leaves", goodbye.left),
            ("Characters that become the Storytellers'", goodbye.characters),
        ):
            if names:
                self.stdout.write(f"{what}: {_named(names)}")
        if not options["yes"] and input(f"Type {user.username} to delete the account: ") != user.username:
            raise CommandError("Nothing was deleted.")
        try:
            leaving.delete_account(user)
        except Refused as refusal:
            raise CommandError(str(refusal)) from None
        self.stdout.write("The account has been deleted.")


def _named(names: tuple[str, ...]) -> str:
    return ", ".join(f"“{name}”" for name in names)
