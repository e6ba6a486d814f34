"""The input of the views: a fight with its log."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from combat.log.happened import Happened
from rules.model.state import Encounter
from rules.model.system import Game, System


@dataclass(frozen=True, slots=True)
class Waiting:
    """A reinforcement that waits outside the fight. `words` are quick add's, a line for each."""

    id: str
    label: str
    words: tuple[str, ...]
    hidden: bool
    mask: str
    side: str


@dataclass(frozen=True, slots=True)
class Fight:
    """Everything that views are built from.

    `game` is the current state under the chronicle's rules, without dice. `rows` is the log, read from its end;
    `owners` maps characters to users, and `portraits` those that have one to its id. `undo` and `redo` describe what
    they would do. `outside_fights`: not a fight, but the rolls outside fights. `clocks` are the deadlines of open
    questions (:mod:`combat.log.clocks`).

    `held` is the token of a row that only those who rolled see so far, "" for none, and `so_far` gives the fight before
    it. Only the Storyteller sees what followed. `head` is the seal of the newest row, the cache key for answers about
    the log; "" forbids caching. `waiting` finds the reinforcements, which are for Storytellers only. `id` is the
    encounter's: rows and sheets are kept by it; "" forbids that.
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
    portraits: Mapping[str, str] = field(default_factory=dict)
    waiting: Callable[[], tuple[Waiting, ...]] = tuple
    id: str = ""

    @property
    def state(self) -> Encounter:
        """The current state, with all combatants."""
        return self.game.state

    @property
    def ruleset(self) -> System:
        """The ruleset with the chronicle's house rules."""
        return self.game.system

    def characters_of(self, user_id: int) -> frozenset[str]:
        """The characters that a user plays."""
        return frozenset(character for character, owner in self.owners.items() if owner == user_id)
