"""Derived traits that several systems have: what follows from the others and stands on the sheet all the same."""

from __future__ import annotations

from rules.engine.phrases import phrase
from rules.model.system import Derived


def initiative(rule: str) -> Derived:
    """What is added to the initiative die."""
    return Derived("initiative", phrase("Initiative"), rule, lambda system, sheet: system.initiative.rating(sheet))


def health(rule: str) -> Derived:
    """How many boxes there are."""
    return Derived("health", phrase("Health"), rule, lambda system, sheet: len(system.health.levels(sheet)))


def running(rule: str) -> Derived:
    """How far somebody runs in a turn."""
    return Derived("running", phrase("Running"), rule, lambda system, sheet: system.running_distance(sheet), "m")
