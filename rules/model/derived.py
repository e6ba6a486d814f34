"""Derived traits that several systems share: computed from other traits and shown on the sheet."""

from __future__ import annotations

from rules.engine.phrases import phrase
from rules.model.system import Derived


def initiative(rule: str) -> Derived:
    """What is added to the initiative die."""
    return Derived(
        "initiative", phrase("initiative-label"), rule, lambda system, sheet: system.initiative.rating(sheet)
    )


def health(rule: str) -> Derived:
    """How many boxes there are."""
    return Derived("health", phrase("health"), rule, lambda system, sheet: len(system.health.levels(sheet)))


def running(rule: str) -> Derived:
    """How far somebody runs in a turn."""
    return Derived("running", phrase("running-label"), rule, lambda system, sheet: system.running_distance(sheet), "m")
