"""A member's calendar address, the feed behind it, and single sessions as calendar files."""

from __future__ import annotations

import hashlib

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import get_conditional_response
from django.utils.http import quote_etag
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from campaigns import access, calendar_files, calendars, throttle
from campaigns.models import CalendarFeed
from campaigns.sessions import session_or_404
from campaigns.views.chronicles import brief
from campaigns.views.form_pages import form_page
from campaigns.views.invitations import LOOPBACK, WRONG_TOKENS, WRONG_TOKENS_A_MINUTE, qr_code

FILE = "text/calendar; charset=utf-8"


@login_required
@never_cache
@form_page
def address(request: HttpRequest, chronicle_id: str) -> HttpResponse:
    """Say whether the member has a calendar address, or (POST) make a new one, which is shown only once."""
    by = access.member_or_404(request.user, chronicle_id)
    place = {"pk": by.chronicle_id, "name": by.chronicle.name}
    context = {"page": brief(by), "chronicle": place, "this_machine_only": request.get_host().startswith(LOOPBACK)}
    if request.method == "POST":
        access.check_playable(by.chronicle)
        link = request.build_absolute_uri(reverse("campaigns:feed", args=[calendars.open_feed(by=by)]))
        # Calendar apps would open webcal:// with plain HTTP, and so send the token in the clear.
        scheme = "webcals" if request.is_secure() else "webcal"
        context |= {"link": link, "code": qr_code(link), "subscribe": f"{scheme}:{link.partition(':')[2]}"}
    context["feed"] = CalendarFeed.objects.filter(membership=by).first()
    return render(request, "campaigns/calendar.html", context)


@login_required
@require_POST
def close(request: HttpRequest, chronicle_id: str) -> HttpResponse:
    """Revoke the member's calendar address."""
    calendars.close_feed(by=access.member_or_404(request.user, chronicle_id))
    messages.success(request, _("The calendar address has been revoked. Calendars can’t read it any more."))
    return redirect("campaigns:calendar", chronicle_id)


@require_safe
def feed(request: HttpRequest, token: str) -> HttpResponseBase:
    """What calendars read. No sign-in, no cookies; nothing tells an address that has ended from one that never was."""
    if throttle.tries(request, WRONG_TOKENS) >= WRONG_TOKENS_A_MINUTE:
        return _words(_("Too many wrong addresses. Try again in a minute."), 429, {"Retry-After": "60"})
    found = calendars.behind(token)
    if found is None:
        throttle.count(request, WRONG_TOKENS, seconds=60)
        return _words(_("This calendar address doesn’t work. Make a new one in Vesper."), 404, {})
    body = calendar_files.feed_file(found)
    etag = quote_etag(hashlib.sha256(body).hexdigest()[:32])
    # Kept by the calendar that asked, which asks each time whether it still holds.
    headers = {
        "ETag": etag,
        "Cache-Control": "private, no-cache",
        "Content-Disposition": 'attachment; filename="vesper.ics"',
    }
    answer = HttpResponse(body, content_type=FILE, headers=headers)
    return get_conditional_response(request, etag=etag, response=answer) or answer


@login_required
@require_safe
def session(request: HttpRequest, session_id: str) -> HttpResponse:
    """One session as a file to add to a calendar."""
    found, _membership = session_or_404(request.user, session_id)
    body = calendar_files.session_file(found)
    if body is None:
        raise Http404("This session has no time yet")
    named = {"Content-Disposition": f'attachment; filename="session-{found.number}.ics"'}
    return HttpResponse(body, content_type=FILE, headers=named)


def _words(words: str, status: int, headers: dict[str, str]) -> HttpResponse:
    """A sentence without a page around it, which would set a cookie."""
    return HttpResponse(f"{words}\n", status=status, content_type="text/plain; charset=utf-8", headers=headers)
