"""What wound levels do, as a chronicle may decide otherwise: a table, a step to a line."""

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
# No two parts that could share the same spaces: matching stays linear in what somebody sends.
_LINE = re.compile(r"^(?P<level>\d{1,3})(?:\s*:)?(?:\s*(?P<penalty>[-+]?\d{1,2}))?(?:\s*(?P<state>[A-Za-z]+))?$")

Row = tuple[int, int, str]


@dataclass(frozen=True, slots=True)
class WoundTable:
    """Rows of (from which level on, the dice it takes, what becomes of somebody)."""

    def read(self, line: str) -> Row:
        """What a line says: “7: -3 dead”."""
        match = _LINE.match(line)
        if match is None:
            raise ValueError(phrase("write the level, the dice it takes and what follows, such as “7: -3 dead”."))
        return int(match["level"]), int(match["penalty"] or 0), (match["state"] or "").lower()

    def written(self, row: Sequence[Any]) -> str:
        """The line that says it."""
        level, penalty, state = row
        written = made_of("{level}: {penalty}", {"level": level, "penalty": penalty})
        return made_of("{row} {state}", {"row": written, "state": in_words(state)}) if state else written

    def check(self, rows: Sequence[Any]) -> tuple[Row, ...]:
        """The rows in order: each from a higher level on, taking no fewer dice, nobody coming back to their feet."""
        found = [_checked(row) for row in rows]
        for before, after in pairwise(found):
            if after[0] <= before[0]:
                raise ValueError(
                    phrase(
                        "Level {level} stands behind level {before}: lowest first, each once.",
                        level=after[0],
                        before=before[0],
                    )
                )
            if after[1] > before[1]:
                raise ValueError(
                    phrase("Level {level} takes fewer dice than level {before}.", level=after[0], before=before[0])
                )
            if STATES.index(after[2]) < STATES.index(before[2]):
                raise ValueError(
                    phrase("Level {level} cannot be less than {state}.", level=after[0], state=in_words(before[2]))
                )
        return tuple(found)


def _checked(row: Any) -> Row:
    if not isinstance(row, Sequence) or isinstance(row, str) or len(row) != 3:
        raise ValueError(phrase("Each line is a wound level, the dice it takes, and what becomes of somebody."))
    level, penalty, state = row
    if isinstance(level, bool) or not isinstance(level, int) or not 1 <= level <= MOST_LEVEL:
        raise ValueError(phrase("A wound level lies between 1 and {most_wound_level}.", most_wound_level=MOST_LEVEL))
    if isinstance(penalty, bool) or not isinstance(penalty, int) or not -10 <= penalty <= 0:
        raise ValueError(phrase("The penalty of level {level} must lie between -10 and 0.", level=level))
    if state not in STATES:
        raise ValueError(phrase("Level {level} leaves somebody on their feet, incapacitated or dead.", level=level))
    return level, penalty, str(state)
