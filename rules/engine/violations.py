"""Refusals: why a command cannot be carried out, and which rule forbids it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

INPUT = "input"
"""The rule named if only common sense forbids something (an unknown name, a missing value)."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why something cannot be done.

    ``rule`` is the id of the rule that forbids it, or :data:`INPUT`. ``message`` is a sentence for
    the person who asked.
    """

    rule: str
    message: str


class RuleViolation(Exception):
    """A command was turned down; nothing changed."""

    def __init__(self, rule: str, message: str) -> None:
        super().__init__(rule, message)
        self.refusal = Refusal(rule, message)

    @property
    def rule(self) -> str:
        """The id of the rule that forbids it."""
        return self.refusal.rule

    @property
    def message(self) -> str:
        """A sentence for the person who asked."""
        return self.refusal.message

    def __str__(self) -> str:
        return f"{self.message} ({self.rule})"


def bad_input(message: str) -> RuleViolation:
    """A violation for invalid input, which nobody can waive; the caller raises it."""
    return RuleViolation(INPUT, message)


@dataclass(frozen=True, slots=True)
class Flag:
    """A warning to the Storyteller about something unusual, with its rule."""

    rule: str
    text: str


class Referee:
    """Refuses commands by rule, unless the Storyteller waives that rule.

    ``waive`` holds ids of rules. Afterwards ``waived`` holds those that mattered, for the log.
    """

    def __init__(self, waive: Iterable[str] = ()) -> None:
        self._waive = frozenset(waive)
        self.waived: list[Flag] = []

    @property
    def waives(self) -> frozenset[str]:
        """The waived rules."""
        return self._waive

    def also(self, waive: Iterable[str]) -> None:
        """Waive these rules as well."""
        self._waive |= frozenset(waive)

    def forbid(self, rule: str, message: str) -> None:
        """Raise :class:`RuleViolation`, or note that the rule was waived."""
        if not self.lets(rule, message):
            raise RuleViolation(rule, message)

    def uphold(self, against: RuleViolation | None) -> None:
        """Like :meth:`forbid`, for a violation; does nothing without one."""
        if against is not None:
            self.forbid(against.rule, against.message)

    def lets(self, rule: str, message: str) -> bool:
        """Whether a rule is waived; if so, records that it mattered, with ``message``."""
        if rule == INPUT or rule not in self._waive:
            return False
        flag = Flag(rule, message)
        if flag not in self.waived:
            self.waived.append(flag)
        return True
