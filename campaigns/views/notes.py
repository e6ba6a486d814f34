"""A chronicle's notes."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from campaigns import access, pages, services
from campaigns.errors import EditConflict
from campaigns.forms.chronicles import NoteForm
from campaigns.requests import HtmxRequest
from campaigns.rulesets import why_missing
from campaigns.views.chronicles import brief
from campaigns.views.form_pages import form_page, status_of, take_conflict


@login_required
@require_safe
def note(request: HtmxRequest, chronicle_id: str, note_id: str) -> HttpResponse:
    membership = access.member_or_404(request.user, chronicle_id)
    line = pages.note_line(access.note_or_404(membership, note_id), timezone.now())
    may_change = membership.is_storyteller and not why_missing(membership.chronicle.ruleset)
    context = {"page": brief(membership), "note": line, "may_change": may_change}
    return render(request, "campaigns/_note_text.html" if request.htmx else "campaigns/note.html", context)


@login_required
@form_page
def create(request: HtmxRequest, chronicle_id: str) -> HttpResponse:
    by = access.storyteller_or_403(request.user, chronicle_id)
    form = NoteForm(request.POST or None)
    if form.is_valid():
        data = form.cleaned_data
        made = services.write_note(by=by, title=data["title"], body=data["body"], audience=data["audience"])
        return _saved(request, chronicle_id, made.pk)
    return _drawn(request, {"page": brief(by), "form": form}, form)


@login_required
@form_page
def edit(request: HtmxRequest, chronicle_id: str, note_id: str) -> HttpResponse:
    by = access.storyteller_or_403(request.user, chronicle_id)
    row = access.note_or_404(by, note_id)
    form = NoteForm(request.POST or None, instance=row, initial={"version": row.version})
    theirs = None
    if form.is_valid():
        try:
            services.edit_note(by=by, note=row, **(form.cleaned_data | {"version": form.cleaned_data["version"] or 0}))
            return _saved(request, chronicle_id, note_id)
        except EditConflict:
            saved = access.note_or_404(by, note_id)
            theirs = pages.note_line(saved, timezone.now())
            take_conflict(form, saved.version)
    context = {"page": brief(by), "form": form, "note_id": note_id, "theirs": theirs}
    return _drawn(request, context, form)


def _drawn(request: HtmxRequest, context: dict[str, Any], form: NoteForm) -> HttpResponse:
    """The form as a page or, for htmx, in a drawer over the page that asked for it."""
    template = "campaigns/_note_drawer.html" if request.htmx else "campaigns/note_edit.html"
    return render(request, template, context, status=status_of(form))


def _saved(request: HtmxRequest, chronicle_id: str, note_id: str) -> HttpResponse:
    if request.htmx:
        return HttpResponse(headers={"HX-Trigger": "vesper:done"})
    return redirect(f"{reverse('campaigns:chronicle', args=[chronicle_id])}#note-{note_id}")


@login_required
@form_page
def delete(request: HttpRequest, chronicle_id: str, note_id: str) -> HttpResponse:
    by = access.storyteller_or_403(request.user, chronicle_id)
    row = access.note_or_404(by, note_id)
    if request.method == "POST":
        services.delete_note(by=by, note=row)
        return redirect("campaigns:chronicle", chronicle_id)
    return render(
        request, "campaigns/note_delete.html", {"page": brief(by), "note": pages.note_line(row, timezone.now())}
    )
