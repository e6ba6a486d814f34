"""Attacks, what a botch brings, and the weapons they are made with."""

from __future__ import annotations

from dataclasses import dataclass, field

from rules.engine.messages import Command, command
from rules.engine.phrases import PLAYERS_WORDS, phrase


@command(phrase("choose mishap"))
@dataclass(frozen=True, slots=True)
class ChooseMishap(Command):
    """Settle what a botched attack brings. ``mishap`` "" lets chance pick; ``ally`` is who is hit, if one is."""

    resolution: str
    mishap: str = ""
    ally: str = ""


@command(phrase("clear jam"), acts_for="by")
@dataclass(frozen=True, slots=True)
class ClearJam(Command):
    """Spend an action on making a jammed weapon fire again."""

    by: str
    weapon: str = field(metadata=PLAYERS_WORDS)


@command(phrase("reload"), acts_for="by")
@dataclass(frozen=True, slots=True)
class Reload(Command):
    """Spend an action on filling a weapon. ``rounds`` ``None`` fills it up."""

    by: str
    weapon: str = field(metadata=PLAYERS_WORDS)
    rounds: int | None = None


@command(phrase("override attack"), any_time=True)
@dataclass(frozen=True, slots=True)
class OverrideAttack(Command):
    """Put right what an attack (``resolution``) came to against one target; what is not said stays as the dice have it.

    ``outcome`` is "hit", "miss", "botch" or "dramatic_failure"; ``successes`` are the attack's, before any defence.
    ``levels`` are those of the damage before soak, ``soaked`` those taken off, ``dealt`` those that are marked.
    """

    resolution: str
    target: str
    outcome: str = ""
    successes: int | None = None
    levels: int | None = None
    soaked: int | None = None
    dealt: int | None = None
    why: str = ""
