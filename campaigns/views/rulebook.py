"""The rules themselves: every rule of a ruleset on one page, and all rulesets side by side."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from campaigns import rulesets


@require_safe
def rulebooks(request: HttpRequest) -> HttpResponse:
    wanted = _wanted(request)
    compared = rulesets.compare(request.GET.getlist("of"))
    shown = {key for key, _book in compared.books}
    context = {
        "wanted": wanted,
        "found": rulesets.search_all(wanted),
        "compared": compared,
        "choices": [(key, name, key in shown) for key, name in rulesets.choices()],
    }
    return render(request, "campaigns/rulebooks.html", context)


@require_safe
def rulebook(request: HttpRequest, ruleset: str) -> HttpResponse:
    book = rulesets.book(ruleset)
    if book is None:
        raise Http404("No such ruleset")
    wanted = _wanted(request)
    context = {"book": book, "key": ruleset, "rules": rulesets.search(book, wanted), "wanted": wanted}
    return render(request, "campaigns/rulebook.html", context)


def _wanted(request: HttpRequest) -> str:
    """The words that are looked for."""
    return request.GET.get("q", "")[:100].replace("\x00", "").strip()
