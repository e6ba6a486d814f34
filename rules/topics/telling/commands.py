"""What the Storyteller lays down and tells."""

from __future__ import annotations

from dataclasses import dataclass

from rules.engine.inputs import Place
from rules.engine.messages import Command, command
from rules.engine.phrases import phrase
from rules.model.choices import Modifier


@command(
    phrase("set circumstances"),
    topics=("circumstance",),
    any_time=True,
    name="circumstances",
    offered={Place.FIGHT: phrase("Circumstances")},
)
@dataclass(frozen=True, slots=True)
class SetCircumstances(Command):
    """Put the circumstances that lie on somebody's rolls, or (``who`` "") on the whole scene; none lifts them."""

    who: str = ""
    circumstances: tuple[Modifier, ...] = ()


@command(
    phrase("describe"),
    topics=("perspective",),
    any_time=True,
    offered={Place.FIGHT: phrase("Tell one player, or some")},
)
@dataclass(frozen=True, slots=True)
class Describe(Command):
    """Tell those who play some combatants (``to``, ids) what they alone see and feel."""

    to: tuple[str, ...]
    text: str


@command(phrase("narrate"), any_time=True, outside_fights=True, commutes=True)
@dataclass(frozen=True, slots=True)
class Narrate(Command):
    """Put the Storyteller's words above what was resolved."""

    resolution: str
    text: str


@command(phrase("show roll"), any_time=True, outside_fights=True, commutes=True)
@dataclass(frozen=True, slots=True)
class ShowRoll(Command):
    """Show players the dice of an entry of the log, or hide them again. ``entry`` is what the log calls it."""

    entry: str
    shown: bool = True
