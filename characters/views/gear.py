"""A chronicle's own weapons and armour, beside the common ones."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from campaigns.access import storyteller_or_403
from campaigns.errors import Refused
from campaigns.models import Membership
from campaigns.views.form_pages import form_page, status_of
from characters import pages, services
from characters.forms.gear import ArmorForm, WeaponForm
from characters.gear_pages import gear_page
from characters.models import Armor, Gear, Weapon

TABLES: dict[str, tuple[type[Gear], Any]] = {"weapons": (Weapon, WeaponForm), "armour": (Armor, ArmorForm)}


@login_required
@require_safe
def gear(request: HttpRequest, chronicle_id: str) -> HttpResponse:
    by = storyteller_or_403(request.user, chronicle_id)
    context = {"chronicle": pages.place(by.chronicle), "page": gear_page(by.chronicle)}
    return render(request, "characters/gear.html", context)


@login_required
@form_page
def add(request: HttpRequest, chronicle_id: str, table: str) -> HttpResponse:
    by = storyteller_or_403(request.user, chronicle_id)
    model, form_class = _table(table)
    row = model(ruleset=by.chronicle.ruleset, chronicle=by.chronicle)
    return _edit(request, by, table, form_class(request.POST or None, instance=row))


@login_required
@form_page
def edit(request: HttpRequest, chronicle_id: str, table: str, row_id: int) -> HttpResponse:
    by = storyteller_or_403(request.user, chronicle_id)
    row = _own_or_404(by, table, row_id)
    return _edit(request, by, table, _table(table)[1](request.POST or None, instance=row))


@login_required
@form_page
def delete(request: HttpRequest, chronicle_id: str, table: str, row_id: int) -> HttpResponse:
    by = storyteller_or_403(request.user, chronicle_id)
    row = _own_or_404(by, table, row_id)
    context = {"chronicle": pages.place(by.chronicle), "name": row.name, "carriers": services.carriers([row])}
    if request.method == "POST":
        try:
            services.delete_gear(row=row)
            messages.success(request, _("%(name)s is gone.") % {"name": context["name"]})
            return redirect("characters:gear", chronicle_id)
        except Refused as refusal:
            context["refused"] = str(refusal)
    return render(request, "characters/gear_delete.html", context, status=422 if "refused" in context else 200)


def _edit(request: HttpRequest, by: Membership, table: str, form: Any) -> HttpResponse:
    if form.is_bound and form.is_valid():
        services.save_gear(row=form.save(commit=False))
        messages.success(request, _("%(name)s is in the tables.") % {"name": form.instance.name})
        return redirect("characters:gear", by.chronicle_id)
    kept = type(form.instance)._default_manager.filter(pk=form.instance.pk).values_list("name", flat=True).first()
    context = {"chronicle": pages.place(by.chronicle), "form": form, "table": table, "kept": kept or ""}
    return render(request, "characters/gear_edit.html", context, status=status_of(form))


def _table(table: str) -> tuple[type[Gear], Any]:
    if table not in TABLES:
        raise Http404("No such table")
    return TABLES[table]


def _own_or_404(by: Membership, table: str, row_id: int) -> Any:
    row = _table(table)[0]._default_manager.filter(pk=row_id, chronicle_id=by.chronicle_id).first()
    if row is None:
        raise Http404("No such row")
    return row
