"""Policies: how a combatant fights when nobody decides for them. To add one, add a value to :data:`POLICIES`."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, IntEnum

from rules.engine.phrases import phrase
from rules.model.modifiers import RANGED
from rules.model.state import Combatant
from rules.model.system import System


class Whom(Enum):
    """Whom a policy attacks."""

    NEAREST = "nearest"
    WEAKEST = "weakest"
    """The one who looks worst."""
    STRONGEST = "strongest"
    """The one with the most dangerous weapon in hand."""
    THREAT = "threat"
    """Those who attack the friend who looks worst."""


class Arms(Enum):
    """Which weapons a policy prefers: the best, or the best of one sort."""

    BEST = "best"
    CLOSE = "close"
    RANGED = "ranged"


class Guard(IntEnum):
    """What a policy gives up to defend."""

    NOTHING = 0
    DICE = 1
    """Part of the pool, if actions share one."""
    ACTIONS = 2
    """The next action too."""


class Spends(Enum):
    """When a policy spends points on attacks and extra actions."""

    NEVER = "never"
    HURT = "hurt"
    ALWAYS = "always"


@dataclass(frozen=True, slots=True)
class Policy:
    """How a combatant fights.

    ``gives_up`` is the share of health lost, above 0 and at most 1, from which they surrender or leave the fight;
    ``None`` for never. ``shelters`` and ``aims``: they take cover and aim before they shoot, if there are rules for
    it.
    """

    key: str
    label: str
    whom: Whom = Whom.NEAREST
    arms: Arms = Arms.BEST
    guard: Guard = Guard.NOTHING
    spends: Spends = Spends.NEVER
    gives_up: float | None = None
    shelters: bool = False
    aims: bool = False


RECKLESS = Policy("reckless", phrase("fights-recklessly"), whom=Whom.STRONGEST, spends=Spends.ALWAYS)
CAREFUL = Policy("careful", phrase("fights-carefully"), whom=Whom.WEAKEST, guard=Guard.DICE, spends=Spends.HURT)
PROTECTIVE = Policy(
    "protective", phrase("protects-the-weakest"), whom=Whom.THREAT, guard=Guard.DICE, spends=Spends.ALWAYS
)
MARKSMAN = Policy(
    "marksman",
    phrase("shoots-from-cover"),
    whom=Whom.WEAKEST,
    arms=Arms.RANGED,
    spends=Spends.HURT,
    shelters=True,
    aims=True,
)
CAUTIOUS = Policy("cautious", phrase("flees-when-hurt"), guard=Guard.ACTIONS, gives_up=0.5)
STEADY = Policy("steady", phrase("attacks-the-nearest"))

POLICIES = {each.key: each for each in (STEADY, RECKLESS, CAREFUL, PROTECTIVE, MARKSMAN, CAUTIOUS)}
"""The policies by key, in the order in which they are offered."""


def default_policy(system: System, combatant: Combatant) -> Policy:
    """The policy of a combatant for whom nobody chose one, by weapons, kind and who plays them."""
    if any(weapon.mode in RANGED for weapon in combatant.sheet.weapons):
        return MARKSMAN
    if combatant.player:
        return CAREFUL
    return CAUTIOUS if system.kind(combatant.sheet.kind).human else RECKLESS
