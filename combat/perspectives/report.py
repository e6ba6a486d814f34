"""A fight told afterwards: who did what, what it cost, and whom the dice loved. For each reader what they may know."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from combat.perspectives.entries import Entry, Line
from combat.perspectives.log import Happened, Reader, entries_of
from combat.perspectives.sight import Sight
from rules.dice import Roll
from rules.events import (
    AttackResolved,
    AttackResult,
    CheckRolled,
    DamageDone,
    Event,
    Harmed,
    KnockedDown,
    MishapSettled,
    Rolled,
    TraitsRolled,
    TurnEnded,
)
from rules.health import OUT_OF_ACTION
from rules.mechanics.outcomes import Outcomes
from rules.ruleset import Ruleset

TELLING = 3
"""As many of the best and of the worst rolls are named."""


@dataclass(frozen=True, slots=True)
class RollTold:
    """A roll worth telling. ``chance`` is how likely one as good (or, of a bad one, as bad) was; 0 to 1."""

    turn: int
    name: str
    what: str
    successes: int
    pool: int
    faces: tuple[int, ...]
    chance: float


@dataclass(frozen=True, slots=True)
class Person:
    """What somebody did and suffered. ``luck`` is successes above (or below) what the dice owed over ``rolls`` rolls.

    ``rolls`` is 0 for those whose dice the reader does not see; ``came`` is what became of them, "" for nothing.
    """

    name: str
    attacks: int = 0
    hits: int = 0
    dealt: int = 0
    taken: int = 0
    rolls: int = 0
    successes: int = 0
    expected: float = 0.0
    came: str = ""

    @property
    def luck(self) -> float:
        """Successes beyond what was to be expected."""
        return self.successes - self.expected


@dataclass(frozen=True, slots=True)
class Turning:
    """A moment at which the fight turned."""

    turn: int
    text: str


@dataclass(frozen=True, slots=True)
class Chapter:
    """A turn with what happened in it, first to last."""

    turn: int
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """A fight as its reader may tell it. ``secrets`` says that it holds what players may not know."""

    name: str
    turns: int
    people: tuple[Person, ...]
    best: tuple[RollTold, ...]
    worst: tuple[RollTold, ...]
    turnings: tuple[Turning, ...]
    chapters: tuple[Chapter, ...]
    secrets: bool


@dataclass(slots=True)
class _Count:
    """A report while it is put together."""

    ruleset: Ruleset
    turn: int = 1
    people: dict[str, Person] = field(default_factory=dict)
    rolls: list[tuple[float, RollTold]] = field(default_factory=list)
    turnings: list[Turning] = field(default_factory=list)
    greatest: int = 0
    heaviest: Turning | None = None

    def add(self, sight: Sight, who: str, *, came: str = "", **more: float) -> Person:
        """Add to somebody's figures, under the name by which the reader knew them last."""
        person = self.people.get(who, Person(""))
        sums = {key: getattr(person, key) + value for key, value in more.items()}
        self.people[who] = replace(person, name=sight.name(who), came=came or person.came, **sums)
        return self.people[who]


def report_of(name: str, rows: Sequence[Happened], ruleset: Ruleset, reader: Reader) -> Report:
    """What a reader may tell of a fight. `rows` are its whole log, oldest first; what was taken back is left out."""
    count = _Count(ruleset)
    standing = [row for row in rows if not row.undone]
    for row in standing:
        sight = Sight(row.cast["who"], reader.everything, reader.mine, row.by_player)
        for event in row.events:
            _reckon(event, sight, count)
        if row.cast["begun"]:
            _fallen(sight, count)
    heaviest = [count.heaviest] if count.heaviest else []
    ranked = sorted(count.rolls, key=lambda pair: pair[0])
    return Report(
        name,
        count.turn,
        tuple(sorted(count.people.values(), key=lambda each: -each.dealt)),
        tuple(told for score, told in reversed(ranked) if score > 0)[:TELLING],
        tuple(told for score, told in ranked if score < 0)[:TELLING],
        tuple(sorted([*count.turnings, *heaviest], key=lambda each: each.turn)),
        tuple(chapter for chapter in _chapters(standing, reader, ruleset) if chapter.entries),
        reader.everything,
    )


# ------------------------------------------------------------------ deeds


def _reckon(event: Event, sight: Sight, count: _Count) -> None:
    if isinstance(event, TurnEnded):
        count.turn = event.next
    elif isinstance(event, AttackResolved):
        for result in event.results:
            _attack(event, result, sight, count)
    elif isinstance(event, Harmed) and sight.sees(event.who) and sight.figures_of(event.who):
        count.add(sight, event.who, taken=event.amount)
    elif isinstance(event, MishapSettled) and event.done:
        _suffer(event.done, "", sight, count)
    if isinstance(event, TraitsRolled) and event.secret and not sight.everything:
        return
    for what, rolled in _rolls_in(event):
        _roll(what, rolled, sight, count)


