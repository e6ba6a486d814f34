"""Who is there, and what players learn of them."""

from __future__ import annotations

from dataclasses import dataclass

from rules.engine.inputs import Asked
from rules.engine.messages import Command, command
from rules.engine.phrases import phrase
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


@command(phrase("join"), any_time=True, commutes=True)
@dataclass(frozen=True, slots=True)
class Join(Command):
    """Add combatants, before the fight or in its midst."""

    newcomers: tuple[Newcomer, ...]


@command(phrase("leave"), any_time=True, asked=Asked(title=phrase("Leave the fight"), about="who"))
@dataclass(frozen=True, slots=True)
class Leave(Command):
    """Take somebody out of the fight."""

    who: str


@command(phrase("set visibility"), any_time=True, commutes=True)
@dataclass(frozen=True, slots=True)
class SetVisibility(Command):
    """Settle what players learn of a combatant. Fields left ``None`` stay as they are."""

    who: str
    hidden: bool | None = None
    mask: str | None = None
    health_shown: str | None = None
    dice_shown: bool | None = None


@command(phrase("revise sheet"), any_time=True)
@dataclass(frozen=True, slots=True)
class ReviseSheet(Command):
    """Put somebody's sheet as it is now, after it or a table behind it was edited elsewhere."""

    who: str
    sheet: Sheet


@command(phrase("group"), any_time=True, commutes=True)
@dataclass(frozen=True, slots=True)
class Group(Command):
    """Let some act and roll together from now on; whoever was in another group leaves it."""

    who: tuple[str, ...]


@command(phrase("ungroup"), any_time=True, commutes=True, asked=Asked(about="who", page=False))
@dataclass(frozen=True, slots=True)
class Ungroup(Command):
    """Let somebody act and roll alone again."""

    who: str
