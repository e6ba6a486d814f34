"""The pages that look back: timeline, statistics and search."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from campaigns import access
from campaigns.requests import HtmxRequest
from story.search import search_page
from story.statistics import statistics_page
from story.timeline import timeline_page


@login_required
@require_safe
def timeline(request: HttpRequest, chronicle_id: str) -> HttpResponse:
    """What happened, session by session."""
    page = timeline_page(access.member_or_404(request.user, chronicle_id), request.GET)
    return render(request, "story/timeline.html", {"page": page, "chronicle": page.chronicle})


@login_required
@require_safe
def statistics(request: HttpRequest, chronicle_id: str) -> HttpResponse:
    """Who did what over all fights, and which rules were used most."""
    membership = access.member_or_404(request.user, chronicle_id)
    access.check_playable(membership.chronicle)
    page = statistics_page(membership)
    return render(request, "story/statistics.html", {"page": page, "chronicle": page.chronicle})


@login_required
@require_safe
@vary_on_headers("HX-Request")
def search(request: HtmxRequest, chronicle_id: str) -> HttpResponse:
    """Everything that the member may read with these words; for a page that is open, only the results."""
    page = search_page(access.member_or_404(request.user, chronicle_id), request.GET.get("q", ""))
    template = "story/_found.html" if request.htmx else "story/search.html"
    return render(request, template, {"page": page, "chronicle": page.chronicle})
