"""Questions that only an app above this one can answer. It registers its answer when it starts."""

from __future__ import annotations

from collections.abc import Callable

# Given a character's id: the name of the encounter that is running with it, empty when there is none.
FightOf = Callable[[str], str]

_asked: list[FightOf] = []


def register_fight_of(answer: FightOf) -> None:
    """Ask `answer` from now on which fight a character is in. To register the same function again changes nothing."""
    if answer not in _asked:
        _asked.append(answer)


def fight_of(character_id: str) -> str:
    """The name of the running encounter that this character is in; empty when it is in none."""
    return next((name for answer in _asked if (name := answer(character_id))), "")
