"""Finds tracebacks in a server's log."""

from __future__ import annotations

import re
from collections.abc import Sequence

TRACEBACK = re.compile(r"Traceback \(most recent call last\)(?::\n(?:[ \t].*\n)*)?.*")
"""From the first line to the one with the exception; in a JSON log, to the end of the line."""


def unexpected_tracebacks(log: str, expected: Sequence[str] = ()) -> list[str]:
    """The tracebacks in a log, except those that contain one of the `expected` texts."""
    return [each for each in TRACEBACK.findall(log) if not any(text in each for text in expected)]
