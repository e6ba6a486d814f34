"""The forecast of a fight: how it is likely to end. For Storytellers only."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from campaigns.errors import Refused
from campaigns.requests import SignedInRequest
from campaigns.views.form_pages import form_page, status_of
from campaigns.words import said
from combat.desk.forecast import runs
from combat.desk.forecast.examples import example
from combat.desk.forecast.pages import ForecastPage, forecast_page
from combat.desk.forecast.policies import keep_policies, policies_of
from combat.desk.forecast.question import Question, WhatIf
from combat.history import records
from combat.models import Status
from combat.secrecy.access import Seen, storyteller_or_403
from combat.web.forms.forecast import ForecastForm
from rules.engine.violations import RuleViolation
from rules.forecast.setup import Setup

POLLING_ENDS = 286
"""The status with which htmx stops polling."""


@login_required
@form_page
def page(request: SignedInRequest, encounter_id: str) -> HttpResponse:
    """The fight's last forecast, and the form that starts another."""
    seen = _open(request, encounter_id)
    run = runs.look(encounter_id)
    form = ForecastForm(
        request.POST if request.method == "POST" else None,
        setup=Setup(records.read(seen.encounter).state, records.ruleset_for(seen.encounter)),
        chosen=policies_of(seen.encounter),
        what_if=WhatIf(**run.what_if) if run else WhatIf(),
    )
    if form.is_valid() and _is_started(seen, form):
        return redirect(f"{reverse('combat:forecast', args=[encounter_id])}#forecast")
    return render(request, "combat/forecast/forecast.html", _context(seen, run, form=form), status=status_of(form))


@login_required
@require_safe
def results(request: SignedInRequest, encounter_id: str) -> HttpResponse:
    """Only the results, for a page that polls them."""
    seen = storyteller_or_403(request.user, encounter_id)
    run = runs.look(encounter_id)
    playing = run is not None and run.stage is runs.Stage.PLAYING
    status = 200 if playing else POLLING_ENDS
    return render(request, "combat/forecast/_results.html", _context(seen, run), status=status)


@login_required
@require_POST
def stop(request: SignedInRequest, encounter_id: str) -> HttpResponse:
    """Stop the forecast that is being played."""
    storyteller_or_403(request.user, encounter_id)
    runs.stop(encounter_id)
    return redirect("combat:forecast", encounter_id)


@login_required
@require_safe
def fight(request: SignedInRequest, encounter_id: str, run: str, which: str, number: int) -> HttpResponse:
    """One of the forecast's fights as a log."""
    seen = _open(request, encounter_id)
    if number >= runs.STEPS[-1]:
        raise Http404("No such fight")
    question = runs.question_of(encounter_id, run)
    if question is None:
        messages.info(request, _("This forecast has been replaced by another."))
        return redirect("combat:forecast", encounter_id)
    setup = question.setups().get(which)
    if setup is None:
        raise Http404("No such fight")
    shown = example(setup, question.seed, number)
    context = _context(seen, None, example=shown, storyteller=True, which=which)
    return render(request, "combat/forecast/fight.html", context)


def _open(request: SignedInRequest, encounter_id: str) -> Seen:
    """A fight that has not ended. Raises `Http404` for one that has."""
    seen = storyteller_or_403(request.user, encounter_id)
    if seen.encounter.status == Status.ENDED:
        raise Http404("The fight has ended")
    return seen


def _is_started(seen: Seen, form: ForecastForm) -> bool:
    """Keep the policies and start the forecast. Returns whether it worked; if not, the form has the error."""
    encounter, chosen = seen.encounter, form.chosen()
    keep_policies(by=seen.membership, encounter=encounter, chosen=chosen)
    try:
        runs.start(encounter.pk, Question.about(encounter, chosen, form.what_if(), form.chosen_seed()))
    except RuleViolation as violation:
        form.add_error(None, said(violation.message))
        return False
    except Refused as refused:
        form.add_error(None, str(refused))
        return False
    return True


def _context(seen: Seen, run: runs.Run | None, **more: Any) -> dict[str, Any]:
    shown: ForecastPage | None = forecast_page(run, records.ruleset_for(seen.encounter)) if run else None
    encounter = seen.encounter
    return {
        "encounter": encounter,
        "encounter_id": encounter.pk,
        "chronicle": encounter.chronicle,
        "page": shown,
        **more,
    }
