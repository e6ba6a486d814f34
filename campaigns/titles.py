"""Titles of pages as `[[links]]` name them."""

from __future__ import annotations

import unicodedata

from campaigns.models import NAME_LENGTH


def fold(title: str) -> str:
    """A title for comparisons: without case, in one normal form, with single spaces and none around it."""
    plain = unicodedata.normalize("NFC", unicodedata.normalize("NFC", title).casefold())
    return " ".join(plain.split())[: 3 * NAME_LENGTH]
