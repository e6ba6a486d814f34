"""A chronicle's library of templates. Only Storytellers know that there is one: for all others it is not there."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from campaigns.access import storyteller_or_403
from campaigns.errors import EditConflict, Refused
from campaigns.forms.differences import differences
from campaigns.models import Membership
from campaigns.views.form_pages import form_page, status_of, take_conflict
from characters import library_services, pages
from characters.forms.templates import GrowForm, TemplateForm
from characters.library import full_sheet, person_of, shipped_or_none, template_of
from characters.library_page import library_page
from characters.models import Character, Template
from characters.sheets import with_gear
from rules.model.people import Person


def _storyteller_or_404(request: HttpRequest, chronicle_id: str) -> Membership:
    try:
        return storyteller_or_403(request.user, chronicle_id)
    except PermissionDenied:
        raise Http404("No such page") from None


@login_required
@require_safe
def index(request: HttpRequest, chronicle_id: str) -> HttpResponse:
    by = _storyteller_or_404(request, chronicle_id)
    context = {"chronicle": pages.place(by.chronicle), "page": library_page(by.chronicle)}
    return render(request, "characters/templates.html", context)


@login_required
@form_page
def add(request: HttpRequest, chronicle_id: str) -> HttpResponse:
    """A new template of the chronicle's own, made from nothing, from a `character` or `from` one of the ruleset."""
    by = _storyteller_or_404(request, chronicle_id)
    start = _start(by, request.GET.get("character", ""), request.GET.get("from", "")[:60])
    form = TemplateForm(request.POST or None, chronicle=by.chronicle, start=start)
    return _edit(request, by, form, None, start)


@login_required
@form_page
def edit(request: HttpRequest, chronicle_id: str, template_id: str) -> HttpResponse:
    by = _storyteller_or_404(request, chronicle_id)
    row = _own_or_404(by, template_id)
    return _edit(request, by, TemplateForm(request.POST or None, chronicle=by.chronicle, template=row), row, None)


@login_required
@form_page
def delete(request: HttpRequest, chronicle_id: str, template_id: str) -> HttpResponse:
    by = _storyteller_or_404(request, chronicle_id)
    row = _own_or_404(by, template_id)
    if request.method == "POST":
        library_services.delete_template(by=by, row_id=row.pk)
        messages.success(request, _("“%(name)s” is in the bin.") % {"name": row.name})
        return redirect("characters:templates", chronicle_id)
    context = {"chronicle": pages.place(by.chronicle), "name": row.name, "replaces": bool(row.shipped)}
    return render(request, "characters/template_delete.html", context)


@login_required
@form_page
def grow(request: HttpRequest, chronicle_id: str, key: str) -> HttpResponse:
    """Makes a character from a template. `key` is an id of the chronicle's own or a key of the ruleset's."""
    by = _storyteller_or_404(request, chronicle_id)
    person = _person_or_404(by, key)
    form = GrowForm(request.POST or None, initial={"name": person.name})
    if form.is_valid():
        sheet = full_sheet(by.chronicle, person)
        made = library_services.grow(by=by, sheet=replace(sheet, name=form.cleaned_data["name"]))
        messages.success(request, _("%(name)s is in the cast. Check the Traits here.") % {"name": made.name})
        return redirect("characters:edit", made.pk)
    context = {"chronicle": pages.place(by.chronicle), "form": form, "name": person.name, "pools": bool(person.pools)}
    return render(request, "characters/template_grow.html", context, status=status_of(form))


def _start(by: Membership, character: str, shipped: str) -> Person | None:
    if not character:
        return shipped_or_none(by.chronicle, shipped)
    there = with_gear(Character.objects.filter(chronicle_id=by.chronicle_id))
    return template_of(get_object_or_404(there, pk=character))


def _edit(
    request: HttpRequest, by: Membership, form: TemplateForm, row: Template | None, start: Person | None
) -> HttpResponse:
    if form.is_valid() and _is_saved(by, form, row, start):
        messages.success(request, _("%(name)s has been saved.") % {"name": form.cleaned_data["name"]})
        return redirect("characters:templates", by.chronicle_id)
    context: dict[str, Any] = {
        "chronicle": pages.place(by.chronicle),
        "form": form,
        "kept": row.name if row else "",
        "shipped": start.name if start and start.key else "",
    }
    return render(request, "characters/template_edit.html", context, status=status_of(form))


def _is_saved(by: Membership, form: TemplateForm, row: Template | None, start: Person | None) -> bool:
    """Save a template. Returns whether it worked; if not, the form has the error."""
    try:
        library_services.save_template(
            by=by,
            data=form.data_of(),
            row_id=row.pk if row else "",
            shipped=start.key if start else "",
            version=form.cleaned_data["version"] or 0,
        )
    except Refused as refusal:
        form.add_error("name", str(refusal))
        return False
    except EditConflict:
        fresh = _own_or_404(by, row.pk if row else "")
        now = TemplateForm(form.data, chronicle=by.chronicle, template=fresh)
        take_conflict(form, fresh.version, differences(now))
        return False
    return True


def _own_or_404(by: Membership, template_id: str) -> Template:
    return get_object_or_404(Template, pk=template_id, chronicle_id=by.chronicle_id)


def _person_or_404(by: Membership, key: str) -> Person:
    row = Template.objects.filter(pk=key, chronicle_id=by.chronicle_id).first()
    person = person_of(row) if row else shipped_or_none(by.chronicle, key)
    if person is None:
        raise Http404("No such template")
    return person
