"""Show: a passage on the screens of everyone or of chosen players, and on the wall."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from campaigns import links
from campaigns.access import check_playable, member_or_404, storyteller_or_403
from campaigns.errors import Refused
from campaigns.forms.showing import ShowForm
from campaigns.models import Passage, PassageAudience, Picture
from campaigns.page_services import Players, choosable
from campaigns.people import told_apart
from campaigns.readable import passage_or_404
from campaigns.views.chronicles import brief
from campaigns.views.form_pages import form_page, status_of
from characters.views.portraits import drawn
from combat.live import showing
from combat.live import wall as walls
from combat.models import Wall


@login_required
@form_page
def show(request: HttpRequest, chronicle_id: str, passage_id: str) -> HttpResponse:
    """Choose who is shown a passage, and (POST) show it."""
    by = storyteller_or_403(request.user, chronicle_id)
    passage = passage_or_404(by, passage_id)
    players = list(choosable(by))
    told_apart(by.chronicle_id, (each.user for each in players))
    wall = Wall.objects.filter(chronicle=by.chronicle).first()
    is_open = passage.audience == PassageAudience.EVERYONE
    form = ShowForm(
        request.POST or None, players=players, only_everyone=False, has_wall=wall is not None, initial=_preset(passage)
    )
    if form.is_valid():
        try:
            showing.show(
                by=by,
                passage_id=passage.pk,
                everyone=form.everyone,
                to=form.members,
                wall=form.cleaned_data.get("wall", False),
            )
        except Refused as refused:
            form.add_error(None, str(refused))
        else:
            messages.success(request, _("Shown. It is on their screens now."))
            return redirect(reverse("combat:show", args=[chronicle_id, passage.pk]))
    context = {
        "page": brief(by),
        "passage": passage,
        "links": links.of_text(passage.text, links.addresses(by, [passage.text])),
        "form": form,
        "is_open": is_open,
        "is_players": not is_open and Players(by.chronicle_id).own_passage(passage.page, passage),
        "on_wall": showing.on_wall(by.chronicle) if wall else None,
    }
    return render(request, "combat/live/show.html", context, status=status_of(form))


def _preset(passage: Passage) -> dict[str, Any]:
    """Those who were chosen before are chosen again."""
    if passage.audience == PassageAudience.EVERYONE:
        return {"who": "everyone"}
    if passage.audience != PassageAudience.CHOSEN:
        return {}
    return {"to": [str(each) for each in passage.readership.values_list("membership_id", flat=True)]}


@login_required
@never_cache
@require_safe
def shown(request: HttpRequest, chronicle_id: str, passage_id: str) -> HttpResponse:
    """A passage for the sheet over a reader's page, if they may read it."""
    membership = member_or_404(request.user, chronicle_id)
    passage = passage_or_404(membership, passage_id)
    found = links.of_text(passage.text, links.addresses(membership, [passage.text]))
    return _drawn(request, passage, links=found)


@login_required
@require_POST
def clear(request: HttpRequest, chronicle_id: str) -> HttpResponse:
    """Take the passage off the wall."""
    showing.take_off_wall(by=storyteller_or_403(request.user, chronicle_id))
    messages.success(request, _("The wall screen shows the fight again."))
    return redirect("campaigns:chronicle", chronicle_id)


@never_cache
@require_safe
def on_wall(request: HttpRequest, token: str) -> HttpResponse:
    """The passage on the wall, 204 for none."""
    passage = _on_wall(token)
    if passage is None:
        return HttpResponse(status=204)
    return _drawn(request, passage, links=(), wall_token=token)


@require_safe
def wall_picture(request: HttpRequest, token: str, picture_id: str) -> HttpResponse:
    """The picture of the passage on the wall."""
    passage = _on_wall(token)
    picture = passage and Picture.objects.filter(pk=picture_id, passage=passage).first()
    if not picture:
        raise Http404("Not on this wall")
    return drawn(bytes(picture.picture))


def _on_wall(token: str) -> Passage | None:
    seen = walls.behind(token)
    if seen is None:
        raise Http404("No such wall")
    check_playable(seen.chronicle)
    return showing.on_wall(seen.chronicle)


def _drawn(request: HttpRequest, passage: Passage, **more: Any) -> HttpResponse:
    picture = Picture.objects.defer("picture").filter(passage=passage).first()
    return render(request, "combat/live/_shown.html", {"passage": passage, "picture": picture, **more})
