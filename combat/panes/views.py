"""What each audience is shown, as frozen values: a field that is not here is not shown.

A view is made of panes, and a pane is what is swapped on a page as one piece. `StorytellerView`, `TableView` (players
without a character in the fight, observers, the wall) and `PlayerView` are different types on purpose: what only the
Storyteller may know has no field in the others.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from combat.history.panes import Dice, Log
from combat.panes.figures import Row, Sheet, WholeSheet
from combat.panes.questions import Asks, StorytellerAsks
from rules.engine.violations import Refusal

# ------------------------------------------------------------------ rolls that go on


@dataclass(frozen=True, slots=True)
class OpenRoll:
    """An extended roll that goes on: ``total`` of ``target`` successes after ``made`` rolls of ``rolls`` (0: no limit).

    ``mine``: the reader may roll on, with ``pool`` dice as things stand (``chance``: a chance die); ``refusal`` says
    what forbids it now.
    """

    id: str
    name: str
    label: str
    total: int
    target: int
    made: int
    rolls: int
    interval: str
    mine: bool = False
    pool: int = 0
    chance: bool = False
    refusal: Refusal | None = None


@dataclass(frozen=True, slots=True)
class StorytellerOpenRoll(OpenRoll):
    """And whether players know nothing of it."""

    secret: bool = False


# ------------------------------------------------------------------ panes


@dataclass(frozen=True, slots=True)
class StageShown:
    """A stage of the turn, as a step."""

    label: str
    now: bool
    past: bool


@dataclass(frozen=True, slots=True)
class Rolls:
    """The extended rolls that go on, as far as the reader may count their successes."""

    going: tuple[OpenRoll, ...]


@dataclass(frozen=True, slots=True)
class Levers:
    """What undo and redo would do, "" for nothing."""

    undo: str
    redo: str


@dataclass(frozen=True, slots=True)
class Done:
    """What the reader's own have come to who have nothing left to do now, as "You have acted", and their names."""

    word: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Bar:
    """Where the fight stands. `stage`: "initiative" (declarations), "attack", "resolution"; `stages` are the ruleset's.

    `acting` and `declaring` are names as seen, `yours` those of the reader's own whose turn it is, `done` those of whom
    nothing more is waited for: `acting` leaves them out. `ordered`: initiative was rolled; `due`: not yet for this
    turn. `declares`: those who act say so first. `news` is a sentence to be read out when it changes, `notice` tells of
    a house rule that everybody has to know of, `signs` of what the ruleset keeps of the fight.
    `rolled`: initiative is.
    """

    status: str
    turn: int
    stage: str
    ordered: bool
    acting: tuple[str, ...]
    declaring: tuple[str, ...]
    due: bool
    yours: tuple[str, ...]
    done: Done | None
    news: str
    notice: str = ""
    signs: tuple[str, ...] = ()
    rolled: bool = True
    stages: tuple[StageShown, ...] = ()
    declares: bool = True

    @property
    def my_turn(self) -> bool:
        """Whether it is on somebody whom the reader plays to act, or to declare."""
        return bool(self.yours)


@dataclass(frozen=True, slots=True)
class StorytellerBar(Bar):
    """And the Storyteller's levers: the command that comes next, and what undo and redo would do ("" for nothing).

    `next` is one of "begin", "resume", "initiative", "act", "end-turn", ""; `next_name` says who acts after "act".
    `also` are the levers that not every ruleset has: a form's name and its label. `reminder` says what the next press
    would pass over.
    """

    next: str = ""
    next_name: str = ""
    undo: str = ""
    redo: str = ""
    also: tuple[tuple[str, str], ...] = ()
    reminder: str = ""


@dataclass(frozen=True, slots=True)
class Order:
    """The ranks, first to act first, several rows in one acting together; and those who rolled no initiative."""

    ranks: tuple[tuple[Row, ...], ...]
    others: tuple[Row, ...]

    def rows(self) -> tuple[Row, ...]:
        """Everybody, in order."""
        return (*(row for rank in self.ranks for row in rank), *self.others)


@dataclass(frozen=True, slots=True)
class Me:
    """Those whom the reader plays."""

    sheets: tuple[Sheet, ...]


@dataclass(frozen=True, slots=True)
class Traits:
    """The whole sheets of those whom the reader plays: apart from :class:`Me`, since they seldom change."""

    sheets: tuple[WholeSheet, ...]


@dataclass(frozen=True, slots=True)
class Scene:
    """What everybody sees of the place. `text` is Markdown.

    `told` is what some alone see and feel of it, by name: to a player of their own, to the Storyteller all of it.
    """

    name: str
    text: str
    told: tuple[tuple[str, str], ...] = ()


class _View:
    """What all views have in common."""

    __slots__ = ()
    outside_fights = False
    audience: str

    def panes(self) -> dict[str, Any]:
        """The panes by name, in the page's order."""
        return {field.name: getattr(self, field.name) for field in fields(self) if field.name != "audience"}  # type: ignore[arg-type]  # every view is a dataclass


@dataclass(frozen=True, slots=True)
class StorytellerView(_View):
    """All there is."""

    audience: str
    bar: StorytellerBar
    order: Order
    asks: StorytellerAsks
    rolls: Rolls
    log: Log
    scene: Scene


@dataclass(frozen=True, slots=True)
class TableView(_View):
    """What everybody may see."""

    audience: str
    bar: Bar
    order: Order
    rolls: Rolls
    log: Log
    scene: Scene


@dataclass(frozen=True, slots=True)
class PlayerView(_View):
    """What everybody may see, and those whom this player plays in full."""

    audience: str
    bar: Bar
    dice: Dice
    order: Order
    asks: Asks
    rolls: Rolls
    me: Me
    traits: Traits
    log: Log
    scene: Scene


@dataclass(frozen=True, slots=True)
class StorytellerRollsView(_View):
    """All rolls outside fights."""

    outside_fights = True
    audience: str
    levers: Levers
    rolls: Rolls
    log: Log


@dataclass(frozen=True, slots=True)
class RollsView(_View):
    """The rolls outside fights, as everybody else may see them."""

    outside_fights = True
    audience: str
    rolls: Rolls
    log: Log


View = StorytellerView | TableView | PlayerView | StorytellerRollsView | RollsView
