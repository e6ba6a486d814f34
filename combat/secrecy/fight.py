"""What the views are built from."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from combat.log.happened import Happened
from rules.model.state import Encounter
from rules.model.system import Game, System


@dataclass(frozen=True, slots=True)
class Fight:
    """All that views are built from. `game` is where it stands, by the chronicle's rules, for questions that roll
    nothing. `rows` are the log, read from its end; `owners` says whose each character is.

    `undo` and `redo` say in a few words what they would do. `outside_fights`: it is none, but the rolls outside of any.
    `clocks` says of open questions when they answer themselves (:mod:`combat.log.clocks`).
    `held` is the token of a row that only those who rolled see yet, "" for none, and `so_far` the fight before it. What
    came after it only the Storyteller sees. `head` is the seal of the log's newest row, "" where nothing may be
    remembered by it.
    """

    name: str
    scene: str
    game: Game
    rows: Sequence[Happened]
    owners: Mapping[str, int]
    undo: str = ""
    redo: str = ""
    outside_fights: bool = False
    clocks: Mapping[str, float | None] = field(default_factory=dict)
    held: str = ""
    so_far: Callable[[], Fight] | None = None
    head: str = ""

    @property
    def state(self) -> Encounter:
        """Where it stands, with everybody in it."""
        return self.game.state

    @property
    def ruleset(self) -> System:
        """The rules as its chronicle plays them."""
        return self.game.system

    def characters_of(self, user_id: int) -> frozenset[str]:
        """The characters that a user plays."""
        return frozenset(character for character, owner in self.owners.items() if owner == user_id)
