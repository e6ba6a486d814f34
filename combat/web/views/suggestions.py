"""The strip with suggestions for the NPC that acts, fetched by the Storyteller's page after each change."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from campaigns.requests import SignedInRequest
from combat.cache import for_each
from combat.desk.suggestions import MOST_KEPT, advice_for, are_on
from combat.history import records
from combat.secrecy.access import Seen, storyteller_or_403
from combat.web.forms.attack import AttackPreview
from combat.web.forms.suggested import Pressed, pressed
from combat.web.views.commands import form_for
from combat.web.views.drawer import context_of
from rules.forecast.suggestions import Suggestion


@login_required
@require_GET
def suggestions(request: SignedInRequest, encounter_id: str) -> HttpResponse:
    """The best moves of the NPC that acts, or of `who` if several act; empty if none acts or they are switched off."""
    seen = storyteller_or_403(request.user, encounter_id)
    advice = advice_for(seen.encounter, request.GET.get("who", "")) if are_on(seen.encounter) else None
    if advice is None:
        return HttpResponse()
    context = context_of(seen, advice=advice, moves=_pressed(advice.moves, seen))
    return render(request, "combat/desk/_suggestions.html", context)


@for_each(MOST_KEPT, worded=False)
def _pressed(moves: tuple[Suggestion, ...], seen: Seen) -> tuple[Pressed, ...]:
    """The moves as forms. Kept with them, since filling in an attack's circumstances takes longer than all the rest."""
    system = records.ruleset_for(seen.encounter)
    return tuple(pressed(each, system, lambda data: form_for(seen, AttackPreview, data)) for each in moves)
