"""Middleware for headers that every response needs, and for requests turned away before the views."""

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
    # Only our own files, nothing inline: a script in somebody's name does not run.
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; "
        "connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=(), browsing-topics=()",
    # The Storyteller's secrets must not stay in a shared machine's cache. Static files set their own header.
    "Cache-Control": "no-store",
}

UNAUTHORISED = 401


def no_nul_in_paths(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """404 for paths with a NUL. No id contains one, and PostgreSQL fails on them. Innermost."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        if "\x00" in request.path_info:
            raise Http404("No such page")
        return get_response(request)

    return answer


def signed_out(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """401 for a signed-out htmx request, in place of the redirect to the sign-in page. Must be inside the
    authentication.

    Otherwise the sign-in page would replace a form that somebody has filled in; with 401 the page says what is wrong.
    """

    def answer(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if not getattr(request, "htmx", False) or request.user.is_authenticated:
            return response
        leads_to = response.headers.get("Location", "").partition("?")[0]
        return HttpResponse(status=UNAUTHORISED) if leads_to == resolve_url(settings.LOGIN_URL) else response

    return answer


def turned_away(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    """Answers requests that `config.password_queue` has no room for; they reach no view."""

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
    """Sets `HEADERS` on every response: page, redirect, error or file. Outermost, so that errors get them too."""
    if iscoroutinefunction(get_response):

        async def asynchronous(request: HttpRequest) -> HttpResponseBase:
            return _add_headers(await get_response(request))

        return asynchronous

    def synchronous(request: HttpRequest) -> HttpResponseBase:
        return _add_headers(get_response(request))

    return synchronous
