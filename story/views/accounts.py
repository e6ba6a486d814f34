"""All data of one's own account: a page that asks for the password, and the download."""

from __future__ import annotations

import tempfile
import time

from django.contrib.auth.decorators import login_required
from django.http import FileResponse, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST

from campaigns import audit, throttle
from campaigns.forms.accounts import PasswordForm
from campaigns.requests import SignedInRequest
from campaigns.views.accounts import HOUR, guesses_too_often
from campaigns.views.form_pages import form_page, status_of
from campaigns.views.invitations import too_many
from story.accounts import files

CONFIRMED = "password-confirmed"
"""The session's key for when the password was last given for this page."""

MINUTES = 10
DOWNLOADS_AN_HOUR = 10


@sensitive_post_parameters("password")
@never_cache
@login_required
@form_page
def data(request: SignedInRequest) -> HttpResponse:
    """What the file holds. It is offered for ten minutes after the password: an open session isn't enough."""
    if request.method == "POST" and guesses_too_often(request):
        return too_many(request, HOUR)
    form = PasswordForm(request.POST or None, user=request.user)
    if form.is_valid():
        request.session[CONFIRMED] = time.time()
        return redirect("story:account-data")
    context = {"form": form, "confirmed": _is_confirmed(request)}
    return render(request, "story/accounts/data.html", context, status=status_of(form))


@login_required
@require_POST
def file(request: SignedInRequest) -> HttpResponse | FileResponse:
    """The file. It is complete before the download begins, so that no database connection waits for a slow phone."""
    if not _is_confirmed(request):
        return redirect("story:account-data")
    if throttle.count(request, "account-data", seconds=HOUR, who=request.user.pk) > DOWNLOADS_AN_HOUR:
        return too_many(request, HOUR)
    packed = tempfile.TemporaryFile()  # noqa: SIM115  # the response closes it
    try:
        files.write(request.user, packed)
    except BaseException:
        packed.close()
        raise
    packed.seek(0)
    audit.note("account-data", account=request.user.pk)
    return FileResponse(packed, as_attachment=True, filename="vesper-account.zip", content_type="application/zip")


def _is_confirmed(request: HttpRequest) -> bool:
    return bool(0 <= time.time() - request.session.get(CONFIRMED, 0) < 60 * MINUTES)
