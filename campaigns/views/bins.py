"""A chronicle's bin, for Storytellers."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from campaigns import access, bins
from campaigns.views.chronicles import brief


@login_required
@require_safe
def index(request: HttpRequest, chronicle_id: str) -> HttpResponse:
    by = access.storyteller_or_403(request.user, chronicle_id, read_only_too=True)
    context = {"page": brief(by), "lines": bins.lines(by.chronicle, timezone.now()), "days": bins.KEPT.days}
    return render(request, "campaigns/bin.html", context)


@login_required
@require_POST
def restore(request: HttpRequest, chronicle_id: str, what: str, row_id: str) -> HttpResponse:
    by = access.storyteller_or_403(request.user, chronicle_id)
    row = bins.restore(by=by, what=what, row_id=row_id)
    messages.success(request, _("“%(name)s” has been restored.") % {"name": row})
    return redirect("campaigns:bin", chronicle_id)
