"""What tells a page that stands open that it would look otherwise now."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass

from campaigns.marks import mark


def token(shown: object) -> str:
    """Sixteen hexadecimal digits for what a page shows its reader: two of the same look the same.

    Fields with ``repr=False`` do not count: ages, which change without anything happening.
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
        # Texts that are translated late are no text until they are asked for.
        yield str(value)
