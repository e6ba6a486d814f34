"""Who is there, and what players learn of them."""

from __future__ import annotations

from dataclasses import dataclass

from rules.model.sheet import Sheet


@dataclass(frozen=True, slots=True)
class Newcomer:
    """Somebody about to join: see :class:`rules.model.state.Combatant` for the fields."""

    id: str
    sheet: Sheet
    character: str = ""
    player: bool = False
    group: str = ""
    conditions: frozenset[str] = frozenset()
    hidden: bool = False
    mask: str = ""
    health_shown: str = ""
    band: str = ""


@dataclass(frozen=True, slots=True)
class Join:
    """Add combatants, before the fight or in its midst."""

    newcomers: tuple[Newcomer, ...]


@dataclass(frozen=True, slots=True)
class Leave:
    """Take somebody out of the fight."""

    who: str


@dataclass(frozen=True, slots=True)
class SetVisibility:
    """Settle what players learn of a combatant. Fields left ``None`` stay as they are."""

    who: str
    hidden: bool | None = None
    mask: str | None = None
    health_shown: str | None = None
    dice_shown: bool | None = None


@dataclass(frozen=True, slots=True)
class ReviseSheet:
    """Put somebody's sheet as it is now, after it or a table behind it was edited elsewhere."""

    who: str
    sheet: Sheet


@dataclass(frozen=True, slots=True)
class Group:
    """Let some act and roll together from now on; whoever was in another group leaves it."""

    who: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ungroup:
    """Let somebody act and roll alone again."""

    who: str


CastCommand = Join | Leave | SetVisibility | Group | Ungroup | ReviseSheet
