"""Experience: what it buys and what earns it, in a chronicle's own lines.

A price reads ``Attribute: current x 4``: what is bought, then points for one dot. ``current`` is the dots before it,
``new`` those after it; a plain number is the same for every dot. What is bought is a Trait by its name, a sort of
Trait (``Attribute``, ``Ability`` or ``Skill``, ``Virtue``, ``Discipline``, ``Renown``) or an entry of one of the
sheet's lists (``Background``, ``Merit``, ``Gift``). ``new Ability: 3`` prices the first dot alone, and words in
parentheses make several prices to choose from: ``Discipline (in clan): current x 5``. The most exact line counts: a
Trait's before a sort's, then ``new``, then the chosen words. An entry of a list by rank costs what its rank costs, not
the ranks below.

An award reads ``Session played: 1``. Where points are awarded in parts, a number may be followed by ``Beats`` or
``Experiences`` and is in parts if it isn't.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from rules.engine.phrases import phrase
from rules.model.entries import Listing
from rules.model.options import Option, OptionKind, under
from rules.model.sheet import Category, Layout, Trait

PRICES, AWARDS = "experience_prices", "experience_awards"
"""The keys of both house rules."""

LONGEST_REASON = 60

_PRICE = re.compile(
    r"(?P<first>new\s+)?(?P<name>[^:()]{1,60}?)\s*(?:\((?P<words>[^:()]{1,40})\))?\s*:\s*"
    r"(?:(?P<times>current|new)(?:\s*[x×*]\s*(?P<factor>\d{1,3}))?|(?P<flat>\d{1,3}))",
    re.IGNORECASE,
)
_AWARD = re.compile(
    r"(?P<reason>.{1,60}?)\s*:\s*(?P<number>\d{1,3})(?:\s*(?P<unit>beats?|experiences?))?", re.IGNORECASE
)

SORTS = {
    "attribute": Category.ATTRIBUTE,
    "ability": Category.ABILITY,
    "skill": Category.ABILITY,
    "virtue": Category.VIRTUE,
    "discipline": Category.POWER,
    "renown": Category.RENOWN,
}
"""What lines call the sorts of Traits."""


class Trigger(StrEnum):
    """What the log shows that earns an award: an award with this reason is proposed from there."""

    DRAMATIC = "dramatic failure"
    BOTCH = "botch"
    LAST_BOX = "damage in the last box"
    RESOLVED = "condition resolved"


Priced = Trait | Listing
"""What has a price: a Trait, or the entries of a list."""


@dataclass(frozen=True, slots=True)
class About:
    """The key of a Trait or, with ``of_list``, of a list of the sheet."""

    key: str
    of_list: bool = False


@dataclass(frozen=True, slots=True)
class Price:
    """A price line. ``about`` is a sort of Trait, a Trait or a list; ``words`` tell apart prices to choose from.

    ``times`` is "current", "new" or, for a plain ``number``, "".
    """

    text: str
    about: Category | About
    first: bool
    words: str
    number: int
    times: str

    def fits(self, what: Priced) -> bool:
        """Whether it prices this Trait, or the entries of this list."""
        return self.is_exact(what) or self.about == (what.priced_as if isinstance(what, Listing) else what.category)

    def is_exact(self, what: Priced) -> bool:
        """Whether it prices this Trait or list alone."""
        return self.about == About(what.key, of_list=isinstance(what, Listing))

    def of_dot(self, before: int) -> int | None:
        """The points for the dot after so many; None for the first one, which "current" cannot price."""
        if self.times == "current":
            return before * self.number or None
        return (before + 1) * self.number if self.times == "new" else self.number


@dataclass(frozen=True, slots=True)
class Cost:
    """What some dots cost in whole points, and the lines that say so."""

    points: int
    line: str


@dataclass(frozen=True, slots=True)
class Award:
    """An award line. ``amount`` is in the smallest unit; one with a ``trigger`` is proposed from the log."""

    reason: str
    amount: int
    trigger: Trigger | None = None


def parse_price(line: str, layout: Layout) -> Price:
    """The price that a line sets; ValueError with a sentence where it sets none."""
    found = _PRICE.fullmatch(line.strip())
    if found is None:
        raise ValueError(phrase("write-price-like-this", line=line.strip()[:60]))
    name = " ".join(found["name"].split())
    about = SORTS.get(name.casefold()) or _key_of(name, layout)
    times = (found["times"] or "").lower()
    number = int(found["flat"] or found["factor"] or 1)
    words = " ".join((found["words"] or "").split())
    return Price(line.strip(), about, bool(found["first"]), words, number, times)


def _key_of(name: str, layout: Layout) -> About:
    if key := layout.key_of(name):
        return About(key)
    wanted = name.casefold()
    for listing in layout.lists:
        if wanted in _names_of(listing):
            return About(listing.key, of_list=True)
    raise ValueError(phrase("there-is-no-trait-called", name=name[:40]))


def _names_of(listing: Listing) -> Iterator[str]:
    """What lines call the entries of a list: its name, with any of its words in the singular."""
    label = listing.label.casefold()
    yield label
    words = label.split()
    for place, word in enumerate(words):
        for ending in ("s", "es"):
            yield " ".join([*words[:place], word.removesuffix(ending), *words[place + 1 :]])


def parse_award(line: str, beats: int) -> Award:
    """The award that a line describes, where one point is so many beats; ValueError with a sentence for none."""
    found = _AWARD.fullmatch(line.strip())
    if found is None or not int(found["number"]) or (found["unit"] and beats == 1):
        raise ValueError(phrase("write-award-like-this", line=line.strip()[:60]))
    whole = (found["unit"] or "").lower().startswith("e")
    reason = found["reason"]
    trigger = next((each for each in Trigger if each == reason.casefold()), None)
    return Award(reason, int(found["number"]) * (beats if whole else 1), trigger)


def choices(prices: Iterable[Price], what: Priced) -> tuple[str, ...]:
    """The words of the prices to choose from, "" for the one without; empty if nothing prices it."""
    fitting = [price for price in prices if price.fits(what)]
    exact = [price for price in fitting if price.is_exact(what)] or fitting
    found = dict.fromkeys(price.words for price in exact if not price.first)
    return tuple(found or dict.fromkeys(price.words for price in exact))


def cost_of(prices: Sequence[Price], what: Priced, was: int, to: int, words: str = "") -> Cost | None:
    """What raising something costs, dot by dot, with the price of these words; None if a dot has no price.

    What has a rank is bought at it, and never raised.
    """
    total, lines = 0, dict[str, None]()
    ranked = isinstance(what, Listing) and what.ranked
    if ranked and was:
        return None
    for before in range(to - 1 if ranked else was, to):
        price = _price_of_dot(prices, what, words, first=ranked or not before)
        if price is None or (points := price.of_dot(before)) is None:
            return None
        total += points
        lines[price.text] = None
    return Cost(total, "; ".join(lines)) if lines else None


def _price_of_dot(prices: Sequence[Price], what: Priced, words: str, *, first: bool) -> Price | None:
    fitting = [
        price for price in prices if price.fits(what) and price.words in ("", words) and (first or not price.first)
    ]
    return max(fitting, key=lambda price: (price.is_exact(what), price.first, bool(price.words)), default=None)


def experience_options(
    layout: Layout, prices: tuple[str, Sequence[str]], awards: tuple[str, Sequence[str]], beats: int = 1
) -> tuple[Option, ...]:
    """Both house rules: each with its rule and its lines. One point is so many ``beats``."""
    rule, lines = prices
    earned, reasons = awards
    return under(
        phrase("experience"),
        Option(
            PRICES,
            phrase("prices"),
            OptionKind.LINES,
            tuple(lines),
            rule,
            phrase("one-price-per-line"),
            reads=lambda line, own: parse_price(line, own or layout),
        ),
        Option(
            AWARDS,
            phrase("awards"),
            OptionKind.LINES,
            tuple(reasons),
            earned,
            phrase("one-award-per-line") if beats == 1 else phrase("one-award-per-line-in-beats"),
            check=lambda line: parse_award(line, beats),
        ),
    )
