"""Compares expected results with actual ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rules.engine.phrases import Phrase, formerly
from rules.model.conditions import INCAPACITATED, Fallen, condition_of
from rules.scenario.cast import kept_as

SET_KEY = "conditions"


def mismatches(expected: Mapping[str, Any], came: Mapping[str, Any], path: str = "") -> Iterator[str]:
    """A sentence for each mismatch: tables are compared by key, lists as a whole, conditions as sets."""
    for key, wanted in expected.items():
        place = f"{path}.{key}" if path else key
        if key not in came:
            known = ", ".join(sorted(map(str, came))) or "nothing"
            yield f"{place}: expected {shown(wanted)}, but there is no such result (there are: {known})"
        elif isinstance(wanted, Mapping) and isinstance(came[key], Mapping):
            yield from mismatches(wanted, came[key], place)
        elif not _same(wanted, came[key], as_set=path == SET_KEY):
            yield f"{place}: expected {shown(wanted)}, got {shown(came[key])}"


def _same(wanted: Any, came: Any, *, as_set: bool) -> bool:
    if as_set and isinstance(wanted, list) and all(isinstance(name, str) for name in wanted):
        return _implied(wanted) == _implied(came)
    return equal(wanted, came)


def _implied(conditions: list[str]) -> set[str]:
    """The conditions under the names they are recorded as; a graver one implies being incapacitated."""
    named = set(map(kept_as, conditions))
    graver = any(condition_of(name).fallen > Fallen.DOWN for name in named)
    return named | {INCAPACITATED} if graver else named


def equal(wanted: Any, came: Any) -> bool:
    """Whether two values are equal; unlike in Python, true is not 1. A phrase may be written as it formerly read."""
    if isinstance(wanted, list) and isinstance(came, list):
        return len(wanted) == len(came) and all(map(equal, wanted, came))
    if isinstance(wanted, Mapping) and isinstance(came, Mapping):
        return wanted.keys() == came.keys() and all(equal(wanted[key], came[key]) for key in wanted)
    if isinstance(came, Phrase) and wanted == formerly(came):
        return True
    return isinstance(wanted, bool) == isinstance(came, bool) and bool(wanted == came)


def shown(value: Any) -> str:
    """A value as the file would write it (TOML)."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, list):
        return f"[{', '.join(map(shown, value))}]"
    if isinstance(value, Mapping):
        inner = ", ".join(f"{key} = {shown(item)}" for key, item in value.items())
        return f"{{ {inner} }}" if inner else "{}"
    return str(value)


def breakdown(parts: list[Mapping[str, Any]]) -> str:
    """A pool's dice, part by part: “Strength 3; Brawl 1; Lying down, from afar -2”."""
    return "; ".join(f"{part['label']} {part['dice']}" for part in parts if "dice" in part)
