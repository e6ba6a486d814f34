"""Limits on wrong passwords: django-axes counts them in the database, for all processes together."""

from __future__ import annotations

from typing import Any

from axes.attempts import get_cool_off_threshold
from axes.handlers.database import AxesDatabaseHandler
from axes.models import AccessAttempt
from django.conf import settings
from django.db.models import Sum
from django.http import HttpRequest


class Guesses(AxesDatabaseHandler):  # type: ignore[misc]  # axes has no types
    """Counts by account and address, as django-axes is configured, and by address alone, with a limit of its own.

    Signing in clears the failures of that account from that address only, so that nobody can reset an address's count
    by signing in to their own account now and then.
    """

    def is_locked(self, request: HttpRequest, credentials: dict[str, Any] | None = None) -> bool:
        if super().is_locked(request, credentials):
            return True
        recent = AccessAttempt.objects.filter(
            ip_address=request.axes_ip_address,  # type: ignore[attr-defined]  # set by axes
            attempt_time__gte=get_cool_off_threshold(request),
        )
        failures = recent.aggregate(total=Sum("failures_since_start"))["total"] or 0
        return bool(failures >= settings.VESPER_FAILURES_OF_AN_ADDRESS)
