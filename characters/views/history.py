"""The history of a sheet, and the sheet as of a date."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.dateparse import parse_date
from django.views.decorators.http import require_safe

from campaigns import lists
from characters import access, history, pages
from characters.access import Seen


@login_required
@require_safe
def changes(request: HttpRequest, character_id: str) -> HttpResponse:
    return _history(request, access.readable_or_403(request.user, character_id))


@login_required
@require_safe
def as_of(request: HttpRequest, character_id: str) -> HttpResponse:
    """Shows the sheet as of `on`, a date (by default today) or a time. An error is shown on the history's page."""
    seen = access.readable_or_403(request.user, character_id)
    typed = request.GET.get("on", timezone.localdate().isoformat())
    moment, wrong = history.moment_of(seen, typed)
    if moment is None:
        return _history(request, seen, status=422, on=typed, wrong=wrong)
    past, lost = history.as_of(seen.character, moment)
    page = pages.past_sheet(Seen(past, seen.membership))
    context = {"page": page, "lost": lost, "day": parse_date(typed), "moment": moment}
    return render(request, "characters/past_sheet.html", context | {"chronicle": pages.place(seen.character.chronicle)})


def _history(request: HttpRequest, seen: Seen, *, status: int = 200, **more: Any) -> HttpResponse:
    heads: Any = history.heads_for(seen)
    part = lists.parts(request.GET, {"changes": heads})["changes"]
    lines = history.lines_of(seen, part.lines, newest=part.number == 1)
    context = {"page": history.page(seen), "lines": lines, "part": part, **more}
    context["chronicle"] = pages.place(seen.character.chronicle)
    return render(request, "characters/history.html", context, status=status)
