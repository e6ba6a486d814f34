"""Conditions such as "prone" or "stunned": each is declared once and looked up in the system being played.

A condition is identified by its key, which states and logs hold. Its declaration applies in every system; a system adds
what its own rules change (:func:`known`). A key that nobody declared is the Storyteller's own word and has no effect.
The conditions that every table knows are below; those of one system are in its package.
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
    """Which actions a condition still allows."""

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


class Lasts(Enum):
    """What becomes of a condition when the fight ends."""

    FIGHT = "fight"
    """It ends with the fight."""
    ASKED = "asked"
    """The Storyteller decides; by default, it ends."""
    STAYS = "stays"
    """It stays, unless the Storyteller decides otherwise."""


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition; ``label`` reads as "somebody is ...".

    Setting: rules set it, and so does the Storyteller, whose form lists the ``offered`` ones and accepts any other
    word. ``rule`` defines it, and is cited where it stops its bearer from acting. It is ``ruled`` if rules look for
    its key.

    Action: ``acts`` says which actions remain; with ``reflexes``, those that don't use up the turn's action are still
    possible. It ``bars`` single actions, by key (:mod:`rules.topics.bars`), and ``instead`` says what else to do;
    another condition may suspend that (``lifts``). What a system says of one of a house rule only counts if that
    ``setting`` is on. A target at somebody's ``mercy`` can be killed at leisure, as can anyone out of action.
    Awareness: ``aware`` are the Traits that may still be rolled if nothing else may. Pools: ``pools``, and the
    circumstances it counts as without being chosen: ``as_attacker`` for attacks by its bearer, ``as_target`` for
    attacks on them, ``as_watcher`` for their attempts to notice something. Wound penalties don't count for the pools of
    one who is ``unhurt``.

    End: with ``one_turn`` it ends with the turn; otherwise it lasts until a rule or a person ends it, and one that has
    ``fallen`` until the harm has healed. Time alone ``kills`` its bearer; a ``tended`` one ends with medical care. One
    that ``tells_health`` is hidden from those who may not know the bearer's health.

    After the fight: ``lasts`` says whether it stays when the fight ends, by the rule ``stays_by`` if that isn't the
    condition's own. One that stayed ends after ``hours``, 0 if time doesn't end it.

    Words: ``has`` is for something one has rather than is, ``felled`` describes a kind of creature that ends this way.
    One that can affect one side or ``both`` (the key for both at once) has words for each in ``sides``. ``same_as`` is
    the condition that scenarios record it as.
    """

    key: str
    label: str
    rule: str = ""
    offered: bool = False
    ruled: bool = False
    acts: Acts = Acts.FREELY
    reflexes: bool = False
    bars: frozenset[str] = frozenset()
    instead: str = ""
    lifts: frozenset[str] = frozenset()
    setting: str = ""
    mercy: bool = False
    aware: frozenset[str] = frozenset()
    pools: ConditionRule | None = None
    as_attacker: str = ""
    as_target: str = ""
    as_watcher: str = ""
    unhurt: bool = False
    one_turn: bool = False
    fallen: Fallen = Fallen.NO
    kills: bool = False
    tended: bool = False
    tells_health: bool = False
    has: str = ""
    felled: str = ""
    both: str = ""
    sides: tuple[str, ...] = ()
    same_as: str = ""
    lasts: Lasts = Lasts.FIGHT
    stays_by: str = ""
    hours: int = 0

    @property
    def out(self) -> bool:
        """Whether somebody in it is out of action."""
        return self.acts is Acts.OUT

    @property
    def works(self) -> bool:
        """Whether it has any effect; one that has none is only a note."""
        counts_as = self.as_attacker or self.as_target or self.as_watcher
        hinders = self.acts is not Acts.FREELY or bool(self.bars)
        return self.ruled or hinders or self.mercy or self.unhurt or self.pools is not None or bool(counts_as)

    @property
    def lasting_rule(self) -> str:
        """The rule by which it stays after a fight, "" if there is none."""
        return self.stays_by or self.rule or (self.pools.rule if self.pools else "")

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
    """The declaration of a condition; an undeclared key is its own label and has no effect."""
    return _declared.get(key) or Condition(key, key.replace("_", " "), lasts=Lasts.ASKED)


def known(key: str, **changes: Any) -> Condition:
    """A declared condition as a system knows it, with the changes its own rules make."""
    return replace(_declared[key], **changes)


