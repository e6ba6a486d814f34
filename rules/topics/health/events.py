"""Events for health, resources, conditions and shapes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from rules.engine.messages import Event, event
from rules.model.gear import Damage
from rules.model.results import DamageDone
from rules.model.shapes import Shape
from rules.model.sheet import Impairment, Injury, Lasting, Scar
from rules.topics.health.resting import Rest


@event("damage", topics=("bleeding", "out_of_action"))
@dataclass(frozen=True, slots=True)
class Bled(Event):
    """Bleeding or dying brought a combatant ``amount`` points nearer to death."""

    who: str
    amount: int


@event("damage", topics=("health",))
@dataclass(frozen=True, slots=True)
class Harmed(Event):
    """A combatant took damage other than from an attack."""

    who: str
    amount: int
    type: Damage
    why: str = ""
    rule: str = ""


@event("damage", topics=("heal",))
@dataclass(frozen=True, slots=True)
class Healed(Event):
    """A combatant healed. ``healed`` counts levels by type; ``rule`` is cited if it isn't the rule of healing.

    ``rest`` is the rest so far, if this is the effect of time.
    """

    who: str
    healed: Mapping[str, int] = field(default_factory=dict)
    hours: int | None = None
    rule: str = ""
    rest: Rest | None = None


@event("damage", topics=("heal",))
@dataclass(frozen=True, slots=True)
class TimePassed(Event):
    """``hours`` passed for these combatants; events about each of them say what changed.

    ``dusk``: the undead spent blood at each dusk. ``why`` is the reason for what the Storyteller healed by hand.
    """

    who: tuple[str, ...]
    hours: int
    dusk: bool = False
    why: str = ""


@event("damage", topics=("health",))
@dataclass(frozen=True, slots=True)
class HealthSet(Event):
    """The Storyteller set the boxes."""

    who: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class Body:
    """The health and the points on a sheet."""

    marks: tuple[Damage, ...] = ()
    injuries: tuple[Injury, ...] = ()
    resources: Mapping[str, int] = field(default_factory=dict)


@event("damage", no_rule=True)
@dataclass(frozen=True, slots=True)
class SheetEdited(Event):
    """Somebody edited health or points on a combatant's sheet: what ``was`` there and what is ``now``."""

    who: str
    was: Body
    now: Body


@event("damage")
@dataclass(frozen=True, slots=True)
class BoxesMarked(Event):
    """A combatant's boxes and the conditions that follow from them, after a change."""

    who: str
    marks: tuple[Damage, ...]
    conditions: frozenset[str]


@event("damage")
@dataclass(frozen=True, slots=True)
class InjuriesMarked(Event):
    """A combatant's injuries and scars, and the conditions that follow from them, after a change."""

    who: str
    injuries: tuple[Injury, ...]
    scars: tuple[Scar, ...]
    conditions: frozenset[str]


@event("damage")
@dataclass(frozen=True, slots=True)
class ResourceChanged(Event):
    """A combatant now has ``left`` points of a resource, after ``spent`` were spent (below zero: gained)."""

    who: str
    resource: str
    left: int
    spent: int
    why: str = ""


@event("damage")
@dataclass(frozen=True, slots=True)
class ConditionsChanged(Event):
    """A combatant's conditions after a change, which were added and removed, and the reason if one was given."""

    who: str
    conditions: frozenset[str]
    added: frozenset[str] = frozenset()
    removed: frozenset[str] = frozenset()
    why: str = ""


@event("damage", dice=True)
@dataclass(frozen=True, slots=True)
class Hurt(Event):
    """A combatant was hurt by another without an attack roll; ``done`` may be no damage at all."""

    by: str
    done: DamageDone
    rule: str


@event("damage")
@dataclass(frozen=True, slots=True)
class InjuriesChanged(Event):
    """A combatant's injuries to parts of the body, after a change."""

    who: str
    injuries: tuple[Impairment, ...]


@event("damage", no_rule=True)
@dataclass(frozen=True, slots=True)
class LastingChanged(Event):
    """The conditions of a combatant that outlast the fight, after a change."""

    who: str
    lasting: tuple[Lasting, ...]


@event("damage")
@dataclass(frozen=True, slots=True)
class Followed(Event):
    """A rule affected a combatant: ``what`` is a condition, or a word of the rule's own."""

    who: str
    what: str
    rule: str


@event("damage", action="shape")
@dataclass(frozen=True, slots=True)
class ShapeChanged(Event):
    """A combatant changed shape; ``shape`` is ``None`` for their own, whose name is ``label``."""

    who: str
    shape: Shape | None
    label: str
