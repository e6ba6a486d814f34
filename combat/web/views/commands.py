"""The single endpoint for all commands.

A page posts to `combat:do` with the name of a form (:mod:`combat.web.forms.endpoints`). The response is one of:

- done: the panes that changed since the form's `version`, as out-of-band swaps with an empty body for the form's
  target (htmx), or a redirect to the fight. A repeated press gets the same, even if its form is no longer valid;
- rejected (422): the form again in its own `fragment` with `violation`, or a note in the page's messages;
- dice wanted (422): the form again with `wanted`;
- stale (409): the current panes, and a note that the fight has changed.
"""

from __future__ import annotations

from typing import Any, TypeVar
from urllib.parse import urlsplit

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import Resolver404, resolve, reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from campaigns.access import check_storyteller
from campaigns.requests import HtmxRequest
from campaigns.words import said
from combat.commands import perform
from combat.commands.deadlines import in_time
from combat.commands.dice import DiceWanted
from combat.commands.errors import KeyReused, StaleEncounter
from combat.live.frames import frame, view_of
from combat.log import rows
from combat.secrecy.access import Seen, encounter_or_404
from combat.signals import Page, answering
from combat.web.forms.base import table_of
from combat.web.forms.commanding import CommandForm
from combat.web.forms.endpoints import belongs_outside_fights, endpoints
from combat.web.views.drawer import context_of, lacking
from rules.engine.violations import RuleViolation

Made = TypeVar("Made", bound=CommandForm)

UNPROCESSABLE = 422
CONFLICT = 409

LONGEST_NAME = 40


def endpoint_or_404(seen: Seen, name: str) -> type[CommandForm]:
    """The form of that name, or 404 if there is none here."""
    form = endpoints().get(name)
    if form is None or (seen.encounter.outside_fights and not belongs_outside_fights(form)):
        raise Http404("No such command")
    return form


def home_of(seen: Seen) -> str:
    """The URL of a fight's page, or of the rolls outside fights."""
    log = seen.encounter
    return (
        reverse("combat:rolls", args=[log.chronicle_id])
        if log.outside_fights
        else reverse("combat:encounter", args=[log.pk])
    )


def form_for(seen: Seen, kind: type[Made], data: Any = None, **more: Any) -> Made:
    """A form of this class for this reader."""
    view = view_of(seen.encounter, seen.audience)
    return kind(data, view=view, find_table=lambda: table_of(seen), **more)


@require_POST
def do(request: HtmxRequest, encounter_id: str, name: str) -> HttpResponse:
    """Perform a command."""
    if request.htmx and not request.user.is_authenticated:
        return redirect_to_login(request.path)  # the page says so without losing a filled-in form
    seen = in_time(encounter_or_404(request.user, encounter_id))
    assert request.user.is_authenticated  # all others got 404
    kind = endpoint_or_404(seen, name)
    if kind.storyteller_only:
        # Before any lookup, so that the answer reveals nothing about the cast.
        check_storyteller(seen.membership)
    form = form_for(seen, kind, request.POST)
    try:
        if form.is_valid():
            with answering(_page(request, seen)):
                done = form.carry_out(seen, request.user)
            return _done(request, done.seen or _fresh(request, seen), form, done.seq)
    except RuleViolation as violation:
        form.violation = violation.refusal
    except DiceWanted as wanted:
        form.wanted = wanted.throw
    except (StaleEncounter, KeyReused):
        return _look_again(request, seen, name, form)
    key = form.cleaned_data.get("key", "")
    if perform.is_done(encounter_id=seen.encounter.pk, actor=request.user, key=key, sent=form.sent):
        # The press was carried out but its answer got lost; its choices are no longer valid because it was done.
        return _done(request, _fresh(request, seen), form)
    return _again(request, seen, name, form)


@require_GET
def since(request: HttpRequest, encounter_id: str, have: int) -> HttpResponse:
    """The frame that brings a page from version `have` up to date."""
    seen = in_time(encounter_or_404(request.user, encounter_id))
    if request.GET.get("audience", seen.audience) != seen.audience:
        # The reader's role has changed: the page shows another audience's view.
        return HttpResponse(headers={"HX-Refresh": "true"})
    return lacking(request, seen.encounter, seen.audience, have)


# ------------------------------------------------------------------ responses


def _page(request: HtmxRequest, seen: Seen) -> Page | None:
    """The page whose response contains its panes, identified by the random name it opened its socket with."""
    name = request.headers.get("Vesper-Page", "")[:LONGEST_NAME] if request.htmx else ""
    return Page(name, seen.audience) if name else None


def _done(request: HtmxRequest, seen: Seen, form: CommandForm, seq: int = 0) -> HttpResponse:
    if not request.htmx:
        return redirect(home_of(seen))
    # A sheet has no panes, and shows what was done.
    told = _told(request, seen, seq) if _is_on_a_sheet(request) else _news(seen, form)
    return HttpResponse(told, headers={"HX-Trigger": "vesper:done"})


def _is_on_a_sheet(request: HtmxRequest) -> bool:
    try:
        return resolve(urlsplit(request.htmx.current_url_abs_path or "").path).view_name == "characters:sheet"
    except Resolver404:
        return False


def _told(request: HttpRequest, seen: Seen, seq: int) -> str:
    """The log entry of the row with this number, None if the reader has none, for a page without the log."""
    token = next((row.token for row in reversed(rows.rows_of(seen.encounter)) if row.seq == seq), "")
    entries = view_of(seen.encounter, seen.audience).log.entries
    entry = next((each for each in entries if each.id == token), None)
    return render_to_string("combat/forms/_told.html", context_of(seen, entry=entry), request)


def _fresh(request: HttpRequest, seen: Seen) -> Seen:
    """The fight, read again."""
    return encounter_or_404(request.user, seen.encounter.pk)


def _news(seen: Seen, form: CommandForm) -> str:
    """The changed panes, so that the acting page need not wait for its socket."""
    found = frame(seen.encounter, seen.audience, form.cleaned_data.get("version"))
    return "" if found is None else found.html


def _look_again(request: HtmxRequest, seen: Seen, name: str, form: CommandForm) -> HttpResponse:
    context = _context(seen, name, form) | {"message": _("The fight has changed. Check it and try again.")}
    if not request.htmx:
        return render(request, "combat/forms/refused.html", context, status=CONFLICT)
    note = render_to_string("combat/forms/_refusal.html", context, request)
    return _to_messages(HttpResponse(_news(_fresh(request, seen), form) + note, status=CONFLICT))


def _again(request: HtmxRequest, seen: Seen, name: str, form: CommandForm) -> HttpResponse:
    context = _context(seen, name, form)
    if not request.htmx:
        return render(request, "combat/forms/refused.html", context, status=UNPROCESSABLE)
    if form.fragment:
        answer = render(request, form.fragment, context, status=UNPROCESSABLE)
        answer["HX-Reswap"] = "innerHTML"  # also for forms that stay in place on success
        return answer
    return _to_messages(render(request, "combat/forms/_refusal.html", context, status=UNPROCESSABLE))


def _context(seen: Seen, name: str, form: CommandForm) -> dict[str, Any]:
    return {
        "form": form,
        "name": name,
        "encounter_id": seen.encounter.pk,
        "chronicle": seen.encounter.chronicle,
        "view": form.view,
        "version": form.data.get("version", ""),
        "violation": form.violation,
        "wanted": form.wanted,
        "message": said(form.violation.message) if form.violation else "",
    }


def _to_messages(response: HttpResponse) -> HttpResponse:
    response["HX-Retarget"] = "#messages"
    response["HX-Reswap"] = "innerHTML"
    return response