@dataclass(frozen=True, slots=True)
class Conditions:
    """The conditions as a system knows them: its ``own`` words on some, the declarations of all others.

    Its words on those with these keys are ``off``, because their house rule is.
    """

    own: tuple[Condition, ...] = ()
    off: frozenset[str] = frozenset()
    _by_key: Mapping[str, Condition] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_by_key", {each.key: each for each in self.own if each.key not in self.off})

    def played(self, settings: Mapping[str, Any]) -> Conditions:
        """The conditions as a chronicle with these house rules knows them."""
        off = (each.key for each in self.own if each.setting and not settings.get(each.setting))
        return replace(self, off=frozenset(off))

    def __getitem__(self, key: str) -> Condition:
        return self._by_key.get(key) or condition_of(key)

    def __iter__(self) -> Iterator[Condition]:
        yield from self._by_key.values()
        yield from (each for key, each in _declared.items() if key not in self._by_key)

    def of(self, keys: Collection[str]) -> tuple[Condition, ...]:
        """Those of these keys, by key."""
        # Usually there are none, and this is called many times per action.
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
        own = [key for key, each in self._by_key.items() if each.offered]
        return tuple(self[key] for key in dict.fromkeys([*everywhere, *own]))


# ------------------------------------------------------------------ what every table knows

AN_HOUR = 1
"""A ruling of Vesper: a frenzy, and unconsciousness that no box causes, are over within the hour."""

PRONE = declare(Condition("prone", phrase("prone"), offered=True))
GRAPPLED = declare(Condition("grappled", phrase("grappled"), offered=True))
PINNED = declare(Condition("pinned", phrase("pinned"), offered=True))
BLINDED = declare(
    Condition(
        "blinded",
        phrase("blinded"),
        offered=True,
        both="both_eyes",
        sides=(phrase("one-eye-blinded"), phrase("both-eyes-blinded")),
        lasts=Lasts.ASKED,
    )
)
BOTH_EYES = declare(Condition("both_eyes", phrase("both-eyes-blinded"), lasts=Lasts.ASKED))
STUNNED = declare(Condition("stunned", phrase("stunned"), offered=True))
SURPRISED = declare(Condition("surprised", phrase("surprised"), offered=True))
STAKED = declare(Condition("staked", phrase("staked"), offered=True, acts=Acts.OUT, lasts=Lasts.STAYS))
UNCONSCIOUS = declare(
    Condition(
        "unconscious",
        phrase("unconscious"),
        offered=True,
        acts=Acts.OUT,
        tells_health=True,
        felled=phrase("it-is-unconscious"),
        lasts=Lasts.STAYS,
        hours=AN_HOUR,
    )
)
IN_FRENZY = declare(Condition("in_frenzy", phrase("in-frenzy"), offered=True, lasts=Lasts.ASKED, hours=AN_HOUR))
FRENZY = declare(Condition("frenzy", phrase("frenzy"), lasts=Lasts.ASKED, hours=AN_HOUR))
HELD = declare(Condition("held", phrase("held")))
IMMOBILIZED = declare(Condition("immobilized", phrase("immobilized"), acts=Acts.OUT, lasts=Lasts.STAYS))
DAZED = declare(Condition("dazed", phrase("dazed")))
LIGHT_COVER = declare(Condition("light_cover", phrase("light-cover")))
GOOD_COVER = declare(Condition("good_cover", phrase("good-cover")))
SUPERIOR_COVER = declare(Condition("superior_cover", phrase("superior-cover")))
BLINDED_LEFT = declare(Condition("blinded_left", phrase("blinded-left"), lasts=Lasts.ASKED))
BLINDED_RIGHT = declare(Condition("blinded_right", phrase("blinded-right"), lasts=Lasts.ASKED))
KNOCKED_DOWN = declare(Condition("knocked_down", phrase("knocked-down"), same_as=PRONE))
DYING = declare(
    Condition(
        "dying",
        phrase("dying"),
        acts=Acts.OUT,
        fallen=Fallen.GRAVELY,
        kills=True,
        tells_health=True,
        felled=phrase("it-is-dying"),
        lasts=Lasts.ASKED,
    )
)
TORPOR = declare(
    Condition(
        "torpor",
        phrase("in-torpor"),
        acts=Acts.OUT,
        fallen=Fallen.GRAVELY,
        tells_health=True,
        felled=phrase("it-falls-into-torpor"),
        lasts=Lasts.STAYS,
    )
)
INCAPACITATED = declare(
    Condition(
        "incapacitated",
        phrase("incapacitated"),
        acts=Acts.OUT,
        fallen=Fallen.DOWN,
        tells_health=True,
        felled=phrase("it-is-down"),
        lasts=Lasts.ASKED,
    )
)
DEAD = declare(
    Condition("dead", phrase("dead"), acts=Acts.OUT, fallen=Fallen.DEAD, tells_health=True, lasts=Lasts.STAYS)
)
