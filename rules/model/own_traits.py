"""A chronicle's own Traits and sections of text, which its Storytellers add to every sheet.

The input is plain (words, numbers, lists), as forms and rows hold it; :func:`read_own` validates it, and
:func:`extended` adds what it describes to a layout. One that is ``gone`` stays on the sheets with dots or text in it,
as a Trait of a house rule that is off does, so that nothing is lost and it can be put back.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from rules.engine.copies import replace
from rules.engine.phrases import phrase
from rules.model.entries import Detail
from rules.model.options import BadOption
from rules.model.sheet import Category, Group, Layout, Section, Trait

MOST_OWN = 60
MOST_DOTS = 20
MOST_NAMES = 10
"""How many former names are kept."""

LONGEST_NAME = 40
DRAWN = 10
"""Up to this many dots are drawn; more are a number."""

GONE = "gone"
"""A house rule that is never on."""

_MARKS = re.compile(r"[+:(),]")


class Sort(StrEnum):
    """What something of a chronicle's own is: a Trait by how it is rolled, or a section of text."""

    ABILITY = "ability"
    ALONE = "alone"
    FACT = "fact"
    TEXT = "text"


CATEGORIES = {Sort.ABILITY: Category.ABILITY, Sort.ALONE: Category.OWN, Sort.FACT: Category.FACT}


@dataclass(frozen=True, slots=True)
class OwnTrait:
    """A Trait or section of a chronicle's own.

    An Ability is at a ``place``, one of :func:`places`, or like the others in a ``section`` of that name. It goes from
    0 to ``most``. ``kinds`` empty: every kind has it. ``was`` are its former names, by which lines still know it.
    """

    key: str
    label: str
    sort: Sort
    place: str = ""
    section: str = ""
    most: int = 5
    kinds: frozenset[str] = frozenset()
    was: tuple[str, ...] = ()
    gone: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """Its name, then its former ones."""
        return (self.label, *self.was)

    @property
    def trait(self) -> Trait:
        """As a Trait of the layout."""
        return Trait(
            self.key,
            self.label,
            CATEGORIES[self.sort],
            maximum=self.most,
            dotted=self.most <= DRAWN and self.sort is not Sort.FACT,
            aliases=self.was,
            setting=GONE if self.gone else "",
            kinds=self.kinds,
            own=True,
        )

    @property
    def detail(self) -> Detail:
        """As a section of text."""
        return Detail(self.key, self.label, self.kinds, long=True, own=True, gone=self.gone)


def places(layout: Layout) -> dict[str, str]:
    """Where on the sheet an Ability can be: the headings among the layout's Abilities, each by its own key."""
    return {
        f"{section.key}/{number}": group.label
        for section in layout.sections
        for number, group in enumerate(section.groups)
        if group.label and any(trait.category is Category.ABILITY for trait in group.traits)
    }


def read_own(key: str, given: Mapping[str, Any], layout: Layout, kinds: Collection[str]) -> OwnTrait:
    """What ``given`` describes; raises :class:`rules.model.options.BadOption` with the key of the invalid setting."""
    try:
        sort = Sort(given.get("sort", ""))
    except ValueError:
        raise BadOption("sort", phrase("choose-what-it-is")) from None
    place = _word(given, "place")
    if place and (sort is not Sort.ABILITY or place not in places(layout)):
        raise BadOption("place", phrase("choose-place-on-sheet"))
    section = "" if place or sort is Sort.TEXT else _name(given, "section", phrase("enter-name-of-section"))
    most = given.get("most", 5)
    if isinstance(most, bool) or not isinstance(most, int) or not 1 <= most <= MOST_DOTS:
        raise BadOption("most", phrase("enter-number-from-1-to", most=MOST_DOTS))
    chosen = given.get("kinds", [])
    if not isinstance(chosen, list | tuple) or not set(chosen) <= set(kinds):
        raise BadOption("kinds", phrase("choose-one-of-rulesets-kinds"))
    label = _name(given, "label", phrase("enter-a-name"))
    if sort is not Sort.TEXT and _MARKS.search(label):
        raise BadOption("label", phrase("name-of-trait-has-no-marks"))
    was = tuple(str(each)[:LONGEST_NAME] for each in given.get("was", ()))[:MOST_NAMES]
    return OwnTrait(key, label, sort, place, section, most, frozenset(chosen), was, bool(given.get("gone")))


def check_own(own: Iterable[OwnTrait], layout: Layout) -> None:
    """Check all of a chronicle's own together, and against the ruleset's; raises BadOption for the "label"."""
    taken = {name.casefold() for trait in layout.traits() for name in trait.names}
    taken |= {detail.label.casefold() for detail in layout.details}
    for number, each in enumerate(own, start=1):
        if number > MOST_OWN:
            raise BadOption("label", phrase("chronicle-can-have-at-most-own-traits", most=MOST_OWN))
        if each.label.casefold() in taken:
            raise BadOption("label", phrase("sheet-has-already-something-called", name=each.label))
        taken.add(each.label.casefold())


def extended(layout: Layout, own: Collection[OwnTrait]) -> Layout:
    """The layout with a chronicle's own Traits and sections."""
    rated = [each for each in own if each.sort is not Sort.TEXT]
    sections = [_with_placed(section, rated) for section in layout.sections]
    named: dict[str, list[OwnTrait]] = {}
    for each in rated:
        if not each.place:
            named.setdefault(each.section.casefold(), []).append(each)
    for together in named.values():
        traits = tuple(each.trait for each in together)
        sections.append(Section(together[0].key, together[0].section, (Group("", traits),)))
    texts = tuple(each.detail for each in own if each.sort is Sort.TEXT)
    return replace(layout, sections=tuple(sections), details=(*layout.details, *texts))


def _with_placed(section: Section, own: Iterable[OwnTrait]) -> Section:
    added = {
        number: tuple(each.trait for each in own if each.place == f"{section.key}/{number}")
        for number in range(len(section.groups))
    }
    if not any(added.values()):
        return section
    groups = (
        replace(group, traits=(*group.traits, *added[number])) if added[number] else group
        for number, group in enumerate(section.groups)
    )
    return replace(section, groups=tuple(groups))


def _word(given: Mapping[str, Any], name: str) -> str:
    found = given.get(name, "")
    if not isinstance(found, str):
        raise BadOption(name, phrase("enter-a-word"))
    return found


def _name(given: Mapping[str, Any], name: str, lacking: str) -> str:
    label = " ".join(_word(given, name).split())
    if not label:
        raise BadOption(name, lacking)
    if len(label) > LONGEST_NAME:
        raise BadOption(name, phrase("enter-at-most-characters", most=LONGEST_NAME))
    return label
