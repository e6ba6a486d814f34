"""Preparing reinforcements, in the drawer or as a page."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect

from campaigns.errors import EditConflict
from campaigns.forms.differences import differences
from campaigns.requests import SignedInRequest
from campaigns.views.form_pages import form_page, status_of, take_conflict
from campaigns.words import said
from combat.commands import reinforcements
from combat.commands.newcomers import Wanted
from combat.desk.quick_find import Making, meant
from combat.models import Encounter, Reinforcement
from combat.secrecy.access import Seen, storyteller_or_403
from combat.web.forms.reinforcements import ReinforcementForm
from combat.web.views.drawer import drawer
from rules.engine.violations import RuleViolation


@login_required
@form_page
def prepare(request: SignedInRequest, encounter_id: str) -> HttpResponse:
    """Prepare a reinforcement."""
    return _answer(request, storyteller_or_403(request.user, encounter_id))


@login_required
@form_page
def revise(request: SignedInRequest, encounter_id: str, row_id: str) -> HttpResponse:
    """Change or delete a reinforcement that waits."""
    seen = storyteller_or_403(request.user, encounter_id)
    row = reinforcements.waiting_or_404(seen.encounter, row_id)
    if "remove" in request.POST:
        reinforcements.discard(by=seen.membership, encounter_id=encounter_id, row_id=row_id)
        return _done(request, encounter_id)
    return _answer(request, seen, row)


def _answer(request: SignedInRequest, seen: Seen, row: Reinforcement | None = None) -> HttpResponse:
    form = ReinforcementForm(request.POST or None, row=row)
    if form.is_valid() and _is_saved(seen, form, row):
        return _done(request, seen.encounter.pk)
    return drawer(request, seen, "combat/desk/_reinforcement.html", status=status_of(form), form=form, row=row)


def _done(request: SignedInRequest, encounter_id: str) -> HttpResponse:
    if request.htmx:
        return HttpResponse(headers={"HX-Trigger": "vesper:done"})
    return redirect("combat:encounter", encounter_id)


def _is_saved(seen: Seen, form: ReinforcementForm, row: Reinforcement | None) -> bool:
    """Save a reinforcement. Returns whether it worked; if not, the form has the error."""
    making, key = Making(seen.membership, form.agreed), form.cleaned_data["key"]

    def meaning(encounter: Encounter) -> list[Wanted]:
        return [meant(encounter, line, making) for line in form.cleaned_data["words"].splitlines()]

    how: dict[str, Any] = {
        "by": seen.membership,
        "encounter_id": seen.encounter.pk,
        "prepared": form.prepared(),
        "meaning": meaning,
    }
    try:
        if row is None:
            # The same form sent again gives the same id.
            made = sha256(f"{seen.encounter.pk} {key}".encode()).hexdigest()[:12] if key else ""
            reinforcements.prepare(row_id=made, **how)
        else:
            reinforcements.revise(row_id=row.pk, version=form.cleaned_data["version"] or 0, **how)
    except RuleViolation as violation:
        form.makes = making.offers
        form.add_error("words", said(violation.message))
        return False
    except EditConflict:
        fresh = reinforcements.waiting_or_404(seen.encounter, row.pk if row else "")
        take_conflict(form, fresh.version, differences(ReinforcementForm(form.data, row=fresh)))
        return False
    return True
