"""Addresses of what timeline and search lead to."""

from __future__ import annotations

from django.urls import reverse

from campaigns.models import Membership
from characters.known import Known


def page_url(chronicle: str, page: str) -> str:
    """A page of the chronicle."""
    return reverse("campaigns:page", args=[chronicle, page])


def person_url(membership: Membership, one: Known) -> str:
    """The sheet of a player's character, and the face of an NPC."""
    if one.is_npc:
        return reverse("characters:face", args=[membership.chronicle_id, one.id])
    return reverse("characters:sheet", args=[one.id])


def session_url(session: str) -> str:
    """A session."""
    return reverse("story:session", args=[session])


def ties_url(chronicle: str) -> str:
    """The ties of a chronicle."""
    return reverse("characters:ties", args=[chronicle])
