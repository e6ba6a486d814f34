"""The whole log, paginated; a fight's own pages only show its newest entries."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import dropwhile, islice

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from combat.history import records
from combat.history.entries import Entry
from combat.history.filters import Choices, Wanted, choices_in, wanted_of
from combat.panes.build import whole_log
from combat.secrecy.access import Seen, encounter_or_404
from combat.web.views.drawer import context_of

PAGE = 100


@dataclass(frozen=True, slots=True)
class LogPage:
    """A page of a log: entries, newest first, and the query for the next older page ("" if there is none)."""

    entries: tuple[Entry, ...]
    wanted: Wanted
    choices: Choices
    older: str


@login_required
@require_safe
def entries(request: HttpRequest, encounter_id: str) -> HttpResponse:
    """A page of the log as the reader may see it, filtered as they asked."""
    seen = encounter_or_404(request.user, encounter_id)
    page = _page(seen, wanted_of(request.GET.dict()), request.GET.get("before", ""))
    return render(request, "combat/history/entries.html", context_of(seen, page=page))


def _page(seen: Seen, wanted: Wanted, before: str) -> LogPage:
    everything = list(whole_log(records.read(seen.encounter), seen.audience))
    rest = iter(everything)
    if any(entry.id == before for entry in everything):
        rest = islice(dropwhile(lambda entry: entry.id != before, rest), 1, None)
    found = list(islice((entry for entry in rest if wanted.lets(entry)), PAGE + 1))
    asked = {"log_who": wanted.who, "log_turn": wanted.turn or "", "log_kind": wanted.kind}
    older = urlencode({**asked, "before": found[PAGE - 1].id}) if len(found) > PAGE else ""
    return LogPage(tuple(found[:PAGE]), wanted, choices_in(everything, wanted), older)
