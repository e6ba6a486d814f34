"""Figures that people fill in: what sort they are of, and within which limits."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from rules.model.choices import Figure

MOST_WORDS = 200


class Want(StrEnum):
    """What sort of figure is wanted."""

    NUMBER = "number"
    CHOICE = "choice"
    SWITCH = "switch"
    WORDS = "words"
    SOMEBODY = "somebody"
    """A combatant's id."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A figure that an action or a circumstance takes: a field of its form, a key of a scenario's step.

    ``choices`` (value and label) are those of a CHOICE, ``least`` and ``most`` the limits of a NUMBER. What is not
    ``needed`` may be left out, and is absent then. One that is the ``storytellers`` players neither see nor set. One
    that is ``shared`` by several circumstances of a group is asked for once for all of them.
    """

    key: str
    label: str
    kind: Want = Want.NUMBER
    choices: tuple[tuple[str, str], ...] = ()
    least: int = 0
    most: int = 1000
    needed: bool = False
    help: str = ""
    storytellers: bool = False
    shared: bool = False

    def fits(self, value: Figure) -> bool:
        """Whether it can be that; whoever is named is for others to look up."""
        match self.kind:
            case Want.NUMBER:
                return isinstance(value, int) and not isinstance(value, bool) and self.least <= value <= self.most
            case Want.CHOICE:
                return value in dict(self.choices)
            case Want.SWITCH:
                return isinstance(value, bool)
            case _:
                return isinstance(value, str) and len(value) <= MOST_WORDS
