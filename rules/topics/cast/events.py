"""Events about who is in the fight, and what players learn about them."""

from __future__ import annotations

from dataclasses import dataclass

from rules.engine.messages import Event, event
from rules.model.gear import Weapon
from rules.model.sheet import Sheet
from rules.model.state import Combatant


@event(no_rule=True)
@dataclass(frozen=True, slots=True)
class Joined(Event):
    """A combatant joined the fight."""

    combatant: Combatant


@event(no_rule=True)
@dataclass(frozen=True, slots=True)
class Left(Event):
    """A combatant left the fight."""

    who: str


@event(no_rule=True)
@dataclass(frozen=True, slots=True)
class VisibilityChanged(Event):
    """What players learn about a combatant changed."""

    who: str
    hidden: bool
    mask: str
    health_shown: str
    dice_shown: bool = False


@event()
@dataclass(frozen=True, slots=True)
class SheetRevised(Event):
    """A combatant's sheet was edited elsewhere: ``sheet`` is the new one, ``conditions`` follow from it.

    If another fight changed it, ``before`` is the sheet as this fight had it, with the conditions ``had``. Only the
    difference is applied then, so that undoing something earlier takes back nothing of the other fight. With ``whole``,
    that is so for what play wears, and everything else is replaced.
    """

    who: str
    sheet: Sheet
    conditions: frozenset[str]
    before: Sheet | None = None
    had: frozenset[str] = frozenset()
    whole: bool = False


@event(no_rule=True)
@dataclass(frozen=True, slots=True)
class Armed(Event):
    """The Storyteller gave combatants a weapon for this fight, each one of their own."""

    who: tuple[str, ...]
    weapon: Weapon


@event(no_rule=True)
@dataclass(frozen=True, slots=True)
class SideChosen(Event):
    """The side for which combatants fight from now on."""

    who: tuple[str, ...]
    side: str


@event(no_rule=True)
@dataclass(frozen=True, slots=True)
class Grouped(Event):
    """Combatants act and roll together from now on as the group ``band`` (an id), or alone if it is "".

    ``who`` lists everyone affected.
    """

    who: tuple[str, ...]
    band: str = ""
