"""What a combatant knows of a fight: all that a policy sees.

Of themselves they know everything. Of others they know what anybody there can see: which side they are on, what they
hold, how badly they look, where they are, whom they attack. Traits, points, hidden gear and combatants, and
declarations that may not be known yet are left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum

from rules.model.conditions import DEAD
from rules.model.gear import Damage, Mode
from rules.model.sheet import Sheet
from rules.model.state import Combatant, Encounter, HealthShown, Side
from rules.model.system import Game, System
from rules.topics.declarations import may_know


class Looks(IntEnum):
    """How badly somebody looks."""

    UNHURT = 0
    HURT = 1
    BADLY_HURT = 2
    DOWN = 3


_WORDS = {
    "unhurt": Looks.UNHURT,
    "hurt": Looks.HURT,
    "badly hurt": Looks.BADLY_HURT,
    "down": Looks.DOWN,
    DEAD: Looks.DOWN,
}


@dataclass(frozen=True, slots=True)
class Held:
    """A weapon in somebody's hand, as others see it."""

    mode: Mode
    damage: int
    type: Damage


@dataclass(frozen=True, slots=True)
class Seen:
    """Another combatant, as somebody sees them.

    ``attacks`` are the ids of those whom they are known to attack this turn. ``gap`` is the distance to them in the
    system's unit, 0 within reach.
    """

    id: str
    friend: bool
    looks: Looks
    held: tuple[Held, ...] = ()
    attacks: frozenset[str] = frozenset()
    gap: int = 0

    @property
    def danger(self) -> tuple[int, int]:
        """How dangerous their weapons look."""
        return max(((each.type.severity, each.damage) for each in self.held), default=(0, 0))


@dataclass(frozen=True, slots=True)
class Known:
    """What somebody knows.

    ``me`` is their own combatant, ``lost`` the share of their health that they have lost (1 or more: all),
    ``place`` their place among the friends they see. ``last`` is the id of the one whom they attacked last, ``aiming``
    whether they aim at them, ``sheltered`` whether they are behind cover.
    """

    me: Combatant
    others: tuple[Seen, ...]
    lost: float
    place: int
    last: str = ""
    aiming: bool = False
    sheltered: bool = False

    @property
    def foes(self) -> tuple[Seen, ...]:
        """The opponents in sight who are on their feet."""
        return tuple(each for each in self.others if not each.friend and each.looks is not Looks.DOWN)

    @property
    def friends(self) -> tuple[Seen, ...]:
        """The friends in sight who are on their feet."""
        return tuple(each for each in self.others if each.friend and each.looks is not Looks.DOWN)


@dataclass
class Memory:
    """What a fight's state doesn't keep: who has gone how far (in the system's unit), and what each did last.

    ``distance`` is the one between the two sides at the beginning. ``gone`` are the ids of those who have given up.
    """

    distance: int = 0
    advanced: dict[str, int] = field(default_factory=dict)
    last: dict[str, str] = field(default_factory=dict)
    aiming: set[str] = field(default_factory=set)
    sheltered: set[str] = field(default_factory=set)
    surrendered: set[str] = field(default_factory=set)

    def gap(self, one: str, other: str) -> int:
        """The distance left between two on different sides."""
        return max(0, self.distance - self.advanced.get(one, 0) - self.advanced.get(other, 0))


def known(game: Game, who: str, memory: Memory) -> Known:
    """What a combatant knows now."""
    me = game.state.combatants[who]
    seen = _seen(game.state, me)
    attacks = _attacks(game, who, seen)
    others = []
    for one, each in seen.items():
        if one != who:
            friend = each.side is me.side
            gap = 0 if friend else memory.gap(who, one)
            looks = Looks.DOWN if one in memory.surrendered else _looks(game.system, each, me)
            others.append(Seen(one, friend, looks, _held(each.sheet), frozenset(attacks.get(one, ())), gap))
    return Known(
        me,
        tuple(others),
        lost(game.system, me.sheet),
        [one for one, each in seen.items() if each.side is me.side].index(who),
        memory.last.get(who, ""),
        who in memory.aiming,
        who in memory.sheltered,
    )


def lost(system: System, sheet: Sheet) -> float:
    """The share of somebody's health that is gone: of the boxes, or of the way to the level at which they fall."""
    injuries = system.health.one_by_one
    if injuries is None:
        return len(sheet.marks) / max(1, len(system.health.levels(sheet)))
    return _WORDS.get(system.health.word(sheet), Looks.DOWN) / Looks.DOWN


def is_down(system: System, combatant: Combatant) -> bool:
    """Whether a combatant is out of action."""
    return bool(system.conditions.out(combatant.conditions | system.health.follows(combatant.sheet)))


def _looks(system: System, seen: Combatant, reader: Combatant) -> Looks:
    """Their health in a word; of those whose health players are never told, only whether they are down."""
    if is_down(system, seen):
        return Looks.DOWN
    if seen.health_shown is HealthShown.NOTHING and seen.side is not reader.side:
        return Looks.UNHURT
    return _WORDS.get(system.health.word(seen.sheet), Looks.UNHURT)


def _held(sheet: Sheet) -> tuple[Held, ...]:
    return tuple(Held(weapon.mode, weapon.damage, weapon.type) for weapon in sheet.weapons if weapon.in_hand)


def _seen(state: Encounter, me: Combatant) -> Mapping[str, Combatant]:
    """Those whom a combatant sees, themselves included, without those who are on neither side."""
    taking_part = (each for each in state.combatants.values() if each.side is not Side.OTHERS)
    return {each.id: each for each in taking_part if each.side is me.side or not each.hidden}


def _attacks(game: Game, who: str, seen: Mapping[str, Combatant]) -> Mapping[str, set[str]]:
    """Whom each of those seen is known to attack this turn: in close combat, or as declared."""
    found: dict[str, set[str]] = {}
    for one, each in seen.items():
        for attacker in each.turn.attackers:
            found.setdefault(attacker, set()).add(one)
        said = each.turn.declaration
        if said and said.at in seen and may_know(game, who, one, each.turn.spoke):
            found.setdefault(one, set()).add(said.at)
    return found
