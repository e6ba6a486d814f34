"""Rolls outside attacks."""

from __future__ import annotations

from dataclasses import dataclass

from rules.engine.inputs import Asked, Want, Wanted
from rules.engine.messages import Command, command
from rules.engine.phrases import phrase
from rules.engine.violations import bad_input
from rules.model.state import Encounter


def _whose_roll(command: RollOn | GiveUpRoll, state: Encounter) -> str:
    # A secret roll is none that a player could name.
    known = (each.command for each in state.extended if not each.command.secret)
    whose = next((each.by for each in known if each.extended and each.extended.id == command.roll), "")
    if not whose:
        raise bad_input(phrase("That roll is over."))
    return whose


@command(phrase("roll on"), outside_fights=True, acts_for=_whose_roll)
@dataclass(frozen=True, slots=True)
class RollOn(Command):
    """Roll once more for an extended roll that goes on, named by its id."""

    roll: str


@command(
    phrase("give up roll"),
    outside_fights=True,
    acts_for=_whose_roll,
    name="give-up",
    asked=Asked((Wanted("roll", phrase("Roll"), Want.REFERENCE, needed=True),), page=False),
)
@dataclass(frozen=True, slots=True)
class GiveUpRoll(Command):
    """Leave an extended roll, named by its id, before it has come to anything."""

    roll: str
