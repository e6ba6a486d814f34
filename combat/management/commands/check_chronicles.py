"""`manage.py check_chronicles`: do fights agree with the sheets and with their own logs?"""

from typing import Any

from django.core.management.base import BaseCommand

from combat.commands import checking


class Command(BaseCommand):
    help = (
        "Compare each fight that is not over with its characters' sheets, its log and its pages, and mend what "
        "differs. Can be done while the server runs; every start of it checks the sheets."
    )
    requires_system_checks = []

    def handle(self, **_options: Any) -> None:
        found = 0
        for found, sentence in enumerate(checking.check_everything(), start=1):  # noqa: B007  # counted
            self.stdout.write(sentence)
        self.stdout.write(f"Found {found} differences." if found else "No differences found.")
