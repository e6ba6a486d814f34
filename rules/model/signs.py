"""Signs: chips that show something about a combatant at a glance, beyond their conditions."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from rules.model.state import Encounter


@dataclass(frozen=True, slots=True)
class Sign:
    """A chip beside a combatant's name.

    An ``own`` sign is only for readers who may see all of them. ``instead_of`` is a condition that it replaces. Names
    in the ``text`` that a reader might not know are masked, except for marked ones
    (:class:`rules.engine.phrases.Typed`): a combatant's name in the state is already known by that name.
    """

    key: str
    text: str
    own: bool = False
    instead_of: str = ""


FightSigns = Callable[[Encounter], Iterable[str]]
"""(state) -> what is to be told of the fight, to everybody, in a few words each."""

Signs = Callable[[Encounter, str], Iterable[Sign]]
"""(state, who) -> what can be told of somebody, in a state that holds only whom the reader sees."""
