"""What goes wrong before a view is reached, or where it can do nothing about it."""

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
"""As PostgreSQL says it."""

PASSWORDS = {
    "password": _("Password"),
    "old_password": _("Old password"),
    "new_password1": _("New password"),
    "new_password2": _("New password confirmation"),
    "password1": _("Password"),
    "password2": _("Password confirmation"),
}
"""The fields for passwords on all our forms, with their labels."""


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's handler for a request it cannot take: too much of it has a page of its own."""
    if isinstance(exception, RequestDataTooBig):
        return render(request, "413.html", status=413)
    return render(request, "400.html", status=400)


def too_busy(request: HttpRequest, seconds: int) -> HttpResponse:
    """Answer a form that nobody looked at because too many passwords wait to be hashed: 429, and the form once more.

    It keeps what was typed, except for passwords.
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
    """Django's handler for what nobody caught. While the database is away or locked that is nobody's mistake, and
    passes: 503, which pages and proxies take as "again in a moment". A full disk (507) waits for somebody."""
    problem = sys.exception()
    if not isinstance(problem, OperationalError | InterfaceError):
        return django_server_error(request)
    # Without a context: what it is made of would ask the database who reads it.
    if _is_full(problem.__cause__):
        return HttpResponse(render_to_string("507.html"), status=507)
    return HttpResponse(render_to_string("503.html"), status=503, headers={"Retry-After": str(SECONDS_TO_TRY_AGAIN)})


def _is_full(cause: BaseException | None) -> bool:
    """Whether a database says that there is no room, each by a code of its own; SQLite has another for a quota."""
    of_sqlite = getattr(cause, "sqlite_errorcode", None)
    return (
        of_sqlite in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_WRITE) or getattr(cause, "sqlstate", None) == DISK_FULL
    )
