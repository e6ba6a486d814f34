"""Which language to use: the account's, else the cookie's, else what the browser asks for."""

from __future__ import annotations

from django.http import HttpRequest
from django.middleware.locale import LocaleMiddleware
from django.utils import translation


class LanguageMiddleware(LocaleMiddleware):
    """Django's own, for cookies and browsers, with the account's language on top."""

    def process_request(self, request: HttpRequest) -> None:
        super().process_request(request)
        chosen = getattr(request.user, "language", "")
        if chosen and translation.check_for_language(chosen):
            translation.activate(chosen)
            request.LANGUAGE_CODE = chosen
