"""A chronicle's custom kinds of creature."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from campaigns import access, kinds, services
from campaigns.errors import Refused
from campaigns.forms.kinds import KindForm
from campaigns.models import Chronicle, Membership
from campaigns.views.chronicles import brief
from campaigns.views.form_pages import form_page, is_saved, status_of


@login_required
@require_safe
def index(request: HttpRequest, chronicle_id: str) -> HttpResponse:
    by = access.storyteller_or_403(request.user, chronicle_id)
    table = by.chronicle
    own = kinds.lines(table.ruleset, table.own_kinds, everything=True)
    context = {"page": brief(by), "own": own, "bases": kinds.base_kinds(table.ruleset)}
    return render(request, "campaigns/kinds.html", context)


@login_required
@form_page
def create(request: HttpRequest, chronicle_id: str) -> HttpResponse:
    by = access.storyteller_or_403(request.user, chronicle_id)
    answers = kinds.beginning(by.chronicle.ruleset, request.GET.get("like", "mortal"))
    if answers is None:
        raise Http404("No such kind")
    return _edit(request, by, "", answers)


@login_required
@form_page
def edit(request: HttpRequest, chronicle_id: str, kind: str) -> HttpResponse:
    by = access.storyteller_or_403(request.user, chronicle_id)
    return _edit(request, by, kind, _own_or_404(by, kind))


@login_required
@form_page
def delete(request: HttpRequest, chronicle_id: str, kind: str) -> HttpResponse:
    by = access.storyteller_or_403(request.user, chronicle_id)
    context = {
        "page": brief(by),
        "name": _own_or_404(by, kind)["label"],
        "who": access.names_of_kind(by.chronicle, kind),
    }
    if request.method == "POST":
        try:
            services.delete_kind(by=by, key=kind)
            messages.success(request, _("%(name)s has been deleted.") % {"name": context["name"]})
            return redirect("campaigns:kinds", chronicle_id)
        except Refused as refusal:
            context["refused"] = str(refusal)
    return render(request, "campaigns/kind_delete.html", context, status=422 if "refused" in context else 200)


def _edit(request: HttpRequest, by: Membership, key: str, answers: Mapping[str, Any]) -> HttpResponse:
    table = by.chronicle

    def draw() -> KindForm:
        stands = _kept(table, key) or answers
        return KindForm(request.POST or None, ruleset=table.ruleset, answers=stands, version=table.version)

    form = draw()

    def save() -> None:
        # A new kind can't conflict with another edit.
        version = form.cleaned_data["version"] if key else table.version
        services.save_kind(by=by, key=key, answers=form.answers(), version=version)

    if form.is_valid() and is_saved(form, table, save, draw):
        done = _("%(name)s can now be chosen on character sheets.")
        messages.success(request, done % {"name": form.cleaned_data["label"]})
        return redirect("campaigns:kinds", table.pk)
    like = dict(kinds.base_kinds(table.ruleset))[form.like]
    context = {"page": brief(by), "form": form, "kept": answers["label"] if key else "", "like": like}
    return render(request, "campaigns/kind_edit.html", context, status=status_of(form))


def _own_or_404(by: Membership, kind: str) -> dict[str, Any]:
    own = _kept(by.chronicle, kind)
    if own is None:
        raise Http404("No such kind")
    return own


def _kept(table: Chronicle, kind: str) -> dict[str, Any] | None:
    """A custom kind's settings, completed by those of the kind it is based on; None for an unknown key."""
    own = table.own_kinds.get(kind)
    return None if own is None else {**(kinds.beginning(table.ruleset, own["like"]) or {}), **own}
