"""`manage.py restored`: what is to be done besides where PostgreSQL itself put a backup back."""

from typing import Any

from django.core.management.base import BaseCommand

from combat import versions
from combat.models import Encounter


class Command(BaseCommand):
    help = "After pg_restore, before Vesper is started: pages that are still open load everything anew."

    def handle(self, **_options: Any) -> None:
        Encounter.objects.update(versions=versions.anew())
        self.stdout.write("Pages that are still open will load everything anew.")
