"""Who is there, and what players learn of them."""

from __future__ import annotations

from dataclasses import dataclass

from rules.engine.messages import Event, event
from rules.model.sheet import Sheet
from rules.model.state import Combatant


@event(no_rule=True)
@dataclass(frozen=True, slots=True)
class Joined(Event):
    """Somebody is in the fight now."""

    combatant: Combatant


@event(no_rule=True)
@dataclass(frozen=True, slots=True)
class Left(Event):
    """Somebody is out of the fight now."""

    who: str


@event(no_rule=True)
@dataclass(frozen=True, slots=True)
class VisibilityChanged(Event):
    """What players learn of a combatant changed."""

    who: str
    hidden: bool
    mask: str
    health_shown: str
    dice_shown: bool = False


@event()
@dataclass(frozen=True, slots=True)
class SheetRevised(Event):
    """Somebody's sheet was edited elsewhere: it is ``sheet`` now, with the conditions that follow."""

    who: str
    sheet: Sheet
    conditions: frozenset[str]


@event(no_rule=True)
@dataclass(frozen=True, slots=True)
class Grouped(Event):
    """Some act and roll together from now on, as the ``band`` of that id; alone where it is "".

    ``who`` are all whom that changes.
    """

    who: tuple[str, ...]
    band: str = ""
