"""Who is there, and what players learn of them."""

from __future__ import annotations

from dataclasses import dataclass

from rules.model.sheet import Sheet
from rules.model.state import Combatant


@dataclass(frozen=True, slots=True)
class Joined:
    """Somebody is in the fight now."""

    combatant: Combatant


@dataclass(frozen=True, slots=True)
class Left:
    """Somebody is out of the fight now."""

    who: str


@dataclass(frozen=True, slots=True)
class VisibilityChanged:
    """What players learn of a combatant changed."""

    who: str
    hidden: bool
    mask: str
    health_shown: str
    dice_shown: bool = False


@dataclass(frozen=True, slots=True)
class SheetRevised:
    """Somebody's sheet was edited elsewhere: it is ``sheet`` now, with the conditions that follow."""

    who: str
    sheet: Sheet
    conditions: frozenset[str]


@dataclass(frozen=True, slots=True)
class Grouped:
    """Some act and roll together from now on, as the ``band`` of that id; alone where it is "".

    ``who`` are all whom that changes.
    """

    who: tuple[str, ...]
    band: str = ""


CastEvent = Joined | Left | VisibilityChanged | Grouped | SheetRevised
