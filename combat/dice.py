"""Where faces come from in a live fight: the system's chance, or what fell on the table."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field

from rules.dice import Faces, Purpose, Throw
from rules.violations import bad_input

SIDES = 10
_chance = secrets.SystemRandom()


class SystemDice:
    """Dice of the system's cryptographic source."""

    def roll(self, throw: Throw) -> Faces:
        return tuple(_chance.randint(1, SIDES) for _ in range(throw.count))

    def pick(self, options: int) -> int:
        return _chance.randrange(options)


class DiceWanted(Exception):
    """A throw wants dice that nobody has typed yet: ask for exactly these, and send all again. Nothing changed."""

    def __init__(self, throw: Throw) -> None:
        super().__init__(throw)
        self.throw = throw


@dataclass(frozen=True, slots=True)
class TypedDice:
    """Dice that people threw. `given` holds faces by purpose and whose throw it is.

    Nobody need type for everybody: the throws of those in `by_hand` are asked for with :class:`DiceWanted`, all others
    come from `rest`.
    """

    given: Mapping[tuple[Purpose, str], Faces]
    by_hand: frozenset[str] = frozenset()
    rest: SystemDice = field(default_factory=SystemDice)

    def roll(self, throw: Throw) -> Faces:
        faces = self.given.get((throw.purpose, throw.by))
        if faces is None:
            if throw.by in self.by_hand:
                raise DiceWanted(throw)
            return self.rest.roll(throw)
        if len(faces) != throw.count:
            raise bad_input(f"The {throw.purpose} roll has {throw.count} dice, and {len(faces)} were typed.")
        if any(not 1 <= face <= SIDES for face in faces):
            raise bad_input(f"A die shows 1 to {SIDES}; write 10 for a 0.")
        return faces

    def pick(self, options: int) -> int:
        return self.rest.pick(options)

    def people(self) -> frozenset[str]:
        """Whose dice are in it."""
        return self.by_hand | {who for _purpose, who in self.given}
