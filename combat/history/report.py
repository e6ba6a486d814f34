"""The report of a fight: who did what, what it cost, and whom the dice loved; for each reader what they may know."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from django.utils.translation import gettext as _

from campaigns.words import said
from combat.history.deeds import Became, Deed, Scarred, Struck, Suffered, Threw
from combat.history.entries import Entry, Line
from combat.history.filters import Wanted
from combat.history.log import entries_of, told_of
from combat.history.tell.sentences import text_of
from combat.log.happened import Happened, begun_by
from combat.secrecy.reader import Reader, sight_in
from combat.secrecy.sight import Sight
from rules.engine.dice import Roll
from rules.engine.messages import Event
from rules.model.conditions import Fallen
from rules.model.outcomes import Outcomes
from rules.model.results import AttackResult, Rolled
from rules.model.system import System
from rules.model.words import in_words
from rules.topics.events import AttackOverridden, AttackResolved, ConditionsChanged

TELLING = 3
"""How many of the best and of the worst rolls are listed."""


@dataclass(frozen=True, slots=True)
class RollTold:
    """A notable roll. ``chance`` is the probability of one at least as good (or, if bad, as bad), 0 to 1."""

    turn: int
    name: str
    what: str
    successes: int
    pool: int
    faces: tuple[int, ...]
    chance: float


@dataclass(frozen=True, slots=True)
class Person:
    """What somebody did and suffered. ``luck`` is successes above (or below) the expected over ``rolls`` rolls.

    ``rolls`` is 0 for those whose dice the reader can't see; ``came`` holds the condition they ended in, "" for none.
    ``character`` is the id of the character, "" if the reader may not know it: two masks must not be one person.
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
    character: str = ""

    @property
    def luck(self) -> float:
        """Successes minus the expected number."""
        return self.successes - self.expected


@dataclass(frozen=True, slots=True)
class Turning:
    """A turning point of the fight, and the log entry that tells it. ``dead``: somebody died.

    ``name`` and ``character`` say who fell or was scarred, as in :class:`Person`; "" for other turning points.
    """

    turn: int
    text: str
    entry: str = ""
    name: str = ""
    character: str = ""
    dead: bool = False


@dataclass(frozen=True, slots=True)
class Chapter:
    """A turn and its entries, first to last."""

    turn: int
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """The report for one reader. ``secrets``: it holds what players may not know."""

    name: str
    turns: int
    people: tuple[Person, ...]
    best: tuple[RollTold, ...]
    worst: tuple[RollTold, ...]
    turnings: tuple[Turning, ...]
    chapters: tuple[Chapter, ...]
    secrets: bool
    scars: tuple[Turning, ...] = ()

    def only(self, wanted: Wanted) -> Report:
        """The same report with its story filtered."""
        told = (replace(each, entries=tuple(filter(wanted.lets, each.entries))) for each in self.chapters)
        return replace(self, chapters=tuple(each for each in told if each.entries))


@dataclass(slots=True)
class _Count:
    """A report under construction."""

    ruleset: System
    turn: int = 1
    entry: str = ""
    scars: list[Turning] = field(default_factory=list)
    people: dict[str, Person] = field(default_factory=dict)
    rolls: list[tuple[float, RollTold]] = field(default_factory=list)
    turnings: list[Turning] = field(default_factory=list)
    fallen: dict[tuple[str, str], tuple[str, Turning]] = field(default_factory=dict)
    bled: bool = False
    greatest: int = 0
    heaviest: Turning | None = None

    def add(self, sight: Sight, who: str, *, came: str = "", **more: float) -> Person:
        """Add to somebody's counts, under the name by which the reader knew them last."""
        person = self.people.get(who, Person(""))
        sums = {key: getattr(person, key) + value for key, value in more.items()}
        name, character = sight.name(who), _character(sight, who)
        self.people[who] = replace(person, name=name, character=character, came=came or person.came, **sums)
        return self.people[who]

    def turning(self, sight: Sight, who: str, text: str, *, dead: bool = False) -> Turning:
        """A turning point that is about somebody."""
        return Turning(self.turn, text, self.entry, sight.name(who), _character(sight, who), dead)

    def fell(self, sight: Sight, who: str, condition: str) -> None:
        """Somebody is out of action."""
        word = said(in_words(condition))
        self.add(sight, who, came=word)
        text = _("{who} is {condition}.").format(who=sight.name(who), condition=word)
        turning = self.turning(sight, who, text, dead=self.ruleset.conditions[condition].fallen is Fallen.DEAD)
        self.fallen[who, condition] = word, turning
        self.turnings.append(turning)

    def fell_not(self, who: str, condition: str) -> None:
        """Withdraw :meth:`fell`: an override changed what caused it."""
        found = self.fallen.pop((who, condition), None)
        if found is not None:
            self.turnings.remove(found[1])
            left = [word for (one, _condition), (word, _turning) in self.fallen.items() if one == who]
            self.people[who] = replace(self.people[who], came=left[-1] if left else "")


def _character(sight: Sight, who: str) -> str:
    """The id of a combatant's character if the reader knows who it is; "" for NPCs, except to Storytellers."""
    card = sight.cast[who]
    known = sight.everything or sight.owns(who) or (card["player"] and not card["mask"])
    return str(card["character"] or "") if known else ""


