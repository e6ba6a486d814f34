"""Redrawing of uploaded pictures. No uploaded byte is stored."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from io import BytesIO
from threading import BoundedSemaphore
from typing import Any

from PIL import Image, ImageOps
from PIL.Image import Resampling

MOST_BYTES = 2 * 1024 * 1024
"""The maximum size of an uploaded file, in bytes."""
MOST_PIXELS = 16_000_000
"""The maximum size of a decoded picture, in pixels."""
MOST_MEMORY = 48_000_000
"""The maximum memory for decoding, in bytes. Formats that need more per pixel are limited to fewer pixels."""
MOST_WAITING = 2
"""The maximum queue length. Each waiting picture holds a request's thread and its file."""
KEPT_BYTES = 64 * 1024
"""The maximum size of a stored portrait, in bytes."""
FORMATS = ("JPEG", "PNG", "WEBP")
ROWS = 64
"""How many rows of a picture are scaled at a time."""


@dataclass(frozen=True, slots=True)
class Fit:
    """The size of a stored picture: maximum side lengths in pixels, of which the first that gives a file of at most
    `bytes` is used.
    """

    sides: tuple[int, ...]
    bytes: int


PORTRAIT = Fit((512, 384, 256, 128), KEPT_BYTES)
HANDOUT = Fit((1280, 1024, 768, 512, 256, 128), 200 * 1024)


# The library's own limit only warns, at six times as much. `redraw` enforces ours instead.
Image.MAX_IMAGE_PIXELS = None
# One picture at a time per process, always on the same thread, because the allocator keeps some of a picture's memory
# for each thread that ever drew one.
_drawing = ThreadPoolExecutor(1, thread_name_prefix="pictures")
_places = BoundedSemaphore(1 + MOST_WAITING)


class Unfit(Exception):
    """The file isn't a picture in an accepted format, or is damaged."""


class TooLarge(Exception):
    """The picture has more than `most` pixels, the limit for its format."""

    def __init__(self, most: int) -> None:
        super().__init__(most)
        self.most = most


class Busy(Exception):
    """The queue of pictures is full."""


def redraw_in_turn(file: bytes, fit: Fit = PORTRAIT) -> bytes:
    """Queue a picture for :func:`redraw` and wait for the result. Also raises `Busy`."""
    if not _places.acquire(blocking=False):
        raise Busy
    try:
        return _drawing.submit(redraw, file, fit).result()
    finally:
        _places.release()


def redraw(file: bytes, fit: Fit = PORTRAIT) -> bytes:
    """Convert the first frame of `file`, a JPEG, PNG or WebP, to a WebP that fits.

    The format is detected from the content. The picture is rotated according to its metadata; metadata and extra data
    are dropped. Raises `TooLarge`, from the header alone, before anything is decoded, and `Unfit`.
    """
    try:
        with Image.open(BytesIO(file), formats=FORMATS) as sent:
            most = min(MOST_PIXELS, int(MOST_MEMORY / _bytes_for_a_pixel(sent)))
            if sent.width * sent.height > most:
                raise TooLarge(most)
            small = _shrunk(sent, fit.sides[0])
        small.thumbnail((fit.sides[0], fit.sides[0]), Resampling.LANCZOS)
        # Optional: without it, the picture is just not rotated.
        with suppress(Exception):
            ImageOps.exif_transpose(small, in_place=True)
        return next(drawn for side in fit.sides if len(drawn := _drawn(small, side)) <= fit.bytes)
    except TooLarge:
        raise
    except Exception as error:
        # The library raises all sorts of exceptions for damaged files.
        raise Unfit from error


def check_stored(file: bytes, fit: Fit) -> None:
    """Check that this is a picture as `redraw` makes them: decoded as a whole, but not drawn again.

    Drawing it again would lose a little each time. Raises `Unfit`.
    """
    try:
        whole = len(file) <= fit.bytes and int.from_bytes(file[4:8], "little") == len(file) - 8
        if not whole:
            raise Unfit
        with Image.open(BytesIO(file), formats=("WEBP",)) as stored:
            if (
                max(stored.size) > fit.sides[0]
                or getattr(stored, "n_frames", 1) != 1
                or _NOT_DRAWN & stored.info.keys()
            ):
                raise Unfit
            stored.load()
    except Unfit:
        raise
    except Exception as error:
        raise Unfit from error


_NOT_DRAWN = {"exif", "xmp", "icc_profile"}
"""What a picture has that somebody else made."""


def _bytes_for_a_pixel(sent: Any) -> float:
    """Memory per pixel for decoding, from the header. Only a baseline JPEG can be decoded at reduced size."""
    if sent.format == "WEBP":
        return 16  # three canvases of the decoder, plus the picture
    if sent.format == "JPEG":
        samples = [across * down for _number, across, down, _table in sent.layer]
        return 2 * sum(samples) / max(samples) if sent.info.get("progressive") else 1
    return 1 if sent.mode in ("1", "L", "P") else 4


def _shrunk(sent: Image.Image, side: int) -> Image.Image:
    """The picture in a mode that can be resized, at most four times its final size.

    Converted in strips, because a converted copy of the whole would take as much memory again.
    """
    sent.draft(None, (2 * side, 2 * side))
    factor = max(1, max(sent.size) // (2 * side))
    mode = "RGBA" if sent.has_transparency_data else "RGB"
    small = Image.new(mode, (-(-sent.width // factor), -(-sent.height // factor)))
    for top in range(0, sent.height, ROWS * factor):
        strip = sent.crop((0, top, sent.width, min(top + ROWS * factor, sent.height)))
        small.paste(strip.convert(mode).reduce(factor), (0, top // factor))
    small.info = dict(sent.info)
    return small


def _drawn(picture: Image.Image, side: int) -> bytes:
    fitted, drawn = picture.copy(), BytesIO()
    fitted.thumbnail((side, side), Resampling.LANCZOS)
    fitted.info.clear()
    fitted.save(drawn, "WEBP", quality=80, method=4)
    return drawn.getvalue()
