"""The wall screen and its secret link."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from campaigns import throttle
from campaigns.access import check_playable, storyteller_or_403
from campaigns.views.chronicles import brief
from campaigns.views.form_pages import form_page
from campaigns.views.invitations import LOOPBACK, WRONG_TOKENS, WRONG_TOKENS_A_MINUTE, qr_code, too_many
from combat.live import wall as walls
from combat.live.frames import page_context
from combat.models import Wall
from combat.web.views.drawer import lacking


@login_required
@never_cache
@form_page
def link(request: HttpRequest, chronicle_id: str) -> HttpResponse:
    """Show whether a link is open, or (POST) create a new one, which is shown only once."""
    by = storyteller_or_403(request.user, chronicle_id)
    context = {"page": brief(by), "this_machine_only": request.get_host().startswith(LOOPBACK)}
    if request.method == "POST":
        address = request.build_absolute_uri(reverse("combat:wall", args=[walls.open_wall(by=by)]))
        context |= {"link": address, "code": qr_code(address)}
    context["wall"] = Wall.objects.filter(chronicle=by.chronicle).first()
    return render(request, "combat/live/wall_link.html", context)


@login_required
@require_POST
def close(request: HttpRequest, chronicle_id: str) -> HttpResponse:
    """Revoke the link."""
    walls.close_wall(by=storyteller_or_403(request.user, chronicle_id, read_only_too=True))
    messages.success(
        request, _("The wall screen link has been revoked. Screens that used it no longer show the fight.")
    )
    return redirect("combat:wall-link", chronicle_id)


@never_cache
@require_safe
def wall(request: HttpRequest, token: str) -> HttpResponse:
    """The table's view, large. A waiting page if no fight has begun yet."""
    if throttle.tries(request, WRONG_TOKENS) >= WRONG_TOKENS_A_MINUTE:
        return too_many(request)
    seen = walls.behind(token)
    if seen is None:
        throttle.count(request, WRONG_TOKENS, seconds=60)
        return render(request, "combat/live/wall_ended.html", status=404)
    check_playable(seen.chronicle)
    if seen.encounter is None:
        return render(request, "combat/live/wall_waits.html", {"name": seen.chronicle.name, "wall_token": token})
    context = page_context(seen.encounter, seen.audience)
    return render(request, "combat/live/wall.html", {"encounter": seen.encounter, "wall_token": token, **context})


@never_cache
@require_safe
def since(request: HttpRequest, token: str, encounter_id: str, have: int) -> HttpResponse:
    """The frame that brings a wall from version `have` up to date. On 404 (another fight) the wall reloads."""
    seen = walls.behind(token)
    if seen is None or seen.encounter is None or seen.encounter.pk != encounter_id:
        raise Http404("Not on this wall")
    check_playable(seen.chronicle)
    return lacking(request, seen.encounter, seen.audience, have)
