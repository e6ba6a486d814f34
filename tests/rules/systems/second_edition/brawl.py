"""Brawlers and their gear."""

from __future__ import annotations

from rules.model.gear import Damage, Mode, Weapon
from rules.model.sheet import Sheet
from rules.systems.storytelling.second_edition.system import CHRONICLES
from tests.rules.table import Table, mortal

ROPE = Weapon("rope", Mode.MELEE, 2, tags=frozenset({"rope"}))
CORD = Weapon("cord", Mode.MELEE, 0, tags=frozenset({"rope"}))
KNIFE = Weapon("knife", Mode.MELEE, 1, "", Damage.LETHAL, "slashing")
GUN, FIST = Weapon("gun", Mode.FIREARM), Weapon("fist", Mode.UNARMED)
CLUB = Weapon("club", Mode.MELEE, 1, "", Damage.LETHAL, "bashing", two_handed=True)


def brawler(*weapons: Weapon, **traits: int) -> Sheet:
    """Two dots in everything relevant: four dice to start a grapple, two within it."""
    return mortal(weapons=weapons, **{"strength": 2, "brawl": 2, "dexterity": 2, "wits": 2, "composure": 2, **traits})


def table(ann: Sheet | None = None, bob: Sheet | None = None, **more: Sheet) -> Table:
    return Table(CHRONICLES, ann=ann or brawler(), bob=bob or brawler(), **more)
