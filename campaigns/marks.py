"""Short digests, used as optimistic concurrency tokens for what somebody was shown."""

from __future__ import annotations

from hashlib import sha256


def mark(text: str) -> str:
    """A text's digest as 16 hexadecimal digits."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
