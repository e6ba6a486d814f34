"""What a roll, an attack and a damage pool came to: parts of what several events tell."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from rules.engine.dice import Roll
from rules.model.damage_steps import DamageTold, Points, worst_first
from rules.model.gear import Damage
from rules.model.plan import PoolPlan


class Outcome(StrEnum):
    """What a roll or an attack came to."""

    HIT = "hit"
    MISS = "miss"
    SUCCESS = "success"
    FAIL = "fail"
    BOTCH = "botch"
    DRAMATIC_FAILURE = "dramatic_failure"
    EXCEPTIONAL = "exceptional"


@dataclass(frozen=True, slots=True)
class Rolled:
    """A pool and what it came to, with who rolled it."""

    by: str
    plan: PoolPlan
    roll: Roll


@dataclass(frozen=True, slots=True)
class DamageDone:
    """From the damage pool to the boxes.

    ``levels`` before soak, ``soaked`` of them (never more), ``dealt`` of kind ``type`` what was marked.
    ``damage`` is ``None`` where the attack's successes are the damage; ``soak`` where there was nothing
    to soak or to soak with. ``to`` is who suffered it. Of several kinds ``mixed`` holds the points of each, and
    ``type`` is the hit's own. ``told`` says how the successes became the damage, where steps did that.
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
