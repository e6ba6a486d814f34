"""A chronicle's own powers as a file: TOML with a table `[powers.KEY]` for each, as scenario files have them."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _

from campaigns.names import printable_inside

MOST_BYTES = 200_000
MOST_READ = 200
"""How many powers a file may have."""

TABLE = "powers"
_BARE = re.compile(r"[A-Za-z0-9_-]+")


class BadFile(Exception):
    """A file can't be imported. The message is a sentence."""


def write(powers: Mapping[str, Mapping[str, Any]]) -> str:
    """The powers as a file."""
    return "\n".join("\n".join(_table(key, each)) + "\n" for key, each in powers.items())


def _table(key: str, power: Mapping[str, Any]) -> Iterator[str]:
    yield f"[{TABLE}.{_key(key)}]"
    for name, value in power.items():
        if name != "effects":
            yield f"{_key(name)} = {_value(value)}"
    for effect in power.get("effects", ()):
        yield f"\n[[{TABLE}.{_key(key)}.effects]]"
        for name, value in effect.items():
            yield f"{_key(name)} = {_value(value)}"


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _text(key)


def _text(text: str) -> str:
    # JSON's strings are TOML's, except that TOML escapes DEL.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(name)} = {_value(each)}" for name, each in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_value, value)) + "]"
    return str(value) if isinstance(value, int) else _text(value)


def read(content: bytes) -> dict[str, dict[str, Any]]:
    """The powers in a file, unchecked. Raises `BadFile` if it has none."""
    if len(content) > MOST_BYTES:
        raise BadFile(
            _("This file is larger than %(most)s KB. Split it into smaller ones.") % {"most": MOST_BYTES // 1000}
        )
    try:
        found = tomllib.loads(content.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise BadFile(_("This file isn’t in UTF-8. Save it as UTF-8 text.")) from None
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as problem:
        raise BadFile(_("This file can’t be read as TOML: %(problem)s") % {"problem": problem}) from None
    powers = found.get(TABLE)
    if not isinstance(powers, dict) or not powers or any(not isinstance(each, dict) for each in powers.values()):
        raise BadFile(_("This file has no powers. Each needs a table such as [powers.iron_skin]."))
    if strange := sorted(found.keys() - {TABLE}):
        raise BadFile(_("Unknown table: “%(name)s”. Such a file contains only powers.") % {"name": strange[0][:40]})
    if len(powers) > MOST_READ:
        raise BadFile(
            _("The file has %(count)s powers. Import at most %(most)s at once.")
            % {"count": len(powers), "most": MOST_READ}
        )
    cleaned: dict[str, dict[str, Any]] = printable_inside(powers)
    return cleaned
