"""Exceptions that callers must handle, in addition to `rules.engine.violations.RuleViolation` and
`combat.commands.dice.DiceWanted`."""

from __future__ import annotations


class StaleEncounter(Exception):
    """The fight has changed since the page was drawn: show the current state and let the user try again."""


class KeyReused(Exception):
    """An idempotency key was reused for another command: a fault of the page. Nothing changed."""
