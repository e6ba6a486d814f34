"""The log as it is shown: entries, their sentences and their rolls."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of a sentence. `tone`: "" plain, "name", "harm", "heal", "quiet", "strong"."""

    text: str
    tone: str = ""


Line = tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class PartLine:
    """An item of a pool: dice, steps of difficulty or successes, and its rule. A struck one counts for nothing."""

    label: str
    rule: str
    dice: int
    difficulty: int
    struck: bool
    successes: int = 0


@dataclass(frozen=True, slots=True)
class Die:
    """A face; `tone` "hit" for a success, "one" for a 1, "" otherwise."""

    face: int
    tone: str


@dataclass(frozen=True, slots=True)
class RollLine:
    """A roll in full. `purpose`: "attack", "dodge", "parry", "block", "damage", "soak", "initiative", "roll" ...

    `difficulty` is 0 where rolls have none; there a pool without dice is a `chance` die. An `outright` pool is the
    result itself.
    """

    name: str
    purpose: str
    label: str
    parts: tuple[PartLine, ...]
    pool: int
    difficulty: int
    dice: tuple[Die, ...]
    successes: int
    botch: bool
    chance: bool = False
    dramatic: bool = False
    exceptional: bool = False
    outright: bool = False


@dataclass(frozen=True, slots=True)
class Entry:
    """What came of one command. `id` is random: numbers would tell how much went unseen.

    `rules` are those that what is told stands on; the parts of each roll name their own. `narration` are the
    Storyteller's words for it. `undone`: it was taken back, and stays to be seen.
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
