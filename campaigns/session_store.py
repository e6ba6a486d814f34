"""Database sessions that record their account and device.

This is the engine named in `SESSION_ENGINE`, extended the way Django documents.
"""

from __future__ import annotations

from typing import Any

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends import db

from campaigns.models import SignIn

DEVICE, SEEN = "device", "seen"


class SessionStore(db.SessionStore[SignIn]):
    """Sessions that their owner can list."""

    @classmethod
    def get_model_class(cls) -> type[SignIn]:
        return SignIn

    def create_model_instance(self, data: dict[str, Any]) -> SignIn:
        row = super().create_model_instance(data)
        row.user_id = data.get(SESSION_KEY)
        row.device = data.get(DEVICE, "")
        row.seen = data.get(SEEN, "")[:10] or None
        return row
