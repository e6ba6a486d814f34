"""The powers of a chronicle's own: made on a form with a preview, removed, and exchanged as files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from campaigns import access, own_powers, power_files, services
from campaigns.errors import EditConflict
from campaigns.forms.own_powers import PREFIX, PowerFileForm, PowerForm
from campaigns.models import Chronicle, Membership
from campaigns.power_preview import Preview, preview_of
from campaigns.views.chronicles import brief
from campaigns.views.form_pages import form_page, status_of, take_conflict
from campaigns.words import said
from rules.model.options import BadOption
from rules.model.own_powers import GONE, MOST_EFFECTS, read_power

ADD, LOOK = "add-effect", "preview"
"""The buttons that draw the form again as typed: with one more row, or with its preview."""


@login_required
@require_safe
def index(request: HttpRequest, chronicle_id: str) -> HttpResponse:
    by = access.storyteller_or_403(request.user, chronicle_id)
    shown = own_powers.both(by.chronicle)
    begins = own_powers.starts(by.chronicle)
    context = {"page": brief(by), "own": shown[0], "gone": shown[1], "shown": shown, "starts": begins}
    return render(request, "campaigns/powers.html", context)


@login_required
@form_page
def create(request: HttpRequest, chronicle_id: str) -> HttpResponse:
    by = access.storyteller_or_403(request.user, chronicle_id)
    start = request.GET.get("from", "")
    answers = own_powers.beginning(by.chronicle, start) if start else None
    if start and answers is None:
        raise Http404("No such power")
    return _edit(request, by, "", answers)


@login_required
@form_page
def edit(request: HttpRequest, chronicle_id: str, power: str) -> HttpResponse:
    by = access.storyteller_or_403(request.user, chronicle_id)
    _own_or_404(by, power)
    return _edit(request, by, power, None)


@login_required
@form_page
def remove(request: HttpRequest, chronicle_id: str, power: str) -> HttpResponse:
    """Takes a power out of use, or puts back one that was."""
    by = access.storyteller_or_403(request.user, chronicle_id)
    kept = _own_or_404(by, power)
    gone = bool(kept.get(GONE))
    if request.method == "POST":
        services.remove_power(by=by, key=power, gone=not gone)
        done = _("%(name)s can be used again.") if gone else _("%(name)s has been removed.")
        messages.success(request, done % {"name": kept["label"]})
        return redirect("campaigns:powers", chronicle_id)
    context = {"page": brief(by), "name": kept["label"], "gone": gone}
    return render(request, "campaigns/power_delete.html", context)


@login_required
@require_safe
def export(request: HttpRequest, chronicle_id: str) -> HttpResponse:
    """All powers in use as a file, or `?only=KEY` one."""
    by = access.storyteller_or_403(request.user, chronicle_id)
    only = request.GET.get("only", "")
    if only:
        _own_or_404(by, only)
    powers = own_powers.in_use(by.chronicle, only)
    name = only or "powers"
    named = {"Content-Disposition": f'attachment; filename="{name if name.isascii() else "power"}.toml"'}
    return HttpResponse(power_files.write(powers), content_type="application/toml; charset=utf-8", headers=named)


@login_required
@form_page
def take_in(request: HttpRequest, chronicle_id: str) -> HttpResponse:
    """Import of powers from a file."""
    by = access.storyteller_or_403(request.user, chronicle_id)
    form = PowerFileForm(*((request.POST, request.FILES) if request.method == "POST" else ()))
    if form.is_valid():
        content = form.cleaned_data["file"].read(power_files.MOST_BYTES + 1)
        try:
            powers = power_files.read(content)
            got = services.import_powers(by=by, powers=powers, replacing=form.cleaned_data["clash"] == "replace")
            messages.success(request, _imported(*got))
            return redirect("campaigns:powers", chronicle_id)
        except power_files.BadFile as problem:
            form.add_error("file", str(problem))
        except BadOption as bad:
            where = {"place": ", ".join(bad.key.split(".")), "problem": said(bad.message)}
            form.add_error("file", _("%(place)s: %(problem)s") % where)
    return render(request, "campaigns/powers_import.html", {"page": brief(by), "form": form}, status=status_of(form))


def _imported(added: int, changed: int) -> str:
    new = ngettext("%(count)d power added", "%(count)d powers added", added) % {"count": added}
    replaced = ngettext("%(count)d replaced", "%(count)d replaced", changed) % {"count": changed}
    return _("%(added)s, %(changed)s.") % {"added": new, "changed": replaced}


def _edit(request: HttpRequest, by: Membership, key: str, begun: dict[str, Any] | None) -> HttpResponse:
    table = by.chronicle
    before = str(table.own_powers.get(key, {}).get("label", ""))

    def kept() -> dict[str, Any] | None:
        return own_powers.saved(table, key) if key else begun

    def draw() -> PowerForm:
        base = own_powers.base_of(table)
        return PowerForm(_typed(request), ruleset=base, answers=kept(), version=table.version)

    form = draw()
    again = any(name in request.POST for name in (ADD, LOOK))
    if form.is_bound and form.is_valid() and not again and _is_saved(form, by, key, draw):
        messages.success(request, _("%(name)s can be used in fights now.") % {"name": form.cleaned_data["label"]})
        return redirect("campaigns:powers", table.pk)
    preview = _preview(form, table, kept())
    if again:
        form.show_as_typed()
    context = {"page": brief(by), "form": form, "kept": before, "preview": preview, "most": MOST_EFFECTS}
    return render(request, "campaigns/power_edit.html", context, status=422 if form.wrong else 200)


def _typed(request: HttpRequest) -> Any:
    """The posted data, with one more row if a button asked for it."""
    if request.method != "POST":
        return None
    data = request.POST.copy()
    total = data.get(f"{PREFIX}-TOTAL_FORMS", "")
    if ADD in data and total.isascii() and total.isdecimal() and len(total) < 3:
        data[f"{PREFIX}-TOTAL_FORMS"] = str(int(total) + 1)
    return data


def _is_saved(form: PowerForm, by: Membership, key: str, draw: Callable[[], PowerForm]) -> bool:
    """Save the form. Returns whether it worked; if not, the form has the conflict or the error."""
    table = by.chronicle
    # A new one can't conflict with another edit.
    version = form.cleaned_data["version"] if key else table.version
    answers = form.answers()
    try:
        read_power("new", answers, own_powers.base_of(table))
        services.save_power(by=by, key=key, answers=answers, version=version)
    except EditConflict:
        table.refresh_from_db()
        take_conflict(form, table.version, draw().differences())
        return False
    except BadOption as bad:
        # The form's own settings are valid by now, so what is left is about all powers together: the name.
        form.refuse(bad.key, bad.message)
        return False
    return True


def _preview(form: PowerForm, table: Chronicle, given: Mapping[str, Any] | None) -> Preview:
    """What the power on the form does: as it is filled in so far, or as it begins."""
    answers: Mapping[str, Any] | None = given
    if form.is_bound:
        if problem := form.first_problem():
            return Preview(problem=problem)
        answers = form.answers(label=_("This power"))
    if not answers or not answers.get("effects"):
        return Preview()
    base = own_powers.base_of(table)
    try:
        power = read_power("new", {**answers, "label": answers["label"] or _("This power")}, base)
    except BadOption as bad:
        return Preview(problem=said(bad.message))
    return preview_of(power, base, own_powers.played_without(table))


def _own_or_404(by: Membership, power: str) -> dict[str, Any]:
    own: dict[str, Any] | None = by.chronicle.own_powers.get(power)
    if own is None:
        raise Http404("No such power")
    return own
