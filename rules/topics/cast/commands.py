"""Commands for who is in the fight, and what players learn about them."""

from __future__ import annotations

from dataclasses import dataclass

from rules.engine.inputs import Asked
from rules.engine.messages import Command, command
from rules.engine.phrases import phrase
from rules.model.gear import Weapon
from rules.model.sheet import Sheet
from rules.model.state import ASK


@dataclass(frozen=True, slots=True)
class Newcomer:
    """A combatant about to join. For the fields see :class:`rules.model.state.Combatant`.

    ``weapons`` are those they carry in this fight, before the ones on their sheet.
    """

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
    dice_shown: bool = False
    default_defence: str = ASK
    side: str = ""
    weapons: tuple[Weapon, ...] = ()


@command(phrase("join"), any_time=True, commutes=True)
@dataclass(frozen=True, slots=True)
class Join(Command):
    """Add combatants, before or during the fight."""

    newcomers: tuple[Newcomer, ...]


@command(phrase("leave"), any_time=True, asked=Asked(title=phrase("leave-the-fight"), about="who"))
@dataclass(frozen=True, slots=True)
class Leave(Command):
    """Remove a combatant from the fight."""

    who: str


@command(phrase("set-visibility"), any_time=True, commutes=True)
@dataclass(frozen=True, slots=True)
class SetVisibility(Command):
    """Set what players learn about a combatant. Fields left ``None`` stay as they are."""

    who: str
    hidden: bool | None = None
    mask: str | None = None
    health_shown: str | None = None
    dice_shown: bool | None = None


@command(phrase("revise-sheet"), any_time=True)
@dataclass(frozen=True, slots=True)
class ReviseSheet(Command):
    """Replace a combatant's sheet after it, or a table it draws on, was edited elsewhere.

    With ``worn`` only what play changes is taken: harm, points, rounds, faults. With ``merged`` everything is, but harm
    and points as a difference, so that undoing something earlier still takes its own part back.
    """

    who: str
    sheet: Sheet
    worn: bool = False
    merged: bool = False


@command(phrase("group"), any_time=True, commutes=True)
@dataclass(frozen=True, slots=True)
class Group(Command):
    """Make combatants act and roll together from now on; those in another group leave it."""

    who: tuple[str, ...]


@command(phrase("arm"), any_time=True, commutes=True)
@dataclass(frozen=True, slots=True)
class Arm(Command):
    """Give combatants a weapon for this fight, each one of their own."""

    who: tuple[str, ...]
    weapon: Weapon


@command(phrase("choose-side"), any_time=True, commutes=True)
@dataclass(frozen=True, slots=True)
class ChooseSide(Command):
    """Set for whom a combatant and their group fight, a :class:`rules.model.state.Side`."""

    who: str
    side: str


@command(phrase("ungroup"), any_time=True, commutes=True, asked=Asked(about="who", page=False))
@dataclass(frozen=True, slots=True)
class Ungroup(Command):
    """Make a combatant act and roll alone again."""

    who: str
