"""A file inside a form, so that it needn't be sent twice nor kept on the server between preview and creation.

What comes back is read and checked again like any other file, so it needn't be signed.
"""

from __future__ import annotations

import base64
import binascii
import zlib

MOST_BYTES = 1_500_000
"""The largest file."""

MOST_PACKED = 700_000
"""The largest packed one, so that the form stays within what the server accepts (`DATA_UPLOAD_MAX_MEMORY_SIZE`)."""


def pack(content: bytes) -> str:
    """The file as text; "" if it is too large."""
    packed = base64.b64encode(zlib.compress(content)).decode() if len(content) <= MOST_BYTES else ""
    return packed if len(packed) <= MOST_PACKED else ""


def unpack(text: str) -> bytes | None:
    """The file again, None for anything else. Never more than `MOST_BYTES` are unpacked."""
    if not 0 < len(text) <= MOST_PACKED:
        return None
    try:
        unpacking = zlib.decompressobj()
        content = unpacking.decompress(base64.b64decode(text, validate=True), MOST_BYTES + 1)
    except (binascii.Error, ValueError, zlib.error):
        return None
    return content if unpacking.eof and len(content) <= MOST_BYTES else None
