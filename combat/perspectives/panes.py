"""What each audience is shown, as frozen values: a field that is not here is not shown.

A view is made of panes, and a pane is what is swapped on a page as one piece. `StorytellerView`, `TableView` (players
without a character in the fight, observers, the wall) and `PlayerView` are different types on purpose: what only the
Storyteller may know has no field in the others.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from combat.perspectives.entries import Die, Entry, Line, PartLine, RollLine, Span, StorytellerEntry
from combat.perspectives.figures import (
    Box,
    Condition,
    Health,
    InjuryMark,
    Manoeuvre,
    Possible,
    Resource,
    Row,
    Sheet,
    StorytellerRow,
    WeaponLine,
)

__all__ = [
    "Ask",
    "Asks",
    "Bar",
    "Box",
    "Condition",
    "DefenceChoice",
    "Die",
    "Entry",
    "FireAsk",
    "GrappleAsk",
    "Health",
    "InjuryMark",
    "Levers",
    "Line",
    "Log",
    "Me",
    "MishapAsk",
    "OpenRoll",
    "Order",
    "PartLine",
    "PlayerView",
    "Possible",
    "Resource",
    "RollLine",
    "Rolls",
    "RollsView",
    "Row",
    "Scene",
    "Sheet",
    "Span",
    "StorytellerAsks",
    "StorytellerBar",
    "StorytellerEntry",
    "StorytellerOpenRoll",
    "StorytellerRollsView",
    "StorytellerRow",
    "StorytellerView",
    "TableView",
    "View",
    "Waiting",
    "WeaponLine",
]

# ------------------------------------------------------------------ what is asked


@dataclass(frozen=True, slots=True)
class DefenceChoice:
    """A defence that could answer an attack. `kind` is "" for none. `pool` is its dice, where it is allowed.

    `spends`: it takes the last action of the turn, which was not declared as a defence.
    """

    kind: str
    label: str
    allowed: bool
    pool: int | None = None
    why_not: str = ""
    rule: str = ""
    spends: bool = False


@dataclass(frozen=True, slots=True)
class Ask:
    """An attack that waits for a target's answer. `attacker` is who they are seen as.

    `mode` is how it is made, "" where the target does not see who makes it.
    """

    exchange: str
    target: str
    name: str
    attacker: str
    weapon: str
    choices: tuple[DefenceChoice, ...]
    weapons: tuple[WeaponLine, ...]
    mode: str = ""


@dataclass(frozen=True, slots=True)
class Waiting:
    """An attack that somebody whom the reader plays has announced: for whose answers it waits."""

    exchange: str
    attacker: str
    weapon: str
    targets: tuple[str, ...]
    asked: tuple[str, ...]
    by_hand: bool


@dataclass(frozen=True, slots=True)
class MishapAsk:
    """A botch that wants a mishap: the Storyteller picks one of `choices` (key, label), or chance does."""

    resolution: str
    name: str
    weapon: str
    choices: tuple[tuple[str, str], ...]
    allies: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class GrappleAsk:
    """A grapple in which somebody (`who`, `name`) may roll, or has won so many moves (`picks`) and may make one.

    `rule` is that of the roll; `lent` are the successes that helping hands have given for it.
    """

    who: str
    name: str
    opponent: str
    picks: int
    rule: str
    moves: tuple[Manoeuvre, ...] = ()
    lent: int = 0


@dataclass(frozen=True, slots=True)
class FireAsk:
    """Covering fire that lies on somebody whose turn it is. `shooters` are who they are seen as.

    `hits`: what acting in the open would bring, in points before armour, where the reader may know.
    """

    who: str
    name: str
    shooters: tuple[str, ...]
    rule: str
    hits: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Asks:
    """What the reader has to answer or may do in a grapple, and what their own attacks wait for."""

    defences: tuple[Ask, ...] = ()
    waiting: tuple[Waiting, ...] = ()
    grapples: tuple[GrappleAsk, ...] = ()
    fires: tuple[FireAsk, ...] = ()


@dataclass(frozen=True, slots=True)
class StorytellerAsks(Asks):
    """All attacks that are announced, the answers still owed for anybody, and mishaps."""

    mishaps: tuple[MishapAsk, ...] = ()
    unnarrated: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class OpenRoll:
    """An extended roll that goes on: ``total`` of ``target`` successes after ``made`` rolls of ``rolls`` (0: no limit).

    ``mine``: the reader may roll on, with ``pool`` dice as things stand (``chance``: a chance die); ``why_not`` says
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
    why_not: str = ""


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
class Bar:
    """Where the fight stands. `stage`: "initiative" (declarations), "attack", "resolution"; `stages` are the ruleset's.

    `acting` and `declaring` are names as seen. `ordered`: initiative was rolled; `due`: not yet for this turn.
    `declares`: those who act say so first. `news` is a sentence to be announced when it changes, `notice` tells of a
    house rule that everybody has to know of.
    """

    status: str
    turn: int
    stage: str
    ordered: bool
    acting: tuple[str, ...]
    declaring: tuple[str, ...]
    due: bool
    my_turn: bool
    news: str
    notice: str = ""
    stages: tuple[StageShown, ...] = ()
    declares: bool = True


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
    """Those whom the reader plays; for the Storyteller, everybody."""

    sheets: tuple[Sheet, ...]


@dataclass(frozen=True, slots=True)
class Log:
    """The newest first."""

    entries: tuple[Entry, ...]

    @property
    def news(self) -> str:
        """The newest entry as one text: to be announced when it changes."""
        if not self.entries or self.entries[0].undone:
            return ""
        return " ".join("".join(span.text for span in line) for line in self.entries[0].lines)


@dataclass(frozen=True, slots=True)
class Scene:
    """What everybody sees of the place. `text` is Markdown.

    `told` is what some alone see and feel of it, by name: to a player of their own, to the Storyteller all of it.
    """

    name: str
    text: str
    told: tuple[tuple[str, str], ...] = ()


class _View:
    """What the three views have in common."""

    __slots__ = ()
    outside_fights = False
    audience: str

    def panes(self) -> dict[str, Any]:
        """The panes by name, in the page's order."""
        return {field.name: getattr(self, field.name) for field in fields(self) if field.name != "audience"}  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class StorytellerView(_View):
    """All there is."""

    audience: str
    bar: StorytellerBar
    order: Order
    asks: StorytellerAsks
    rolls: Rolls
    me: Me
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
    order: Order
    asks: Asks
    rolls: Rolls
    me: Me
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
