"""The account of a request, read with its session in one statement."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY, load_backend, middleware
from django.contrib.auth.backends import ModelBackend
from django.http import HttpRequest
from django.utils.crypto import constant_time_compare
from django.utils.functional import SimpleLazyObject

from campaigns.models import User


class AuthenticationMiddleware(middleware.AuthenticationMiddleware):
    """Django's, which reads the account with a second statement, unless the session's is certain to be the same."""

    def process_request(self, request: HttpRequest) -> None:
        super().process_request(request)
        user: Any = SimpleLazyObject(lambda: _user_of(request))
        request.user = user


def _user_of(request: Any) -> Any:
    if not hasattr(request, "_cached_user"):
        account = _verified(request.session)
        if account is not None:
            request._cached_user = account
    return middleware.get_user(request)


def _verified(session: Any) -> User | None:
    """The session's account if `django.contrib.auth.get_user` would accept it as it is.

    Everything else is left to Django: what to refuse, which sessions to end, and hashes made with an earlier secret.
    """
    path, known = session.get(BACKEND_SESSION_KEY), session.get(HASH_SESSION_KEY)  # before `account`: this loads it
    account: User | None = getattr(session, "account", None)
    if account is None or str(account.pk) != session.get(SESSION_KEY) or path not in settings.AUTHENTICATION_BACKENDS:
        return None
    backend = load_backend(path)
    if not isinstance(backend, ModelBackend) or type(backend).get_user is not ModelBackend.get_user:
        return None
    accepted = backend.user_can_authenticate(account) and known
    return account if accepted and constant_time_compare(known, account.get_session_auth_hash()) else None
