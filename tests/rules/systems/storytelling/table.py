"""A table for tests of the storytelling family."""

from __future__ import annotations

from typing import Any

from rules.engine.messages import replay
from rules.model.attack import Attack
from rules.model.gear import Damage, Mode, Weapon
from rules.model.sheet import Sheet
from rules.model.state import Encounter
from rules.model.system import System
from rules.systems.storytelling.first_edition.system import DARKNESS
from rules.topics.events import AttackResolved
from tests.rules.table import Table, boxes, only

KNIFE = Weapon("knife", Mode.MELEE, 1, "", Damage.LETHAL)
GUN = Weapon(
    "gun", Mode.FIREARM, 2, "", Damage.LETHAL, "ballistic", range=(20, 40, 80), clip=6, rounds=6, armor_piercing=0
)
STONE = Weapon("stone", Mode.THROWN, 1, "", Damage.BASHING, size=1)
TOWER = {"defense": 0, "stamina": 10}
"""A target: no Defense, many boxes."""


def sheet(marks: str = "", *, kind: str = "mortal", **written: Any) -> Sheet:
    """A sheet: fields of a sheet by name, every other keyword a Trait."""
    known = {key: written.pop(key) for key in ("weapons", "armor", "resources", "merits") if key in written}
    return Sheet("", kind, written, marks=boxes(marks), **known)


def table(ruleset: System = DARKNESS, **sheets: Sheet) -> Table:
    return Table(ruleset, **sheets)


def after(state: Encounter, *told: Any) -> Encounter:
    return replay(state, told)


def order(at: Table) -> list[str]:
    return [who for rank in at.state.order for who in rank]


def totals(at: Table) -> dict[str, int]:
    return {who: score.total for who, score in at.state.initiative.items()}


def rated(rating: int, **written: Any) -> Sheet:
    """A sheet with this much Dexterity + Composure."""
    return sheet(dexterity=rating - 1, composure=1, defense=0, strength=2, brawl=1, **written)


def strikes(at: Table, by: str, target: str, **dice: Any) -> AttackResolved:
    """Three dice that miss."""
    return only(AttackResolved, at.does(Attack(by, (target,)), attack=[1, 1, 1], **dice))
