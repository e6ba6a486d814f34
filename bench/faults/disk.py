"""The disk under the embedded database is full for a while: nothing can be saved, everything can be read."""

from __future__ import annotations

import asyncio
import contextlib
import subprocess
from collections.abc import Iterator
from pathlib import Path

from bench.faults.outage import Evening, Report, data, suffer
from bench.harness import Vesper

SECONDS = 15.0
SECONDS_TO_TELL = 20.0
MEGABYTES = 48


class NoSmallDisk(Exception):
    """Only root can create a small disk."""


@contextlib.contextmanager
def small_disk(place: Path) -> Iterator[None]:
    """Mount a small in-memory disk in this folder. Raises `NoSmallDisk`."""
    made = ["mount", "-t", "tmpfs", "-o", f"size={MEGABYTES}m", "tmpfs", str(place)]
    try:
        subprocess.run(made, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        raise NoSmallDisk from None
    try:
        yield
    finally:
        subprocess.run(["umount", str(place)], check=True)


def fill(place: Path) -> Path:
    """Fill the disk. Returns the file that does."""
    ballast = place / "ballast"
    with ballast.open("wb", buffering=0) as opened, contextlib.suppress(OSError):
        while opened.write(b"x" * 4096):
            pass
    return ballast


async def run(folder: Path, *, seconds: float = SECONDS) -> list[Report]:
    """Fill the disk once, for this many seconds. Raises `NoSmallDisk` if it cannot be created."""
    place = data(folder, "disk")
    with small_disk(place), Vesper(place) as server:

        async def full(evening: Evening) -> None:
            ballast = await asyncio.to_thread(fill, place)
            over = asyncio.create_task(asyncio.sleep(seconds))
            # A pending press may still find a free page.
            while await evening.somebody_acts(within=2):
                await asyncio.to_thread(fill, place)
            await evening.onlooker.press()
            spoke = await evening.onlooker.speaks(within=SECONDS_TO_TELL)
            evening.expect("it says that the disk is full", holds=spoke)
            status, _html = await evening.pages[0].visitor.get(evening.pages[0].path)
            evening.expect("pages can be read", holds=status == 200)
            await over
            ballast.unlink()

        return [await suffer("the disk full", [server], full, provoked=["disk is full"])]
