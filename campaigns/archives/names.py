"""New ids for everything that an archive brings, the same for the same old id.

Every public id in the archive gets a new one, wherever it occurs, so nothing in it can refer to anything that is
already here. An id has no vowels, so no word is taken for one.
"""

from __future__ import annotations

import re
from typing import Any

from campaigns.tokens import ALPHABET, PUBLIC_ID_LENGTH, public_id

_ID = re.compile(f"[{ALPHABET}]{{{PUBLIC_ID_LENGTH}}}")
_JOINED = re.compile(f"{_ID.pattern}([: ]{_ID.pattern})*(:[A-Z_]+)?")
"""One id, or several that are joined, such as a proof (`encounter:entry`), which may have its trigger at its end."""
_SORT = "template:"
"""Precedes the id of a chronicle's own template, in the groups that are made from it."""

TYPED = "typed"
"""The key of a text that somebody typed, in logs: nothing in it is an id."""


def is_id(text: object) -> bool:
    """Whether this is a public id."""
    return isinstance(text, str) and bool(_ID.fullmatch(text))


class NewIds:
    """Old ids and their new ones."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {}

    def __call__(self, old: str) -> str:
        """The new id for an old one."""
        known = self._known.get(old)
        if known is None:
            known = self._known[old] = public_id()
        return known

    def text(self, text: str) -> str:
        """A text that may be an id or several joined ones; any other stays as it is."""
        if text.startswith(_SORT):
            return f"{_SORT}{self.text(text.removeprefix(_SORT))}"
        if len(text) < PUBLIC_ID_LENGTH or not _JOINED.fullmatch(text):
            return text
        return _ID.sub(lambda found: self(found[0]), text)

    def inside(self, value: Any) -> Any:
        """A JSON value with new ids in its keys and texts, except in what somebody typed."""
        if isinstance(value, dict):
            return {
                self.text(key): each if key == TYPED and isinstance(each, str) else self.inside(each)
                for key, each in value.items()
            }
        if isinstance(value, list):
            return [self.inside(each) for each in value]
        return self.text(value) if isinstance(value, str) else value
