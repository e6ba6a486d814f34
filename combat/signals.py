"""Signals of encounters, sent after the commit. A failing receiver does no harm."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple

from django.dispatch import Signal

# The views of some audiences changed. Arguments: encounter_id, audiences, and answered (an `Answered` or None).
views_changed = Signal()

# A fight wrote to characters' sheets, or characters entered it. Arguments: encounter_id, chronicle_id, characters
# (whose sheets other fights must follow) and behind (whose sheets this fight must follow).
sheets_written = Signal()

# A fight ended. Argument: encounter_id.
fight_ended = Signal()


class Page(NamedTuple):
    """The page that sent a request: its random name, and its audience."""

    name: str
    audience: str


class Answered(NamedTuple):
    """A page whose response contains its audience's changes up to this version."""

    page: Page
    version: int


_acting = ContextVar[Page | None]("acting", default=None)


@contextmanager
def answering(page: Page | None) -> Iterator[None]:
    """Changes made in this context are in the response to this page, so its socket needn't send them too."""
    before = _acting.set(page)
    try:
        yield
    finally:
        _acting.reset(before)


def acting_page() -> Page | None:
    """The page whose response contains the current changes, None for none."""
    return _acting.get()
