"""What was worked out last, kept in the process: the oldest goes first."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from threading import Lock
from typing import Any, Concatenate, ParamSpec, TypeVar

from django.utils.translation import get_language

One = TypeVar("One")
Made = TypeVar("Made")
Others = ParamSpec("Others")


class Kept:
    """As many as `most` values by their keys; what came first goes first. It may be asked from several threads."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._items: dict[Any, Any] = {}
        self._lock = Lock()

    def get(self, key: Any) -> Any:
        # Without the lock, and without noting that it was asked: this is asked hundreds of times an action.
        return self._items.get(key)

    def put(self, key: Any, value: Any) -> Any:
        with self._lock:
            self._items[key] = value
            while len(self._items) > self._most:
                del self._items[next(iter(self._items))]
        return value


def for_each(
    most: int, *, worded: bool = True
) -> Callable[[Callable[Concatenate[One, Others], Made]], Callable[Concatenate[One, Others], Made]]:
    """Keep what a function makes of its first argument, by which object that is, and the others.

    And by the language of now, where there are words in it (`worded`). For what never changes, and is dear to compare:
    a combatant whom a command leaves alone is the same object in the state after it. Nothing else may tell on what
    comes out.
    """
    found = Kept(most)

    def keep(work: Callable[Concatenate[One, Others], Made]) -> Callable[Concatenate[One, Others], Made]:
        @wraps(work)
        def kept(one: One, /, *others: Others.args, **named: Others.kwargs) -> Made:
            key = (id(one), get_language() if worded else "", others, *named.items())
            known = found.get(key)
            # Kept along with what came of it: else another could come to have its number.
            if known is None or known[0] is not one:
                known = found.put(key, (one, work(one, *others, **named)))
            made: Made = known[1]
            return made

        return kept

    return keep