def report_of(name: str, rows: Sequence[Happened], ruleset: System, reader: Reader) -> Report:
    """The report for a reader. `rows` are the whole log, oldest first; undone rows are left out."""
    count = _Count(ruleset)
    # Setting up the fight is not part of its story.
    standing = [row for row in rows if row.cast["begun"] and not row.undone]
    instead = dict(_instead(standing, reader, ruleset))
    for row in standing:
        count.turn, count.entry = begun_by(row) or count.turn, row.token
        sight = sight_in(row, reader)
        for deed in _deeds(row, reader, ruleset, instead):
            _reckon(deed, sight, count)
        for who, condition in _passed(row, reader, ruleset):
            count.fell_not(who, condition)
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
        tuple(count.scars),
    )


# ------------------------------------------------------------------ deeds


Instead = Mapping[tuple[str, str], AttackResult]
"""The overridden results of attacks, by resolution and target."""


def _instead(
    rows: Iterable[Happened], reader: Reader, ruleset: System
) -> Iterator[tuple[tuple[str, str], AttackResult]]:
    for row in rows:
        if _overrides(row, reader, ruleset):
            for event in row.events:
                if isinstance(event, AttackOverridden):
                    yield (event.resolution, event.target), event.after


def _passed(row: Happened, reader: Reader, ruleset: System) -> Iterator[tuple[str, str]]:
    """The conditions that an override removes, and from whom."""
    if _overrides(row, reader, ruleset):
        for event in row.events:
            if isinstance(event, ConditionsChanged):
                yield from ((event.who, condition) for condition in event.removed)


def _overrides(row: Happened, reader: Reader, ruleset: System) -> bool:
    """Whether a row is an override that the reader can see."""
    return AttackOverridden in row.kinds and bool(told_of(row, reader, ruleset).lines)


def _deeds(row: Happened, reader: Reader, ruleset: System, instead: Instead) -> Iterator[Deed]:
    """The deeds of a row that the reader is told: the dice as rolled, the results as overridden."""
    told = told_of(row, reader, ruleset).deeds
    events = tuple(_overridden(event, instead) for event in row.events)
    if events == row.events:
        yield from told
    else:
        yield from (deed for deed in told if isinstance(deed, Threw))
        came = told_of(replace(row, events=events), reader, ruleset).deeds
        yield from (deed for deed in came if not isinstance(deed, Threw))


def _overridden(event: Event, instead: Instead) -> Event:
    if not isinstance(event, AttackResolved):
        return event
    results = tuple(instead.get((event.resolution, result.target), result) for result in event.results)
    return replace(event, results=results)


def _reckon(deed: Deed, sight: Sight, count: _Count) -> None:
    match deed:
        case Struck(by, hit):
            count.add(sight, by, attacks=1, hits=hit)
        case Suffered():
            _suffer(deed, sight, count)
        case Became(who, condition) if count.ruleset.conditions[condition].out:
            count.fell(sight, who, condition)
        case Scarred(who):
            text = _("{who} is left with a battle scar.").format(who=sight.name(who))
            count.scars.append(count.turning(sight, who, text))
        case Threw(label, rolled):
            _roll(label, rolled, sight, count)


def _suffer(deed: Suffered, sight: Sight, count: _Count) -> None:
    count.add(sight, deed.who, taken=deed.levels)
    if not count.bled:
        count.bled = True
        text = _("{who} is the first to be hurt.").format(who=sight.name(deed.who))
        count.turnings.append(Turning(count.turn, text, count.entry))
    if deed.by:
        count.add(sight, deed.by, dealt=deed.levels)
        if deed.levels > count.greatest:
            count.greatest = deed.levels
            blow = _("The heaviest blow: {attacker} against {target}, {harm}.")
            text = blow.format(attacker=sight.name(deed.by), target=sight.name(deed.who), harm=deed.words)
            count.heaviest = Turning(count.turn, text, count.entry)


# ------------------------------------------------------------------ dice


def _roll(label: str, rolled: Rolled, sight: Sight, count: _Count) -> None:
    if rolled.plan.outright or not rolled.roll.faces:
        return
    outcomes = count.ruleset.mechanic.outcomes_of(rolled.plan)
    got, owed = rolled.roll.successes, float(outcomes.expected)
    person = count.add(sight, rolled.by, rolls=1, successes=got, expected=owed)
    lucky = got >= owed
    chance = float(outcomes.at_least(got) if lucky else as_bad(rolled.roll, outcomes))
    told = RollTold(count.turn, person.name, label, got, rolled.plan.pool, rolled.roll.faces, chance)
    count.rolls.append(((1 - chance) if lucky else (chance - 1), told))


def as_bad(roll: Roll, outcomes: Outcomes) -> Fraction:
    """The chance of a roll at least as bad; among rolls without successes, a botch is the worst.

    Outcomes count rolls whose ones outnumber their successes as no successes.
    """
    if roll.botch:
        return Fraction(outcomes.botches, outcomes.total)
    return Fraction(outcomes.dramatic, outcomes.total) if roll.dramatic else outcomes.at_most(max(0, roll.successes))


# ------------------------------------------------------------------ the story


def _chapters(rows: Sequence[Happened], reader: Reader, ruleset: System) -> Iterator[Chapter]:
    """The story by turns, without the setting up."""
    turn, gathered = 1, list[Entry]()
    for entry in entries_of(rows, reader, ruleset):
        if entry.turn:
            yield Chapter(turn, tuple(gathered))
            turn, gathered = entry.turn, []
        lines = tuple(line for line in entry.lines if not _only_says_turn(line, entry))
        if lines:
            gathered.append(replace(entry, lines=lines))
    yield Chapter(turn, tuple(gathered))


def _only_says_turn(line: Line, entry: Entry) -> bool:
    """Whether a sentence only repeats the chapter's heading."""
    return text_of(line) == _("Turn {turn} begins").format(turn=entry.turn)
