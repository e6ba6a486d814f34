"""The state of a fight: what the replay of its events gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from rules.engine.dice import Faces
from rules.engine.slots import Own
from rules.model.attack import Attack
from rules.model.choices import Modifier
from rules.model.gear import Damage
from rules.model.roll import Extended, RollTraits
from rules.model.sheet import Sheet


class Status(StrEnum):
    """The status of an encounter."""

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


class Side(StrEnum):
    """Whose side a combatant is on, as the Storyteller sees it; others are on neither."""

    ALLIES = "allies"
    ENEMIES = "enemies"
    OTHERS = "others"


ASK, NO_DEFENCE = "ask", "none"
"""Default defences other than a kind of defence: ask each time, or give none."""

OPEN_ACTION = "open"
"""The one action of somebody who has declared none: it may become anything."""


@dataclass(frozen=True, slots=True)
class Declaration:
    """What somebody said they would do this turn; ``at`` is the target they named, by id."""

    text: str = ""
    actions: tuple[str, ...] = ()
    delay: bool = False
    disciplines: tuple[str, ...] = ()
    willpower: int = 0
    points: Mapping[str, int] = field(default_factory=dict)
    at: str = ""


@dataclass(frozen=True, slots=True)
class Ambush:
    """A free attack on a target: ``dice`` more for the attack; one that is ``seen`` may be defended against."""

    target: str
    dice: int = 0
    seen: bool = False


@dataclass(frozen=True, slots=True)
class Split:
    """A pool shared among several actions: its dice, and those used.

    ``dice`` is the smallest pool seen, ``None`` as long as none of the actions has shown its own.
    """

    dice: int | None = None
    used: int = 0


@dataclass(frozen=True)
class TurnRecord:
    """A combatant's record for the present turn; reset when the next begins.

    ``actions`` are those still to perform; ``attackers`` the ids of those who attacked in close combat; ``shots``
    counts by weapon key or name. ``abort_failed``: a Willpower roll to abort failed. ``ambush`` is a free attack won by
    ambush, ``moved`` the metres moved, ``slowed`` what is subtracted from this turn's initiative and ``slow_next`` from
    the next turn's.

    ``holding``: the turn is given up for the next, in which ``free`` allows acting at any moment. ``moment`` is the
    place in the turn at which a delayed action was taken, ``rank`` the rank that counts from the next turn on.
    ``exposed`` is the rule by which Defense, or any defence, is given up for the turn. ``waits_for`` is the
    circumstance that a delayed action waits for. ``deeds`` counts the actions taken. ``spoke`` is the place among those
    who declared this turn, 0 for not yet, and ``heard`` the earlier place up to which a combatant who changed their
    mind has heard the others, 0 if it is the same. ``own`` holds the slots of single systems.
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
    ambush: Ambush | None = None
    moved: int = 0
    slowed: int = 0
    slow_next: int = 0
    holding: bool = False
    free: bool = False
    moment: str = ""
    rank: int | None = None
    exposed: str = ""
    waits_for: str = ""
    deeds: int = 0
    spoke: int = 0
    heard: int = 0
    own: Own = field(default_factory=dict)


@dataclass(frozen=True)
class Combatant:
    """A combatant. ``id`` is random, so that hidden ones leave no gaps.

    ``character`` is the id of the sheet behind it, if any; ``player`` says whether a player runs it; ``group``
    joins copies of one NPC, ``band`` (an id) those who act and roll together. ``chosen_side`` is the side set by
    the Storyteller, ``None`` for the preset. ``hidden``, ``mask``, ``health_shown`` and ``dice_shown`` (the faces
    that an NPC rolls) decide what players learn: see ``combat/panes``. ``circumstances`` apply to all of their
    rolls; ``dying_since`` is the turn in which they began to die or bleed, 0 if they don't. ``spent`` counts the
    points spent this turn, by resource. ``told`` is the newest private message to their player, sent again
    ``repeats`` times. ``own`` holds the slots of single systems (:mod:`rules.engine.slots`). ``default_defence`` is
    how they answer attacks by default: a kind of defence, :data:`NO_DEFENCE` or :data:`ASK`. A player is still
    asked, and it applies if they don't answer.
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
    circumstances: tuple[Modifier, ...] = ()
    dying_since: int = 0
    spent: Mapping[str, int] = field(default_factory=dict)
    told: str = ""
    repeats: int = 0
    dice_shown: bool = False
    default_defence: str = ASK
    band: str = ""
    chosen_side: Side | None = None
    own: Own = field(default_factory=dict)

    @property
    def side(self) -> Side:
        """Whose side the combatant is on."""
        return self.chosen_side or self.preset_side

    @property
    def preset_side(self) -> Side:
        """The side until the Storyteller chooses another: players' characters are allies, all others enemies."""
        return Side.ALLIES if self.player else Side.ENEMIES


