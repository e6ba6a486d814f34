"""Counting what one address tries, so that nobody can try everything."""

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
    """Where a request comes from: by the setting that says whether a proxy's word for it counts."""
    return str(get_client_ip_address(request))


def count(request: HttpRequest, what: str, *, seconds: int, who: object = None) -> int:
    """Note one more try of `what` from this address, or of somebody who is known (`who`); gives how many there were in
    the running period."""
    key = f"throttle:{what}:{who or address(request)}"

    def one_more(cache: BaseCache) -> int:
        cache.add(key, 0, timeout=seconds)
        try:
            return int(cache.incr(key))
        except ValueError:  # It ran out between the two calls.
            cache.set(key, 1, timeout=seconds)
            return 1

    return _asked(one_more)


def tries(request: HttpRequest, what: str) -> int:
    """How many tries of `what` this address has made in the running period."""
    key = f"throttle:{what}:{address(request)}"
    return _asked(lambda cache: int(cache.get(key, 0)))


def _asked(question: Callable[[BaseCache], int]) -> int:
    """What the counts that all processes share answer; while they cannot be reached, those of this process."""
    if not _outage:
        try:
            return question(caches["default"])
        except Exception as problem:  # whatever the server of the counts throws: nobody is kept out for it
            _outage.begin()
            logger.warning("The counts of tries cannot be reached: %s", problem)
    return question(caches["here"])
