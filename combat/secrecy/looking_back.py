"""Questions that the newest row which says something about them answers, however far back in the log it stands."""

from __future__ import annotations

from collections.abc import Callable, Hashable

from combat.cache import Kept
from combat.log.happened import Happened
from combat.secrecy.fight import Fight

MOST_ANSWERS = 2000
_answers = Kept(MOST_ANSWERS)


def look_back(fight: Fight, question: Hashable, answer: Callable[[Happened], bool | None]) -> bool:
    """The answer of the newest row that has one, False where none has.

    `answer` depends on nothing but the row and what the `question` names. What was answered is kept by the log's newest
    seal, so that the next look goes no farther back than to there.
    """
    found: bool | None = _answers.get((fight.head, question)) if fight.head else None
    if found is not None:
        return found
    for row in reversed(fight.rows):
        found = answer(row)
        if found is None and row.before:
            # What was answered when the row before this was the newest is true still: see `logs.as_they_stand`.
            found = _answers.get((row.before, question))
        if found is not None:
            break
    return bool(_answers.put((fight.head, question), bool(found)) if fight.head else found)
