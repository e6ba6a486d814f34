"""Commands around attacks: mishaps, jams, reloading, overrides."""

from __future__ import annotations

from dataclasses import dataclass, field

from rules.engine.messages import Command, command
from rules.engine.phrases import PLAYERS_WORDS, phrase


@command(phrase("choose-mishap"))
@dataclass(frozen=True, slots=True)
class ChooseMishap(Command):
    """Choose a botched attack's mishap. With ``mishap`` "" chance decides; ``ally`` is the ally hit, if any."""

    resolution: str
    mishap: str = ""
    ally: str = ""


@command(phrase("clear-jam"), acts_for="by")
@dataclass(frozen=True, slots=True)
class ClearJam(Command):
    """Spend an action on clearing a jammed weapon."""

    by: str
    weapon: str = field(metadata=PLAYERS_WORDS)


@command(phrase("reload"), acts_for="by")
@dataclass(frozen=True, slots=True)
class Reload(Command):
    """Spend an action on reloading a weapon. ``rounds`` ``None`` fills it up."""

    by: str
    weapon: str = field(metadata=PLAYERS_WORDS)
    rounds: int | None = None


@command(phrase("override-attack"), any_time=True)
@dataclass(frozen=True, slots=True)
class OverrideAttack(Command):
    """Override the result of an attack (``resolution``) against one target; what is left out stays as rolled.

    ``outcome`` is "hit", "miss", "botch" or "dramatic_failure"; ``successes`` are the attack's, before any defence.
    ``levels`` are the damage before soak, ``soaked`` those soaked, ``dealt`` those marked.
    """

    resolution: str
    target: str
    outcome: str = ""
    successes: int | None = None
    levels: int | None = None
    soaked: int | None = None
    dealt: int | None = None
    why: str = ""
