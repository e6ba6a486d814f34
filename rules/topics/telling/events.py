"""Events for what the Storyteller tells and waives."""

from __future__ import annotations

from dataclasses import dataclass

from rules.engine.messages import Event, event
from rules.engine.violations import Flag
from rules.model.choices import Modifier


@event(topics=("circumstance",))
@dataclass(frozen=True, slots=True)
class CircumstancesSet(Event):
    """The circumstances of a combatant's rolls (``who`` "": of everyone's) after a change."""

    who: str
    circumstances: tuple[Modifier, ...]


@event(topics=("perspective",))
@dataclass(frozen=True, slots=True)
class Described(Event):
    """The players of the combatants ``to`` got a message of their own; an empty ``text`` takes the last one back."""

    to: tuple[str, ...]
    text: str


@event()
@dataclass(frozen=True, slots=True)
class Narrated(Event):
    """The Storyteller's narration of a resolution."""

    resolution: str
    text: str


@event(no_rule=True)
@dataclass(frozen=True, slots=True)
class RollShown(Event):
    """Players now see the dice of a log entry or, if not ``shown``, no longer do."""

    entry: str
    shown: bool


@event()
@dataclass(frozen=True, slots=True)
class RulesWaived(Event):
    """Rules that forbade this command, waived by the Storyteller."""

    flags: tuple[Flag, ...]
    why: str = ""
