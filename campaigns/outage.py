"""A server beside us that does not answer is left alone for a while, so that it delays one request and not each."""

from __future__ import annotations

import time

SECONDS = 10


class Outage:
    """Whether something is left alone, by this process's own clock."""

    def __init__(self) -> None:
        self._until = 0.0

    def begin(self) -> None:
        """Leave it alone for some seconds."""
        self._until = time.monotonic() + SECONDS

    def end(self) -> None:
        """It was heard of: ask it again."""
        self._until = 0.0

    def __bool__(self) -> bool:
        return time.monotonic() < self._until
