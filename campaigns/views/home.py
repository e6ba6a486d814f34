"""The home page: the landing page for guests, else the user's chronicles."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from campaigns import pages


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    if not request.user.is_authenticated:
        return render(request, "campaigns/landing.html", {"sign_up": settings.VESPER_SIGN_UP})
    return render(request, "campaigns/home.html", {"cards": pages.chronicle_cards(request.user)})
