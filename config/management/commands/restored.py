"""`manage.py restored`: what is to be done besides where PostgreSQL itself put a backup back."""

from typing import Any

from django.core.management.base import BaseCommand

from combat.live import restored
from combat.models import Encounter


class Command(BaseCommand):
    help = "After pg_restore, before Vesper is started: pages that are open load everything anew, and no time is up."

    def handle(self, **_options: Any) -> None:
        for fight, clocks in Encounter.objects.values_list("pk", "clocks"):
            Encounter.objects.filter(pk=fight).update(**restored.anew(clocks))
        self.stdout.write("Pages that are still open will load everything anew.")
