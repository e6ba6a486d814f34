"""Open places: inviting the person whose it is, and giving it to a member."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from campaigns import access, place_services
from campaigns.errors import Refused
from campaigns.forms.members import GivePlaceForm, PlaceInvitationForm
from campaigns.models import Membership
from campaigns.people import told_apart
from campaigns.views.chronicles import brief
from campaigns.views.form_pages import form_page, status_of
from campaigns.views.invitations import show_once


@login_required
@never_cache
@form_page
def invite(request: HttpRequest, chronicle_id: str, membership_id: int) -> HttpResponse:
    by = access.storyteller_or_403(request.user, chronicle_id)
    place = _open_place(by, membership_id)
    form = PlaceInvitationForm(request.POST or None)
    if not form.is_valid():
        context = {"form": form, "page": brief(by), "name": place.user.display_name}
        return render(request, "campaigns/place_invite.html", context, status=status_of(form))
    try:
        invitation, token = place_services.invite_to(by=by, place=place, expires=form.expires(timezone.now()))
    except Refused as refusal:
        return _back(request, chronicle_id, str(refusal))
    return show_once(
        request, invitation, token, again=reverse("campaigns:invite-to-place", args=[chronicle_id, place.pk])
    )


@login_required
@form_page
def give(request: HttpRequest, chronicle_id: str, membership_id: int) -> HttpResponse:
    by = access.storyteller_or_403(request.user, chronicle_id)
    place = _open_place(by, membership_id)
    members = list(by.chronicle.memberships.active().taken().select_related("user"))
    told_apart(chronicle_id, [each.user for each in members])
    form = GivePlaceForm(request.POST or None, members=members)
    if not form.is_valid():
        context = {"form": form, "page": brief(by), "name": place.user.display_name}
        return render(request, "campaigns/place_give.html", context, status=status_of(form))
    member = next(each for each in members if str(each.pk) == form.cleaned_data["member"])
    try:
        place_services.give(by=by, place=place, member=member)
    except Refused as refusal:
        return _back(request, chronicle_id, str(refusal))
    names = {"name": place.user.display_name, "member": member.user.display_name}
    messages.success(request, _("The place of %(name)s belongs to %(member)s now.") % names)
    return redirect("campaigns:chronicle", chronicle_id)


def _open_place(by: Membership, membership_id: int) -> Membership:
    place = get_object_or_404(by.chronicle.memberships.active().select_related("user"), pk=membership_id)
    if not place.is_open:
        raise Http404("No open place")
    return place


def _back(request: HttpRequest, chronicle_id: str, sentence: str) -> HttpResponse:
    messages.error(request, sentence)
    return redirect("campaigns:chronicle", chronicle_id)
