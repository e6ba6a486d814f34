"""What the Storyteller lays down, tells and waives."""

from __future__ import annotations

from dataclasses import dataclass

from rules.engine.violations import Flag
from rules.topics.commands import Modifier


@dataclass(frozen=True, slots=True)
class CircumstancesSet:
    """The circumstances that lie on somebody's rolls as they are now; on everybody's where ``who`` is ""."""

    who: str
    circumstances: tuple[Modifier, ...]


@dataclass(frozen=True, slots=True)
class Described:
    """Those who play the combatants ``to`` were told what they alone see and feel; nothing more without ``text``."""

    to: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Narrated:
    """The Storyteller's words for what was resolved."""

    resolution: str
    text: str


@dataclass(frozen=True, slots=True)
class RollShown:
    """Players see the dice of an entry of the log from now on, or (``shown`` off) do not."""

    entry: str
    shown: bool


@dataclass(frozen=True, slots=True)
class RulesWaived:
    """Rules that would have turned this command down, and that the Storyteller let go by."""

    flags: tuple[Flag, ...]
    why: str = ""


DeskEvent = CircumstancesSet | Described | Narrated | RollShown | RulesWaived
