"""A chronicle's table of wound levels and their effects, one row per line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from rules.engine.phrases import made_of, phrase
from rules.model.conditions import DEAD, INCAPACITATED
from rules.model.words import in_words

STATES = ("", INCAPACITATED, DEAD)
MOST_LEVEL = 99
# No two adjacent groups match the same spaces, so matching is linear in the input's length.
_LINE = re.compile(r"^(?P<level>\d{1,3})(?:\s*:)?(?:\s*(?P<penalty>[-+]?\d{1,2}))?(?:\s*(?P<state>[A-Za-z]+))?$")

Row = tuple[int, int, str]


@dataclass(frozen=True, slots=True)
class WoundTable:
    """Rows of (lowest wound level, dice lost, resulting condition)."""

    def read(self, line: str) -> Row:
        """Parse a line such as “7: -3 dead”."""
        match = _LINE.match(line)
        if match is None:
            raise ValueError(phrase("write-level-dice-it-takes"))
        return int(match["level"]), int(match["penalty"] or 0), (match["state"] or "").lower()

    def written(self, row: Sequence[Any]) -> str:
        """The line for a row."""
        level, penalty, state = row
        written = made_of("{level}: {penalty}", {"level": level, "penalty": penalty})
        return made_of("{row} {state}", {"row": written, "state": in_words(state)}) if state else written

    def check(self, rows: Sequence[Any]) -> tuple[Row, ...]:
        """The rows in order: levels must increase, dice lost must not decrease, conditions must not improve."""
        found = [_checked(row) for row in rows]
        for before, after in pairwise(found):
            if after[0] <= before[0]:
                raise ValueError(
                    phrase(
                        "level-is-listed-after-level-list-lowest",
                        level=after[0],
                        before=before[0],
                    )
                )
            if after[1] > before[1]:
                raise ValueError(phrase("level-cant-take-fewer-dice-than-level", level=after[0], before=before[0]))
            if STATES.index(after[2]) < STATES.index(before[2]):
                raise ValueError(phrase("level-cant-be-milder-than", level=after[0], state=in_words(before[2])))
        return tuple(found)


def _checked(row: Any) -> Row:
    if not isinstance(row, Sequence) or isinstance(row, str) or len(row) != 3:
        raise ValueError(phrase("enter-wound-level-dice-it-takes"))
    level, penalty, state = row
    if isinstance(level, bool) or not isinstance(level, int) or not 1 <= level <= MOST_LEVEL:
        raise ValueError(phrase("wound-level-must-be-from-1-to", most_wound_level=MOST_LEVEL))
    if isinstance(penalty, bool) or not isinstance(penalty, int) or not -10 <= penalty <= 0:
        raise ValueError(phrase("penalty-at-level-must-be-from-10", level=level))
    if state not in STATES:
        raise ValueError(phrase("level-write-nothing-incapacitated-or-dead", level=level))
    return level, penalty, str(state)
