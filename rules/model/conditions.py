"""Conditions: what somebody can be ("prone", "stunned"), each declared once, and asked of the system that is played.

A condition is named by its key, which states and logs hold. What its declaration says holds in every system; a system
adds what its own rules make of it (:func:`known`). A key that nobody declared is the Storyteller's own word and does
nothing. Below stand the conditions that every table knows; those of one system stand with it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, IntEnum
from typing import Any

from rules.engine.messages import taken_back_too
from rules.engine.phrases import phrase
from rules.model.situations import ConditionRule


class Acts(Enum):
    """What a condition leaves of somebody's actions."""

    FREELY = "freely"
    LOSES_TURN = "loses a turn"
    """One turn is lost to it, and the condition is over with it."""
    WAITS = "waits"
    """Nobody acts while it lasts, though they are not out of action."""
    OUT = "out"
    """Nobody acts: they are out of action."""


class Fallen(IntEnum):
    """How far harm has brought somebody down. Sheets keep harm, so this alone lasts beyond the fight."""

    NO = 0
    DOWN = 1
    GRAVELY = 2
    DEAD = 3


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition, as somebody "is" it by its ``label``.

    Who sets it: rules do, and the Storyteller, whose form lists what is ``offered`` and takes any other word.
    ``rule`` is the rule by which somebody does not act in it.

    Action: ``acts`` says what is left of it; with ``reflexes`` what takes no action of the turn is possible all the
    same. Whoever is at somebody's ``mercy`` can be killed at leisure, as can all who are out of action.
    Awareness: ``aware`` are Traits that may be rolled where nothing else is.
    Pools: ``pools``, and the circumstances as which it counts without being picked: ``as_attacker`` for whoever
    attacks in it, ``as_target`` for attacks at them, ``as_watcher`` for who means to notice something.

    End: with ``one_turn`` it is over when the turn ends; else it lasts until a rule or somebody's word ends it, what
    has ``fallen`` until the harm has healed. Time itself ``kills`` who has it. What ``tells_health`` is kept
    from those who may not know how somebody is.

    Words: ``has`` is for what somebody has instead of being it, ``felled`` for a kind of creature that ends so. What
    can be had on one side or ``both`` (the key by which the Storyteller says so at once) has words for each in
    ``sides``. ``same_as`` is the condition that scenarios keep it as.
    """

    key: str
    label: str
    rule: str = ""
    offered: bool = False
    acts: Acts = Acts.FREELY
    reflexes: bool = False
    mercy: bool = False
    aware: frozenset[str] = frozenset()
    pools: ConditionRule | None = None
    as_attacker: str = ""
    as_target: str = ""
    as_watcher: str = ""
    one_turn: bool = False
    fallen: Fallen = Fallen.NO
    kills: bool = False
    tells_health: bool = False
    has: str = ""
    felled: str = ""
    both: str = ""
    sides: tuple[str, ...] = ()
    same_as: str = ""

    @property
    def out(self) -> bool:
        """Whether somebody in it is out of action."""
        return self.acts is Acts.OUT

    @property
    def helpless(self) -> bool:
        """Whether somebody in it can do nothing for themselves."""
        return self.out or self.mercy


# ------------------------------------------------------------------ the registry


_declared: dict[str, Condition] = {}
taken_back_too(_declared)


def declare(condition: Condition) -> str:
    """Declare a condition; gives its key."""
    if condition.key in _declared:
        raise TypeError(f"A condition called {condition.key} has been declared already.")
    _declared[condition.key] = condition
    return condition.key


def conditions() -> tuple[Condition, ...]:
    """All that are declared, in the order of their declaration."""
    return tuple(_declared.values())


def condition_of(key: str) -> Condition:
    """What is declared of a condition; a key that nobody declared says itself and does nothing."""
    return _declared.get(key) or Condition(key, key.replace("_", " "))


def known(key: str, **changes: Any) -> Condition:
    """A declared condition as a system knows it: with what its own rules make of it."""
    return replace(_declared[key], **changes)


@dataclass(frozen=True, slots=True)
class Conditions:
    """The conditions as a system knows them: its ``own`` words on some, the declarations of all others."""

    own: tuple[Condition, ...] = ()
    _by_key: Mapping[str, Condition] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_by_key", {each.key: each for each in self.own})

    def __getitem__(self, key: str) -> Condition:
        return self._by_key.get(key) or condition_of(key)

    def __iter__(self) -> Iterator[Condition]:
        yield from self.own
        yield from (each for key, each in _declared.items() if key not in self._by_key)

    def of(self, keys: Collection[str]) -> tuple[Condition, ...]:
        """Those of these keys, by key."""
        # Mostly there are none, and this is asked many times an action.
        return tuple([self[key] for key in sorted(keys)]) if keys else ()

    def pools(self, keys: Collection[str]) -> Mapping[str, ConditionRule]:
        """What those of these keys make of pools, by key and in the system's order."""
        return {each.key: each.pools for each in self if each.pools and each.key in keys} if keys else {}

    def out(self, keys: frozenset[str]) -> frozenset[str]:
        """Those of these keys in which nobody acts."""
        return frozenset([key for key in keys if self[key].out]) if keys else keys

    @property
    def offered(self) -> tuple[Condition, ...]:
        """Those that the Storyteller's form lists: what every table knows, then what this system's rules speak of."""
        everywhere = [key for key, each in _declared.items() if each.offered]
        own = [each.key for each in self.own if each.offered]
        return tuple(self[key] for key in dict.fromkeys([*everywhere, *own]))


