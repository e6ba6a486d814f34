"""Request types for views, with the attributes that middleware adds."""

from __future__ import annotations

from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails

from campaigns.models import User


class HtmxRequest(HttpRequest):
    """Any request. `htmx` is true if htmx sent it."""

    htmx: HtmxDetails


class SignedInRequest(HtmxRequest):
    """A request that `login_required` let through."""

    user: User


def is_visit(request: HtmxRequest) -> bool:
    """Whether somebody opened this page; not if htmx, a live page or the browser ahead of time fetched it."""
    ahead = "prefetch" in request.headers.get("Sec-Purpose", "")
    return request.method == "GET" and not request.htmx and "Vesper-Update" not in request.headers and not ahead
