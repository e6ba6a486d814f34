"""What any name must have, of people and of what they make."""

from __future__ import annotations

import unicodedata

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

DRAWN_AS_NOTHING = "\u115f\u1160\u2800\u3164\uffa0"
"""Fillers, which Unicode counts among letters and signs."""


UNSEEN = _("Nothing of this can be seen. Use letters that show.")


def is_seen(name: str) -> bool:
    """Whether anything of a name shows: a link made of zero-width letters has no text."""
    return any(unicodedata.category(each)[0] in "LNPS" and each not in DRAWN_AS_NOTHING for each in name)


def check_seen(name: str) -> None:
    """A validator: raises `ValidationError` for a name of which nothing shows."""
    if not is_seen(name):
        raise ValidationError(UNSEEN)
