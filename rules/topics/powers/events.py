"""Events of powers: one was used, and those in effect changed."""

from __future__ import annotations

from dataclasses import dataclass

from rules.engine.messages import Event, event
from rules.model.power_effects import InEffect, Notice


@event()
@dataclass(frozen=True, slots=True)
class PowerUsed(Event):
    """A combatant used a power, by its key, on ``at``; one that did not ``work`` has no effect."""

    by: str
    power: str
    label: str
    rule: str
    at: tuple[str, ...] = ()
    works: bool = True
    notice: Notice = Notice.SEEN


@event()
@dataclass(frozen=True, slots=True)
class PowersChanged(Event):
    """The powers in effect on a combatant: all of them now, and those that ended."""

    who: str
    powers: tuple[InEffect, ...]
    ended: tuple[InEffect, ...] = ()
    rule: str = ""
