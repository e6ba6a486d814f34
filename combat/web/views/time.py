"""The page on which a Storyteller lets time pass."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from campaigns import access as tables
from campaigns.requests import SignedInRequest
from campaigns.tokens import new_key
from campaigns.views.form_pages import form_page
from campaigns.words import said
from combat.commands import outside, perform
from combat.commands.entered import fights_with
from combat.commands.errors import KeyReused, StaleEncounter
from combat.commands.gathering import GOING_ON
from combat.history import records
from combat.log import rows
from combat.models import Encounter
from combat.preview.passing import Preview, fingerprint, preview
from combat.web.forms.time import TimeForm
from rules.engine.violations import RuleViolation
from rules.model.system import Game

STALE = 409


@login_required
@form_page
def page(request: SignedInRequest, chronicle_id: str) -> HttpResponse:
    """Choose characters, time and care; see each sheet before and after; let the time pass.

    Scripts ask for the preview alone whenever a choice changes.
    """
    by = tables.storyteller_or_403(request.user, chronicle_id)
    log = outside.open_log(by.chronicle)
    if request.method != "POST":
        return _page(request, log, _form(log))
    form = _form(log, request.POST)
    if request.htmx:
        shown, refused = _preview(form)
        return render(request, "combat/_time_preview.html", {"form": form, "preview": shown, "refused": refused})
    if "apply" not in request.POST:
        return _page(request, log, form)
    return _apply(request, log, form)


def _apply(request: SignedInRequest, log: Encounter, form: TimeForm) -> HttpResponse:
    """Let the time pass if the preview still holds, and go to the log with its undo."""
    press: dict[str, Any] = {"encounter_id": log.pk, "actor": request.user, "key": form.press, "sent": form.sent}
    try:
        if not perform.is_done(**press):
            if not form.is_valid():
                return _page(request, log, form)
            seen, ruleset = form.cleaned_data["seen"], form.game.system
            command = form.command()
            perform.perform(
                **press, command=command, still_so=lambda state: fingerprint(state, command, ruleset) == seen
            )
    except RuleViolation as violation:
        return _page(request, log, form, refused=said(violation.message))
    except (StaleEncounter, KeyReused):
        note = _("Something has changed. Check the new preview, then confirm again.")
        return _page(request, log, _form(log, request.POST), refused=note, status=STALE)
    messages.success(request, _("Time has passed. You can undo it in the log."))
    return redirect(reverse("combat:rolls", args=[log.chronicle_id]) + "#pane-log")


def _form(log: Encounter, data: Any = None) -> TimeForm:
    """The form about everybody in the chronicle as they are now."""
    ruleset = records.ruleset_for(log)
    state = outside.with_everybody(rows.state_now(Encounter.objects.get(pk=log.pk)), log.chronicle, ruleset)
    fights = fights_with(state.combatants.keys(), GOING_ON)
    busy = {who: fight.name for fight, present in fights for who in present}
    return TimeForm(data, game=Game(state, ruleset), busy=busy)


def _page(
    request: SignedInRequest, log: Encounter, form: TimeForm, *, refused: str = "", status: int = 200
) -> HttpResponse:
    shown, problem = _preview(form if form.is_bound else form.as_first_shown())
    context = {
        "chronicle": log.chronicle,
        "form": form,
        "preview": shown,
        "refused": refused or (problem if form.is_bound else ""),
        "key": new_key(),
    }
    bad = form.is_bound and (form.errors or context["refused"])
    return render(request, "combat/time.html", context, status=status if status != 200 or not bad else 422)


def _preview(form: TimeForm) -> tuple[Preview | None, str]:
    """The preview of a valid form, or the reason why there is none."""
    if not form.is_valid():
        return None, ""
    try:
        return preview(form.game.state, form.command(), form.game.system), ""
    except RuleViolation as violation:
        return None, said(violation.message)
