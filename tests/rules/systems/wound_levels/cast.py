"""The cast of these tests."""

from typing import Any

from rules.model.gear import Armor, Mode, Weapon
from rules.model.sheet import Injury, Sheet
from rules.systems.wound_levels.system import WOUNDS
from tests.rules.table import Table

AXE = Weapon("axe", Mode.MELEE, 1, attribute="strength", ability="melee", difficulty=6)
RAPIER = Weapon("rapier", Mode.MELEE, 1, attribute="dexterity", ability="melee", difficulty=6)
PISTOL = Weapon(
    "pistol", Mode.FIREARM, 3, attribute="dexterity", ability="firearms", difficulty=7, range=(30,), rate=2, clip=15
)
BOW = Weapon("bow", Mode.ARCHERY, 1, attribute="dexterity", ability="athletics", difficulty=7, range=(50,))
KEVLAR = Armor("Kevlar vest", 3)


def hurt(*levels: int, **written: Any) -> Sheet:
    """A sheet with injuries of these levels: fields of a sheet by name, every other keyword a Trait."""
    known = {key: written.pop(key) for key in ("weapons", "armor", "resources", "merits", "kind") if key in written}
    return Sheet("", traits=written, injuries=tuple(Injury(level) for level in levels), **known)


def table(**sheets: Sheet) -> Table:
    """A fight in this ruleset."""
    return Table(WOUNDS, **sheets)


def levels(table: Table, who: str) -> tuple[int, ...]:
    """The levels of somebody's injuries."""
    return tuple(injury.level for injury in table.sheet(who).injuries)
