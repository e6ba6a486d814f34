"""In-process caches with first-in, first-out eviction."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from functools import wraps
from threading import Lock
from typing import Any, Concatenate, ParamSpec, TypeVar

from campaigns.current import reading

One = TypeVar("One")
Other = TypeVar("Other")
Made = TypeVar("Made")
Others = ParamSpec("Others")


class Kept:
    """A thread-safe cache of at most `most` values, with first-in, first-out eviction."""

    def __init__(self, most: int) -> None:
        self._most = most
        # Not a plain dict, which would look for its oldest item among all the places that became empty.
        self._items: OrderedDict[Any, Any] = OrderedDict()
        self._lock = Lock()
        # Without the lock, without tracking use and without a call of our own, because a command reads it a thousand
        # times.
        self.get: Callable[[Any], Any] = self._items.get

    def put(self, key: Any, value: Any) -> Any:
        with self._lock:
            self._items[key] = value
            while len(self._items) > self._most:
                self._items.popitem(last=False)
        return value


def same(one: object, other: object) -> bool:
    """Whether two values are equal. Most are one object, which a dataclass compares field by field nevertheless."""
    return one is other or one == other


def _alike() -> None:
    """What values depend on that are the same for all readers."""


def for_each(
    most: int, *, worded: bool = True
) -> Callable[[Callable[Concatenate[One, Others], Made]], Callable[Concatenate[One, Others], Made]]:
    """Memoise by the identity of the first argument, the other arguments and, if `worded`, what texts depend on.

    For immutable arguments that are expensive to compare: a combatant unaffected by a command stays the same object in
    the next state. The function must be pure.
    """
    found = Kept(most)
    find, now = found.get, reading if worded else _alike

    def keep(work: Callable[Concatenate[One, Others], Made]) -> Callable[Concatenate[One, Others], Made]:
        @wraps(work)
        def kept(one: One, /, *others: Others.args, **named: Others.kwargs) -> Made:
            key = (id(one), now(), others, *named.items()) if named else (id(one), now(), others)
            known = find(key)
            # The argument is stored with the result, so that its id can't be reused by another object.
            if known is None or known[0] is not one:
                known = found.put(key, (one, work(one, *others, **named)))
            made: Made = known[1]
            return made

        return kept

    return keep


def for_each_two(
    most: int,
) -> Callable[[Callable[Concatenate[One, Other, Others], Made]], Callable[Concatenate[One, Other, Others], Made]]:
    """The same by the identity of two arguments and the others' values, for what two such values differ in."""
    found = Kept(most)
    find = found.get

    def keep(
        work: Callable[Concatenate[One, Other, Others], Made],
    ) -> Callable[Concatenate[One, Other, Others], Made]:
        @wraps(work)
        def kept(one: One, other: Other, /, *others: Others.args, **named: Others.kwargs) -> Made:
            key = (id(one), id(other), others, *named.items())
            known = find(key)
            if known is None or known[0] is not one or known[1] is not other:
                known = found.put(key, (one, other, work(one, other, *others, **named)))
            made: Made = known[2]
            return made

        return kept

    return keep