def _attack(event: AttackResolved, result: AttackResult, sight: Sight, count: _Count) -> None:
    by = event.plan.by
    seen = sight.sees(by) and sight.sees(result.target)
    if seen:
        # As in the log: that it hit is seen, how much it did is not always.
        count.add(sight, by, attacks=1, hits=result.done is not None)
    for done, doer in ((result.done, by), (result.counter, result.target)):
        if done:
            _suffer(done, doer if seen else "", sight, count)


def _suffer(done: DamageDone, by: str, sight: Sight, count: _Count) -> None:
    if not done.dealt or not sight.sees(done.to) or not sight.figures_of(done.to):
        return
    count.add(sight, done.to, taken=done.dealt)
    if by:
        count.add(sight, by, dealt=done.dealt)
        if done.dealt > count.greatest:
            count.greatest = done.dealt
            text = f"The heaviest blow: {sight.name(by)} does {sight.name(done.to)} {done.dealt} {done.type}."
            count.heaviest = Turning(count.turn, text)


def _fallen(sight: Sight, count: _Count) -> None:
    for who, condition in sight.gained():
        if condition in OUT_OF_ACTION:
            word = "in torpor" if condition == "torpor" else condition.replace("_", " ")
            count.add(sight, who, came=word)
            count.turnings.append(Turning(count.turn, f"{sight.name(who)} is {word}."))


# ------------------------------------------------------------------ dice


def _rolls_in(event: Event) -> Iterator[tuple[str, Rolled]]:
    """The rolls of an event, each with what it was for."""
    found: Iterable[tuple[str, Rolled | None]] = ()
    if isinstance(event, AttackResolved):
        found = (pair for result in event.results for pair in _rolls_of(result))
    elif isinstance(event, TraitsRolled):
        found = ((event.label or "a roll", event.roll), ("resistance", event.resisted))
    elif isinstance(event, CheckRolled):
        found = ((event.check, event.roll),)
    elif isinstance(event, KnockedDown):
        found = (("keeping one's feet", event.roll),)
    yield from ((what, rolled) for what, rolled in found if rolled is not None)


def _rolls_of(result: AttackResult) -> Iterator[tuple[str, Rolled | None]]:
    yield "attack", result.attack
    yield result.defence_kind or "defence", result.defence
    for done in (result.done, result.counter):
        if done:
            yield "damage", done.damage
            yield "soak", done.soak


def _roll(what: str, rolled: Rolled, sight: Sight, count: _Count) -> None:
    if rolled.plan.outright or not rolled.roll.faces or not sight.rolls_of(rolled.by):
        return
    outcomes = count.ruleset.mechanic.outcomes_of(rolled.plan)
    got, owed = rolled.roll.successes, float(outcomes.expected)
    person = count.add(sight, rolled.by, rolls=1, successes=got, expected=owed)
    lucky = got >= owed
    chance = float(outcomes.at_least(got) if lucky else _as_bad(rolled.roll, outcomes))
    label = sight.said(what).replace("_", " ")
    told = RollTold(count.turn, person.name, label, got, rolled.plan.pool, rolled.roll.faces, chance)
    count.rolls.append(((1 - chance) if lucky else (chance - 1), told))


def _as_bad(roll: Roll, outcomes: Outcomes) -> Fraction:
    """The chance of a roll as bad: of nothing at all, a botch is the worst."""
    if roll.botch:
        return Fraction(outcomes.botches, outcomes.total)
    return Fraction(outcomes.dramatic, outcomes.total) if roll.dramatic else outcomes.at_most(roll.successes)


# ------------------------------------------------------------------ the story


def _chapters(rows: Sequence[Happened], reader: Reader, ruleset: Ruleset) -> Iterator[Chapter]:
    """The story by turns, without how the fight was put together."""
    turn, gathered = 1, list[Entry]()
    for entry in entries_of([row for row in rows if row.cast["begun"]], reader, ruleset):
        if entry.turn:
            yield Chapter(turn, tuple(gathered))
            turn, gathered = entry.turn, []
        lines = tuple(line for line in entry.lines if not _only_says_turn(line, entry))
        if lines:
            gathered.append(replace(entry, lines=lines))
    yield Chapter(turn, tuple(gathered))


def _only_says_turn(line: Line, entry: Entry) -> bool:
    """Whether a sentence says no more than the chapter's heading."""
    return "".join(span.text for span in line) == f"Turn {entry.turn} begins"
