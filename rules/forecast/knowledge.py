"""What a combatant knows of a fight: all that a policy sees.

Of themselves they know everything. Of others they know what anybody there can see: which side they are on, what they
hold, how badly they look, where they are, whom they attack. Traits, points, hidden gear and combatants, and
declarations that may not be known yet are left out.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from enum import IntEnum

from rules.model.conditions import DEAD
from rules.model.gear import Damage, Mode
from rules.model.state import Combatant, HealthShown, Side
from rules.model.system import Game, System
from rules.topics.declarations import may_know, still_declaring


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

    ``me`` is their own combatant, ``lost`` the share of their health that is gone (without boxes: that its word
    suggests), ``place`` their place among the friends they see. ``last`` is the id of the one whom they attacked last,
    ``aiming`` whether they aim at them, ``sheltered`` whether they are behind cover.
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


@dataclass(frozen=True, slots=True)
class Appearance:
    """A combatant's state, and what they hold. ``lost`` is the share of their health that is gone."""

    down: bool
    looks: Looks
    lost: float
    held: tuple[Held, ...]


@dataclass(slots=True)
class Memory:
    """What a fight's state doesn't keep: who has gone how far (in the system's unit), and what each did last.

    ``distance`` is the one between the two sides at the beginning.
    """

    distance: int = 0
    advanced: dict[str, int] = field(default_factory=dict)
    last: dict[str, str] = field(default_factory=dict)
    aiming: set[str] = field(default_factory=set)
    sheltered: set[str] = field(default_factory=set)
    surrendered: set[str] = field(default_factory=set)
    _appearances: dict[str, tuple[Combatant, Appearance]] = field(default_factory=dict, repr=False, compare=False)

    def appearance(self, system: System, combatant: Combatant) -> Appearance:
        """How a combatant is; memoised as long as sheet and conditions stay the same, as this is asked all the time."""
        was, known = self._appearances.get(combatant.id, (None, None))
        if known and was and was.sheet is combatant.sheet and was.conditions == combatant.conditions:
            return known
        now = _appearance(system, combatant)
        self._appearances[combatant.id] = combatant, now
        return now

    def gap(self, one: str, other: str) -> int:
        """The distance left between two on different sides."""
        return max(0, self.distance - self.advanced.get(one, 0) - self.advanced.get(other, 0))


def known(game: Game, who: str, memory: Memory) -> Known:
    """What a combatant knows now."""
    me = game.state.combatants[who]
    mine, place = me.side, 0
    taking_part = [(each, each.side) for each in game.state.combatants.values()]
    seen = {each.id: side for each, side in taking_part if side is mine or not (each.hidden or side is Side.OTHERS)}
    attacks = _attacks(game, who, seen)
    others: list[Seen] = []
    for one, side in seen.items():
        if one == who:
            place = sum(each.friend for each in others)
            continue
        each, friend = game.state.combatants[one], side is mine
        now = memory.appearance(game.system, each)
        looks = Looks.DOWN if one in memory.surrendered else _looks(now, each, friend=friend)
        gap = 0 if friend else memory.gap(who, one)
        others.append(Seen(one, friend, looks, now.held, frozenset(attacks.get(one, ())), gap))
    return Known(
        me,
        tuple(others),
        memory.appearance(game.system, me).lost,
        place,
        memory.last.get(who, ""),
        who in memory.aiming,
        who in memory.sheltered,
    )


def is_down(system: System, combatant: Combatant) -> bool:
    """Whether a combatant is out of action."""
    return bool(system.conditions.out(combatant.conditions | system.health.follows(combatant.sheet)))


def _appearance(system: System, combatant: Combatant) -> Appearance:
    sheet, down = combatant.sheet, is_down(system, combatant)
    looks = Looks.DOWN if down else _WORDS.get(system.health.word(sheet), Looks.UNHURT)
    boxes = len(system.health.levels(sheet))
    lost = len(sheet.marks) / boxes if boxes else looks / Looks.DOWN
    held = tuple(Held(weapon.mode, weapon.damage, weapon.type) for weapon in sheet.weapons if weapon.in_hand)
    return Appearance(down, looks, lost, held)


def _looks(now: Appearance, combatant: Combatant, *, friend: bool) -> Looks:
    """How badly they look to others; of those whose health players are never told, only whether they are down."""
    told = friend or now.down or combatant.health_shown is not HealthShown.NOTHING
    return now.looks if told else Looks.UNHURT


def _attacks(game: Game, who: str, seen: Collection[str]) -> Mapping[str, set[str]]:
    """Whom each of those seen is known to attack this turn: in close combat, or as declared."""
    found: dict[str, set[str]] = {}
    declaring = still_declaring(game)
    for one in seen:
        turn = game.state.combatants[one].turn
        for attacker in turn.attackers:
            found.setdefault(attacker, set()).add(one)
        said = turn.declaration
        if said and said.at in seen and (not declaring or may_know(game, who, one, turn.spoke)):
            found.setdefault(one, set()).add(said.at)
    return found
