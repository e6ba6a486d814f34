"""The list of an account's sessions, which its owner can end one by one."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Any

from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.signals import user_logged_in
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.translation import gettext as _

from campaigns.models import SignIn, User
from campaigns.session_store import DEVICE, SEEN, SessionStore
from campaigns.signals import account_changed

MOST_SESSIONS = 4000
"""Size of the cache of verified sessions: more than a process has sockets."""
BROWSERS = (
    ("Edg", "Edge"),
    ("OPR", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox", "Firefox"),
    ("FxiOS", "Firefox"),
    ("CriOS", "Chrome"),
    ("Chrome", "Chrome"),
    ("Safari", "Safari"),
)
SYSTEMS = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("CrOS", "ChromeOS"),
    ("Macintosh", "Mac"),
    ("Linux", "Linux"),
)


@dataclass(frozen=True, slots=True)
class Place:
    """A device that somebody is signed in on.

    ``reference`` identifies the session without revealing its key; ``here`` marks the current one.
    """

    reference: str
    browser: str
    system: str
    seen: date | None
    here: bool


def note_device(request: HttpRequest | None, **_more: Any) -> None:
    """Store the browser that signed in with its session."""
    if request is not None and hasattr(request, "session"):
        request.session[DEVICE] = _device(str(request.META.get("HTTP_USER_AGENT", "")))
        request.session[SEEN] = timezone.now().date().isoformat()


def connect() -> None:
    """Connect to Django's sign-in signal. Called once, when the app is ready."""
    user_logged_in.connect(note_device, dispatch_uid="sign-ins")


def seen_today(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: store the day on which a session was last used, with one write per day."""

    def answer(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        today = timezone.now().date().isoformat()
        # Only for sessions already read: accessing it here would create one for every file and health check.
        if request.session.accessed and DEVICE in request.session and request.session.get(SEEN) != today:
            request.session[SEEN] = today
        return response

    return answer


def places_of(user: User, here: str | None) -> list[Place]:
    """The account's sessions, the current one first. `here` is its key."""
    alive = SignIn.objects.filter(user=user, expire_date__gt=timezone.now())
    found = [_place(row, here) for row in alive if made_with(row.session_data, user.pk, user.password)]
    return sorted(found, key=lambda place: (not place.here, -(place.seen or date.min).toordinal()))


@lru_cache(maxsize=MOST_SESSIONS)
def made_with(data: str, user_id: int, password: str) -> bool:
    """Whether a session's data is validly signed and belongs to this user with this password.

    Cached by all three arguments, so that a session isn't decoded again for every frame.
    """
    session = SessionStore().decode(data)
    user = User(pk=user_id, password=password)
    hashes = [user.get_session_auth_hash(), *user.get_session_auth_fallback_hash()]
    known = str(session.get(HASH_SESSION_KEY, ""))
    return session.get(SESSION_KEY) == str(user_id) and any(constant_time_compare(known, each) for each in hashes)


def end(*, user: User, reference: str) -> bool:
    """End one session. Returns whether it existed."""
    keys = [row.session_key for row in SignIn.objects.filter(user=user) if _reference(row.session_key) == reference]
    return _end(user, keys)


def end_others(*, user: User, here: str | None) -> bool:
    """End all other sessions. Returns whether there were any."""
    return _end(user, [row.session_key for row in SignIn.objects.filter(user=user) if row.session_key != here])


def _end(user: User, keys: list[str]) -> bool:
    SignIn.objects.filter(user=user, session_key__in=keys).delete()
    transaction.on_commit(lambda: account_changed.send_robust(sender=User, user=user))
    return bool(keys)


def _place(row: SignIn, here: str | None) -> Place:
    browser, _of, system = row.device.partition("/")
    return Place(
        _reference(row.session_key),
        browser or _("Unknown browser"),
        system or _("an unknown system"),
        row.seen,
        row.session_key == here,
    )


def _reference(key: str) -> str:
    # The key is the credential, so it must not appear on a page.
    return salted_hmac("campaigns.sign_ins", key).hexdigest()[:16]


def _device(agent: str) -> str:
    """Browser and system of a user agent, as "Firefox/Android". Nothing more detailed is stored."""
    browser = next((name for sign, name in BROWSERS if re.search(rf"\b{sign}", agent)), "")
    system = next((name for sign, name in SYSTEMS if sign in agent), "")
    return f"{browser}/{system}"
