"""What the pages of all apps share that hold a form."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods

from campaigns.errors import EditConflict
from campaigns.forms.differences import differences
from campaigns.models import Chronicle
from rules.model.options import BadOption

form_page = require_http_methods(["GET", "HEAD", "POST"])
CONFLICT = _(
    "Somebody else saved this while you were writing. Look at theirs, then save again to put yours in its place."
)


def status_of(form: Any) -> int:
    """422 for a form that comes back with errors, so that tests, scripts and htmx can tell it from a fresh one."""
    return 422 if form.is_bound and form.errors else 200


def take_conflict(form: Any, version: object, theirs: Sequence[str] = (), sentence: Any = CONFLICT) -> None:
    """Say that somebody was quicker, show theirs, and let the next save count as having seen it."""
    form.add_error(None, sentence)
    form.theirs = theirs
    form.data = form.data.copy()
    form.data["version"] = str(version)


def is_saved(form: Any, chronicle: Chronicle, save: Callable[[], object], draw: Callable[[], Any]) -> bool:
    """Whether a chronicle took what the form says; if not, the form says why: another's edit, or what cannot be.

    `draw` makes the same form anew, standing at what the chronicle has then.
    """
    try:
        save()
    except EditConflict:
        chronicle.refresh_from_db()
        take_conflict(form, chronicle.version, differences(draw()))
        return False
    except BadOption as bad:
        form.refuse(bad.key, bad.message)
        return False
    return True
