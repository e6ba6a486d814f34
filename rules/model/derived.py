"""Derived traits: what follows from the others and stands on the sheet all the same."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rules.engine.phrases import phrase
from rules.model.sheet import Sheet

if TYPE_CHECKING:
    from rules.model.system import System


@dataclass(frozen=True, slots=True)
class Derived:
    """A derived trait: its key and label, the rule that it stands on, how it is worked out, and in what unit."""

    key: str
    label: str
    rule: str
    value: Callable[[Sheet, System], int]
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Merit:
    """A Merit that the rules make something of, by the key that sheets have for it."""

    key: str
    label: str
    rule: str


def initiative(rule: str) -> Derived:
    """What is added to the initiative die."""
    return Derived(
        "initiative", phrase("Initiative"), rule, lambda sheet, ruleset: ruleset.initiative.rating(sheet, ruleset)
    )


def health(rule: str) -> Derived:
    """How many boxes there are."""
    return Derived("health", phrase("Health"), rule, lambda sheet, ruleset: len(ruleset.health.levels(ruleset, sheet)))


def running(rule: str) -> Derived:
    """How far somebody runs in a turn."""
    return Derived("running", phrase("Running"), rule, running_distance, "m")


def running_distance(sheet: Sheet, ruleset: System) -> int:
    """The metres that somebody runs in a turn, by the settings for it (AP-SIT-9)."""
    dexterity = ruleset.layout.dots(sheet, "dexterity")
    return int(ruleset.settings["running_base"] + ruleset.settings["running_per_dot"] * dexterity)
