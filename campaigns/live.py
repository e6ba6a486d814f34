"""Tokens that tell an open page whether it is outdated."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any

from campaigns.marks import mark


def token(shown: object) -> str:
    """A digest of what a page shows its reader, as 16 hexadecimal digits.

    Fields with ``repr=False`` are left out: ages, which change all the time.
    """
    texts: list[str] = []
    _add(shown, texts)
    return mark("\x1f".join(texts))


def _add(value: object, texts: list[str]) -> None:
    # Into one list: a chronicle's page has thousands of values, and generators within generators are slow.
    if isinstance(value, str):
        texts.append(str(value))
    elif is_dataclass(value):
        for name in _told(value.__class__):
            texts.append(name)
            _add(getattr(value, name), texts)
    elif isinstance(value, Mapping):
        for key, one in value.items():
            texts.append(str(key))
            _add(one, texts)
    elif isinstance(value, Iterable):
        texts.append("[")
        for one in value:
            _add(one, texts)
        texts.append("]")
    else:
        # Lazy translations become text here.
        texts.append(str(value))


@cache
def _told(kind: Any) -> tuple[str, ...]:
    """The names of a dataclass's fields that count."""
    return tuple(each.name for each in fields(kind) if each.repr)
