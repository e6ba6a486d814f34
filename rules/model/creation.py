"""The budget of a new character: how many dots each part of the sheet is given, and what dots beyond cost.

A budget is a house rule, a table for each kind of creature with lines such as ``Attributes: 7/5/3, 5``: a section, a
Trait, a list or the specialties, what it is given, and the price in freebie points of each further dot. It is given a
number of dots, a number for each of a section's groups in any order (``7/5/3``), some more anywhere (``5/4/3 + 1``), or
the dots of other Traits (``Conscience + Self-Control``). ``Freebie points: 15`` are the points to spend. A second table
says which words of the identity give a Trait its starting dots in place of the budget's: ``Ahroun: Rage 5``. A budget
only counts; nothing is refused because of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rules.engine.phrases import made_of, phrase
from rules.model.entries import LONGEST_DETAIL, Listing
from rules.model.kinds import Kind
from rules.model.options import Option, OptionKind, under
from rules.model.sheet import Category, Layout, Section, Trait
from rules.model.specialties import SPECIALTY
from rules.model.system import System

SPECIALTIES = phrase("specialties")

POINTS = "points"
"""The key of the line with the freebie points."""

ANY_KIND = "creation"
"""The option with the budget of kinds that have none of their own; theirs end in ``_KIND``."""

FIFTH = "creation_fifth_dot"
"""The switch of rulesets in which a fifth dot counts as two."""

STARTS = "creation_starts"
"""The option with the words of the identity that set starting dots."""

LISTED = "list:"
"""Prefix of a list's key in a budget, because a section may have the same."""

MOST_DOTS = 99
MOST_GROUPS = 9

_LINE = re.compile(r"(?P<label>[^:]{1,60}):(?P<given>[^,]{1,100})(?:,\s*(?P<price>\d{1,2}))?")
_DOTS = re.compile(r"(?P<dots>\d{1,2}(?:/\d{1,2})*)(?:\+(?P<extra>\d{1,2}))?")

_START = re.compile(r"(?P<word>[^:]{1,60}):\s*(?P<trait>.{1,60}?)\s+(?P<dots>\d{1,2})")

Start = tuple[str, str, int]
"""A word of the identity, a Trait's key, and its starting dots."""

Row = tuple[str, str, int]
"""A key of the layout, of a list with `LISTED`, `SPECIALTY` or `POINTS`; what it is given ("7/5/3", "5/4/3+1",
"conscience+self_control"); and the price."""


@dataclass(frozen=True, slots=True)
class Line:
    """What one part of the sheet is given.

    ``groups`` are its Traits by group; a list and the specialties have none. ``dots`` are numbers for the groups, in
    any order, ``extra`` more anywhere, or ``base`` the Traits whose dots it is given. Dots beyond cost ``price`` points
    each; 0: they have no price.
    """

    key: str
    label: str
    groups: tuple[tuple[Trait, ...], ...]
    dots: tuple[int, ...] = ()
    extra: int = 0
    base: tuple[str, ...] = ()
    price: int = 0

    @property
    def is_trait(self) -> bool:
        """Whether it is a single Trait, whose dots count from zero."""
        return [trait.key for group in self.groups for trait in group] == [self.key]

    @property
    def list(self) -> str:
        """The key of its list, "" for a line of Traits or specialties."""
        return self.key.removeprefix(LISTED) if self.key.startswith(LISTED) else ""

    def free(self, trait: Trait) -> int:
        """The dots of a Trait that everybody has and that don't count."""
        if self.is_trait:
            return 0
        return max(trait.minimum, 1) if trait.category in (Category.ATTRIBUTE, Category.VIRTUE) else trait.minimum


