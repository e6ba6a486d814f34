"""The security log: sign-ins, refusals and changes of rights, one line each.

Written to the logger `vesper.security`: the event, the account's primary key, the client address, and the ids
concerned. It holds no names, no tokens and nothing of a game.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any

from axes.signals import user_locked_out
from django.contrib.auth import signals
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse

from campaigns import throttle
from campaigns.viewing import viewing

logger = logging.getLogger("vesper.security")
_asking: ContextVar[HttpRequest | None] = ContextVar("asking", default=None)


def note(what: str, **about: Any) -> None:
    """Log one event with its details. The account and address come from the current request."""
    request = _asking.get()
    who = {} if request is None else {"user": _number_of(request), "address": throttle.address(request)}
    told = " ".join(f"{name}={value}" for name, value in (who | about).items())
    logger.info("%s %s", what, told)


def _number_of(request: HttpRequest) -> Any:
    view = viewing()
    user = view.by if view else getattr(request, "user", None)
    return getattr(user, "pk", None) or "-"


class Audit:
    """Middleware: makes the current request available to `note`, and logs refusals.

    It must come after the authentication middleware.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        mark = _asking.set(request)
        try:
            return self.get_response(request)
        finally:
            _asking.reset(mark)

    def process_exception(self, request: HttpRequest, exception: Exception) -> None:
        """Log permission errors, and pages hidden from signed-in users."""
        route = request.resolver_match.view_name if request.resolver_match else "-"
        if isinstance(exception, PermissionDenied):
            note("refused", method=request.method, route=route)
        elif isinstance(exception, Http404) and request.user.is_authenticated:
            note("not-found", method=request.method, route=route)


def connect() -> None:
    """Connect to Django's sign-in signals. Called once, when the app is ready."""
    signals.user_logged_in.connect(_signed_in, dispatch_uid="audit")
    signals.user_logged_out.connect(_signed_out, dispatch_uid="audit")
    signals.user_login_failed.connect(_failed, dispatch_uid="audit")
    user_locked_out.connect(_locked_out, dispatch_uid="audit")


def _signed_in(user: Any, request: Any = None, **_more: Any) -> None:
    note("signed-in", **_of(request), user=user.pk)


def _signed_out(user: Any, request: Any = None, **_more: Any) -> None:
    if user is not None:
        note("signed-out", **_of(request), user=user.pk)


def _failed(request: Any = None, **_more: Any) -> None:
    # Without the name that was tried: it may be a password typed into the wrong field.
    note("sign-in-failed", **_of(request))


def _locked_out(request: Any = None, **_more: Any) -> None:
    note("locked-out", **_of(request))


def _of(request: HttpRequest | None) -> dict[str, Any]:
    return {} if request is None else {"address": throttle.address(request)}
