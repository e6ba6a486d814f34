"""Health, resources, conditions and shapes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from rules.model.gear import Damage
from rules.model.results import DamageDone
from rules.model.shapes import Shape
from rules.model.sheet import Injury, Scar
from rules.model.state import Impairment


@dataclass(frozen=True, slots=True)
class Bled:
    """Somebody is ``amount`` points nearer to death, for nothing but time."""

    who: str
    amount: int


@dataclass(frozen=True, slots=True)
class Harmed:
    """Somebody took damage otherwise than by an attack."""

    who: str
    amount: int
    type: Damage
    why: str = ""
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Healed:
    """Somebody healed. ``healed`` counts levels by kind."""

    who: str
    healed: Mapping[str, int] = field(default_factory=dict)
    hours: int | None = None


@dataclass(frozen=True, slots=True)
class HealthSet:
    """The Storyteller put the boxes otherwise."""

    who: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class BoxesMarked:
    """Somebody's boxes and the conditions that follow from them, as they are now."""

    who: str
    marks: tuple[Damage, ...]
    conditions: frozenset[str]


@dataclass(frozen=True, slots=True)
class InjuriesMarked:
    """Somebody's injuries and scars, and the conditions that follow from them, as they are now."""

    who: str
    injuries: tuple[Injury, ...]
    scars: tuple[Scar, ...]
    conditions: frozenset[str]


@dataclass(frozen=True, slots=True)
class ResourceChanged:
    """Somebody has ``left`` points of a resource now, ``spent`` fewer (or, below zero, more) than before."""

    who: str
    resource: str
    left: int
    spent: int
    why: str = ""


@dataclass(frozen=True, slots=True)
class ConditionsChanged:
    """Somebody's conditions as they are now, and what was added and taken away."""

    who: str
    conditions: frozenset[str]
    added: frozenset[str] = frozenset()
    removed: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Hurt:
    """Somebody was hurt by another without an attack's roll; ``done`` may be none at all."""

    by: str
    done: DamageDone
    rule: str


@dataclass(frozen=True, slots=True)
class InjuriesChanged:
    """Somebody's injuries of parts of the body as they are now."""

    who: str
    injuries: tuple[Impairment, ...]


@dataclass(frozen=True, slots=True)
class Followed:
    """A rule brought something over somebody: ``what`` is a condition, or a word of the rule's own."""

    who: str
    what: str
    rule: str


@dataclass(frozen=True, slots=True)
class ShapeChanged:
    """Somebody took another shape; ``shape`` is ``None`` for their own, of which ``label`` is the name."""

    who: str
    shape: Shape | None
    label: str


BodyEvent = (
    Bled
    | Harmed
    | Healed
    | HealthSet
    | BoxesMarked
    | InjuriesMarked
    | ResourceChanged
    | ConditionsChanged
    | Hurt
    | InjuriesChanged
    | Followed
    | ShapeChanged
)
