"""Checks the parts that a step strikes against those of the result."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from rules.engine.messages import Command, Event
from rules.model.damage_steps import DamageStep
from rules.model.plan import Part
from rules.scenario.fields import Table


def check_struck(command: Command, told: tuple[Event, ...]) -> None:
    """Raise `BadScenario` if a struck part looks like a misspelled part of the result."""
    answers = getattr(command, "defences", {}).values()
    struck = {name for each in (command, *answers) for name in getattr(each, "strike", ())}
    if struck:
        Table("", {}).spelled(sorted(struck), set(_parts_in(told)))


def _parts_in(value: Any) -> Iterator[str]:
    """The keys of all pool parts and damage steps anywhere in a value."""
    if isinstance(value, Part | DamageStep):
        yield value.key
    elif is_dataclass(value):
        for each in fields(value):
            yield from _parts_in(getattr(value, each.name))
    elif isinstance(value, tuple | Mapping):
        for each in value.values() if isinstance(value, Mapping) else value:
            yield from _parts_in(each)
