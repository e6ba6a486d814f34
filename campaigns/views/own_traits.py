"""The Traits and sections that a chronicle adds to its sheets."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from campaigns import access, own_traits, services
from campaigns.forms.own_traits import OwnTraitForm
from campaigns.models import Membership
from campaigns.views.chronicles import brief
from campaigns.views.form_pages import form_page, is_saved, status_of


@login_required
@require_safe
def index(request: HttpRequest, chronicle_id: str) -> HttpResponse:
    by = access.storyteller_or_403(request.user, chronicle_id)
    shown = own_traits.both(by.chronicle)
    context = {"page": brief(by), "own": shown[0], "gone": shown[1], "shown": shown}
    return render(request, "campaigns/traits.html", context)


@login_required
@form_page
def create(request: HttpRequest, chronicle_id: str) -> HttpResponse:
    return _edit(request, access.storyteller_or_403(request.user, chronicle_id), "")


@login_required
@form_page
def edit(request: HttpRequest, chronicle_id: str, trait: str) -> HttpResponse:
    by = access.storyteller_or_403(request.user, chronicle_id)
    _own_or_404(by, trait)
    return _edit(request, by, trait)


@login_required
@form_page
def remove(request: HttpRequest, chronicle_id: str, trait: str) -> HttpResponse:
    """Takes a Trait off the sheets, or puts back one that was."""
    by = access.storyteller_or_403(request.user, chronicle_id)
    kept = _own_or_404(by, trait)
    gone = bool(kept.get("gone"))
    if request.method == "POST":
        services.remove_trait(by=by, key=trait, gone=not gone)
        done = _("%(name)s is on the sheets again.") if gone else _("%(name)s has been removed.")
        messages.success(request, done % {"name": kept["label"]})
        return redirect("campaigns:traits", chronicle_id)
    who = access.names_with(by.chronicle, trait)
    context = {"page": brief(by), "name": kept["label"], "gone": gone, "who": who}
    return render(request, "campaigns/trait_delete.html", context)


def _edit(request: HttpRequest, by: Membership, key: str) -> HttpResponse:
    table = by.chronicle
    before = table.own_traits.get(key, {}).get("label", "")

    def draw() -> OwnTraitForm:
        answers = table.own_traits.get(key)
        return OwnTraitForm(request.POST or None, ruleset=table.ruleset, answers=answers, version=table.version)

    form = draw()

    def save() -> None:
        # A new one can't conflict with another edit.
        version = form.cleaned_data["version"] if key else table.version
        services.save_trait(by=by, key=key, answers=form.answers(), version=version)

    if form.is_valid() and is_saved(form, table, save, draw):
        messages.success(request, _("%(name)s is on the sheets now.") % {"name": form.cleaned_data["label"]})
        return redirect("campaigns:traits", table.pk)
    context = {"page": brief(by), "form": form, "kept": before}
    return render(request, "campaigns/trait_edit.html", context, status=status_of(form))


def _own_or_404(by: Membership, trait: str) -> dict[str, Any]:
    own: dict[str, Any] | None = by.chronicle.own_traits.get(trait)
    if own is None:
        raise Http404("No such Trait")
    return own
