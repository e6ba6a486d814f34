"""What Django looks words up in."""

from __future__ import annotations

from django.utils.translation import trans_real


def leave_out_empty(language: str) -> None:
    """Take the catalogues without a single word out of those that are asked one after the other.

    English is what texts are written in, so that each is looked for in all of them, and found in none: six for British
    English, one an app, which took a tenth of what a command costs.
    """
    asked = trans_real.translation(language)
    while (after := asked._fallback) is not None:
        if after._catalog.keys() <= {""}:  # the empty text stands for who translated it, and when
            asked._fallback = after._fallback
        else:
            asked = after
