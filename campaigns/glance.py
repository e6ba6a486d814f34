"""Characters at a glance, for the cast on a chronicle's page. The app above knows sheets and registers the answer.

Only for readers who may read the sheets: the caller says whose.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Glance:
    """A character's health, points and lasting conditions.

    `boxes` are the health boxes, each with its damage type or "" (empty where a ruleset has none), `health` the same in
    words. `points` are label, present and maximum number of each resource, `lasting` the conditions in words.
    """

    boxes: tuple[str, ...]
    health: str
    points: tuple[tuple[str, int, int], ...]
    lasting: tuple[str, ...]


# From characters of one chronicle to a glance at each, by id. No queries.
Glances = Callable[[Iterable[Any]], Mapping[str, Glance]]

_answers: list[Glances] = []


def register_glances(answer: Glances) -> None:
    """Register the answer to `glances`. Idempotent."""
    if answer not in _answers:
        _answers.append(answer)


def glances(characters: Iterable[Any]) -> dict[str, Glance]:
    """A glance at each of these characters, by id."""
    found = list(characters)
    return {who: glance for answer in _answers for who, glance in answer(found).items()}
