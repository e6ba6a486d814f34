"""The reader's time zone: from the account, else from the browser's cookie, else UTC."""

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
    """The names of all time zones on this machine."""
    return frozenset(available_timezones())


def zone_of(request: HttpRequest) -> ZoneInfo | None:
    """The reader's time zone; None if neither source names a known one."""
    asked = (getattr(request.user, "time_zone", ""), request.COOKIES.get(COOKIE, ""))
    name = next((each for each in asked if each and len(each) <= LONGEST and each in known()), "")
    return ZoneInfo(name) if name else None


def reader_zone(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware: activate the reader's time zone for the request."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        # Without one, Django uses its default, UTC.
        with timezone.override(zone_of(request)):
            return get_response(request)

    return answer
