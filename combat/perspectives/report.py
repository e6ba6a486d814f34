"""A fight told afterwards: who did what, what it cost, and whom the dice loved. For each reader what they may know."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from django.utils.translation import gettext as _

from campaigns.words import said
from combat.perspectives.bodies import CHECKS
from combat.perspectives.choosing import Wanted
from combat.perspectives.entries import Entry, Line
from combat.perspectives.log import Happened, Reader, entries_of, sight_in
from combat.perspectives.sentences import text_of
from combat.perspectives.sight import Sight
from combat.perspectives.told import PURPOSES
from rules.dice import Roll
from rules.events import (
    Aborted,
    AttackOverridden,
    AttackResolved,
    AttackResult,
    CheckRolled,
    DamageDone,
    Event,
    GrappleRolled,
    Harmed,
    KnockedDown,
    MishapSettled,
    Rolled,
    RollMade,
    TraitsRolled,
    TurnEnded,
)
from rules.health import OUT_OF_ACTION
from rules.mechanics.outcomes import Outcomes
from rules.ruleset import Ruleset
from rules.words import in_words
from rules.wounding import of_kind

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

    def only(self, wanted: Wanted) -> Report:
        """The same with no more of the story than is wanted."""
        told = (replace(each, entries=tuple(filter(wanted.lets, each.entries))) for each in self.chapters)
        return replace(self, chapters=tuple(each for each in told if each.entries))


@dataclass(slots=True)
class _Count:
    """A report while it is put together."""

    ruleset: Ruleset
    turn: int = 1
    people: dict[str, Person] = field(default_factory=dict)
    rolls: list[tuple[float, RollTold]] = field(default_factory=list)
    turnings: list[Turning] = field(default_factory=list)
    bled: bool = False
    greatest: int = 0
    heaviest: Turning | None = None
    instead: dict[tuple[str, str], AttackResult] = field(default_factory=dict)

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
    count.instead = {key: after for row in standing for key, after in _instead(row.events)}
    for row in standing:
        sight = sight_in(row, reader)
        if row.token in reader.sealed:
            continue  # a declaration that they may not know yet, and what it cost
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
            _attack(event, count.instead.get((event.resolution, result.target), result), sight, count)
    elif isinstance(event, Harmed) and sight.sees(event.who) and sight.figures_of(event.who):
        count.add(sight, event.who, taken=event.amount)
    elif isinstance(event, MishapSettled) and event.done:
        _suffer(event.done, "", sight, count)
    if isinstance(event, TraitsRolled) and not sight.hears_of(secret=event.secret):
        return
    for what, rolled in _rolls_in(event):
        _roll(what, rolled, sight, count)


def _instead(events: Iterable[Event]) -> Iterator[tuple[tuple[str, str], AttackResult]]:
    """What attacks came to by the Storyteller's word, by their names and targets."""
    for event in events:
        if isinstance(event, AttackOverridden):
            yield (event.resolution, event.target), event.after


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
    if not count.bled:
        count.bled = True
        text = _("{who} is the first to be hurt.").format(who=sight.name(done.to))
        count.turnings.append(Turning(count.turn, text))
    if by:
        count.add(sight, by, dealt=done.dealt)
        if done.dealt > count.greatest:
            count.greatest = done.dealt
            blow = _("The heaviest blow: {attacker} against {target}, {harm}.")
            harm = said(of_kind(done.type, done.dealt))
            text = blow.format(attacker=sight.name(by), target=sight.name(done.to), harm=harm)
            count.heaviest = Turning(count.turn, text)


def _fallen(sight: Sight, count: _Count) -> None:
    for who, condition in sight.gained():
        if condition in OUT_OF_ACTION:
            word = said(in_words(condition))
            count.add(sight, who, came=word)
            count.turnings.append(
                Turning(count.turn, _("{who} is {condition}.").format(who=sight.name(who), condition=word))
            )


# ------------------------------------------------------------------ dice


def _rolls_in(event: Event) -> Iterator[tuple[str, Rolled]]:
    """The rolls of an event, each with what it was for."""
    found: Iterable[tuple[str, Rolled | None]] = ()
    if isinstance(event, AttackResolved):
        found = (pair for result in event.results for pair in _rolls_of(result))
    elif isinstance(event, TraitsRolled):
        found = ((said(event.label) if event.label else _("a roll"), event.roll), (_("resistance"), event.resisted))
    elif isinstance(event, CheckRolled):
        found = ((str(CHECKS[event.check]), event.roll),)
    elif isinstance(event, KnockedDown):
        found = ((_("keeping one's feet"), event.roll),)
    elif isinstance(event, GrappleRolled):
        found = ((_("grapple"), event.roll), (_("grapple"), event.resisted))
    elif isinstance(event, RollMade):
        found = ((event.what, event.roll),)
    elif isinstance(event, Aborted):
        found = ((_("abort"), event.roll),)
    yield from ((what, rolled) for what, rolled in found if rolled is not None)


def _rolls_of(result: AttackResult) -> Iterator[tuple[str, Rolled | None]]:
    yield str(PURPOSES["attack"]), result.attack
    yield str(PURPOSES[result.defence_kind or "defence"]), result.defence
    for done in (result.done, result.counter):
        if done:
            yield str(PURPOSES["damage"]), done.damage
            yield str(PURPOSES["soak"]), done.soak


def _roll(what: str, rolled: Rolled, sight: Sight, count: _Count) -> None:
    if rolled.plan.outright or not rolled.roll.faces or not sight.faces_of(rolled.by):
        return
    outcomes = count.ruleset.mechanic.outcomes_of(rolled.plan)
    got, owed = rolled.roll.successes, float(outcomes.expected)
    person = count.add(sight, rolled.by, rolls=1, successes=got, expected=owed)
    lucky = got >= owed
    chance = float(outcomes.at_least(got) if lucky else _as_bad(rolled.roll, outcomes))
    label = sight.said(what)
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
    return text_of(line) == _("Turn {turn} begins").format(turn=entry.turn)
