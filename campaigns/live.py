"""Tokens that tell an open page whether it is outdated."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass

from campaigns.marks import mark


def token(shown: object) -> str:
    """A digest of what a page shows its reader, as 16 hexadecimal digits.

    Fields with ``repr=False`` are left out: ages, which change all the time.
    """
    return mark("\x1f".join(_texts(shown)))


def _texts(value: object) -> Iterator[str]:
    if is_dataclass(value):
        for each in fields(value):
            if each.repr:
                yield each.name
                yield from _texts(getattr(value, each.name))
    elif isinstance(value, Mapping):
        for key, one in value.items():
            yield str(key)
            yield from _texts(one)
    elif isinstance(value, Iterable) and not isinstance(value, str):
        yield "["
        for one in value:
            yield from _texts(one)
        yield "]"
    else:
        # Lazy translations become text here.
        yield str(value)
