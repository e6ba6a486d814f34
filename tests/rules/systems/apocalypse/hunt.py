"""The cast of the Apocalypse tests, and their gear."""

from __future__ import annotations

from rules.model.gear import Armor, Damage, Mode, Weapon
from rules.model.sheet import Sheet
from rules.systems.classic.apocalypse.system import APOCALYPSE
from tests.rules.table import Table, mortal

STAKE = Weapon("stake", Mode.MELEE, 1, "strength", Damage.LETHAL, tags=frozenset({"stake"}))
TORCH = Weapon("torch", Mode.MELEE, 2, "", Damage.LETHAL, tags=frozenset({"fire"}))
CLAWS = Weapon("claws", Mode.UNARMED, 1, "", Damage.AGGRAVATED, tags=frozenset({"claws"}))
KLAIVE = Weapon("klaive", Mode.MELEE, 2, "strength", Damage.AGGRAVATED, tags=frozenset({"silver"}))
BOW = Weapon("bow", Mode.ARCHERY, 5, "", Damage.LETHAL, range=(60,))
VEST = Armor("vest", 2, penalty=-1)


def garou(marks: str = "", **written):
    return mortal(marks, kind="garou", **written)


def leech(marks: str = "", **written):
    return mortal(marks, kind="vampire", **written)


def table(ruleset=APOCALYPSE, **sheets: Sheet) -> Table:
    return Table(ruleset, **sheets)


def plain(**more: Sheet) -> Table:
    """Ann, who is quick, and Bob, who is not; totals 8 and 3."""
    made = table(**{"ann": mortal(dexterity=3, wits=3, brawl=2), "bob": mortal()} | more)
    made.initiative(**{who: 2 if who == "ann" else 1 for who in made.state.combatants})
    return made
