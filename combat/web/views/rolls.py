"""The page of the rolls outside fights."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from campaigns import access as tables
from combat.commands.outside import open_log
from combat.secrecy.access import Seen
from combat.web.views.drawer import context_of
from combat.web.views.encounter import roll_builder


@login_required
@require_safe
def page(request: HttpRequest, chronicle_id: str) -> HttpResponse:
    """The roll builder, the extended rolls in progress, and the rolls that the reader may see."""
    membership = tables.member_or_404(request.user, chronicle_id)
    tables.check_playable(membership.chronicle)
    seen = Seen(open_log(membership.chronicle), membership)
    return render(request, "combat/rolls.html", context_of(seen, **roll_builder(seen, request)))
