"""The command that ends a power in effect. Powers are used by actions: see :mod:`rules.topics.powers.using`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from rules.engine.inputs import Asked, Want, Wanted
from rules.engine.messages import Command, command
from rules.engine.phrases import PLAYERS_WORDS, phrase


def _somebody_elses(command: EndPower, game: Any) -> bool:
    combatant = game.state.combatants.get(command.who)
    return combatant is not None and any(one.by and one.key == command.power for one in combatant.sheet.powers)


@command(
    phrase("end-power"),
    acts_for="who",
    reserved=_somebody_elses,
    asked=Asked((Wanted("power", phrase("power"), Want.REFERENCE, needed=True),), page=False, step="end_power"),
    offered={},
)
@dataclass(frozen=True, slots=True)
class EndPower(Command):
    """End a power in effect on somebody, by its key; players end only those that their character used."""

    who: str
    power: str = field(metadata=PLAYERS_WORDS)
