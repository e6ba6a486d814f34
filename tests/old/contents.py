"""What a log can hold and does hold: types, fields, keys and text templates of commands and events."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from rules.engine.messages import Command, Event
from rules.engine.phrases import Phrase
from rules.model.system import System

MESSAGES = (*get_args(Command), *get_args(Event))


def words_of(ruleset: System, conditions: Iterable[str]) -> frozenset[str]:
    """A ruleset's keys that appear in logs: actions, circumstances, conditions, defences, rules."""
    return frozenset(
        [*ruleset.actions, *ruleset.modifiers, *conditions, *ruleset.attack.defences.kinds, *ruleset.book.rules]
    )


def held(value: Any, words: frozenset[str], place: str = "") -> Iterator[str]:
    """The content of a value: its types, their fields that differ from the default, keys (`words`), text templates."""
    if dataclasses.is_dataclass(value):
        name = type(value).__name__
        yield name
        for field in dataclasses.fields(value):
            content = getattr(value, field.name)
            if content != _default(field):
                yield f"{name}.{field.name}"
            yield from held(content, words, f"{name}.{field.name}")
    elif isinstance(value, Phrase):
        yield f"text {value.id}"
        for each in value.values.values():
            yield from held(each, words, place)
    elif isinstance(value, bool | StrEnum) or (isinstance(value, str) and value in words):
        yield f"{place}={value}"
    elif isinstance(value, Mapping):
        for key, each in value.items():
            yield from held(key, words, place)
            yield from held(each, words, place)
    elif isinstance(value, tuple | frozenset):
        for each in value:
            yield from held(each, words, place)


def _default(field: dataclasses.Field[Any]) -> Any:
    if field.default_factory is not dataclasses.MISSING:
        return field.default_factory()
    return field.default


def wanted() -> frozenset[str]:
    """All command and event types and the types in them, with their fields, named as in :func:`held`."""
    found = set[str]()
    left: list[Any] = list(MESSAGES)
    while left:
        kind = left.pop()
        if get_origin(kind) in (Union, UnionType, tuple, frozenset) or get_args(kind):
            left.extend(get_args(kind))
        elif dataclasses.is_dataclass(kind) and kind.__name__ not in found:
            hints = get_type_hints(kind)
            found |= {kind.__name__, *(f"{kind.__name__}.{field.name}" for field in dataclasses.fields(kind))}
            left.extend(hints.values())
    return frozenset(found)
