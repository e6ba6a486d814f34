"""Events about who is in the fight, and what players learn about them."""

from __future__ import annotations

from dataclasses import dataclass

from rules.engine.messages import Event, event
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
    difference is applied then, so that undoing something earlier takes back nothing of the other fight.
    """

    who: str
    sheet: Sheet
    conditions: frozenset[str]
    before: Sheet | None = None
    had: frozenset[str] = frozenset()


@event(no_rule=True)
@dataclass(frozen=True, slots=True)
class Grouped(Event):
    """Combatants act and roll together from now on as the group ``band`` (an id), or alone if it is "".

    ``who`` lists everyone affected.
    """

    who: tuple[str, ...]
    band: str = ""
