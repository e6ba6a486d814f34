"""The report of a fight as a page, as Markdown, and the sealed log, each limited to what its reader may know."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.utils.text import slugify
from django.views.decorators.http import require_safe

from campaigns import audit
from combat.history.filters import choices_in, wanted_of
from combat.history.records import read
from combat.history.report import Report, report_of
from combat.history.report_markdown import in_markdown
from combat.history.reveal import as_seen_by
from combat.history.seals import earlier_seals
from combat.log import export
from combat.panes.build import reader_of
from combat.secrecy.access import Seen, fight_or_404, storyteller_or_403
from combat.secrecy.audiences import STORYTELLER, TABLE


@login_required
@require_safe
def page(request: HttpRequest, encounter_id: str) -> HttpResponse:
    """The report as a page. A Storyteller reads the table's version with `?for=table`."""
    seen = fight_or_404(request.user, encounter_id)
    report, wanted = _report(request, seen), wanted_of(request.GET.dict())
    choices = choices_in((entry for chapter in report.chapters for entry in chapter.entries), wanted)
    context = {
        "wanted": wanted,
        "choices": choices,
        "version": TABLE if seen.is_storyteller and not report.secrets else "",
        "encounter": seen.encounter,
        "chronicle": seen.encounter.chronicle,
        "seen": seen,
        "report": report.only(wanted),
        "whole": export.is_whole(seen.encounter),
        "earlier": earlier_seals(seen.encounter),
    }
    return render(request, "combat/history/report.html", context)


@login_required
@require_safe
def markdown(request: HttpRequest, encounter_id: str) -> HttpResponse:
    """The report as a Markdown file."""
    seen = fight_or_404(request.user, encounter_id)
    report = _report(request, seen)
    name = slugify(seen.encounter.name) or "report"
    version = "-secret" if report.secrets else ""
    answer = HttpResponse(in_markdown(report), content_type="text/markdown; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{name}{version}.md"'
    return answer


@login_required
@require_safe
def log(request: HttpRequest, encounter_id: str) -> StreamingHttpResponse:
    """The whole log with seals and secrets, for `manage.py verify`."""
    seen = storyteller_or_403(request.user, encounter_id, read_only_too=True)
    name = slugify(seen.encounter.name) or "log"
    audit.note("log-exported", encounter=seen.encounter.pk)
    return StreamingHttpResponse(
        export.lines(seen.encounter),
        content_type="application/jsonl; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}-log.jsonl"'},
    )


def _report(request: HttpRequest, seen: Seen) -> Report:
    audience = TABLE if seen.audience == STORYTELLER and request.GET.get("for") == TABLE else seen.audience
    fight = as_seen_by(read(seen.encounter), audience)
    return report_of(fight.name, fight.rows, fight.ruleset, reader_of(fight, audience))
