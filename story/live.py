"""The live pages of this app: what each shows to a user. See `combat.live.pages`."""

from __future__ import annotations

from campaigns.access import check_playable, check_storyteller, member_or_404
from campaigns.models import User
from campaigns.sessions import session_or_404
from combat.live.pages import Look, Shown, register
from story import sessions


def _sessions(user: User, key: str) -> Shown:
    return Shown(sessions.session_list(member_or_404(user, key)), (key,))


def _session(user: User, key: str) -> Shown:
    session, membership = session_or_404(user, key)
    return Shown(sessions.session_page(session, membership), (session.chronicle_id,))


def _session_form(user: User, key: str) -> Shown:
    """A form about a session: what it is announced for, or its end."""
    session, membership = session_or_404(user, key)
    check_storyteller(membership)
    check_playable(membership.chronicle)
    return Shown(session.version, (session.chronicle_id,))


PAGES: dict[str, Look] = {
    "sessions": _sessions,
    "session": _session,
    "session-form": _session_form,
}
"""By the name given to `{% live_page %}`."""


def connect() -> None:
    """Register them. Called once, when the app is ready."""
    for name, look in PAGES.items():
        register(name, look)
