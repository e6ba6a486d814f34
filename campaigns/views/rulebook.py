"""The rules themselves: every rule of a ruleset on one page, and all rulesets side by side."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from campaigns import rulesets
from campaigns.requests import HtmxRequest


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


@require_safe
@vary_on_headers("HX-Request")
def rule(request: HtmxRequest, ruleset: str, rule_id: str) -> HttpResponse:
    """One rule: its text for a page that opens it in place, otherwise its position in the rulebook."""
    book = rulesets.book(ruleset)
    if book is None or rule_id not in book.rules:
        raise Http404("No such rule")
    url = f"{reverse('campaigns:rulebook', args=[ruleset])}#{rule_id}"
    if not request.htmx:
        return redirect(url, permanent=True)
    return render(request, "campaigns/_rule_opened.html", {"rule": book[rule_id], "book": book, "url": url})


def _wanted(request: HttpRequest) -> str:
    """The words that are looked for."""
    return request.GET.get("q", "")[:100].replace("\x00", "").strip()
