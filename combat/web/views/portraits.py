"""Portraits in a fight: readers get those that their own turn order shows, so none of hidden or masked combatants."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from campaigns.access import check_playable
from characters import access
from characters.views.portraits import drawn
from combat.live import wall as walls
from combat.live.frames import view_of
from combat.models import Encounter
from combat.secrecy.access import fight_or_404


@login_required
@require_safe
def portrait(request: HttpRequest, encounter_id: str, portrait_id: str) -> HttpResponse:
    """A portrait, for a member who sees it in this fight."""
    seen = fight_or_404(request.user, encounter_id)
    return _shown(seen.encounter, seen.audience, portrait_id)


@require_safe
def on_wall(request: HttpRequest, token: str, portrait_id: str) -> HttpResponse:
    """A portrait on the wall screen."""
    seen = walls.behind(token)
    if seen is None or seen.encounter is None:
        raise Http404("Not on this wall")
    check_playable(seen.chronicle)
    return _shown(seen.encounter, seen.audience, portrait_id)


def _shown(encounter: Encounter, audience: str, portrait_id: str) -> HttpResponse:
    order = view_of(encounter, audience).panes()["order"]
    if portrait_id not in {row.portrait for row in order.rows() if row.portrait}:
        raise Http404("Not shown to this reader")
    return drawn(access.picture(portrait_id))
