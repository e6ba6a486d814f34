"""Guns, people and things for firefights."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rules.engine.messages import Event
from rules.model.attack import Attack
from rules.model.choices import Modifier
from rules.model.gear import Armor, Damage, Mode, Weapon
from rules.model.results import AttackResult
from rules.model.sheet import Sheet
from rules.systems.storytelling.second_edition.system import CHRONICLES
from rules.topics.events import AttackResolved
from tests.rules.table import Table, mortal, only

LETHAL, SHOT = Damage.LETHAL, "ballistic"
PISTOL = Weapon("pistol", Mode.FIREARM, 2, "", LETHAL, SHOT, clip=17, rounds=17, size=1)
RIFLE = Weapon("rifle", Mode.FIREARM, 4, "", LETHAL, SHOT, clip=5, rounds=5, size=3)
SMG = Weapon("SMG", Mode.FIREARM, 1, "", LETHAL, SHOT, clip=30, rounds=30, automatic=True, size=1)
KNIFE = Weapon("knife", Mode.THROWN, 0, "", LETHAL, "piercing", size=1)
VEST = Armor("vest", 1, ballistic=2)


def shooter(*weapons: Weapon, **traits: Any) -> Sheet:
    """Somebody with Dexterity 3 and Firearms 3: six dice."""
    return mortal(weapons=weapons or (PISTOL, RIFLE, SMG, KNIFE), **{"dexterity": 3, "firearms": 3, **traits})


def table(**more: Sheet) -> Table:
    """Ana with her guns, a thug, a friend and any others given."""
    return Table(CHRONICLES, players=("ana", "friend"), ana=shooter(), thug=mortal(), friend=mortal(), **more)


def shot(at: str | tuple[str, ...], weapon: str, *mods: str | Modifier, **more: Any) -> Attack:
    """Ana's shot."""
    picked = tuple(Modifier(mod) if isinstance(mod, str) else mod for mod in mods)
    return Attack("ana", (at,) if isinstance(at, str) else at, weapon, picked, **more)


def results(events: tuple[Event, ...]) -> dict[str, AttackResult]:
    """An attack's results for each person it reached."""
    return {result.target: result for result in only(AttackResolved, events).results}


def with_rounds(weapon: Weapon, rounds: int | None) -> Weapon:
    """The same weapon with different ammunition."""
    return replace(weapon, rounds=rounds, clip=None if rounds is None else weapon.clip)
