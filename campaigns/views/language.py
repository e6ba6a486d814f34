"""Choosing the language to read in."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from django.views.decorators.http import require_POST
from django.views.i18n import set_language

from campaigns import services


@require_POST
def choose(request: HttpRequest) -> HttpResponseBase:
    """Save the language in a cookie and with a signed-in account, then return to the previous page."""
    language = request.POST.get("language", "")
    if request.user.is_authenticated and language in dict(settings.LANGUAGES):
        services.choose_language(user=request.user, language=language)
    return set_language(request)
