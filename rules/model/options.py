"""House rules: numbers and switches that a chronicle may set."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Protocol

from rules.engine.phrases import phrase
from rules.model.sheet import Layout

MOST_LINES = 50
LONGEST_LINE = 200


class OptionKind(StrEnum):
    """How an option is entered: a switch, a number, one of some words, a table, or lines of text.

    LEVELS is a table of health levels, TABLE any other.
    """

    SWITCH = "switch"
    NUMBER = "number"
    CHOICE = "choice"
    LEVELS = "levels"
    TABLE = "table"
    LINES = "lines"


class Rows(Protocol):
    """The rows of a table: each is read from a line and written as one, and all are checked together.

    Invalid input is a ValueError with a sentence; for a line, with the text that follows its number.
    """

    def read(self, line: str) -> tuple[Any, ...]: ...
    def written(self, row: Sequence[Any]) -> str: ...
    def check(self, rows: Sequence[Any]) -> tuple[tuple[Any, ...], ...]: ...


@dataclass(frozen=True, slots=True)
class Option:
    """One house rule of a ruleset, with the rule that it changes.

    ``default`` is a bool, an int, a str, for LEVELS a tuple of ``(name, penalty or None)``, for TABLE a tuple of its
    ``rows``. ``heading`` groups it in a long list; ``choices`` holds (value, label) pairs for CHOICE; ``check`` raises
    ValueError with a sentence for an invalid line of LINES, and ``reads`` for one that names Traits, given the
    chronicle's layout if there is one. An ``optional`` TABLE may be empty. New chronicles begin with a SWITCH that is
    ``begun`` switched on, and older ones stay as they were. One ``within`` another SWITCH (its key) counts only while
    that one is on.
    """

    key: str
    label: str
    kind: OptionKind
    default: Any
    rule: str
    help: str = ""
    choices: tuple[tuple[str, str], ...] = ()
    heading: str = ""
    minimum: int | None = None
    maximum: int | None = None
    check: Callable[[str], object] | None = None
    reads: Callable[[str, Layout | None], object] | None = None
    rows: Rows | None = None
    optional: bool = False
    begun: bool = False
    within: str = ""


def figure(key: str, label: str, default: int, rule: str, most: int, least: int = 0, *, text: str = "") -> Option:
    """A whole number from ``least`` to ``most``; ``text`` explains it."""
    return Option(key, label, OptionKind.NUMBER, default, rule, text, minimum=least, maximum=most)


def switch(key: str, label: str, rule: str, text: str = "", *, default: bool = False, begun: bool = False) -> Option:
    """Something that is either on or off; ``text`` explains it, and new chronicles begin with it on if it is
    ``begun``.
    """
    return Option(key, label, OptionKind.SWITCH, default, rule, text, begun=begun)


def under(heading: str, *options: Option) -> tuple[Option, ...]:
    """The same options, all under one heading."""
    return tuple(replace(option, heading=heading) for option in options)


class BadOption(ValueError):
    """A house rule's value cannot be. ``key`` names the option, ``message`` says why in a sentence."""

    def __init__(self, key: str, message: str) -> None:
        super().__init__(f"{key}: {message}")
        self.key = key
        self.message = message


def check_options(options: Sequence[Option], given: Mapping[str, Any], layout: Layout | None = None) -> dict[str, Any]:
    """Every option with its checked value, the default where nothing is given. Lines may name Traits of ``layout``.

    Raises :class:`BadOption` for an unknown key or a value that cannot be.
    """
    known = {option.key: option for option in options}
    for key in given:
        if key not in known:
            raise BadOption(key, phrase("this-ruleset-has-no-such-house-rule"))
    return {
        key: _check(option, given[key], layout) if key in given else option.default for key, option in known.items()
    }


def _check(option: Option, value: Any, layout: Layout | None) -> Any:
    if option.kind is OptionKind.LINES:
        return _check_lines(option, value, layout)
    return _CHECKS[option.kind](option, value)


def _check_switch(option: Option, value: Any) -> bool:
    if not isinstance(value, bool):
        raise BadOption(option.key, phrase("choose-on-or-off"))
    return value


def _check_number(option: Option, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise BadOption(option.key, phrase("enter-whole-number"))
    if option.minimum is not None and value < option.minimum:
        raise BadOption(option.key, phrase("enter-or-more", minimum=option.minimum))
    if option.maximum is not None and value > option.maximum:
        raise BadOption(option.key, phrase("enter-or-less", maximum=option.maximum))
    return value


def _check_choice(option: Option, value: Any) -> str:
    if value not in [key for key, _ in option.choices]:
        raise BadOption(option.key, phrase("choose-one-of-options"))
    return str(value)


def _check_levels(option: Option, value: Any) -> tuple[tuple[str, int | None], ...]:
    if not isinstance(value, Sequence) or isinstance(value, str) or not 1 <= len(value) <= 20:
        raise BadOption(option.key, phrase("enter-1-to-20-health-levels"))
    levels = []
    for row in value:
        if not isinstance(row, Sequence) or isinstance(row, str) or len(row) != 2:
            raise BadOption(option.key, phrase("enter-each-health-level-as-name"))
        name, penalty = row
        if not isinstance(name, str) or not 1 <= len(name.strip()) <= 30:
            raise BadOption(option.key, phrase("health-levels-name-must-have-1"))
        if penalty is not None and (
            isinstance(penalty, bool) or not isinstance(penalty, int) or not -10 <= penalty <= 0
        ):
            raise BadOption(option.key, phrase("penalty-of-must-be-from-10", name=name))
        levels.append((name.strip(), penalty))
    return tuple(levels)


def _check_table(option: Option, value: Any) -> tuple[tuple[Any, ...], ...]:
    assert option.rows, "a table says what its rows are"
    if not isinstance(value, Sequence) or isinstance(value, str) or not 0 <= len(value) <= 20:
        raise BadOption(option.key, phrase("enter-1-to-20-lines"))
    if not value and not option.optional:
        raise BadOption(option.key, phrase("enter-1-to-20-lines"))
    try:
        return tuple(option.rows.check(value))
    except ValueError as problem:
        raise BadOption(option.key, problem.args[0]) from None


def _check_lines(option: Option, value: Any, layout: Layout | None) -> tuple[str, ...]:
    if not isinstance(value, Sequence) or isinstance(value, str) or len(value) > MOST_LINES:
        raise BadOption(option.key, phrase("enter-at-most-lines", most_lines=MOST_LINES))
    for line in value:
        if not isinstance(line, str) or len(line) > LONGEST_LINE:
            raise BadOption(option.key, phrase("lines-can-have-at-most-characters", longest_line=LONGEST_LINE))
        try:
            if option.check is not None:
                option.check(line)
            if option.reads is not None:
                option.reads(line, layout)
        except ValueError as problem:
            raise BadOption(option.key, problem.args[0]) from None
    return tuple(value)


_CHECKS = {
    OptionKind.SWITCH: _check_switch,
    OptionKind.NUMBER: _check_number,
    OptionKind.CHOICE: _check_choice,
    OptionKind.LEVELS: _check_levels,
    OptionKind.TABLE: _check_table,
}
