"""Rest in several parts: the time that has not healed anything yet counts towards the next level."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from rules.engine.slots import Slot
from rules.model.gear import Damage
from rules.model.state import Combatant
from rules.model.system import Track


@dataclass(frozen=True, slots=True)
class Rest:
    """A rest so far: ``marks`` are the boxes it began with, ``left`` those it left.

    ``care`` is medical care, in a ``hospital`` or elsewhere.

    It goes on as long as the boxes stay as it left them; a new injury, or other healing, begins another rest.
    """

    marks: tuple[Damage, ...]
    hours: int
    left: tuple[Damage, ...]
    care: bool = False
    hospital: bool = False


RESTED = Slot[Combatant, Rest | None](Combatant, "rested", Rest | None, None)


def rest_so_far(combatant: Combatant, *, care: bool = False, hospital: bool = False) -> Rest:
    """The rest that further hours continue; one without hours if there is none."""
    marks, rest = combatant.sheet.marks, RESTED.of(combatant)
    goes_on = rest and (rest.left, rest.care, rest.hospital) == (marks, care, hospital)
    return rest if rest and goes_on else Rest(marks, 0, marks, care, hospital)


def rests_on(
    track: Track, combatant: Combatant, hours: int, *, care: bool, hospital: bool
) -> tuple[Rest, Mapping[str, int]]:
    """The rest with further hours, and the levels that these hours heal by type.

    The whole rest is computed from its beginning, so that several parts heal as much as one long rest.
    """
    rest = rest_so_far(combatant, care=care, hospital=hospital)
    begun = replace(combatant.sheet, marks=rest.marks)
    earlier = track.rest(begun, rest.hours, care=care, hospital=hospital)[1] if rest.hours else {}
    mended, healed = track.rest(begun, rest.hours + hours, care=care, hospital=hospital)
    now = {damage: count - earlier.get(damage, 0) for damage, count in healed.items()}
    return replace(rest, hours=rest.hours + hours, left=mended.marks), now
