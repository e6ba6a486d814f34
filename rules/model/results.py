"""Results of rolls, attacks and damage pools: parts of several events."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from rules.engine.dice import Roll
from rules.model.damage_steps import DamageTold, Points, worst_first
from rules.model.gear import Damage
from rules.model.plan import PoolPlan


class Outcome(StrEnum):
    """The outcome of a roll or an attack."""

    HIT = "hit"
    MISS = "miss"
    SUCCESS = "success"
    FAIL = "fail"
    BOTCH = "botch"
    DRAMATIC_FAILURE = "dramatic_failure"
    EXCEPTIONAL = "exceptional"


@dataclass(frozen=True, slots=True)
class Rolled:
    """A pool with its result and its roller."""

    by: str
    plan: PoolPlan
    roll: Roll


@dataclass(frozen=True, slots=True)
class DamageDone:
    """From the damage pool to the boxes.

    ``levels`` before soak, ``soaked`` of them (never more), ``dealt`` levels of ``type`` marked. ``damage`` is ``None``
    if the attack's successes are the damage; ``soak`` if there was nothing to soak or to soak with. ``to`` is the
    target. With several damage types ``mixed`` holds the points of each, and ``type`` is the hit's own. ``told`` says
    how the successes became damage, if steps did that.
    """

    to: str
    damage: Rolled | None
    levels: int
    soak: Rolled | None
    soaked: int
    dealt: int
    type: Damage
    mixed: Points = field(default_factory=dict)
    told: tuple[DamageTold, ...] = ()

    @property
    def points(self) -> tuple[tuple[Damage, int], ...]:
        """What is marked, by kind, most severe first."""
        return worst_first(self.mixed) if self.mixed else ((self.type, self.dealt),)


@dataclass(frozen=True, slots=True)
class AttackResult:
    """An attack as it met one target. ``taken_off`` successes were cancelled by the defence.

    ``done`` is the damage to the target, ``counter`` what a parry or a clash did to the attacker. Of those
    ``taken_off``, ``evaded`` came from the stock that the target held ready.
    """

    target: str
    outcome: Outcome
    attack: Rolled
    defence_kind: str = ""
    defence: Rolled | None = None
    taken_off: int = 0
    net: int = 0
    done: DamageDone | None = None
    counter: DamageDone | None = None
    evaded: int = 0
