"""Circuit breaker: after a failure, a backend is skipped for some seconds, so that it delays one request, not all."""

from __future__ import annotations

import time

SECONDS = 10


class Outage:
    """The breaker's state, per process. True while the backend is skipped."""

    def __init__(self) -> None:
        self._until = 0.0

    def begin(self) -> None:
        """Skip the backend for `SECONDS`."""
        self._until = time.monotonic() + SECONDS

    def end(self) -> None:
        """The backend answered: use it again."""
        self._until = 0.0

    def __bool__(self) -> bool:
        return time.monotonic() < self._until
