"""`manage.py check_chronicles`: check unfinished fights against sheets and logs, and repair them."""

from typing import Any

from django.core.management.base import BaseCommand

from combat.commands import checking


class Command(BaseCommand):
    help = (
        "Compare each unfinished fight with its characters' sheets, its log and its pages, and repair differences. "
        "Can run while the server is up. Sheets are also checked whenever the server starts."
    )
    requires_system_checks = []

    def handle(self, **_options: Any) -> None:
        found = 0
        for found, sentence in enumerate(checking.check_everything(), start=1):  # noqa: B007  # counted
            self.stdout.write(sentence)
        self.stdout.write(f"Differences found: {found}." if found else "No differences found.")
