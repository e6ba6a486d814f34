"""The views: frozen values with everything that an audience is shown. What has no field here isn't shown.

A view consists of panes, and a page swaps each pane as a unit. `StorytellerView`, `TableView` (players without a
character in the fight, observers, the wall screen) and `PlayerView` are different types on purpose: what only the
Storyteller may know has no field in the others.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cache
from typing import Any

from combat.history.panes import Dice, Log
from combat.panes.figures import Row, Sheet, WholeSheet
from combat.panes.questions import Asks, StorytellerAsks
from combat.secrecy.fight import Waiting
from rules.engine.violations import Refusal

# ------------------------------------------------------------------ extended rolls


@dataclass(frozen=True, slots=True)
class OpenRoll:
    """An extended roll in progress: ``total`` of ``target`` successes after ``made`` of ``rolls`` rolls (0: no limit).

    ``mine``: the reader may roll again, now with ``pool`` dice (``chance``: a chance die); ``refusal`` says what
    forbids it at the moment.
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
    """An extended roll with `secret`: players don't know about it."""

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
    """The extended rolls in progress whose successes the reader may count."""

    going: tuple[OpenRoll, ...]


@dataclass(frozen=True, slots=True)
class Levers:
    """What undo and redo would do; "" for nothing."""

    undo: str
    redo: str


@dataclass(frozen=True, slots=True)
class Done:
    """Why the reader's own characters have nothing left to do now (“You have acted”), and their names."""

    word: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Bar:
    """The state of the fight. `stage`: "initiative" (declarations), "attack" or "resolution"; `stages`: the ruleset's.

    `acting` and `declaring` are the names that the reader sees, `yours` those of the reader's own whose turn it is, and
    `done` those with nothing left to do, who aren't in `acting`. `ordered`: there is a turn order; `due`: initiative
    isn't rolled for this turn yet. `declares`: the ruleset has declarations; `rolled`: it rolls initiative. `news` is
    announced when it changes, `notice` is a house rule that everybody must know, `signs` are the ruleset's own values
    of the fight.
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
        """Whether it is the turn of one of the reader's characters to act or declare."""
        return bool(self.yours)


@dataclass(frozen=True, slots=True)
class StorytellerBar(Bar):
    """The bar with the Storyteller's controls: the next command, and what undo and redo would do ("" for nothing).

    `next` is "begin", "resume", "initiative", "act", "next-turn" or ""; `next_name` is who acts after "act". `also`
    lists commands that not every ruleset has, as form name and label. `reminder` says what the next press would skip;
    if that has to be confirmed, `asks` is the token that confirms it, else "". `owing` are the ids of those who act
    now and have yet to do so. `stays`: ending the fight asks which conditions stay.
    """

    next: str = ""
    next_name: str = ""
    undo: str = ""
    redo: str = ""
    also: tuple[tuple[str, str], ...] = ()
    reminder: str = ""
    asks: str = ""
    owing: tuple[str, ...] = ()
    stays: bool = False


@dataclass(frozen=True, slots=True)
class Order:
    """The ranks in turn order; the rows of a rank act together. `others` have no initiative."""

    ranks: tuple[tuple[Row, ...], ...]
    others: tuple[Row, ...]

    def rows(self) -> tuple[Row, ...]:
        """Everybody, in order."""
        return (*(row for rank in self.ranks for row in rank), *self.others)


@dataclass(frozen=True, slots=True)
class Reinforcements:
    """The groups that wait outside the fight."""

    waiting: tuple[Waiting, ...]


@dataclass(frozen=True, slots=True)
class Me:
    """The reader's own characters."""

    sheets: tuple[Sheet, ...]


@dataclass(frozen=True, slots=True)
class Traits:
    """The whole sheets of the reader's characters: a pane apart from :class:`Me`, because they seldom change."""

    sheets: tuple[WholeSheet, ...]


@dataclass(frozen=True, slots=True)
class Scene:
    """The scene description. `text` is Markdown. `told` are the newest private messages by name, for Storytellers."""

    name: str
    text: str
    told: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Message:
    """The newest private message to the player of a combatant (Markdown). Another one has another `mark`."""

    who: str
    name: str
    mark: str
    text: str


@dataclass(frozen=True, slots=True)
class Private:
    """What the Storyteller tells the reader alone."""

    messages: tuple[Message, ...]


@cache
def _names(view: Any) -> tuple[str, ...]:
    """The names of a view's panes: this is asked several times for each audience."""
    return tuple(field.name for field in fields(view) if field.name != "audience")


class _View:
    """The base of all views."""

    __slots__ = ()
    outside_fights = False
    audience: str

    def panes(self) -> dict[str, Any]:
        """The panes by name, in page order."""
        kind: Any = type(self)
        return {name: getattr(self, name) for name in _names(kind)}


@dataclass(frozen=True, slots=True)
class StorytellerView(_View):
    """The Storytellers' view: everything."""

    audience: str
    bar: StorytellerBar
    order: Order
    reinforcements: Reinforcements
    asks: StorytellerAsks
    rolls: Rolls
    log: Log
    scene: Scene


@dataclass(frozen=True, slots=True)
class TableView(_View):
    """The table's view: what everybody may see."""

    audience: str
    bar: Bar
    order: Order
    rolls: Rolls
    log: Log
    scene: Scene


@dataclass(frozen=True, slots=True)
class PlayerView(_View):
    """A player's view: what everybody may see, plus their own characters in full."""

    audience: str
    bar: Bar
    private: Private
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
    """The Storytellers' view of the rolls outside fights: all of them."""

    outside_fights = True
    audience: str
    levers: Levers
    rolls: Rolls
    log: Log


@dataclass(frozen=True, slots=True)
class RollsView(_View):
    """Everybody else's view of the rolls outside fights."""

    outside_fights = True
    audience: str
    rolls: Rolls
    log: Log


View = StorytellerView | TableView | PlayerView | StorytellerRollsView | RollsView
