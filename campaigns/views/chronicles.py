"""A chronicle: its page, creating, editing and deleting it, its house rules."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from campaigns import access, lists, pages, rulesets, services
from campaigns.errors import EditConflict, Refused
from campaigns.forms.chronicles import ChronicleForm, DeleteChronicleForm, NewChronicleForm
from campaigns.forms.house_rules import HouseRulesForm
from campaigns.requests import HtmxRequest, SignedInRequest, is_visit
from campaigns.signals import chronicle_opened
from campaigns.viewing import viewing
from campaigns.views.form_pages import form_page, is_saved, status_of, take_conflict

LISTS = ("players_characters", "storytellers_characters", "encounters", "members", "removed", "invitations")
"""The paginated lists on a chronicle's page."""


@login_required
@require_safe
def chronicle(request: HtmxRequest, chronicle_id: str) -> HttpResponse:
    membership = access.member_or_404(request.user, chronicle_id)
    if is_visit(request) and viewing() is None:
        chronicle_opened.send(type(membership), membership=membership)
    page = pages.chronicle_page(membership, timezone.now())
    listed = lists.parts(request.GET, {name: getattr(page, name) for name in LISTS})
    return render(request, "campaigns/chronicle.html", {"page": page, "listed": listed})


@login_required
@form_page
def create(request: SignedInRequest) -> HttpResponse:
    form = NewChronicleForm(request.POST or None)
    if form.is_valid():
        chronicle = services.create_chronicle(user=request.user, **form.cleaned_data)
        return redirect("campaigns:chronicle", chronicle.pk)
    return render(request, "campaigns/chronicle_new.html", {"form": form}, status=status_of(form))


@login_required
@form_page
def edit(request: HttpRequest, chronicle_id: str) -> HttpResponse:
    by = access.storyteller_or_403(request.user, chronicle_id)
    page = brief(by)  # before the form writes its input to the chronicle
    form = ChronicleForm(request.POST or None, instance=by.chronicle, initial={"version": by.chronicle.version})
    theirs = None
    if form.is_valid():
        try:
            services.edit_chronicle(by=by, **form.cleaned_data)
            return redirect("campaigns:chronicle", chronicle_id)
        except EditConflict:
            theirs = access.storyteller_or_403(request.user, chronicle_id).chronicle
            take_conflict(form, theirs.version)
    context = {"form": form, "page": page, "theirs": theirs}
    return render(request, "campaigns/chronicle_edit.html", context, status=status_of(form))


@login_required
@form_page
def house_rules(request: HttpRequest, chronicle_id: str) -> HttpResponse:
    by = access.storyteller_or_403(request.user, chronicle_id)
    table = by.chronicle

    def draw() -> HouseRulesForm:
        stands = {"ruleset": table.ruleset, "options": table.options, "kept": table.conduct, "version": table.version}
        return HouseRulesForm(request.POST or None, **stands)

    form = draw()

    def save() -> None:
        version = form.cleaned_data["version"]
        services.change_options(by=by, options=form.options(), at_the_table=form.at_the_table(), version=version)

    if form.is_valid() and is_saved(form, table, save, draw):
        messages.success(request, _("The house rules have been saved."))
        return redirect("campaigns:chronicle", chronicle_id)
    context = {"form": form, "page": brief(by)}
    return render(request, "campaigns/house_rules.html", context, status=status_of(form))


@login_required
@form_page
def delete(request: HttpRequest, chronicle_id: str) -> HttpResponse:
    by = access.storyteller_or_403(request.user, chronicle_id, read_only_too=True)
    form = DeleteChronicleForm(request.POST or None, name=by.chronicle.name)
    if form.is_valid():
        try:
            services.delete_chronicle(by=by)
            messages.success(request, _("%(name)s has been deleted.") % {"name": by.chronicle.name})
            return redirect("campaigns:home")
        except Refused as refusal:
            form.add_error(None, str(refusal))
    context = {"form": form, "page": brief(by)}
    return render(request, "campaigns/chronicle_delete.html", context, status=status_of(form))


def brief(membership: Any) -> dict[str, str]:
    """The fields of a chronicle that its smaller pages need."""
    table = membership.chronicle
    return {"id": table.pk, "name": table.name, "ruleset": rulesets.name_of(table.ruleset)}
