"""`manage.py prepare`: everything that a new or upgraded Vesper needs before it serves."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand

from config import lock, preparing


class Command(BaseCommand):
    help = "Bring the database up to date and, in production, collect the static files. Safe to run again at any time."
    requires_system_checks = []

    def handle(self, **_options: Any) -> None:
        preparing.bring_up_to_date(self.stdout.write)
        if settings.STATIC_ROOT:
            # Servers that start at the same moment must not collect at once: they would overwrite each other's files.
            with lock.held(Path(settings.STATIC_ROOT), alone=True, wait=True):
                call_command("collectstatic", interactive=False, verbosity=0)
        self.stdout.write("Vesper is ready to start.")
