"""Actors as JSON files, read within limits of size, depth and number."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from characters.incoming.arrival import BadFile
from characters.incoming.packing import MOST_BYTES

MOST_DEPTH = 40
MOST_VALUES = 60_000
MOST_ITEMS = 500
LONGEST_NUMBER = 15
"""Longer ones aren't exact in Foundry either: they are kept as text."""

_STRINGS = re.compile(r'"(?:[^"\\]|\\.)*+"', re.DOTALL)
_BRACKETS = re.compile(r"[\[\]{}]")
_SURROGATES = re.compile("[\ud800-\udfff]")


def is_json(content: bytes) -> bool:
    """Whether a file looks like an object in JSON."""
    return content.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"{"


def parse(content: bytes) -> dict[str, Any]:
    """The object in a file. Of a key that is there twice the last value counts; the others get a number.

    Texts are without NUL and lone surrogates; numbers are whole numbers, decimals or, if too long, texts. Raises
    `BadFile`.
    """
    if len(content) > MOST_BYTES:
        raise BadFile(_("This file is larger than %(most)s KB.") % {"most": MOST_BYTES // 1000})
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadFile(_("This file isn’t in UTF-8. Save it as UTF-8 text.")) from None
    _check_size(text)
    try:
        found = json.loads(
            text, parse_int=_whole, parse_float=_decimal, parse_constant=_constant, object_pairs_hook=_pairs
        )
    except (ValueError, RecursionError):
        raise BadFile(_("This file can’t be read as JSON. Export the actor from Foundry again.")) from None
    if not isinstance(found, dict):
        raise BadFile(_("This file can’t be read as JSON. Export the actor from Foundry again."))
    cleaned: dict[str, Any] = _clean(found)
    return cleaned


def _check_size(text: str) -> None:
    """Refuse deep and endless files before they are parsed."""
    bare = _STRINGS.sub("", text)
    depth = deepest = 0
    for bracket in _BRACKETS.findall(bare):
        depth += 1 if bracket in "[{" else -1
        deepest = max(deepest, depth)
    if deepest > MOST_DEPTH or bare.count(",") + bare.count("[") + bare.count("{") > MOST_VALUES:
        raise BadFile(_("This file is too complex for a single character. Export one actor, not a whole folder."))


def _whole(digits: str) -> int | str:
    return int(digits) if len(digits) <= LONGEST_NUMBER else digits


def _decimal(digits: str) -> float | str:
    return float(digits) if len(digits) <= LONGEST_NUMBER else digits


def _constant(word: str) -> Any:
    raise ValueError(word)  # NaN and Infinity aren't JSON, and Foundry doesn't write them


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            number = 1
            while f"{key} ({number})" in found:
                number += 1
            found[f"{key} ({number})"] = found[key]
        found[key] = value
    return found


def _clean(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {_text(key): _clean(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_clean(each) for each in value]
    return _text(value) if isinstance(value, str) else value


def _text(text: str) -> str:
    return _SURROGATES.sub("\ufffd", text).replace("\0", "")
