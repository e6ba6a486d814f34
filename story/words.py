"""Words for comparison: without case, and letters in one form."""

from __future__ import annotations

import unicodedata


def folded(text: str) -> str:
    """A text as searches compare it: “STRASSE” finds “Straße”, and letters with marks match however they are typed."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFKC", text).casefold())
