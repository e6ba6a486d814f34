"""Finds tracebacks in a server's log."""

from __future__ import annotations

import re
from collections.abc import Sequence

TRACEBACK = re.compile(r"Traceback \(most recent call last\)(?::\n(?:[ \t].*\n)*)?.*")
"""From its first line to the one that names the exception; in a log of JSON lines, to the end of the line."""


def unexpected_tracebacks(log: str, expected: Sequence[str] = ()) -> list[str]:
    """The tracebacks in a log without those that hold one of the `expected` texts."""
    return [each for each in TRACEBACK.findall(log) if not any(text in each for text in expected)]
