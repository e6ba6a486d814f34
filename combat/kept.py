"""What was worked out last, kept in the process: the oldest goes first."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import Any


class Kept:
    """As many as `most` values by their keys. It may be asked from several threads."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._items: OrderedDict[Any, Any] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Any) -> Any:
        with self._lock:
            if key in self._items:
                self._items.move_to_end(key)
            return self._items.get(key)

    def put(self, key: Any, value: Any) -> Any:
        with self._lock:
            self._items[key] = value
            while len(self._items) > self._most:
                self._items.popitem(last=False)
        return value
