"""The zone in which somebody reads times: what their account says, else their browser by a cookie, else UTC."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import timezone

COOKIE = "vesper-zone"
LONGEST = 64


@cache
def known() -> frozenset[str]:
    """The names of all zones that this machine knows."""
    return frozenset(available_timezones())


def zone_of(request: HttpRequest) -> ZoneInfo | None:
    """The reader's zone, None where nobody says one that there is."""
    asked = (getattr(request.user, "time_zone", ""), request.COOKIES.get(COOKIE, ""))
    name = next((each for each in asked if each and len(each) <= LONGEST and each in known()), "")
    return ZoneInfo(name) if name else None


def reader_zone(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware: whatever is drawn for a request is drawn in its reader's zone."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        # Without a zone Django takes its own, which is UTC.
        with timezone.override(zone_of(request)):
            return get_response(request)

    return answer
