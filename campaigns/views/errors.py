"""Error pages for failures outside the views' control."""

from __future__ import annotations

import sqlite3
import sys

from django.core.exceptions import RequestDataTooBig
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import gettext_lazy as _
from django.views.defaults import server_error as django_server_error

from campaigns import audit
from campaigns.forms.base import ECHO_LENGTH

SECONDS_TO_TRY_AGAIN = 5
DISK_FULL = "53100"
"""PostgreSQL's wording."""

PASSWORDS = {
    "password": _("Password"),
    "old_password": _("Old password"),
    "new_password1": _("New password"),
    "new_password2": _("New password confirmation"),
    "password1": _("Password"),
    "password2": _("Password confirmation"),
}
"""The password fields of all our forms, with their labels."""


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's handler for bad requests: 413 for too large ones, else 400."""
    if isinstance(exception, RequestDataTooBig):
        return render(request, "413.html", status=413)
    return render(request, "400.html", status=400)


def too_busy(request: HttpRequest, seconds: int) -> HttpResponse:
    """Return 429 with the form again, because too many passwords are waiting to be hashed.

    The form keeps its input, except for passwords.
    """
    audit.note("too-busy")
    typed = {name: values for name, values in request.POST.lists() if name != "csrfmiddlewaretoken"}
    context = {
        "kept": [(name, each[:ECHO_LENGTH]) for name in typed if name not in PASSWORDS for each in typed[name]],
        "passwords": [(name, label) for name, label in PASSWORDS.items() if name in typed],
    }
    response = render(request, "campaigns/too_busy.html", context, status=429)
    response["Retry-After"] = str(seconds)
    return response


def server_error(request: HttpRequest) -> HttpResponse:
    """Django's handler for uncaught exceptions: 503, 507 or 500.

    An unreachable or locked database is temporary, so it gives 503, which pages and proxies retry. A full disk gives
    507, because somebody has to free space.
    """
    problem = sys.exception()
    if not isinstance(problem, OperationalError | InterfaceError):
        return django_server_error(request)
    # Without context processors, which query the database for the user.
    if _is_full(problem.__cause__):
        return HttpResponse(render_to_string("507.html"), status=507)
    return HttpResponse(render_to_string("503.html"), status=503, headers={"Retry-After": str(SECONDS_TO_TRY_AGAIN)})


def _is_full(cause: BaseException | None) -> bool:
    """Whether a database error means a full disk. Each database has its own code; SQLite has one more for a quota."""
    of_sqlite = getattr(cause, "sqlite_errorcode", None)
    return (
        of_sqlite in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_WRITE) or getattr(cause, "sqlstate", None) == DISK_FULL
    )
