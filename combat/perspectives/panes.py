"""What each audience is shown, as frozen values: a field that is not here is not shown.

A view is made of panes, and a pane is what is swapped on a page as one piece. `StorytellerView`, `TableView` (players
without a character in the fight, observers, the wall) and `PlayerView` are different types on purpose: what only the
Storyteller may know has no field in the others.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

# ------------------------------------------------------------------ people


@dataclass(frozen=True, slots=True)
class Box:
    """A health box: the level's name, and the kind of damage in it or ""."""

    label: str
    mark: str


@dataclass(frozen=True, slots=True)
class Health:
    """Health as this audience may know it: boxes, or a word alone, or (both empty) nothing.

    `penalty` comes with the boxes: dice, 0 or below, or None when no action is left.
    """

    boxes: tuple[Box, ...] = ()
    word: str = ""
    penalty: int | None = 0


@dataclass(frozen=True, slots=True)
class Condition:
    """Something that everybody can see of somebody (prone, held)."""

    key: str
    label: str


@dataclass(frozen=True, slots=True)
class Row:
    """Somebody in the turn order. `total` is their initiative, None before it was rolled.

    `declared` are their words. `own` is somebody whom the reader plays. `waits` while an action is delayed.
    """

    id: str
    name: str
    player: bool
    own: bool
    total: int | None
    health: Health
    conditions: tuple[Condition, ...]
    acting: bool
    acted: bool
    declaring: bool
    waits: bool
    full_defence: bool
    declared: str


@dataclass(frozen=True, slots=True)
class StorytellerRow(Row):
    """The same, and what players may not know. `true_name` differs from `mask` where players see another name."""

    hidden: bool
    mask: str
    health_shown: str
    group: str
    character: str
    actions: int
    weapon: str


@dataclass(frozen=True, slots=True)
class Resource:
    """Points of a resource."""

    key: str
    label: str
    now: int
    most: int


@dataclass(frozen=True, slots=True)
class WeaponLine:
    """A weapon at hand. `reference` names it in commands; `rounds` of `holds` are loaded, None: not counted."""

    reference: str
    name: str
    mode: str
    damage: str
    type: str
    rounds: int | None
    holds: int | None
    fault: str
    note: str


@dataclass(frozen=True, slots=True)
class Possible:
    """Something that somebody might do now. When not `allowed`, `why_not` says so and `rule` forbids it."""

    key: str
    label: str
    allowed: bool
    why_not: str = ""
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Sheet:
    """Somebody in full: for whoever plays them, and for the Storyteller."""

    id: str
    name: str
    character: str
    health: Health
    conditions: tuple[Condition, ...]
    resources: tuple[Resource, ...]
    weapons: tuple[WeaponLine, ...]
    armor: tuple[str, ...]
    actions: tuple[str, ...]
    declared: str
    has_declared: bool
    split: str
    possible: tuple[Possible, ...]

    def may(self, key: str) -> Possible | None:
        """What is said of that possibility, if anything."""
        return next((each for each in self.possible if each.key == key), None)


# ------------------------------------------------------------------ what is asked


@dataclass(frozen=True, slots=True)
class DefenceChoice:
    """A defence that could answer an attack. `kind` is "" for none. `pool` is its dice, where it is allowed."""

    kind: str
    label: str
    allowed: bool
    pool: int | None = None
    why_not: str = ""
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Ask:
    """An attack that waits for a target's answer. `attacker` is who they are seen as."""

    exchange: str
    target: str
    name: str
    attacker: str
    weapon: str
    choices: tuple[DefenceChoice, ...]
    weapons: tuple[WeaponLine, ...]


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
class Asks:
    """What the reader has to answer, and what their own attacks wait for."""

    defences: tuple[Ask, ...] = ()
    waiting: tuple[Waiting, ...] = ()


@dataclass(frozen=True, slots=True)
class StorytellerAsks(Asks):
    """All attacks that are announced, the answers still owed for anybody, and mishaps."""

    mishaps: tuple[MishapAsk, ...] = ()
    unnarrated: tuple[str, ...] = ()


# ------------------------------------------------------------------ the log


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of a sentence. `tone`: "" plain, "name", "harm", "heal", "quiet", "strong"."""

    text: str
    tone: str = ""


Line = tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class PartLine:
    """An item of a pool: dice or steps of difficulty, and the rule it comes from. A struck one counts for nothing."""

    label: str
    rule: str
    dice: int
    difficulty: int
    struck: bool


@dataclass(frozen=True, slots=True)
class Die:
    """A face; `tone` "hit" for a success, "one" for a 1, "" otherwise."""

    face: int
    tone: str


@dataclass(frozen=True, slots=True)
class RollLine:
    """A roll in full. `purpose`: "attack", "dodge", "parry", "block", "damage", "soak", "initiative", "roll" ..."""

    name: str
    purpose: str
    label: str
    parts: tuple[PartLine, ...]
    pool: int
    difficulty: int
    dice: tuple[Die, ...]
    successes: int
    botch: bool


@dataclass(frozen=True, slots=True)
class Entry:
    """What came of one command. `id` is random: numbers would tell how much went unseen.

    `narration` are the Storyteller's words for it. `undone`: it was taken back, and stays to be seen.
    `turn` marks the begin of a turn.
    """

    id: str
    lines: tuple[Line, ...]
    narration: str = ""
    rolls: tuple[RollLine, ...] = ()
    rules: tuple[str, ...] = ()
    undone: bool = False
    turn: int | None = None


@dataclass(frozen=True, slots=True)
class StorytellerEntry(Entry):
    """The same with what players do not get: who did it, whether they see it, and how to narrate it.

    `flags` are (rule, sentence): what was out of the ordinary, or waived.
    """

    by: str = ""
    secret: bool = False
    resolution: str = ""
    wants_words: bool = False
    flags: tuple[tuple[str, str], ...] = ()


# ------------------------------------------------------------------ panes


@dataclass(frozen=True, slots=True)
class Bar:
    """Where the fight stands. `stage`: "initiative", "attack" (declarations), "resolution".

    `acting` and `declaring` are names as seen. `ordered`: initiative was rolled. `news` is a sentence to be
    announced when it changes.
    """

    status: str
    turn: int
    stage: str
    ordered: bool
    acting: tuple[str, ...]
    declaring: tuple[str, ...]
    my_turn: bool
    news: str


@dataclass(frozen=True, slots=True)
class StorytellerBar(Bar):
    """And the Storyteller's levers: the command that comes next, and what undo and redo would do ("" for nothing).

    `next` is one of "begin", "resume", "initiative", "act", "end-turn", ""; `next_name` says who acts after "act".
    """

    next: str = ""
    next_name: str = ""
    undo: str = ""
    redo: str = ""


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
    """What everybody sees of the place. `text` is Markdown."""

    name: str
    text: str


class _View:
    """What the three views have in common."""

    __slots__ = ()
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
    me: Me
    log: Log
    scene: Scene


@dataclass(frozen=True, slots=True)
class TableView(_View):
    """What everybody may see."""

    audience: str
    bar: Bar
    order: Order
    log: Log
    scene: Scene


@dataclass(frozen=True, slots=True)
class PlayerView(_View):
    """What everybody may see, and those whom this player plays in full."""

    audience: str
    bar: Bar
    order: Order
    asks: Asks
    me: Me
    log: Log
    scene: Scene


View = StorytellerView | TableView | PlayerView
