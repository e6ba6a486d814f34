"""The parts that a step strikes, compared with those that there were."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from rules.engine.messages import Command, Event
from rules.model.damage_steps import DamageStep
from rules.model.plan import Part
from rules.scenario.fields import Table


def check_struck(command: Command, told: tuple[Event, ...]) -> None:
    """Raise `BadScenario` where a part that is struck is one of those that there were but for a slip."""
    answers = getattr(command, "defences", {}).values()
    struck = {name for each in (command, *answers) for name in getattr(each, "strike", ())}
    if struck:
        Table("", {}).spelled(sorted(struck), set(_parts_in(told)))


def _parts_in(value: Any) -> Iterator[str]:
    """The keys of all parts of pools, and steps of damage, in what came of a step."""
    if isinstance(value, Part | DamageStep):
        yield value.key
    elif is_dataclass(value):
        for each in fields(value):
            yield from _parts_in(getattr(value, each.name))
    elif isinstance(value, tuple | Mapping):
        for each in value.values() if isinstance(value, Mapping) else value:
            yield from _parts_in(each)
