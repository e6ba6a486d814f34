"""A character's portrait: its page and the picture itself."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from campaigns import throttle
from campaigns.views.form_pages import form_page, status_of
from characters import access, pages, services
from characters.forms.others import PortraitForm

MINUTE = 60
A_MINUTE = 6
"""The maximum number of uploads per member and minute, for all characters together."""

# A picture is only ever displayed, even if somebody opens its address directly.
POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox"


@login_required
@form_page
def portrait(request: HttpRequest, character_id: str) -> HttpResponse:
    seen = access.writable_or_403(request.user, character_id)
    removes = "remove" in request.POST
    form = PortraitForm(*((request.POST, request.FILES) if request.method == "POST" and not removes else ()))
    if form.is_bound and throttle.count(request, "portrait", seconds=MINUTE, who=seen.membership.user_id) > A_MINUTE:
        form.wait = MINUTE
    if removes or form.is_valid():
        picture = None if removes else form.cleaned_data["picture"]
        services.set_portrait(by=seen.membership, character=seen.character, picture=picture)
        messages.success(request, _("The portrait has been removed.") if removes else _("The portrait has been saved."))
        return redirect("characters:sheet", character_id)
    context = {"chronicle": pages.place(seen.character.chronicle), "card": pages.card(seen), "form": form}
    response = render(request, "characters/portrait.html", context, status=429 if form.wait else status_of(form))
    if form.wait:
        response["Retry-After"] = str(form.wait)
    return response


@login_required
@require_safe
def picture(request: HttpRequest, portrait_id: str) -> HttpResponse:
    return drawn(access.picture_or_404(request.user, portrait_id))


def drawn(picture: bytes) -> HttpResponse:
    """The response with a portrait."""
    return HttpResponse(picture, content_type="image/webp", headers={"Content-Security-Policy": POLICY})
