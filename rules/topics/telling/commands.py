"""Commands for what the Storyteller tells: circumstances, descriptions, narration, shown dice."""

from __future__ import annotations

from dataclasses import dataclass

from rules.engine.inputs import Place
from rules.engine.messages import Command, command
from rules.engine.phrases import phrase
from rules.model.choices import Modifier


@command(
    phrase("set-circumstances"),
    topics=("circumstance",),
    any_time=True,
    name="circumstances",
    offered={Place.FIGHT: phrase("circumstances")},
)
@dataclass(frozen=True, slots=True)
class SetCircumstances(Command):
    """Set the circumstances of a combatant's rolls or (``who`` "") of the whole scene; an empty tuple removes them."""

    who: str = ""
    circumstances: tuple[Modifier, ...] = ()


@command(
    phrase("describe"),
    any_time=True,
    commutes=True,
    offered={Place.FIGHT: phrase("tell-one-or-more-players")},
    offered_to=lambda state, who, _system: state.combatants[who].player,
)
@dataclass(frozen=True, slots=True)
class Describe(Command):
    """Send a message to the players of some combatants (``to``, ids): what they alone see and feel."""

    to: tuple[str, ...]
    text: str


@command(phrase("narrate"), any_time=True, outside_fights=True, commutes=True)
@dataclass(frozen=True, slots=True)
class Narrate(Command):
    """Narrate a resolution in the Storyteller's words."""

    resolution: str
    text: str


@command(phrase("show-roll"), any_time=True, outside_fights=True, commutes=True)
@dataclass(frozen=True, slots=True)
class ShowRoll(Command):
    """Show players the dice of a log entry, or hide them again. ``entry`` is its name in the log."""

    entry: str
    shown: bool = True
