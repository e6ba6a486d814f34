"""Who is caught unawares."""

from __future__ import annotations

from dataclasses import dataclass

from rules.engine.inputs import Place
from rules.engine.messages import Command, command
from rules.engine.phrases import phrase


@command(
    phrase("check surprise"),
    topics=("surprise", "noticing"),
    name="surprise",
    offered={Place.FIGHT: phrase("Who is surprised?")},
)
@dataclass(frozen=True, slots=True)
class CheckSurprise(Command):
    """Roll for those who walk into an ambush, or stumble on an enemy: whoever fails is surprised."""

    who: tuple[str, ...]