@dataclass(frozen=True, slots=True)
class Score:
    """A combatant's initiative: the faces, the rating they were added to, and the total.

    ``second`` precedes the dice if totals and ratings tie. ``ties`` are the dice that settled ties, ``home`` the total
    to return to when the turn ends. If faces are counted against a ``difficulty`` (0: they are added up), ``total`` is
    the successes and ``rating`` the pool. ``ambushed`` combatants follow everyone who wasn't. ``shared`` faces were
    rolled by another member of the band. ``wounds`` is the part of the rating that wounds take off, zero or less.
    """

    faces: Faces
    rating: int
    total: int
    ties: Faces = ()
    home: int | None = None
    difficulty: int = 0
    ambushed: bool = False
    second: int = 0
    shared: bool = False
    wounds: int = 0


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


class Step(StrEnum):
    """The step of an announced attack: with the Storyteller, back with the attacker, or with its targets."""

    PENDING = "pending"
    RETURNED = "returned"
    APPROVED = "approved"


@dataclass(frozen=True, slots=True)
class Exchange:
    """An attack that was announced and has not been rolled.

    ``asked`` are the ids of targets who have not answered yet: none before it is approved. ``by_hand``: the table's
    dice are typed in, so nothing is rolled automatically. ``word`` is the Storyteller's message when sending it back.
    ``waived`` are the rules waived for it.
    """

    id: str
    attack: Attack
    asked: tuple[str, ...] = ()
    by_hand: bool = False
    step: Step = Step.APPROVED
    word: str = ""
    waived: frozenset[str] = frozenset()


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
class ExtendedRoll:
    """An extended roll that goes on: what is rolled each time, the successes so far and in how many rolls.

    ``command.extended`` is set.
    """

    command: RollTraits
    total: int = 0
    made: int = 0

    @property
    def asked(self) -> Extended:
        """How much it takes."""
        assert self.command.extended is not None
        return self.command.extended

    @property
    def left(self) -> int | None:
        """How many rolls there may still be; ``None`` for as many as it takes."""
        return self.asked.rolls - self.made if self.asked.rolls else None


@dataclass(frozen=True)
class Encounter:
    """A fight at one moment.

    ``order`` lists the ranks, first to act first; several ids in one rank act simultaneously. It is empty until
    initiative has been rolled: until then anyone acts, as often as they like. ``rank_start`` keeps the health boxes
    that simultaneous actors had when their rank began. ``resolutions`` counts resolved actions; ``unnarrated`` are
    those that still lack the Storyteller's narration. ``circumstances`` apply to everyone's rolls.
    ``initiative_every_turn`` is the fight's own setting, ``None`` for the chronicle's. ``extended`` are the open
    extended rolls. ``own`` holds the slots of single systems. With ``outside_fights`` it is the chronicle's own log
    instead of a fight: nothing there takes an action, and no turn passes.
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
    circumstances: tuple[Modifier, ...] = ()
    initiative_every_turn: bool | None = None
    extended: tuple[ExtendedRoll, ...] = ()
    outside_fights: bool = False
    own: Own = field(default_factory=dict)

    def known_to(self, who: str) -> tuple[str, ...]:
        """Those on whom somebody's place and turn may depend: what follows from a hidden one would tell of them."""
        hidden = self.combatants[who].hidden
        return tuple(one for one, each in self.combatants.items() if hidden or not each.hidden)

    @property
    def ordered(self) -> bool:
        """Whether ranks and the number of actions count."""
        return bool(self.order)
