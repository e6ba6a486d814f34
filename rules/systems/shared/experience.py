"""What earns experience by default in the classic family and the first edition of the other."""

from __future__ import annotations

from rules.engine.phrases import phrase

AWARDS = (
    phrase("session-played-1"),
    phrase("something-learned-1"),
    phrase("good-roleplaying-1"),
    phrase("heroism-1"),
)
"""Each line is a reason and its points."""
