"""Hooks: questions to higher layers, which register their answers at startup."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager

from django.db import transaction

from rules.model.shapes import Shape

# From a character's id to the name of its running fight, "" if there is none.
FightOf = Callable[[str], str]

# From a character's id to its current shape, None for its own or an unknown one.
ShapeOf = Callable[[str], Shape | None]

# From the ids of a chronicle and a character to a transaction that locks the chronicle's unfinished fights.
FightsLocked = Callable[[str, str], AbstractContextManager[None]]

_asked: list[FightOf] = []
_asked_for_shapes: list[ShapeOf] = []
_locks: list[FightsLocked] = []


def register_fight_of(answer: FightOf) -> None:
    """Register the answer to `fight_of`. Idempotent."""
    if answer not in _asked:
        _asked.append(answer)


def fight_of(character_id: str) -> str:
    """The name of the running fight this character is in; "" if none."""
    return next((name for answer in _asked if (name := answer(character_id))), "")


def register_shape_of(answer: ShapeOf) -> None:
    """Register the answer to `shape_of`. Idempotent."""
    if answer not in _asked_for_shapes:
        _asked_for_shapes.append(answer)


def shape_of(character_id: str) -> Shape | None:
    """The character's current shape; None for its own."""
    return next((shape for answer in _asked_for_shapes if (shape := answer(character_id))), None)


def register_fights_locked(answer: FightsLocked) -> None:
    """Register the context manager behind `fights_locked`. Idempotent."""
    if answer not in _locks:
        _locks.append(answer)


@contextlib.contextmanager
def fights_locked(chronicle_id: str, character_id: str) -> Iterator[None]:
    """A transaction that may change a sheet together with its character's fights, which know it as it is.

    It locks fights before sheets, in the same order as fights do, to avoid deadlocks.
    """
    with contextlib.ExitStack() as stack:
        for lock in _locks:
            stack.enter_context(lock(chronicle_id, character_id))
        stack.enter_context(transaction.atomic())
        yield
