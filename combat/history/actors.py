"""The name of who acted, as readers see it."""

from __future__ import annotations

from django.utils.translation import gettext as _

from combat.log.reseal import FORMER


def shown_name(actor_name: str) -> str:
    """A row's `actor_name`, in the reader's language if the account was deleted."""
    return _("a former member") if actor_name == FORMER else actor_name
