"""Commands for where weapons are carried."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rules.engine.inputs import Place
from rules.engine.messages import Command, command
from rules.engine.phrases import phrase


@command(
    phrase("set-weapons-in-hand"),
    topics=("drawing",),
    any_time=True,
    commutes=True,
    name="in-hand",
    offered={Place.FIGHT: phrase("weapons-in-hand")},
)
@dataclass(frozen=True, slots=True)
class SetCarried(Command):
    """Set where combatants carry their weapons, regardless of actions.

    ``carried`` maps combatants to some of their weapons (key or name), and each to a
    :class:`rules.model.gear.Carried`. A weapon that lies on the ground is picked up by it.
    """

    carried: Mapping[str, Mapping[str, str]]
