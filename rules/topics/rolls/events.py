"""Events for rolls outside attacks."""

from __future__ import annotations

from dataclasses import dataclass

from rules.engine.messages import Event, event
from rules.engine.violations import Flag
from rules.model.results import Outcome, Rolled
from rules.model.state import ExtendedRoll


@event("roll", topics=("pool",), dice=True, resolves=True, own_roll=True)
@dataclass(frozen=True, slots=True)
class TraitsRolled(Event):
    """A roll outside an attack. ``margin`` is the roller's net successes minus the resister's."""

    resolution: str
    by: str
    outcome: Outcome
    roll: Rolled
    resisted: Rolled | None = None
    margin: int | None = None
    label: str = ""
    secret: bool = False
    flags: tuple[Flag, ...] = ()


@event("roll", topics=("pool",))
@dataclass(frozen=True, slots=True)
class ExtendedRolled(Event):
    """An extended roll after one more roll; ``outcome`` is ``None`` while it goes on."""

    now: ExtendedRoll
    outcome: Outcome | None = None


@event("roll", topics=("pool",))
@dataclass(frozen=True, slots=True)
class RollGivenUp(Event):
    """An unfinished extended roll was abandoned."""

    roll: ExtendedRoll


@event("roll", topics=("out_of_action",), dice=True)
@dataclass(frozen=True, slots=True)
class CheckRolled(Event):
    """A roll that a rule triggers by itself. ``check`` says which ("consciousness")."""

    who: str
    check: str
    roll: Rolled
    passed: bool
