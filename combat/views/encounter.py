"""The pages of a fight."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from combat.access import encounter_or_404
from combat.frames import page_context


@require_GET
def encounter(request: HttpRequest, encounter_id: str) -> HttpResponse:
    """The fight, as whoever asks may see it."""
    seen = encounter_or_404(request.user, encounter_id)
    context = {"chronicle": seen.encounter.chronicle, "seen": seen, **page_context(seen.encounter, seen.audience)}
    return render(request, "combat/encounter.html", context)
