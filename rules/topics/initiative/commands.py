"""Commands for surprise."""

from __future__ import annotations

from dataclasses import dataclass

from rules.engine.inputs import Place
from rules.engine.messages import Command, command
from rules.engine.phrases import phrase


@command(
    phrase("check-surprise"),
    topics=("noticing",),
    name="surprise",
    offered={Place.FIGHT: phrase("who-is-surprised")},
)
@dataclass(frozen=True, slots=True)
class CheckSurprise(Command):
    """Roll for those who walk into an ambush or stumble on an enemy.

    Where stealth decides, ``by`` are the ambushers. ``secret``: players aren't told their rolls.
    """

    who: tuple[str, ...]
    by: tuple[str, ...] = ()
    secret: bool = False
