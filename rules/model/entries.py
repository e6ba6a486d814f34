"""What a sheet holds beyond Traits: its identity in words, and lists of named entries with dots."""

from __future__ import annotations

from dataclasses import dataclass

LONGEST_TEXT = 4000
"""The maximum length of a detail that is a text."""

LONGEST_DETAIL = 80
"""The maximum length of a line of a detail, in characters."""


@dataclass(frozen=True, slots=True)
class Detail:
    """Part of a character's identity (Nature, Clan): text that no rule reads.

    ``known`` are suggestions, while anything may be entered. A detail of several ``lines`` (Touchstones) holds up to
    that many, one entry each. ``kinds`` empty: every kind has it. A ``long`` one is a text under its own heading. One
    of a chronicle's ``own`` that is ``gone`` stays on the sheets that have words in it.
    """

    key: str
    label: str
    kinds: frozenset[str] = frozenset()
    known: tuple[str, ...] = ()
    lines: int = 1
    long: bool = False
    own: bool = False
    gone: bool = False


@dataclass(frozen=True, slots=True)
class Listing:
    """A list of named entries with dots (Backgrounds, Merits, Gifts): text, except that rules may ask who has a Merit.

    Entries have at most ``most`` dots; one without any is unrated. A ``ranked`` list is grouped by them, as Gifts are
    by rank. The names in a list that is ``read`` are Merits to the rules. ``known`` are suggestions, while any name may
    be entered. ``kinds`` empty: every kind has it. ``priced_as`` is the category of the Traits whose prices in
    experience its entries share, "" if none.
    """

    key: str
    label: str
    kinds: frozenset[str] = frozenset()
    known: tuple[str, ...] = ()
    most: int = 5
    ranked: bool = False
    read: bool = False
    priced_as: str = ""

    @property
    def dotted(self) -> bool:
        """Whether its entries are drawn with dots, others as a number."""
        return self.most <= 5 and not self.ranked


MERITS = "merits"
"""The key of the list of Merits, which has those that sheets from before there were lists name without dots."""
