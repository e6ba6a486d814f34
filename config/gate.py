"""Limits on request bodies: small for strangers, larger for members, since only they can be asked to stop."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache

from channels.db import database_sync_to_async
from django.http import HttpRequest, HttpResponse
from django.http.cookie import parse_cookie
from django.template.loader import render_to_string
from django.utils import translation

from combat.secrecy.access import session_key, signed_in
from config.daphne_internals import Gate
from config.middleware import HEADERS

# One separate thread: however many strangers claim to be members, they don't delay pages and sockets.
_signed_in = database_sync_to_async(
    signed_in, thread_sensitive=False, executor=ThreadPoolExecutor(1, thread_name_prefix="gate")
)


class MembersGate(Gate):
    """Recognises members by their session, and answers in the reader's language."""

    async def is_member(self, headers: Mapping[str, str]) -> bool:
        key = session_key({"cookies": parse_cookie(headers["cookie"])})
        return bool(key) and key in await _signed_in([key])

    def too_large(self, headers: Mapping[str, str]) -> bytes:
        request = HttpRequest()
        request.COOKIES = parse_cookie(headers["cookie"])
        request.META["HTTP_ACCEPT_LANGUAGE"] = headers["accept-language"]
        return _too_large(translation.get_language_from_request(request))


@lru_cache
def _too_large(language: str) -> bytes:
    with translation.override(language):
        page = HttpResponse(render_to_string("413.html"), status=413, headers=HEADERS | {"Connection": "close"})
    page.headers["Content-Length"] = str(len(page.content))
    return b"HTTP/1.1 413 Content Too Large\r\n" + page.serialize_headers() + b"\r\n\r\n" + page.content
