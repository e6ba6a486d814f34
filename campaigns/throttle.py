"""Counting what one address tries, so that nobody can try everything."""

from __future__ import annotations

from axes.helpers import get_client_ip_address
from django.core.cache import cache
from django.http import HttpRequest


def address(request: HttpRequest) -> str:
    """Where a request comes from: by the setting that says whether a proxy's word for it counts."""
    return str(get_client_ip_address(request))


def count(request: HttpRequest, what: str, *, seconds: int) -> int:
    """Note one more try of `what` from this address; gives how many there were in the running period."""
    key = f"throttle:{what}:{address(request)}"
    cache.add(key, 0, timeout=seconds)
    try:
        return int(cache.incr(key))
    except ValueError:  # It ran out between the two calls.
        cache.set(key, 1, timeout=seconds)
        return 1


def tries(request: HttpRequest, what: str) -> int:
    """How many tries of `what` this address has made in the running period."""
    return int(cache.get(f"throttle:{what}:{address(request)}", 0))
