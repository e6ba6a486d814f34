"""The rules themselves: every rule of a ruleset on one page, to be searched and linked to by id."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from campaigns import rulesets


@require_safe
def rulebook(request: HttpRequest, ruleset: str) -> HttpResponse:
    book = rulesets.book(ruleset)
    if book is None:
        raise Http404("No such ruleset")
    wanted = request.GET.get("q", "")[:100].strip()
    found = rulesets.search(book, wanted)
    return render(request, "campaigns/rulebook.html", {"book": book, "rules": found, "wanted": wanted})
