"""What encounters tell others. Sent after the commit; a receiver that fails spoils nothing."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple

from django.dispatch import Signal

# The views of some audiences changed. Arguments: encounter_id, audiences, and answered: an `Answered` or None.
views_changed = Signal()


class Page(NamedTuple):
    """A page that did something: its random name, and its audience."""

    name: str
    audience: str


class Answered(NamedTuple):
    """A page that is answered with what changed for its audience, up to a version."""

    page: Page
    version: int


_acting = ContextVar[Page | None]("acting", default=None)


@contextmanager
def answering(page: Page | None) -> Iterator[None]:
    """Whatever changes meanwhile is in the answer to this page, so that its socket need not bring it too."""
    before = _acting.set(page)
    try:
        yield
    finally:
        _acting.reset(before)


def acting_page() -> Page | None:
    """The page whose answer has what changes now, None for none."""
    return _acting.get()
