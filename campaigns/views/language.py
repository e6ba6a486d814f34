"""Choosing the language to read in."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from django.views.decorators.http import require_POST
from django.views.i18n import set_language

from campaigns import services


@require_POST
def choose(request: HttpRequest) -> HttpResponseBase:
    """Keep the choice in a cookie, and with the account of whoever is signed in; back to the page it was made on."""
    language = request.POST.get("language", "")
    if request.user.is_authenticated and language in dict(settings.LANGUAGES):
        services.choose_language(user=request.user, language=language)
    return set_language(request)
