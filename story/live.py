"""The live pages of this app: what each shows to a user. See `combat.live.pages`."""

from __future__ import annotations

from combat.live.pages import Look, register

PAGES: dict[str, Look] = {}
"""By the name given to `{% live_page %}`."""


def connect() -> None:
    """Register them. Called once, when the app is ready."""
    for name, look in PAGES.items():
        register(name, look)
