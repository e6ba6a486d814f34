"""`manage.py restored`: what else a restore needs if PostgreSQL put the backup back itself."""

from typing import Any

from django.core.management.base import BaseCommand

from campaigns.models import SignIn
from combat.live import restored
from combat.models import Encounter


class Command(BaseCommand):
    help = "Run after pg_restore, before you start Vesper: signs everybody out, reloads open pages, resets deadlines."

    def handle(self, **_options: Any) -> None:
        for fight, clocks in Encounter.objects.values_list("pk", "clocks"):
            Encounter.objects.filter(pk=fight).update(**restored.anew(clocks))
        # The backup contains sessions that their owners have since ended.
        SignIn.objects.all().delete()
        self.stdout.write("Everybody has to sign in again. Open pages will reload.")
