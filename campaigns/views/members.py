"""Members: changing a role, removing, restoring, leaving."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from campaigns import access, services
from campaigns.errors import Refused
from campaigns.forms.members import RoleForm
from campaigns.models import Membership, Role
from campaigns.people import told_apart
from campaigns.views.chronicles import brief
from campaigns.views.form_pages import form_page


@login_required
@require_POST
def change_role(request: HttpRequest, chronicle_id: str, membership_id: int) -> HttpResponse:
    by = access.storyteller_or_403(request.user, chronicle_id)
    member = _member(by, membership_id)
    form = RoleForm(request.POST)
    if not form.is_valid():
        return _back(request, chronicle_id, _("Choose one of the roles."))
    role = Role(form.cleaned_data["role"])
    done = _("New role for %(name)s: %(role)s.") % {"name": member.user.display_name, "role": role.label}
    return _attempt(request, chronicle_id, lambda: services.change_role(by=by, member=member, role=role), done)


@login_required
@form_page
def remove(request: HttpRequest, chronicle_id: str, membership_id: int) -> HttpResponse:
    by = access.storyteller_or_403(request.user, chronicle_id, read_only_too=True)
    member = _member(by, membership_id)
    if request.method != "POST":
        context = {"page": brief(by), "name": member.user.display_name, "is_open": member.is_open}
        return render(request, "campaigns/member_remove.html", context)
    done = _("%(name)s has been removed from the table.") % {"name": member.user.display_name}
    now = timezone.now()
    return _attempt(request, chronicle_id, lambda: services.remove_member(by=by, member=member, now=now), done)


@login_required
@require_POST
def restore(request: HttpRequest, chronicle_id: str, membership_id: int) -> HttpResponse:
    by = access.storyteller_or_403(request.user, chronicle_id)
    removed = by.chronicle.memberships.filter(removed_at__isnull=False)
    member = _named(get_object_or_404(removed.select_related("user"), pk=membership_id))
    done = _("%(name)s is back at the table.") % {"name": member.user.display_name}
    return _attempt(request, chronicle_id, lambda: services.restore_member(by=by, member=member), done)


@login_required
@form_page
def leave(request: HttpRequest, chronicle_id: str) -> HttpResponse:
    membership = access.member_or_404(request.user, chronicle_id)
    if request.method != "POST":
        last = access.is_last_storyteller(membership)
        return render(request, "campaigns/leave.html", {"page": brief(membership), "last": last})
    try:
        services.leave(member=membership)
    except Refused as refusal:
        return _back(request, chronicle_id, str(refusal))
    messages.success(request, _("You have left %(name)s.") % {"name": membership.chronicle.name})
    return redirect("campaigns:home")


def _member(by: Membership, membership_id: int) -> Membership:
    return _named(get_object_or_404(by.chronicle.memberships.active().select_related("user"), pk=membership_id))


def _named(member: Membership) -> Membership:
    told_apart(member.chronicle_id, [member.user])
    return member


def _attempt(request: HttpRequest, chronicle_id: str, change: Callable[[], object], done: str) -> HttpResponse:
    try:
        change()
    except Refused as refusal:
        return _back(request, chronicle_id, str(refusal))
    messages.success(request, done)
    return redirect("campaigns:chronicle", chronicle_id)


def _back(request: HttpRequest, chronicle_id: str, sentence: str) -> HttpResponse:
    messages.error(request, sentence)
    return redirect("campaigns:chronicle", chronicle_id)
