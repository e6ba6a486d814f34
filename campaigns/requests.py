"""Types of the requests that views take, with what the middleware puts on them."""

from __future__ import annotations

from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails

from campaigns.models import User


class HtmxRequest(HttpRequest):
    """Any request: `htmx` is true for one that htmx sent."""

    htmx: HtmxDetails


class SignedInRequest(HtmxRequest):
    """A request that `login_required` let through."""

    user: User
