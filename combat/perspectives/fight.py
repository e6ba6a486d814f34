"""What the views are built from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from combat.perspectives.log import Happened
from rules.encounter import Encounter
from rules.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Fight:
    """All that views are built from. `rows` are the whole log; `owners` says whose each character is.

    `undo` and `redo` say in a few words what they would do. `outside_fights`: it is none, but the rolls outside of any.
    """

    name: str
    scene: str
    state: Encounter
    rows: Sequence[Happened]
    ruleset: Ruleset
    owners: Mapping[str, int]
    undo: str = ""
    redo: str = ""
    outside_fights: bool = False

    def characters_of(self, user_id: int) -> frozenset[str]:
        """The characters that a user plays."""
        return frozenset(character for character, owner in self.owners.items() if owner == user_id)
