"""What the Storyteller lays down and tells."""

from __future__ import annotations

from dataclasses import dataclass

from rules.model.choices import Modifier


@dataclass(frozen=True, slots=True)
class SetCircumstances:
    """Put the circumstances that lie on somebody's rolls, or (``who`` "") on the whole scene; none lifts them."""

    who: str = ""
    circumstances: tuple[Modifier, ...] = ()


@dataclass(frozen=True, slots=True)
class Describe:
    """Tell those who play some combatants (``to``, ids) what they alone see and feel."""

    to: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Narrate:
    """Put the Storyteller's words above what was resolved."""

    resolution: str
    text: str


@dataclass(frozen=True, slots=True)
class ShowRoll:
    """Show players the dice of an entry of the log, or hide them again. ``entry`` is what the log calls it."""

    entry: str
    shown: bool = True


DeskCommand = SetCircumstances | Describe | Narrate | ShowRoll
