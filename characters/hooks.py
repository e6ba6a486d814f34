"""Questions that only an app above this one can answer. It registers its answer when it starts."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager

from django.db import transaction

from rules.model.shapes import Shape

# Given a character's id: the name of the encounter that is running with it, empty when there is none.
FightOf = Callable[[str], str]

# Given a character's id: the shape that they are in, None for their own or where nobody knows of another.
ShapeOf = Callable[[str], Shape | None]

# Given a chronicle's id: a transaction in which its unfinished fights are locked.
FightsLocked = Callable[[str], AbstractContextManager[None]]

_asked: list[FightOf] = []
_asked_for_shapes: list[ShapeOf] = []
_locks: list[FightsLocked] = []


def register_fight_of(answer: FightOf) -> None:
    """Ask `answer` from now on which fight a character is in. To register the same function again changes nothing."""
    if answer not in _asked:
        _asked.append(answer)


def fight_of(character_id: str) -> str:
    """The name of the running encounter that this character is in; empty when it is in none."""
    return next((name for answer in _asked if (name := answer(character_id))), "")


def register_shape_of(answer: ShapeOf) -> None:
    """Ask `answer` from now on which shape a character is in. To register the same function again changes nothing."""
    if answer not in _asked_for_shapes:
        _asked_for_shapes.append(answer)


def shape_of(character_id: str) -> Shape | None:
    """The shape that this character is in now, None for their own."""
    return next((shape for answer in _asked_for_shapes if (shape := answer(character_id))), None)


def register_fights_locked(answer: FightsLocked) -> None:
    """Lock a chronicle's fights with `answer` from now on. To register the same function again changes nothing."""
    if answer not in _locks:
        _locks.append(answer)


@contextlib.contextmanager
def fights_locked(chronicle_id: str) -> Iterator[None]:
    """A transaction that may change a sheet and, with it, the fights that its character is in.

    Fights lock themselves first and sheets after, so an edit has to lock in the same order.
    """
    with contextlib.ExitStack() as stack:
        for lock in _locks:
            stack.enter_context(lock(chronicle_id))
        stack.enter_context(transaction.atomic())
        yield
