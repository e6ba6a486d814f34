"""Django's current language, time zone and link prefix, in context variables of their own.

Django keeps each in an `asgiref.local.Local`, which takes a microsecond and a half to read. One action asks for the
language some five hundred times: for each text, and for each value that is cached by language. A context variable is
what `Local` itself is made of: each thread and each task has its own value, and `sync_to_async` takes it along. What
nearly all of those ask for is :func:`reading`, which is put together once for each change.
`tests/campaigns/test_current.py` fails if Django keeps one of them elsewhere.
"""

from __future__ import annotations

from contextvars import ContextVar
from typing import Any, NamedTuple

from django.urls import base as urls
from django.utils import timezone
from django.utils.translation import get_language, trans_real

KEPT: tuple[tuple[Any, str], ...] = (
    (trans_real, "_active"),
    (timezone, "_active"),
    (urls, "_prefixes"),
    (urls, "_urlconfs"),
)
"""The modules and the names of their variables; each is only used with the one attribute `value`."""

_NOTHING = object()


class Reading(NamedTuple):
    """What rendered texts depend on in every request: the language, and the prefix of its links (“View as”)."""

    language: str | None
    prefix: str


_reading: ContextVar[Reading | None] = ContextVar("reading", default=None)


def reading() -> Reading:
    """What is current now."""
    found = _reading.get()
    if found is None:
        found = Reading(get_language(), urls.get_script_prefix())
        _reading.set(found)
    return found


class Current:
    """Stands in for a `Local`: the attribute `value`, which may be unset."""

    __slots__ = ("_kept",)

    def __init__(self, name: str) -> None:
        self._kept: ContextVar[Any] = ContextVar(name, default=_NOTHING)

    @property
    def value(self) -> Any:
        found = self._kept.get()
        if found is _NOTHING:
            raise AttributeError("value")
        return found

    @value.setter
    def value(self, found: Any) -> None:
        self._kept.set(found)
        _reading.set(None)

    @value.deleter
    def value(self) -> None:
        self._kept.set(_NOTHING)
        _reading.set(None)


def install() -> None:
    """Replace Django's variables. Called once, when the app is ready and nothing is current yet."""
    for module, name in KEPT:
        setattr(module, name, Current(f"{module.__name__}.{name}"))
