"""Invitations: creating one, showing its link once, revoking it, and joining with it."""

from __future__ import annotations

from typing import TypeGuard

import segno
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from campaigns import access, pages, services, throttle
from campaigns.errors import InvitationDead
from campaigns.forms.members import InvitationForm
from campaigns.models import Invitation, Role
from campaigns.requests import SignedInRequest
from campaigns.views.chronicles import brief
from campaigns.views.form_pages import form_page, status_of

WRONG_TOKENS = "wrong-invitation"
WRONG_TOKENS_A_MINUTE = 30
LOOPBACK = ("localhost", "127.", "[::1]")


@login_required
@never_cache
@form_page
def create(request: HttpRequest, chronicle_id: str) -> HttpResponse:
    by = access.storyteller_or_403(request.user, chronicle_id)
    form = InvitationForm(request.POST or None)
    if not form.is_valid():
        context = {"form": form, "page": brief(by)}
        return render(request, "campaigns/invitation_new.html", context, status=status_of(form))
    data, now = form.cleaned_data, timezone.now()
    invitation, token = services.invite(
        by=by, role=Role(data["role"]), expires=form.expires(now), max_uses=data["max_uses"], label=data["label"]
    )
    return show_once(request, invitation, token, again=reverse("campaigns:invite", args=[chronicle_id]))


@login_required
@require_POST
def revoke(request: HttpRequest, chronicle_id: str, invitation_id: int) -> HttpResponse:
    by = access.storyteller_or_403(request.user, chronicle_id, read_only_too=True)
    invitation = get_object_or_404(by.chronicle.invitations, pk=invitation_id)
    services.revoke_invitation(by=by, invitation=invitation, now=timezone.now())
    messages.success(request, _("The invitation has been revoked. Its link no longer works."))
    return redirect("campaigns:chronicle", chronicle_id)


@never_cache
@form_page
def join(request: HttpRequest, token: str) -> HttpResponse:
    if throttle.tries(request, WRONG_TOKENS) >= WRONG_TOKENS_A_MINUTE:
        return too_many(request)
    try:
        response = _take_place(request, token) if _may_join(request) else _show_offer(request, token)
    except InvitationDead:
        throttle.count(request, WRONG_TOKENS, seconds=60)
        response = render(request, "404.html", status=404)
    # Not `no-referrer`: browsers then omit the origin too, and the form fails its CSRF check.
    response["Referrer-Policy"] = "same-origin"
    return response


def too_many(request: HttpRequest, seconds: int = 60) -> HttpResponse:
    """The 429 page for too many tries."""
    response = render(request, "campaigns/too_many.html", status=429)
    response["Retry-After"] = str(seconds)
    return response


def _may_join(request: HttpRequest) -> TypeGuard[SignedInRequest]:
    return request.method == "POST" and request.user.is_authenticated


def _take_place(request: SignedInRequest, token: str) -> HttpResponse:
    membership = services.join(user=request.user, token=token, now=timezone.now())
    return redirect("campaigns:chronicle", membership.chronicle_id)


def _show_offer(request: HttpRequest, token: str) -> HttpResponse:
    member = access.membership_by_link(token=token, user=request.user)
    if member is not None:
        return redirect("campaigns:chronicle", member.chronicle_id)
    invitation = access.living_invitation(token=token, now=timezone.now())
    if access.is_banned(request.user, invitation.chronicle_id):
        raise InvitationDead
    return render(request, "campaigns/join.html", {"offer": pages.offer(invitation), "here": request.path})


def show_once(request: HttpRequest, invitation: Invitation, token: str, *, again: str) -> HttpResponse:
    """The page with a new invitation's link. `again` is where another one is created."""
    link = request.build_absolute_uri(reverse("campaigns:join", args=[token]))
    context = {
        "page": brief(invitation),
        "link": link,
        "again": again,
        "code": qr_code(link),
        "role_label": invitation.get_role_display(),
        "invitation": pages.invitation_line(invitation, invitation.created),
        "this_machine_only": request.get_host().startswith(LOOPBACK),
    }
    return render(request, "campaigns/invitation_made.html", context)


def qr_code(link: str) -> SafeString:
    """The link as a QR code, always black on white, because cameras read that best."""
    svg = segno.make(link, error="m").svg_inline(border=4, dark="#000", light="#fff", svgclass="qr", omitsize=True)
    # Safe: the library only draws rectangles, from our own link.
    return mark_safe(svg)  # noqa: S308
