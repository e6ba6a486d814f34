"""Since you last looked."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.dateparse import parse_datetime
from django.utils.timezone import is_aware
from django.views.decorators.http import require_POST

from campaigns import access
from campaigns.requests import SignedInRequest
from story import looking


@login_required
@require_POST
def have_read(request: SignedInRequest, chronicle_id: str) -> HttpResponse:
    membership = access.member_or_404(request.user, chronicle_id)
    try:
        until = parse_datetime(request.POST.get("until", ""))
    except ValueError:  # of the right form, but no date
        until = None
    if until is not None and is_aware(until):
        looking.have_read(membership, until)
    if request.htmx:
        return HttpResponse(headers={"HX-Trigger": "vesper:done"})
    return redirect("campaigns:chronicle", chronicle_id)
