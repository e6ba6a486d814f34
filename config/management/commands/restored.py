"""`manage.py restored`: what is to be done besides where PostgreSQL itself put a backup back."""

from typing import Any

from django.core.management.base import BaseCommand

from campaigns.models import SignIn
from combat.live import restored
from combat.models import Encounter


class Command(BaseCommand):
    help = "After pg_restore, before Vesper is started: everybody signs in again, open pages reload, no time is up."

    def handle(self, **_options: Any) -> None:
        for fight, clocks in Encounter.objects.values_list("pk", "clocks"):
            Encounter.objects.filter(pk=fight).update(**restored.anew(clocks))
        # A backup brings back sessions that their owners have ended since.
        SignIn.objects.all().delete()
        self.stdout.write("Everybody has to sign in again. Pages that are still open will load everything anew.")
