"""Helpers shared by a fight's views: page context, drawer fragments, and update frames."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation

from campaigns.requests import HtmxRequest
from combat.live.frames import frame, language_of, page_context
from combat.models import Encounter
from combat.secrecy.access import Seen


def context_of(seen: Seen, **more: Any) -> dict[str, Any]:
    """The context of every page of a fight."""
    page = page_context(seen.encounter, seen.audience)
    return {"chronicle": seen.encounter.chronicle, "encounter": seen.encounter, "seen": seen, **page, **more}


def drawer(request: HtmxRequest, seen: Seen, fragment: str, status: int = 200, **more: Any) -> HttpResponse:
    """Render a fragment for the drawer, or inside a full page for browsers without scripts."""
    context = context_of(seen, fragment=fragment, **more)
    template = fragment if request.htmx else "combat/forms/form_page.html"
    return render(request, template, context, status=status)


def lacking(request: HttpRequest, encounter: Encounter, audience: str, have: int) -> HttpResponse:
    """The frame that brings a page from version `have` up to date, as on the socket; 204 if it is current."""
    with translation.override(language_of(request.GET.get("language", ""))):
        found = frame(encounter, audience, have)
    return HttpResponse(status=204) if found is None else HttpResponse(found.html)
