"""Attacks as they were rolled, and what a botch brings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from rules.engine.messages import Event, event
from rules.engine.slots import Own
from rules.model.plan import AttackPlan
from rules.model.results import AttackResult, DamageDone, Outcome, Rolled
from rules.model.state import Combatant, PendingMishap, Score


@event("attack", dice=True, resolves=True)
@dataclass(frozen=True, slots=True)
class AttackResolved(Event):
    """An attack was rolled. ``resolution`` names it for narration; ``exchange`` is "" when it was not announced."""

    resolution: str
    plan: AttackPlan
    results: tuple[AttackResult, ...]
    exchange: str = ""
    out_of_order: bool = False


@event("attack", topics=("mishap",))
@dataclass(frozen=True, slots=True)
class MishapPending(Event):
    """A botch wants a mishap."""

    mishap: PendingMishap


@event("attack", topics=("mishap",), dice=True, resolves=True)
@dataclass(frozen=True, slots=True)
class MishapSettled(Event):
    """A botch got its mishap; ``done`` is the damage to an ally, where one was hit."""

    resolution: str
    by: str
    mishap: str
    by_chance: bool = False
    ally: str = ""
    done: DamageDone | None = None


@event("attack", action="knockdown", dice=True)
@dataclass(frozen=True, slots=True)
class KnockedDown(Event):
    """Somebody was knocked down. ``roll`` is ``None`` for one who could not try to get up."""

    who: str
    outcome: Outcome
    roll: Rolled | None = None


@event("attack", action="evade")
@dataclass(frozen=True, slots=True)
class EvasionHeld(Event):
    """Somebody has ``left`` successes ready against whatever comes, until their next turn."""

    who: str
    left: int


@event("attack", action="aim")
@dataclass(frozen=True, slots=True)
class Aimed(Event):
    """Somebody has aimed at ``target`` ("": whoever comes) for so many rounds; for none where the aim is over."""

    by: str
    target: str = ""
    rounds: int = 0


@event("attack", no_rule=True)
@dataclass(frozen=True, slots=True)
class AttackOverridden(Event):
    """What an attack came to against one target is otherwise by the Storyteller's word: it was ``before``.

    ``people`` are those whom that leaves otherwise, as they are now; so are the other fields. ``own`` is what the fight
    keeps otherwise by its slots.
    """

    resolution: str
    by: str
    target: str
    before: AttackResult
    after: AttackResult
    people: Mapping[str, Combatant]
    initiative: Mapping[str, Score]
    order: tuple[tuple[str, ...], ...]
    mishaps: tuple[PendingMishap, ...]
    why: str = ""
    own: Own = field(default_factory=dict)
