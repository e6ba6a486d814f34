"""Signs: what can be told of somebody at a glance besides their conditions."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from rules.model.state import Encounter


@dataclass(frozen=True, slots=True)
class Sign:
    """A chip beside somebody's name.

    A sign of one's ``own`` is for those alone who may know all of them. ``instead_of`` is a condition that needs no
    word beside it. Names in the ``text`` that a reader might not know are hidden from them, but for those that are
    marked (:class:`rules.engine.phrases.Typed`): the name of somebody in the state is known by that name already.
    """

    key: str
    text: str
    own: bool = False
    instead_of: str = ""


FightSigns = Callable[[Encounter], Iterable[str]]
"""(state) -> what is to be told of the fight, to everybody, in a few words each."""

Signs = Callable[[Encounter, str], Iterable[Sign]]
"""(state, who) -> what can be told of somebody, in a state that holds only whom the reader sees."""
