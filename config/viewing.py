"""“View as”: a Storyteller reads `/as/<membership>/…` as that member, with every link staying inside.

The member's own rights decide what is shown, so nothing has to be hidden for this view. It only reads.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import get_script_prefix, reverse, set_script_prefix
from django.utils.translation import gettext as _

from campaigns.viewing import Viewing, viewable, viewed_as

ADDRESS = re.compile(r"/as/([0-9]{1,15})(/.*)")
READ = {"chronicles", "characters", "encounters", "passages", "pages", "pictures", "portraits", "rules", "sessions"}
"""The first path segments that can be viewed: a member's own account can't."""


def view_as(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware: answer `/as/<membership>/…` as that member. It must come after those that need the real account."""

    def answer(request: Any) -> HttpResponseBase:
        found = ADDRESS.fullmatch(request.path_info)
        if found is None:
            return get_response(request)
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        view = viewable(request.user, int(found[1]))
        if view is None:
            raise Http404("No such member")
        request.viewing, request.leave_view = view, reverse("campaigns:chronicle", args=[view.chronicle_id])
        prefix = get_script_prefix()
        set_script_prefix(f"{prefix}as/{found[1]}/")
        try:
            with viewed_as(view):
                return _inside(request, view, found[2], get_response)
        finally:
            # Threads are reused, and each keeps its prefix.
            set_script_prefix(prefix)

    return answer


def _inside(
    request: Any, view: Viewing, path: str, get_response: Callable[[HttpRequest], HttpResponseBase]
) -> HttpResponseBase:
    if path == "/":
        return redirect("campaigns:chronicle", view.chronicle_id)
    if path.split("/")[1] not in READ:
        raise Http404("Not in this view")
    if request.method not in ("GET", "HEAD"):
        raise PermissionDenied(
            _("You are viewing the chronicle as %(name)s. You can’t change anything here.") % {"name": view.name}
        )
    by, request.user, request.path_info = request.user, view.member.user, path
    try:
        return get_response(request)
    finally:
        request.user = by