# ------------------------------------------------------------------ what every table knows


PRONE = declare(Condition("prone", phrase("prone"), offered=True))
GRAPPLED = declare(Condition("grappled", phrase("grappled"), offered=True))
PINNED = declare(Condition("pinned", phrase("pinned"), offered=True))
BLINDED = declare(
    Condition(
        "blinded",
        phrase("blinded"),
        offered=True,
        both="both_eyes",
        sides=(phrase("one eye blinded"), phrase("both eyes blinded")),
    )
)
STUNNED = declare(Condition("stunned", phrase("stunned"), offered=True))
SURPRISED = declare(Condition("surprised", phrase("surprised"), offered=True))
STAKED = declare(Condition("staked", phrase("staked"), offered=True, acts=Acts.OUT))
UNCONSCIOUS = declare(
    Condition(
        "unconscious",
        phrase("unconscious"),
        offered=True,
        acts=Acts.OUT,
        tells_health=True,
        felled=phrase("it is unconscious"),
    )
)
IN_FRENZY = declare(Condition("in_frenzy", phrase("in frenzy"), offered=True))
FRENZY = declare(Condition("frenzy", phrase("frenzy")))
HELD = declare(Condition("held", phrase("held")))
IMMOBILIZED = declare(Condition("immobilized", phrase("immobilized"), acts=Acts.OUT))
DAZED = declare(Condition("dazed", phrase("dazed")))
LIGHT_COVER = declare(Condition("light_cover", phrase("light cover")))
GOOD_COVER = declare(Condition("good_cover", phrase("good cover")))
SUPERIOR_COVER = declare(Condition("superior_cover", phrase("superior cover")))
BLINDED_LEFT = declare(Condition("blinded_left", phrase("blinded left")))
BLINDED_RIGHT = declare(Condition("blinded_right", phrase("blinded right")))
KNOCKED_DOWN = declare(Condition("knocked_down", phrase("knocked down"), same_as=PRONE))
DYING = declare(
    Condition(
        "dying",
        phrase("dying"),
        acts=Acts.OUT,
        fallen=Fallen.GRAVELY,
        kills=True,
        tells_health=True,
        felled=phrase("it lies dying"),
    )
)
TORPOR = declare(
    Condition(
        "torpor",
        phrase("in torpor"),
        acts=Acts.OUT,
        fallen=Fallen.GRAVELY,
        tells_health=True,
        felled=phrase("it falls into torpor"),
    )
)
INCAPACITATED = declare(
    Condition(
        "incapacitated",
        phrase("incapacitated"),
        acts=Acts.OUT,
        fallen=Fallen.DOWN,
        tells_health=True,
        felled=phrase("it is down"),
    )
)
DEAD = declare(Condition("dead", phrase("dead"), acts=Acts.OUT, fallen=Fallen.DEAD, tells_health=True))