@dataclass(frozen=True, slots=True)
class Budget:
    """The lines of a kind's budget in order, its points to spend, and whether a fifth dot counts as two.

    ``starts`` are the dots that words of the identity, in lower case, give a Trait.
    """

    lines: tuple[Line, ...]
    points: int = 0
    fifth_twice: bool = False
    starts: Mapping[str, Mapping[str, int]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Count:
    """The dots that a line was given and that were spent, for each of its groups.

    ``left`` are the dots that remain, ``over`` those too many: both, if one group has too few and another too many.
    """

    line: Line
    given: tuple[int, ...]
    spent: tuple[int, ...]
    left: int
    over: int


@dataclass(frozen=True, slots=True)
class Account:
    """A sheet against its budget. ``left`` are the points that remain, negative if there are too few."""

    counts: tuple[Count, ...]
    left: int

    @property
    def over(self) -> int:
        """The dots too many that no points can pay for."""
        return sum(count.over for count in self.counts if not count.line.price)


@dataclass(frozen=True, slots=True)
class BudgetTable:
    """The rows of a budget, by the labels of the sections and lists on a kind's sheet, with ``special`` specialties."""

    sections: tuple[Section, ...]
    lists: tuple[Listing, ...] = ()
    special: bool = False

    def read(self, line: str) -> Row:
        """Parse a line such as ``Attributes: 7/5/3, 5``."""
        found = _LINE.fullmatch(line.strip())
        if found is None:
            raise ValueError(phrase("write-like-this-attributes-7-5-3"))
        key = self._key(found["label"], {**self._named(), **self._traits(), "freebie points": POINTS})
        given = "".join(found["given"].split())
        if not _DOTS.fullmatch(given):
            names = [name.strip() for name in found["given"].split("+")]
            given = "+".join(self._key(name, self._traits()) for name in names)
        return self._checked((key, given, int(found["price"] or 0)))

    def written(self, row: Sequence[Any]) -> str:
        """The line for a row."""
        key, given, price = row
        values: dict[str, Any] = {"label": self._label(key), "given": self._in_words(given)}
        if not price:
            return made_of("{label}: {given}", values)
        return made_of("{label}: {given}, {price}", {**values, "price": price})

    def check(self, rows: Sequence[Any]) -> tuple[Row, ...]:
        """The rows, each key once."""
        found = [self._checked(row) for row in rows]
        for place, (key, _given, _price) in enumerate(found):
            if key in [before[0] for before in found[:place]]:
                raise ValueError(phrase("is-listed-twice", label=self._label(key)))
        return tuple(found)

    def _checked(self, row: Any) -> Row:
        if not isinstance(row, Sequence) or isinstance(row, str) or len(row) != 3:
            raise ValueError(phrase("write-like-this-attributes-7-5-3"))
        key, given, price = row
        known = {*self._named().values(), *self._traits().values(), POINTS}
        if key not in known or not isinstance(given, str) or isinstance(price, bool) or not isinstance(price, int):
            raise ValueError(phrase("write-like-this-attributes-7-5-3"))
        if not 0 <= price <= MOST_DOTS:
            raise ValueError(phrase("price-of-must-be-from-0-to", label=self._label(key), most=MOST_DOTS))
        numbers = _DOTS.fullmatch(given)
        if numbers is None and not set(given.split("+")) <= set(self._traits().values()):
            raise ValueError(phrase("write-like-this-attributes-7-5-3"))
        if (key == SPECIALTY or key.startswith(LISTED)) and not given.isdecimal():
            raise ValueError(phrase("give-one-number", label=self._label(key)))
        if numbers is not None and numbers["dots"].count("/") not in (0, self._groups(key) - 1):
            raise ValueError(phrase("give-one-number-or-one-for-each", label=self._label(key)))
        return str(key), given, price

    def _groups(self, key: str) -> int:
        return next((len(one.groups) for one in self.sections if one.key == key), 1)

    def _key(self, label: str, known: Mapping[str, str]) -> str:
        if label.strip().casefold() not in known:
            raise ValueError(phrase("there-is-no-part-of-sheet-called", name=label.strip()[:40]))
        return known[label.strip().casefold()]

    def _named(self) -> dict[str, str]:
        special = {SPECIALTIES.casefold(): SPECIALTY} if self.special else {}
        listed = {one.label.casefold(): f"{LISTED}{one.key}" for one in self.lists}
        return special | listed | {one.label.casefold(): one.key for one in self.sections}

    def _traits(self) -> dict[str, str]:
        every = _traits_of(self.sections)
        other = {name.casefold(): trait.key for trait in every for name in trait.names}
        return other | {trait.label.casefold(): trait.key for trait in every}

    def _label(self, key: str) -> str:
        labels = {POINTS: phrase("freebie-points"), **{trait.key: trait.label for trait in _traits_of(self.sections)}}
        labels |= {SPECIALTY: SPECIALTIES, **{f"{LISTED}{one.key}": one.label for one in self.lists}}
        return (labels | {one.key: one.label for one in self.sections})[key]

    def _in_words(self, given: str) -> str:
        if _DOTS.fullmatch(given):
            return given.replace("+", " + ")
        said: str = self._label(given.split("+", maxsplit=1)[0])
        for key in given.split("+")[1:]:
            said = made_of("{first} + {then}", {"first": said, "then": self._label(key)})
        return said


@dataclass(frozen=True, slots=True)
class StartTable:
    """The rows of the words that set a Trait's starting dots, by the Traits' labels."""

    traits: tuple[Trait, ...]

    def read(self, line: str) -> Start:
        """Parse a line such as ``Ahroun: Rage 5``."""
        found = _START.fullmatch(line.strip())
        if found is None:
            raise ValueError(phrase("write-like-this-ahroun-rage-5"))
        known = {trait.label.casefold(): trait.key for trait in self.traits}
        if found["trait"].casefold() not in known:
            raise ValueError(phrase("there-is-no-part-of-sheet-called", name=found["trait"][:40]))
        return self._checked((found["word"].strip(), known[found["trait"].casefold()], int(found["dots"])))

    def written(self, row: Sequence[Any]) -> str:
        """The line for a row."""
        word, key, dots = row
        label = next(trait.label for trait in self.traits if trait.key == key)
        return made_of("{word}: {trait} {dots}", {"word": word, "trait": label, "dots": dots})

    def check(self, rows: Sequence[Any]) -> tuple[Start, ...]:
        """The rows, each word once for a Trait."""
        found = [self._checked(row) for row in rows]
        for place, (word, key, _dots) in enumerate(found):
            if (word.lower(), key) in [(before.lower(), other) for before, other, _before in found[:place]]:
                raise ValueError(phrase("is-listed-twice", label=word))
        return tuple(found)

    def _checked(self, row: Any) -> Start:
        if not isinstance(row, Sequence) or isinstance(row, str) or len(row) != 3:
            raise ValueError(phrase("write-like-this-ahroun-rage-5"))
        word, key, dots = row
        trait = next((each for each in self.traits if each.key == key), None)
        if trait is None or not isinstance(word, str) or not 0 < len(word) <= LONGEST_DETAIL or type(dots) is not int:
            raise ValueError(phrase("write-like-this-ahroun-rage-5"))
        if not trait.minimum <= dots <= trait.maximum:
            raise ValueError(phrase("starting-dots-of-must-be-from", trait=trait.label, most=trait.maximum))
        return word, trait.key, dots


def creation_options(
    layout: Layout,
    kinds: Mapping[str, Kind],
    rule: str,
    budgets: Mapping[str, Iterable[str]],
    starts: Iterable[str] = (),
) -> tuple[Option, ...]:
    """The house rules with the budgets of new characters, by kind of creature; "" is that of all other kinds.

    With ``starts`` also the one with the words of the identity that set starting dots.
    """

    def option(kind: str, lines: Iterable[str]) -> Option:
        like = kind or "mortal"
        rows = BudgetTable(layout.for_kind(like), layout.lists_for(like), bool(layout.special))
        label = phrase("new-characters-of-kind", kind=kinds[kind].label) if kind else phrase("new-characters")
        default, text = rows.check([rows.read(line) for line in lines]), phrase("one-line-per-part-of-sheet")
        return Option(
            f"{ANY_KIND}_{kind}".rstrip("_"), label, OptionKind.TABLE, default, rule, text, rows=rows, optional=True
        )

    options = [option(kind, lines) for kind, lines in budgets.items()]
    if starts:
        table = StartTable(tuple(layout.traits()))
        default, text = table.check([table.read(line) for line in starts]), phrase("words-of-identity-that-set-dots")
        label = phrase("starting-dots-by-identity")
        options.append(Option(STARTS, label, OptionKind.TABLE, default, rule, text, rows=table, optional=True))
    return under(phrase("new-characters"), *options)


def budget_of(system: System, kind: str) -> Budget | None:
    """The budget of a new character of this kind, as the chronicle plays it; `None` without one."""
    like = system.layout.likes.get(kind, kind)
    rows = system.settings.get(f"{ANY_KIND}_{like}", system.settings.get(ANY_KIND))
    if not rows:
        return None
    points = next((int(given) for key, given, _price in rows if key == POINTS), 0)
    lines = tuple(_line(system.layout, kind, row) for row in rows if row[0] != POINTS)
    starts: dict[str, dict[str, int]] = {}
    for word, trait, dots in system.settings.get(STARTS) or ():
        starts.setdefault(trait, {})[word.lower()] = dots
    return Budget(lines, points, bool(system.settings.get(FIFTH)), starts)


def _line(layout: Layout, kind: str, row: Row) -> Line:
    key, given, price = row
    if key == SPECIALTY or key.startswith(LISTED):
        label = next((one.label for one in layout.lists if f"{LISTED}{one.key}" == key), SPECIALTIES)
        return Line(key, label, (), (int(given),), price=price)
    section = next((one for one in layout.for_kind(kind) if one.key == key), None)
    trait = layout.trait(key, kind)
    label = section.label if section else trait.label
    groups = tuple(group.traits for group in section.groups) if section else ((trait,),)
    numbers = _DOTS.fullmatch(given)
    if numbers is None:
        return Line(key, label, groups, base=tuple(given.split("+")), price=price)
    dots = tuple(int(each) for each in numbers["dots"].split("/"))
    return Line(key, label, groups, dots, int(numbers["extra"] or 0), price=price)


def in_entries(lists: Mapping[str, Iterable[tuple[str, int]]], specialties: int) -> dict[str, int]:
    """What lists and specialties count in a budget: the dots of entries, one for an entry without any."""
    spent = {f"{LISTED}{key}": sum(max(1, dots) for _name, dots in entries) for key, entries in lists.items()}
    return spent | {SPECIALTY: specialties}


def account(
    budget: Budget, dots: Mapping[str, int], entries: Mapping[str, int] | None = None, words: Iterable[str] = ()
) -> Account:
    """What a sheet spends of a budget.

    ``dots`` are those of its Traits, none for one that is missing, ``entries`` what its lists and specialties count
    (`in_entries`), and ``words`` the texts of its identity.
    """
    said = {word.strip().lower() for word in words}
    starts = {
        trait: found[0] for trait, by in budget.starts.items() if (found := [by[word] for word in by if word in said])
    }
    counts = tuple(_count(budget, line, dots, entries or {}, starts) for line in budget.lines)
    return Account(counts, budget.points - sum(count.over * count.line.price for count in counts))


def _count(
    budget: Budget, line: Line, dots: Mapping[str, int], entries: Mapping[str, int], starts: Mapping[str, int]
) -> Count:
    def counted(trait: Trait) -> int:
        value = dots.get(trait.key, 0)
        return max(0, value - line.free(trait)) + (1 if budget.fifth_twice and value >= 5 and not line.is_trait else 0)

    spent = tuple(sum(counted(trait) for trait in group) for group in line.groups) or (entries.get(line.key, 0),)
    if line.is_trait and line.key in starts:
        given: tuple[int, ...] = (starts[line.key],)
    elif line.base:
        given = (sum(dots.get(key, 0) for key in line.base),)
    elif len(line.dots) == len(line.groups):
        given = _in_any_order(line.dots, spent)
    else:
        given = line.dots
    if len(given) != len(spent):
        spent = (sum(spent),)
    over = sum(max(0, used - most) for used, most in zip(spent, given, strict=True)) - line.extra
    left = sum(max(0, most - used) for used, most in zip(spent, given, strict=True)) - min(0, over)
    return Count(line, given, spent, left, max(0, over))


def _in_any_order(dots: Sequence[int], spent: Sequence[int]) -> tuple[int, ...]:
    """The numbers of the groups: the group with the most dots has the largest."""
    ranks = sorted(range(len(spent)), key=lambda place: -spent[place])
    largest = sorted(dots, reverse=True)
    return tuple(largest[ranks.index(place)] for place in range(len(spent)))


def _traits_of(sections: Iterable[Section]) -> list[Trait]:
    return [trait for section in sections for group in section.groups for trait in group.traits]
