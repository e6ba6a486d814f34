"""Questions answered by the newest log row with an answer, with a cache by the log's head."""

from __future__ import annotations

from collections.abc import Callable, Hashable

from combat.cache import Kept
from combat.log.happened import Happened
from combat.secrecy.fight import Fight

MOST_ANSWERS = 2000
_answers = Kept(MOST_ANSWERS)


def look_back(fight: Fight, question: Hashable, answer: Callable[[Happened], bool | None]) -> bool:
    """The answer of the newest row that has one; False if none has.

    `answer` must depend only on the row and the `question`. The result is cached by the log's newest seal, so that the
    next search only goes back to there.
    """
    found: bool | None = _answers.get((fight.head, question)) if fight.head else None
    if found is not None:
        return found
    for row in reversed(fight.rows):
        found = answer(row)
        if found is None and row.before:
            # The answer from when the row before this was the newest still holds: see `logs.as_they_stand`.
            found = _answers.get((row.before, question))
        if found is not None:
            break
    return bool(_answers.put((fight.head, question), bool(found)) if fight.head else found)
