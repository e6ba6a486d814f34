"""Helpers for pages with a form, shared by all apps."""

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
    "Somebody else saved this while you were editing. Compare their version, then save again to replace it with yours."
)


def status_of(form: Any) -> int:
    """422 for a form with errors, so that tests, scripts and htmx can tell it from a new one."""
    return 422 if form.is_bound and form.errors else 200


def take_conflict(form: Any, version: object, theirs: Sequence[str] = (), sentence: Any = CONFLICT) -> None:
    """Turn a form into its edit conflict: add the error, show their version, and adopt the new version token."""
    form.add_error(None, sentence)
    form.theirs = theirs
    form.data = form.data.copy()
    form.data["version"] = str(version)


def is_saved(form: Any, chronicle: Chronicle, save: Callable[[], object], draw: Callable[[], Any]) -> bool:
    """Save a form to a chronicle. Returns whether it worked; if not, the form has the conflict or the error.

    `draw` builds the same form again from the chronicle's current values.
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
