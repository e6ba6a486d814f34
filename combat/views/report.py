"""What became of a fight, to read and to keep: for each reader what they may know."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.text import slugify
from django.views.decorators.http import require_safe

from combat.access import STORYTELLER, TABLE, Seen, fight_or_404
from combat.perspectives.build import reader_of
from combat.perspectives.report import Report, report_of
from combat.perspectives.report_markdown import in_markdown
from combat.records import read


@login_required
@require_safe
def page(request: HttpRequest, encounter_id: str) -> HttpResponse:
    """The report as a page. A Storyteller reads the table's version with `?for=table`."""
    seen = fight_or_404(request.user, encounter_id)
    report = _report(request, seen)
    context = {"encounter": seen.encounter, "chronicle": seen.encounter.chronicle, "seen": seen, "report": report}
    return render(request, "combat/report.html", context)


@login_required
@require_safe
def markdown(request: HttpRequest, encounter_id: str) -> HttpResponse:
    """The same as a Markdown file."""
    seen = fight_or_404(request.user, encounter_id)
    report = _report(request, seen)
    name = slugify(seen.encounter.name) or "report"
    version = "-secret" if report.secrets else ""
    answer = HttpResponse(in_markdown(report), content_type="text/markdown; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{name}{version}.md"'
    return answer


def _report(request: HttpRequest, seen: Seen) -> Report:
    audience = TABLE if seen.audience == STORYTELLER and request.GET.get("for") == TABLE else seen.audience
    fight = read(seen.encounter)
    return report_of(fight.name, fight.rows, fight.ruleset, reader_of(fight, audience))
