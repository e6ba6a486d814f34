"""Headers on every answer, whatever made it: a page, a redirect, an error, a file."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from asgiref.sync import iscoroutinefunction
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import resolve_url
from django.utils.decorators import sync_and_async_middleware

from campaigns.views.errors import too_busy
from config.password_queue import REFUSED, SECONDS_TO_TRY_AGAIN

HEADERS = {
    # Everything from here, nothing inline: a name with a script in it stays a name.
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; "
        "connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=(), browsing-topics=()",
    # Secrets of the Storyteller must not wait in the cache of a shared machine. Static files say otherwise themselves.
    "Cache-Control": "no-store",
}

UNAUTHORISED = 401


def no_nul_in_paths(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Stands innermost. No id has a NUL in it, and PostgreSQL fails when it is asked for one."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        if "\x00" in request.path_info:
            raise Http404("No such address")
        return get_response(request)

    return answer


def signed_out(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Stands inside the accounts. Whoever is signed out and asks for part of a page reads so, and on the page: 401.

    The page to sign in at would come into the place of a form that somebody filled in.
    """

    def answer(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if not getattr(request, "htmx", False) or request.user.is_authenticated:
            return response
        leads_to = response.headers.get("Location", "").partition("?")[0]
        return HttpResponse(status=UNAUTHORISED) if leads_to == resolve_url(settings.LOGIN_URL) else response

    return answer


def turned_away(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    """Answers requests that `config.password_queue` has no room for; no view sees them."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        if REFUSED in getattr(request, "scope", ()):
            return too_busy(request, SECONDS_TO_TRY_AGAIN)
        return get_response(request)

    return answer


def _add_headers(response: HttpResponseBase) -> HttpResponseBase:
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    return response


@sync_and_async_middleware
def security_headers(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Stands outermost, so that an error made further in gets the headers too."""
    if iscoroutinefunction(get_response):

        async def asynchronous(request: HttpRequest) -> HttpResponseBase:
            return _add_headers(await get_response(request))

        return asynchronous

    def synchronous(request: HttpRequest) -> HttpResponseBase:
        return _add_headers(get_response(request))

    return synchronous
