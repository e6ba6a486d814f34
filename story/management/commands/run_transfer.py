"""`manage.py run_transfer ID`: the process in which the server makes or reads an archive. Not for people."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import translation

from campaigns import workers
from story.archives import transfers
from story.models import Transfer


class Command(BaseCommand):
    help = "Used by the server itself: do the work of an export or import that was begun on a page."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("transfer")
        parser.add_argument("--language", default="en-gb")

    def handle(self, *, transfer: str, language: str, **_options: Any) -> None:
        workers.be_humble()
        found = Transfer.objects.select_related("chronicle", "user").filter(pk=transfer).first()
        if found is None or found.stage not in transfers.WORKING:
            raise CommandError("There is no such work.")
        with translation.override(language):
            transfers.run(found)
