"""`manage.py import_chronicle FILE --storyteller NAME`: make a chronicle from an archive."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from campaigns.archives.box import BadArchive, Reader
from campaigns.models import User
from story.archives import whole


class Command(BaseCommand):
    help = (
        "Make a new chronicle from an archive, all or nothing. Without --storyteller, only check the archive. People "
        "for whom no account is named get open places, which a Storyteller can fill later."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--storyteller", metavar="ACCOUNT", help="the account that becomes its Storyteller")
        parser.add_argument(
            "--person",
            action="append",
            default=[],
            metavar="NAME=ACCOUNT",
            help="somebody in the archive, and the account that takes their place; can be repeated",
        )

    def handle(self, *, file: Path, storyteller: str | None, person: list[str], **_options: Any) -> None:
        try:
            by = _account(storyteller) if storyteller else User()
            with Reader(file) as box:
                coming = whole.bring_in(box, by, _places(box, person), lambda _more: None)
            if storyteller is None:
                self.stdout.write(f"“{coming.chronicle.name}” can be imported.")
                return
            chronicle = whole.save(coming)
        except BadArchive as problem:
            raise CommandError(f"{file} can’t be imported. {problem}") from None
        except OSError as problem:
            raise CommandError(f"{file} can’t be read: {problem.strerror}.") from None
        self.stdout.write(f"“{chronicle.name}” was imported. Its id is {chronicle.pk}.")


def _places(box: Reader, said: list[str]) -> dict[str, User]:
    """The accounts by the key of the person in the archive."""
    people = whole.people(box)
    found = {}
    for each in said:
        name, _equals, account = each.partition("=")
        keys = [key for key, called in people if called == name]
        if len(keys) != 1:
            raise CommandError(f"The archive has {len(keys)} people with the name “{name}”.")
        found[keys[0]] = _account(account)
    if len({each.pk for each in found.values()}) != len(found):
        raise CommandError("Nobody can take two places.")
    return found


def _account(name: str) -> User:
    try:
        return User.objects.get_by_natural_key(name)
    except User.DoesNotExist:
        raise CommandError(f"There is no account “{name}”.") from None
