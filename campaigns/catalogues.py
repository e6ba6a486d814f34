"""Django's translation catalogues."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, cast

from django.utils.translation import trans_real


class _Catalogue(Protocol):
    """The private attributes of gettext's translations used here."""

    _catalog: Mapping[str, object]
    _fallback: _Catalogue | None


def leave_out_empty(language: str) -> None:
    """Remove empty catalogues from the language's fallback chain.

    Source texts are in English, so every lookup went through all six catalogues of British English, one per app, and
    found nothing. This took a tenth of a command's time.
    """
    asked = cast("_Catalogue", trans_real.translation(language))
    while (after := asked._fallback) is not None:
        if after._catalog.keys() <= {""}:  # the empty msgid is the catalogue's header
            asked._fallback = after._fallback
        else:
            asked = after
