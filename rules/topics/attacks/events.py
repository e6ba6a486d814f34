"""Attack events: rolls, mishaps, knockdowns, aim, overrides."""

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
    """An attack was rolled. ``resolution`` identifies it for narration; ``exchange`` is "" if it was not announced."""

    resolution: str
    plan: AttackPlan
    results: tuple[AttackResult, ...]
    exchange: str = ""
    out_of_order: bool = False


@event("attack", topics=("mishap",))
@dataclass(frozen=True, slots=True)
class MishapPending(Event):
    """A botch awaits its mishap."""

    mishap: PendingMishap


@event("attack", topics=("mishap",), dice=True, resolves=True)
@dataclass(frozen=True, slots=True)
class MishapSettled(Event):
    """A botch's mishap was settled; ``done`` is the damage to an ally, if one was hit."""

    resolution: str
    by: str
    mishap: str
    by_chance: bool = False
    ally: str = ""
    done: DamageDone | None = None


@event("attack", action="knockdown", dice=True)
@dataclass(frozen=True, slots=True)
class KnockedDown(Event):
    """A combatant was knocked down. ``roll`` is ``None`` if they could not try to get up."""

    who: str
    outcome: Outcome
    roll: Rolled | None = None


@event("attack", action="evade")
@dataclass(frozen=True, slots=True)
class EvasionHeld(Event):
    """A combatant has ``left`` successes ready against any attack until their next turn."""

    who: str
    left: int


@event("attack", action="aim")
@dataclass(frozen=True, slots=True)
class Aimed(Event):
    """A combatant has aimed at ``target`` ("": anyone) for this many rounds; 0 once the aim is lost."""

    by: str
    target: str = ""
    rounds: int = 0


@event("attack", no_rule=True)
@dataclass(frozen=True, slots=True)
class AttackOverridden(Event):
    """The Storyteller changed an attack's result against one target from ``before`` to ``after``.

    ``people`` holds the combatants that this changes, as they are now; the other fields are also the new values.
    ``own`` holds the fight's changed slots.
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
