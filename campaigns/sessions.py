"""A chronicle's sessions: which one is played or comes next."""

from __future__ import annotations

from django.db.models import F

from campaigns.models import Progress, Session


def playing(chronicle_id: str) -> Session | None:
    """The session that is being played; None if none is."""
    return Session.objects.filter(chronicle_id=chronicle_id, progress=Progress.PLAYING).first()


def upcoming(chronicle_id: str) -> Session | None:
    """The session that is played now, or else the next one planned; those without a date come last."""
    planned = Session.objects.filter(chronicle_id=chronicle_id, progress=Progress.PLANNED)
    return playing(chronicle_id) or planned.order_by(F("starts").asc(nulls_last=True), "number").first()
