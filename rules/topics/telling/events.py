"""What the Storyteller lays down, tells and waives."""

from __future__ import annotations

from dataclasses import dataclass

from rules.engine.messages import Event, event
from rules.engine.violations import Flag
from rules.model.choices import Modifier


@event(topics=("circumstance",))
@dataclass(frozen=True, slots=True)
class CircumstancesSet(Event):
    """The circumstances that lie on somebody's rolls as they are now; on everybody's where ``who`` is ""."""

    who: str
    circumstances: tuple[Modifier, ...]


@event(topics=("perspective",))
@dataclass(frozen=True, slots=True)
class Described(Event):
    """Those who play the combatants ``to`` were told what they alone see and feel; nothing more without ``text``."""

    to: tuple[str, ...]
    text: str


@event()
@dataclass(frozen=True, slots=True)
class Narrated(Event):
    """The Storyteller's words for what was resolved."""

    resolution: str
    text: str


@event(no_rule=True)
@dataclass(frozen=True, slots=True)
class RollShown(Event):
    """Players see the dice of an entry of the log from now on, or (``shown`` off) do not."""

    entry: str
    shown: bool


@event()
@dataclass(frozen=True, slots=True)
class RulesWaived(Event):
    """Rules that would have turned this command down, and that the Storyteller let go by."""

    flags: tuple[Flag, ...]
    why: str = ""
