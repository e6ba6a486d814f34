"""Table settings that are independent of the ruleset, shown alongside the house rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.engine.phrases import phrase
from rules.model.options import Option, OptionKind, check_options

APPROVAL, ANSWER_SECONDS, FREE_PURCHASES, SUGGESTIONS = "approval", "answer_seconds", "free_purchases", "suggestions"
MOST_SECONDS = 600

_HEADING = phrase("at-the-table")

OPTIONS = (
    Option(
        APPROVAL,
        phrase("storyteller-approves-attacks"),
        OptionKind.SWITCH,
        default=True,
        rule="",
        help=phrase("nobody-else-sees-what-player-announces-until"),
        heading=_HEADING,
    ),
    Option(
        ANSWER_SECONDS,
        phrase("seconds-to-answer-attack"),
        OptionKind.NUMBER,
        default=0,
        rule="",
        help=phrase("player-who-doesnt-answer-in-time-defends"),
        heading=_HEADING,
        minimum=0,
        maximum=MOST_SECONDS,
    ),
    Option(
        FREE_PURCHASES,
        phrase("players-buy-without-asking"),
        OptionKind.SWITCH,
        default=False,
        rule="",
        help=phrase("experience-is-spent-at-once"),
        heading=_HEADING,
    ),
    Option(
        SUGGESTIONS,
        phrase("suggest-moves-for-npcs"),
        OptionKind.SWITCH,
        default=False,
        rule="",
        help=phrase("three-best-moves-of-npc-are-shown"),
        heading=_HEADING,
    ),
)
KEYS = frozenset(option.key for option in OPTIONS)
STORYTELLERS = frozenset({SUGGESTIONS})
"""Settings that only Storytellers see: they change nothing for players."""


def check(given: Mapping[str, Any]) -> dict[str, Any]:
    """Validate settings and return those that differ from the defaults, as they are stored.

    Raises `rules.model.options.BadOption`, which names the faulty key.
    """
    checked = check_options(OPTIONS, given)
    return {option.key: checked[option.key] for option in OPTIONS if checked[option.key] != option.default}


def value(kept: Mapping[str, Any], key: str) -> Any:
    """A setting's value, given the stored ones."""
    return kept.get(key, next(option.default for option in OPTIONS if option.key == key))
