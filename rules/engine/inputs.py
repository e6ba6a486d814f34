"""Inputs: what people fill in for a command, an action or a circumstance, and within which limits."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass
from enum import StrEnum

from rules.engine.phrases import phrase
from rules.engine.violations import RuleViolation, bad_input

Figure = int | str | bool

MOST_WORDS = 200


class Want(StrEnum):
    """The type of an input."""

    NUMBER = "number"
    CHOICE = "choice"
    SWITCH = "switch"
    WORDS = "words"
    SOMEBODY = "somebody"
    """A combatant's id."""
    REFERENCE = "reference"
    """The id of something that goes on, such as an announced attack: it comes with a press, and is never typed."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """An input of a command, an action or a circumstance: a field of its form, a key of a scenario's step.

    ``choices`` (value and label) are those of a CHOICE, ``least`` and ``most`` the limits of a NUMBER. If
    ``chart`` says what some numbers stand for, forms list all numbers. One that is not ``needed`` may be left out, and
    is then absent. ``storytellers``: hidden from players. One that is ``shared`` by several circumstances of a group is
    asked for once.
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
    chart: tuple[tuple[int, str], ...] = ()

    def fits(self, value: object) -> bool:
        """Whether the value is valid; looking up named combatants is up to the caller."""
        match self.kind:
            case Want.NUMBER:
                return isinstance(value, int) and not isinstance(value, bool) and self.least <= value <= self.most
            case Want.CHOICE:
                return value in dict(self.choices)
            case Want.SWITCH:
                return isinstance(value, bool)
            case _:
                return isinstance(value, str) and len(value) <= MOST_WORDS

    @property
    def limits(self) -> str:
        """The refusal of a number outside its limits."""
        return phrase(
            "enter-whole-number-from-to",
            name=self.label,
            least=self.least,
            most=self.most,
        )

    def refusal(self, value: object, people: Container[str]) -> RuleViolation | None:
        """What a value is refused with that does not fit, or that names nobody of these people; None where it fits."""
        if not self.fits(value):
            number = self.kind is Want.NUMBER
            return bad_input(self.limits if number else phrase("cant-have-this-value", label=self.label))
        if self.kind is Want.SOMEBODY and value not in people:
            return bad_input(phrase("nobody-by-that-name-is-in-this-fight"))
        return None


@dataclass(frozen=True, slots=True)
class Asked:
    """How a command is asked for: the inputs of its form and its scenario step, and the form's texts.

    ``about`` is the field of the command that holds the combatant it is about; by default the one that it acts for. The
    other fields are the ``inputs``, by their keys; an empty one keeps the command's default. ``title`` heads the form
    (by default the command's label), ``submit`` is its button (by default the title), ``help`` a sentence between them.
    Without a ``page`` it is a button only. One that ``rolls`` rolls dice that can be typed. ``step`` is the scenario's
    name for it: by default the name of the command's class in snake case.
    """

    inputs: tuple[Wanted, ...] = ()
    title: str = ""
    submit: str = ""
    help: str = ""
    about: str = ""
    page: bool = True
    rolls: bool = False
    step: str = ""

    @property
    def press(self) -> bool:
        """Whether a single button is enough: there is nothing to fill in."""
        return not (self.inputs or self.help or self.rolls)


class Place(StrEnum):
    """Where a command is offered."""

    SEAT = "seat"
    """Places that list what a combatant can do now, for the person who plays them."""
    ROW = "row"
    """In the Storyteller's menu of somebody in the order."""
    FIGHT = "fight"
    """In the Storyteller's menu of the whole fight."""
