"""What a caller must do something about, beside `rules.engine.violations.RuleViolation` and
`combat.commands.dice.DiceWanted`."""

from __future__ import annotations


class StaleEncounter(Exception):
    """The fight moved on since the page was drawn: show what is, and let them look again."""


class KeyReused(Exception):
    """An idempotency key came back with another command: the page is at fault. Nothing changed."""
