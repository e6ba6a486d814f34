"""Pictures that people send, made into small ones of our own: nothing that came is kept as it came."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from io import BytesIO
from threading import BoundedSemaphore
from typing import Any

from PIL import Image, ImageOps
from PIL.Image import Resampling

MOST_BYTES = 2 * 1024 * 1024
"""The largest file that is looked at."""
MOST_PIXELS = 16_000_000
"""The largest picture that is decoded, in pixels."""
MOST_MEMORY = 48_000_000
"""The most memory that decoding may take, in bytes: fewer pixels in formats that need much for each."""
MOST_WAITING = 2
"""As many pictures wait while another is drawn: each keeps a request's thread and its file."""
KEPT_BYTES = 64 * 1024
"""The most that a portrait has once it is kept."""
SIDES = (512, 384, 256, 128)
"""The longest side of what is kept, in pixels: the first at which it is small enough."""
FORMATS = ("JPEG", "PNG", "WEBP")
ROWS = 64
"""Of a picture that is made smaller, as many are made at a time."""

# The library's own limit warns from six times as much on. Ours stands in its place, in `redraw`.
Image.MAX_IMAGE_PIXELS = None
# One picture at a time in each process, always on the same thread: the allocator keeps some of what a picture took for
# each thread that ever drew one.
_drawing = ThreadPoolExecutor(1, thread_name_prefix="portraits")
_places = BoundedSemaphore(1 + MOST_WAITING)


class Unfit(Exception):
    """The file is no picture of those that are taken, or cannot be read."""


class TooLarge(Exception):
    """The picture has more than the `most` pixels that are decoded of its format."""

    def __init__(self, most: int) -> None:
        super().__init__(most)
        self.most = most


class Busy(Exception):
    """As many pictures wait to be drawn as may."""


def redraw_in_turn(file: bytes) -> bytes:
    """As :func:`redraw`, after those that came before. Raises `Busy` too."""
    if not _places.acquire(blocking=False):
        raise Busy
    try:
        return _drawing.submit(redraw, file).result()
    finally:
        _places.release()


def redraw(file: bytes) -> bytes:
    """Give the first picture of `file` (a whole JPEG, PNG or WebP) as a WebP of at most `KEPT_BYTES`.

    What it is goes by its content. Turned upright as its metadata ask for; they, and whatever else came with the
    picture, are left behind. Raises `TooLarge` by the header alone, before anything is decoded, and `Unfit`.
    """
    try:
        with Image.open(BytesIO(file), formats=FORMATS) as sent:
            most = min(MOST_PIXELS, int(MOST_MEMORY / _bytes_for_a_pixel(sent)))
            if sent.width * sent.height > most:
                raise TooLarge(most)
            small = _shrunk(sent)
        small.thumbnail((SIDES[0], SIDES[0]), Resampling.LANCZOS)
        # A nicety: without it the picture lies on its side.
        with suppress(Exception):
            ImageOps.exif_transpose(small, in_place=True)
        return next(drawn for side in SIDES if len(drawn := _drawn(small, side)) <= KEPT_BYTES)
    except TooLarge:
        raise
    except Exception as error:
        # The library's own way to say that a file is broken: any, by its kind and by where it is broken.
        raise Unfit from error


def _bytes_for_a_pixel(sent: Any) -> float:
    """What decoding takes, as the header tells: only a plain JPEG can be decoded at a fraction of its size."""
    if sent.format == "WEBP":
        return 16  # three canvases of the decoder's, and the picture
    if sent.format == "JPEG":
        samples = [across * down for _number, across, down, _table in sent.layer]
        return 2 * sum(samples) / max(samples) if sent.info.get("progressive") else 1
    return 1 if sent.mode in ("1", "L", "P") else 4


def _shrunk(sent: Image.Image) -> Image.Image:
    """The picture in colours that can be resized, at most four times as large as it will be.

    A strip at a time: a converted copy of the whole would take as much memory as the picture again.
    """
    sent.draft(None, (2 * SIDES[0], 2 * SIDES[0]))
    factor = max(1, max(sent.size) // (2 * SIDES[0]))
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
