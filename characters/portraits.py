"""Pictures that people send, made into small ones of our own: nothing that came is kept as it came."""

from __future__ import annotations

from contextlib import suppress
from io import BytesIO
from threading import Lock

from PIL import Image, ImageOps
from PIL.Image import Resampling

MOST_BYTES = 2 * 1024 * 1024
"""The largest file that is looked at."""
MOST_PIXELS = 16_000_000
"""The largest picture that is decoded, in pixels: a quarter of a gigabyte of memory, for the costliest format."""
KEPT_BYTES = 64 * 1024
"""The most that a portrait has once it is kept."""
SIDES = (512, 384, 256, 128)
"""The longest side of what is kept, in pixels: the first at which it is small enough."""
FORMATS = ("JPEG", "PNG", "WEBP")

# The library's own limit warns from six times as much on. Ours stands in its place, in `redraw`.
Image.MAX_IMAGE_PIXELS = None
# Decoding is what costs memory: one picture at a time in each process, whoever sends how many.
_decoding = Lock()


class Unfit(Exception):
    """The file is no picture of those that are taken, or cannot be read."""


class TooLarge(Exception):
    """The picture has more pixels than are decoded."""


def redraw(file: bytes) -> bytes:
    """Give the first picture of `file` (a whole JPEG, PNG or WebP) as a WebP of `KEPT_BYTES` at the most.

    What it is goes by its content. Turned upright as its metadata ask for; they, and whatever else came with the
    picture, are left behind. Raises `TooLarge` by the header alone, before anything is decoded, and `Unfit`.
    """
    try:
        with _decoding, Image.open(BytesIO(file), formats=FORMATS) as sent:
            if sent.width * sent.height > MOST_PIXELS:
                raise TooLarge
            # Large pictures are made small where they are: each copy would cost as much memory again.
            small = sent.convert("RGBA") if sent.mode in ("P", "PA") else sent
            small.thumbnail((SIDES[0], SIDES[0]), Resampling.LANCZOS)
            # A nicety: without it the picture lies on its side.
            with suppress(Exception):
                ImageOps.exif_transpose(small, in_place=True)
            small = small.convert("RGBA" if small.has_transparency_data else "RGB")
            return next(drawn for side in SIDES if len(drawn := _drawn(small, side)) <= KEPT_BYTES)
    except TooLarge:
        raise
    except Exception as error:
        # The library's own way to say that a file is broken: any, by its kind and by where it is broken.
        raise Unfit from error


def _drawn(picture: Image.Image, side: int) -> bytes:
    fitted, drawn = picture.copy(), BytesIO()
    fitted.thumbnail((side, side), Resampling.LANCZOS)
    fitted.info.clear()
    fitted.save(drawn, "WEBP", quality=80, method=4)
    return drawn.getvalue()
