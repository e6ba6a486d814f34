"""The state of a fight: what the fold of its events comes to, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from rules.commands import Attack
from rules.dice import Faces
from rules.gear import Damage
from rules.sheet import Sheet


class Status(StrEnum):
    """Where an encounter stands."""

    DRAFT = "draft"
    RUNNING = "running"
    PAUSED = "paused"
    ENDED = "ended"


class Stage(StrEnum):
    """The stages of a turn, in order."""

    INITIATIVE = "initiative"
    ATTACK = "attack"
    RESOLUTION = "resolution"


class HealthShown(StrEnum):
    """How much of a combatant's health players see."""

    BOXES = "boxes"
    WORD = "word"
    NOTHING = "nothing"


OPEN_ACTION = "open"
"""The one action of somebody who has declared none: it may become anything."""


@dataclass(frozen=True, slots=True)
class Declaration:
    """What somebody said they would do this turn."""

    text: str = ""
    actions: tuple[str, ...] = ()
    delay: bool = False
    disciplines: tuple[str, ...] = ()
    willpower: int = 0


@dataclass(frozen=True, slots=True)
class Split:
    """A pool shared among several actions: its dice, and those used.

    ``dice`` is the smallest pool seen, ``None`` as long as none of the actions has shown its own.
    """

    dice: int | None = None
    used: int = 0


@dataclass(frozen=True, slots=True)
class TurnRecord:
    """What a combatant has said and done in the present turn; empty again when the next begins.

    ``actions`` are those still to be performed; ``attackers`` the ids of those who attacked in close combat;
    ``shots`` counts by weapon's key or name. ``abort_failed``: a Willpower roll to abort came to nothing.
    """

    declaration: Declaration | None = None
    actions: tuple[str, ...] = (OPEN_ACTION,)
    acted: bool = False
    defences: int = 0
    full_defence: bool = False
    delaying: bool = False
    abort_failed: bool = False
    split: Split | None = None
    shots: Mapping[str, int] = field(default_factory=dict)
    attackers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Combatant:
    """Somebody in the fight. ``id`` is random, so that the hidden leave no holes.

    ``character`` is the id of the sheet behind it, if any; ``player`` says whether a player runs it;
    ``group`` joins copies of one NPC. ``hidden``, ``mask`` and ``health_shown`` settle what players
    learn: see ``combat/perspectives.py``.
    """

    id: str
    sheet: Sheet
    character: str = ""
    player: bool = False
    group: str = ""
    conditions: frozenset[str] = frozenset()
    turn: TurnRecord = field(default_factory=TurnRecord)
    hidden: bool = False
    mask: str = ""
    health_shown: HealthShown = HealthShown.WORD


@dataclass(frozen=True, slots=True)
class Score:
    """Somebody's initiative: the faces, the rating they were added to, and the total."""

    faces: Faces
    rating: int
    total: int


class Phase(StrEnum):
    """Which sort of place in the turn is being taken."""

    RANK = "rank"
    DELAYED = "delayed"
    EXTRA = "extra"


@dataclass(frozen=True, slots=True)
class Visit:
    """A place in the turn that was reached: who acted there, and in which sort of place.

    ``index`` counts the ranks from 0, or the rounds of extra actions from 0.
    """

    ids: tuple[str, ...]
    phase: Phase
    index: int = 0


@dataclass(frozen=True, slots=True)
class Exchange:
    """An attack that was announced and not yet rolled.

    ``asked`` are the ids of targets who have not answered yet. ``by_hand``: the dice of the table
    are typed in, so that nothing is rolled before somebody does.
    """

    id: str
    attack: Attack
    asked: tuple[str, ...] = ()
    by_hand: bool = False


@dataclass(frozen=True, slots=True)
class PendingMishap:
    """A botched attack whose mishap nobody has picked yet.

    ``weapon`` is its key or name, ``choices`` the keys of the mishaps that fit, ``allies`` the ids of
    those who may be hit by mistake.
    """

    resolution: str
    by: str
    weapon: str
    choices: tuple[str, ...]
    allies: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Encounter:
    """A fight at one moment.

    ``order`` lists the ranks, first to act first; several ids in one rank act simultaneously. It is
    empty until initiative has been rolled: then anybody acts, as often as they like.
    ``rank_start`` keeps the health boxes of those who act simultaneously as they were when their rank
    began. ``resolutions`` counts what has been resolved; ``unnarrated`` are those that still want
    the Storyteller's words.
    """

    status: Status = Status.DRAFT
    turn: int = 1
    stage: Stage = Stage.INITIATIVE
    combatants: Mapping[str, Combatant] = field(default_factory=dict)
    initiative: Mapping[str, Score] = field(default_factory=dict)
    order: tuple[tuple[str, ...], ...] = ()
    acting: tuple[str, ...] = ()
    visited: tuple[Visit, ...] = ()
    rank_start: Mapping[str, tuple[Damage, ...]] = field(default_factory=dict)
    exchanges: tuple[Exchange, ...] = ()
    mishaps: tuple[PendingMishap, ...] = ()
    resolutions: int = 0
    unnarrated: tuple[str, ...] = ()

    @property
    def ordered(self) -> bool:
        """Whether ranks and the number of actions count."""
        return bool(self.order)
