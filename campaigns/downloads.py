"""Large files to download: they are read as they are sent, and never held in memory."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, StreamingHttpResponse

PIECE = 256 * 1024


def file_response(request: HttpRequest, path: Path, name: str, content_type: str) -> StreamingHttpResponse:
    """A file to save under this name, which must be plain ASCII."""
    # Under ASGI, Django would collect a plain iterator before it sends anything.
    pieces = _sent(path) if isinstance(request, ASGIRequest) else _read(path)
    headers = {
        "Content-Disposition": f'attachment; filename="{name}"',
        "Content-Length": str(path.stat().st_size),
        "Cache-Control": "private, no-store",
    }
    return StreamingHttpResponse(pieces, content_type=content_type, headers=headers)


def _read(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while piece := file.read(PIECE):
            yield piece


async def _sent(path: Path) -> AsyncIterator[bytes]:
    pieces = _read(path)
    while piece := await asyncio.to_thread(next, pieces, b""):
        yield piece
