"""Health, resources, conditions and shapes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from rules.engine.messages import Event, event
from rules.model.gear import Damage
from rules.model.results import DamageDone
from rules.model.shapes import Shape
from rules.model.sheet import Injury, Scar
from rules.topics.health.impairments import Impairment


@event("damage", topics=("bleeding", "out_of_action"))
@dataclass(frozen=True, slots=True)
class Bled(Event):
    """Somebody is ``amount`` points nearer to death, for nothing but time."""

    who: str
    amount: int


@event("damage", topics=("health",))
@dataclass(frozen=True, slots=True)
class Harmed(Event):
    """Somebody took damage otherwise than by an attack."""

    who: str
    amount: int
    type: Damage
    why: str = ""
    rule: str = ""


@event("damage", topics=("heal",))
@dataclass(frozen=True, slots=True)
class Healed(Event):
    """Somebody healed. ``healed`` counts levels by kind."""

    who: str
    healed: Mapping[str, int] = field(default_factory=dict)
    hours: int | None = None


@event("damage", topics=("health",))
@dataclass(frozen=True, slots=True)
class HealthSet(Event):
    """The Storyteller put the boxes otherwise."""

    who: str
    why: str = ""


@event("damage")
@dataclass(frozen=True, slots=True)
class BoxesMarked(Event):
    """Somebody's boxes and the conditions that follow from them, as they are now."""

    who: str
    marks: tuple[Damage, ...]
    conditions: frozenset[str]


@event("damage")
@dataclass(frozen=True, slots=True)
class InjuriesMarked(Event):
    """Somebody's injuries and scars, and the conditions that follow from them, as they are now."""

    who: str
    injuries: tuple[Injury, ...]
    scars: tuple[Scar, ...]
    conditions: frozenset[str]


@event("damage")
@dataclass(frozen=True, slots=True)
class ResourceChanged(Event):
    """Somebody has ``left`` points of a resource now, ``spent`` fewer (or, below zero, more) than before."""

    who: str
    resource: str
    left: int
    spent: int
    why: str = ""


@event("damage")
@dataclass(frozen=True, slots=True)
class ConditionsChanged(Event):
    """Somebody's conditions as they are now, and what was added and taken away."""

    who: str
    conditions: frozenset[str]
    added: frozenset[str] = frozenset()
    removed: frozenset[str] = frozenset()


@event("damage", dice=True)
@dataclass(frozen=True, slots=True)
class Hurt(Event):
    """Somebody was hurt by another without an attack's roll; ``done`` may be none at all."""

    by: str
    done: DamageDone
    rule: str


@event("damage")
@dataclass(frozen=True, slots=True)
class InjuriesChanged(Event):
    """Somebody's injuries of parts of the body as they are now."""

    who: str
    injuries: tuple[Impairment, ...]


@event("damage")
@dataclass(frozen=True, slots=True)
class Followed(Event):
    """A rule brought something over somebody: ``what`` is a condition, or a word of the rule's own."""

    who: str
    what: str
    rule: str


@event("damage", action="shape")
@dataclass(frozen=True, slots=True)
class ShapeChanged(Event):
    """Somebody took another shape; ``shape`` is ``None`` for their own, of which ``label`` is the name."""

    who: str
    shape: Shape | None
    label: str
