"""Public ids, invitation tokens and idempotency keys."""

from __future__ import annotations

import hashlib
import secrets
from uuid import uuid4

from django.utils.crypto import salted_hmac

# No vowels, so that a random id never spells a word; no l, 0 or 1, so that it can be read out.
ALPHABET = "bcdfghjkmnpqrstvwxz23456789"
PUBLIC_ID_LENGTH = 10


def public_id() -> str:
    """A random primary key, so that hidden rows leave no gaps to count."""
    return "".join(secrets.choice(ALPHABET) for _ in range(PUBLIC_ID_LENGTH))


def id_for(*said: object) -> str:
    """A primary key that is the same for the same values, such as an idempotency key and who sent it.

    It also depends on the server's secret key, so that nobody can choose an id by choosing the values.
    """
    digest = salted_hmac("campaigns.tokens.id_for", "\0".join(map(str, said)), algorithm="sha256").digest()
    number, letters = int.from_bytes(digest), []
    for _place in range(PUBLIC_ID_LENGTH):
        number, letter = divmod(number, len(ALPHABET))
        letters.append(ALPHABET[letter])
    return "".join(letters)


def new_key() -> str:
    """A new idempotency key for a form: 32 hexadecimal digits."""
    return uuid4().hex


def new_token() -> str:
    """A new URL-safe invitation token of 256 random bits. It is shown once and never stored."""
    return secrets.token_urlsafe(32)


def hash_token(token: str) -> str:
    """The token's SHA-256 in hexadecimal, which is stored and used for lookup.

    Neither salt nor key stretching is needed, because the token has as much entropy as the hash.
    """
    return hashlib.sha256(token.encode()).hexdigest()
