"""Short marks of what somebody was shown, by which it is known later whether it is so still."""

from __future__ import annotations

from hashlib import sha256


def mark(text: str) -> str:
    """Sixteen hexadecimal digits for a text: those of the same text are the same."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
