"""Rate limiting by address or account."""

from __future__ import annotations

import logging
from collections.abc import Callable

from axes.helpers import get_client_ip_address
from django.core.cache import BaseCache, caches
from django.http import HttpRequest

from campaigns.outage import Outage

logger = logging.getLogger(__name__)
_outage = Outage()


def address(request: HttpRequest) -> str:
    """The client's address, from a proxy's header if the settings trust it."""
    return str(get_client_ip_address(request))


def count(request: HttpRequest, what: str, *, seconds: int, who: object = None) -> int:
    """Count one more try of `what` by this address, or by an account (`who`).

    Returns the number of tries in the current period.
    """
    key = f"throttle:{what}:{who or address(request)}"

    def one_more(cache: BaseCache) -> int:
        cache.add(key, 0, timeout=seconds)
        try:
            return int(cache.incr(key))
        except ValueError:  # It expired between the two calls.
            cache.set(key, 1, timeout=seconds)
            return 1

    return _asked(one_more)


def tries(request: HttpRequest, what: str) -> int:
    """The number of tries of `what` by this address in the current period."""
    key = f"throttle:{what}:{address(request)}"
    return _asked(lambda cache: int(cache.get(key, 0)))


def _asked(question: Callable[[BaseCache], int]) -> int:
    """Ask the cache shared by all processes, or this process's own while that is unreachable."""
    if not _outage:
        try:
            return question(caches["default"])
        except Exception as problem:  # any failure of the cache server: it must not lock anybody out
            _outage.begin()
            logger.warning("The shared cache for rate limiting can’t be reached: %s", problem)
    return question(caches["here"])
