"""A chronicle's custom weapons and armour, shown with the common ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from campaigns.access import storyteller_or_403
from campaigns.errors import EditConflict, Refused
from campaigns.forms.differences import differences
from campaigns.models import Membership
from campaigns.views.form_pages import form_page, status_of, take_conflict
from characters import gear_files, pages, services, tables
from characters.forms.fields import number_in
from characters.forms.gear import ArmorForm, GearFileForm, WeaponForm
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

    copied = _common_or_none(by, model, request.GET.get("copy", ""))

    def draw() -> Any:
        row = model(ruleset=by.chronicle.ruleset, chronicle=by.chronicle)
        for column in tables.columns(model) if copied else ():
            setattr(row, column, getattr(copied, column))
        return form_class(request.POST or None, instance=row)

    return _edit(request, by, table, draw)


@login_required
@require_safe
def export(request: HttpRequest, chronicle_id: str, table: str) -> HttpResponse:
    """The chronicle's own rows as CSV."""
    by = storyteller_or_403(request.user, chronicle_id)
    model, _form_class = _table(table)
    rows = model._default_manager.filter(chronicle=by.chronicle)
    named = {"Content-Disposition": f'attachment; filename="{table}.csv"'}
    return HttpResponse(gear_files.write(rows, model), content_type="text/csv; charset=utf-8", headers=named)


@login_required
@form_page
def take_in(request: HttpRequest, chronicle_id: str, table: str) -> HttpResponse:
    """Import of the chronicle's own rows from CSV."""
    by = storyteller_or_403(request.user, chronicle_id)
    model, _form_class = _table(table)
    form = GearFileForm(*((request.POST, request.FILES) if request.method == "POST" else ()))
    if form.is_valid():
        content = form.cleaned_data["file"].read(gear_files.MOST_BYTES + 1)
        try:
            got = services.import_gear(
                by=by, model=model, read=lambda there: gear_files.read(content, model, by.chronicle, there)
            )
            messages.success(request, _imported(got))
            return redirect("characters:gear", chronicle_id)
        except (gear_files.BadFile, Refused) as problem:
            form.name_problems(getattr(problem, "problems", (str(problem),)))
    context = {"chronicle": pages.place(by.chronicle), "form": form, "table": table, "columns": tables.columns(model)}
    return render(request, "characters/gear_import.html", context, status=status_of(form))


def _imported(got: services.Imported) -> str:
    added = ngettext("%(count)d row added", "%(count)d rows added", got.added) % {"count": got.added}
    changed = ngettext("%(count)d row changed", "%(count)d rows changed", got.changed) % {"count": got.changed}
    return _("%(added)s, %(changed)s.") % {"added": added, "changed": changed}


@login_required
@form_page
def edit(request: HttpRequest, chronicle_id: str, table: str, row_id: int) -> HttpResponse:
    by = storyteller_or_403(request.user, chronicle_id)

    def draw() -> Any:
        return _table(table)[1](request.POST or None, instance=_own_or_404(by, table, row_id))

    return _edit(request, by, table, draw)


@login_required
@form_page
def delete(request: HttpRequest, chronicle_id: str, table: str, row_id: int) -> HttpResponse:
    by = storyteller_or_403(request.user, chronicle_id)
    row = _own_or_404(by, table, row_id)
    context = {"chronicle": pages.place(by.chronicle), "name": row.name, "carriers": services.carriers([row])}
    if request.method == "POST":
        try:
            services.delete_gear(row=row)
            messages.success(request, _("%(name)s has been deleted.") % {"name": context["name"]})
            return redirect("characters:gear", chronicle_id)
        except Refused as refusal:
            context["refused"] = str(refusal)
    return render(request, "characters/gear_delete.html", context, status=422 if "refused" in context else 200)


def _edit(request: HttpRequest, by: Membership, table: str, draw: Callable[[], Any]) -> HttpResponse:
    form = draw()
    if form.is_bound and form.is_valid() and _is_saved(form, draw):
        messages.success(request, _("%(name)s has been saved.") % {"name": form.instance.name})
        return redirect("characters:gear", by.chronicle_id)
    kept = type(form.instance)._default_manager.filter(pk=form.instance.pk).values_list("name", flat=True).first()
    context = {"chronicle": pages.place(by.chronicle), "form": form, "table": table, "kept": kept or ""}
    return render(request, "characters/gear_edit.html", context, status=status_of(form))


def _is_saved(form: Any, draw: Callable[[], Any]) -> bool:
    """Save a row. Returns whether it worked; if not, the form has the error. `draw` builds the form again."""
    try:
        services.save_gear(row=form.save(commit=False), seen=form.cleaned_data["version"])
    except Refused as refusal:
        form.add_error("name", str(refusal))
        return False
    except EditConflict:
        fresh = draw()
        take_conflict(form, fresh["version"].initial, differences(fresh))
        return False
    return True


def _table(table: str) -> tuple[type[Gear], Any]:
    if table not in TABLES:
        raise Http404("No such table")
    return TABLES[table]


def _common_or_none(by: Membership, model: type[Gear], typed: str) -> Gear | None:
    """The common row that a new one starts from, if the address names one."""
    return model._default_manager.filter(
        pk=number_in(typed, digits=9) or 0, chronicle=None, ruleset=by.chronicle.ruleset
    ).first()


def _own_or_404(by: Membership, table: str, row_id: int) -> Any:
    row = _table(table)[0]._default_manager.filter(pk=row_id, chronicle_id=by.chronicle_id).first()
    if row is None:
        raise Http404("No such row")
    return row
