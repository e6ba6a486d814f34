"""An account that is deleted leaves the logs in which it acted, without its name."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

from django.db.models import Q

from campaigns import audit, rulesets
from campaigns.leaving import register_logs_locked
from campaigns.models import Membership
from campaigns.signals import account_leaving
from combat.commands.writing import altering, locked
from combat.log import reseal
from combat.models import Encounter, LogRow


def connect() -> None:
    """Connect the signal and the lock. Called once, when the app is ready."""
    account_leaving.connect(_leaving, dispatch_uid="combat.commands.forgetting")
    register_logs_locked(logs_locked)


@contextmanager
def logs_locked(user_id: int) -> Iterator[None]:
    """A transaction that locks the logs in which an account acted, and all others of its chronicles."""
    theirs = Membership.objects.filter(user=user_id).values("chronicle")
    acted = LogRow.objects.filter(actor=user_id).values("encounter")
    with locked(Encounter.with_bin.filter(Q(chronicle__in=theirs) | Q(pk__in=acted))):
        yield


def _leaving(user: Any, **_more: Any) -> None:
    acted = LogRow.objects.filter(actor=user).values("encounter")
    logs = Encounter.with_bin.filter(pk__in=acted).order_by("pk").select_for_update()
    for pk in list(logs.values_list("pk", flat=True)):
        # Loaded one at a time: their states are large.
        encounter = Encounter.with_bin.select_related("chronicle").get(pk=pk)
        # Without its ruleset there are no views that could change.
        playable = encounter.chronicle.ruleset in rulesets.installed()
        with altering(encounter) if playable else nullcontext():
            broken = reseal.remove_name(encounter, user.pk)
        if broken:
            audit.note("broken-log-sealed", encounter=encounter.pk, row=broken.seq)
