"""View types of the log: entries, their sentences and their rolls."""

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

    `difficulty` is 0 in families without one; there a pool without dice is a `chance` die. An `outright` pool is
    itself the result. `again` names the faces that were rolled again, if they aren't the usual ones. `by` is the id of
    who rolled; `parts` come from :func:`combat.history.plan_parts.as_told`.
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
    again: str = ""


@dataclass(frozen=True)
class Entry:
    """One row of the log for one reader. `id` is random: sequential ids would reveal how many rows are hidden.

    `rules` are those its sentences cite; the parts of each roll have their own. `narration` is the Storyteller's text
    for it. `undone`: it was taken back, and is shown struck through. `turn` is the turn that the row begins, if any,
    `at` the turn in which it happened. `names` and `kinds` are what the log is filtered by
    (:mod:`combat.history.filters`); both are derived from the visible text alone. `told_elsewhere`: the bar or a
    question says the same, so screen readers skip it. `overridden`: the Storyteller has since changed the result.
    `seal` is set on the row that begins or ends the fight (:mod:`combat.log.seal`).
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
        """A content hash, computed once: the same entry is in every view of a log."""
        # All fields are texts, numbers and tuples, so the repr is canonical.
        return sha256(repr(self).encode("utf-8", "surrogatepass")).hexdigest()

    def __hash__(self) -> int:
        return hash(self.digest)

    @property
    def news(self) -> str:
        """The text that screen readers announce when it is new, "" for none."""
        return "" if self.told_elsewhere else " ".join("".join(span.text for span in line) for line in self.lines)


@dataclass(frozen=True)
class StorytellerEntry(Entry):
    """An entry with the Storyteller's extras: who did it, whether players see it, and how to narrate it.

    `flags` are (rule, sentence): anything unusual or waived. `dice`: whether players see its dice, "shown" or "secret",
    "" if there are none to show. `attack`: it is an attack that can be overridden. `held`: only those who rolled see it
    yet. `roller` and `successes`: of a roll outside fights that succeeded, which may restore as many points. `private`:
    apart from Storytellers, only the players of those it is about see it.
    """

    by: str = ""
    secret: bool = False
    resolution: str = ""
    wants_words: bool = False
    flags: tuple[tuple[str, str], ...] = ()
    dice: str = ""
    attack: bool = False
    held: bool = False
    roller: str = ""
    successes: int = 0
    private: bool = False

    __hash__ = Entry.__hash__
