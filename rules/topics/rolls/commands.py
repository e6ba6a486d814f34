"""Commands for rolls outside attacks."""

from __future__ import annotations

from dataclasses import dataclass

from rules.engine.inputs import Asked, Want, Wanted
from rules.engine.messages import Command, command
from rules.engine.phrases import phrase
from rules.engine.violations import bad_input
from rules.model.state import Encounter


def _whose_roll(command: RollOn | GiveUpRoll, state: Encounter) -> str:
    # Players don't know the id of a secret roll.
    known = (each.command for each in state.extended if not each.command.secret)
    whose = next((each.by for each in known if each.extended and each.extended.id == command.roll), "")
    if not whose:
        raise bad_input(phrase("that-roll-is-over"))
    return whose


@command(phrase("roll-again"), outside_fights=True, acts_for=_whose_roll)
@dataclass(frozen=True, slots=True)
class RollOn(Command):
    """Make the next roll of an extended roll, given by its id."""

    roll: str


@command(
    phrase("give-up-roll"),
    outside_fights=True,
    acts_for=_whose_roll,
    name="give-up",
    asked=Asked((Wanted("roll", phrase("roll-label"), Want.REFERENCE, needed=True),), page=False),
)
@dataclass(frozen=True, slots=True)
class GiveUpRoll(Command):
    """Abandon an unfinished extended roll, given by its id."""

    roll: str
