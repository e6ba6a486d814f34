"""Addresses of what timeline and search lead to."""

from __future__ import annotations

from django.urls import reverse


def page_url(chronicle: str, page: str) -> str:
    """A page of the chronicle."""
    return reverse("campaigns:page", args=[chronicle, page])
