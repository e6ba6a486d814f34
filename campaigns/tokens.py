"""Identifiers and secrets that leave the server: public ids and invitation tokens."""

from __future__ import annotations

import hashlib
import secrets

# No vowels: an id drawn at random never spells a word. No l, 0 or 1: it can be read out at the table.
ALPHABET = "bcdfghjkmnpqrstvwxz23456789"
PUBLIC_ID_LENGTH = 10


def public_id() -> str:
    """A random primary key for what strangers may not count: a hidden row leaves no hole in a numbering."""
    return "".join(secrets.choice(ALPHABET) for _ in range(PUBLIC_ID_LENGTH))


def new_token() -> str:
    """A fresh invitation token, 256 bits of chance, safe in a URL. It is shown once and never stored."""
    return secrets.token_urlsafe(32)


def hash_token(token: str) -> str:
    """What is stored of a token and what it is looked up by: its SHA-256 in hexadecimal.

    A plain hash is enough because the token is as strong as the hash: there is nothing to guess or to salt.
    """
    return hashlib.sha256(token.encode()).hexdigest()
