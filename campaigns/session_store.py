"""Database sessions that record their account and device, and are read together with the account.

This is the engine named in `SESSION_ENGINE`, extended the way Django documents.
"""

from __future__ import annotations

from typing import Any

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends import db
from django.db.models import QuerySet
from django.utils import timezone

from campaigns.models import SignIn, User
from campaigns.prepared import Param, Prepared

DEVICE, SEEN = "device", "seen"


@Prepared
def _alive() -> QuerySet[SignIn]:
    """A session that hasn't expired, with its account."""
    alive = SignIn.objects.filter(session_key=Param("key", SignIn), expire_date__gt=Param("now", SignIn, "expire_date"))
    return alive.select_related("user")


class SessionStore(db.SessionStore[SignIn]):
    """Sessions that their owner can list.

    `account` is the owner as read with the session, None before that or without one. It isn't verified: see
    `campaigns.authentication`.
    """

    account: User | None = None

    @classmethod
    def get_model_class(cls) -> type[SignIn]:
        return SignIn

    def create_model_instance(self, data: dict[str, Any]) -> SignIn:
        row = super().create_model_instance(data)
        row.user_id = data.get(SESSION_KEY)
        row.device = data.get(DEVICE, "")
        row.seen = data.get(SEEN, "")[:10] or None
        return row

    def _get_session_from_db(self) -> SignIn | None:
        row = _alive.one(key=self.session_key, now=timezone.now())
        if row is None:
            self._session_key = None
            return None
        self.account = row.user
        return row
