"""The log as it is shown: entries, their sentences and their rolls."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256

from rules.model.plan import Part


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of a sentence. `tone`: "" plain, "name", "harm", "heal", "quiet", "strong"."""

    text: str
    tone: str = ""


Line = tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Die:
    """A face; `tone` "hit" for a success, "ten" for a 10, "one" for a 1, "" otherwise."""

    face: int
    tone: str


@dataclass(frozen=True, slots=True)
class RollLine:
    """A roll in full. `purpose`: "attack", "dodge", "parry", "block", "damage", "soak", "initiative", "roll" ...

    `difficulty` is 0 where rolls have none; there a pool without dice is a `chance` die. An `outright` pool is the
    result itself. `by` is the id of whoever rolled, `parts` are as :func:`combat.history.plan_parts.as_told` has them.
    """

    name: str
    purpose: str
    label: str
    parts: tuple[Part, ...]
    pool: int
    difficulty: int
    dice: tuple[Die, ...]
    successes: int
    botch: bool
    chance: bool = False
    dramatic: bool = False
    exceptional: bool = False
    outright: bool = False
    by: str = ""


@dataclass(frozen=True)
class Entry:
    """What came of one command. `id` is random: numbers would tell how much went unseen.

    `rules` are those that what is told stands on; the parts of each roll name their own. `narration` are the
    Storyteller's words for it. `undone`: it was taken back, and stays to be seen.
    `turn` marks the begin of a turn, `at` is the turn in which it happened. `names` are those whom it is about and
    `kinds` what it is, both from nothing but what stands in it: by them a log is looked through (`choosing`).
    `told_elsewhere`: the bar or a question says the same, so it is not read out. `overridden`: the Storyteller has said
    since that it came to something else. `seal` is that of the row which begins or ends the fight (`combat.log.seal`).
    """

    id: str
    lines: tuple[Line, ...]
    narration: str = ""
    rolls: tuple[RollLine, ...] = ()
    rules: tuple[str, ...] = ()
    undone: bool = False
    turn: int | None = None
    overridden: bool = False
    told_elsewhere: bool = False
    at: int = 1
    names: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    seal: str = ""

    @cached_property
    def digest(self) -> str:
        """What stands for all that is in it, worked out once: the same entry is met in every view of a log."""
        # It holds nothing but texts, numbers and tuples: its repr is canonical.
        return sha256(repr(self).encode("utf-8", "surrogatepass")).hexdigest()

    def __hash__(self) -> int:
        return hash(self.digest)

    @property
    def news(self) -> str:
        """What is read out when it comes, "" for nothing."""
        return "" if self.told_elsewhere else " ".join("".join(span.text for span in line) for line in self.lines)


@dataclass(frozen=True)
class StorytellerEntry(Entry):
    """The same with what players do not get: who did it, whether they see it, and how to narrate it.

    `flags` are (rule, sentence): what was out of the ordinary, or waived. `dice`: whether players see its dice, "shown"
    or "secret", "" where there is nothing to show. `attack`: it is one that can be put right.
    `held`: only those who rolled see it yet.
    """

    by: str = ""
    secret: bool = False
    resolution: str = ""
    wants_words: bool = False
    flags: tuple[tuple[str, str], ...] = ()
    dice: str = ""
    attack: bool = False
    held: bool = False

    __hash__ = Entry.__hash__
