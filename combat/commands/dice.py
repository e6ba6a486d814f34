"""Where faces come from in a live fight: the system's chance, or what fell on the table."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from rules.engine.dice import Faces, Purpose, Throw
from rules.engine.phrases import phrase
from rules.engine.violations import RuleViolation, bad_input
from rules.model.words import in_words

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


def _miscounted(purpose: Purpose, count: int, typed: int) -> RuleViolation:
    return bad_input(
        phrase(
            "roll-has-dice-but-you-entered",
            purpose=in_words(purpose),
            count=count,
            typed=typed,
        )
    )


@dataclass(frozen=True, slots=True)
class TypedDice:
    """Dice that people threw. `given` holds faces by purpose and whose throw it is.

    Nobody need type for everybody: the throws of those in `by_hand` are asked for with :class:`DiceWanted`, all others
    come from `rest`. What a roll's rerolls brought is typed behind its own dice; as long as it is not, the whole roll
    is asked for, with room for them. :meth:`check_used` says when more was typed than fell. Of an attack at several
    the rolls after the first stand under :func:`roller_at`.
    """

    given: Mapping[tuple[Purpose, str], Faces]
    by_hand: frozenset[str] = frozenset()
    rest: SystemDice = field(default_factory=SystemDice)
    _taken: dict[tuple[Purpose, str], int] = field(default_factory=dict, init=False)
    _first: dict[str, str] = field(default_factory=dict, init=False)

    def roll(self, throw: Throw) -> Faces:
        place = (throw.purpose, self._roller(throw))
        faces, taken = self.given.get(place), self._taken.get(place, 0) if throw.may_go_on else 0
        if faces is None or (taken and taken == len(faces)):
            if throw.by in self.by_hand:
                raise DiceWanted(replace(throw, by=place[1], count=taken + throw.count))
            return self.rest.roll(throw)
        left = faces[taken:]
        if len(left) < throw.count or (len(left) > throw.count and not throw.may_go_on):
            raise _miscounted(throw.purpose, taken + throw.count, len(faces))
        if any(not 1 <= face <= SIDES for face in faces):
            raise bad_input(phrase("enter-numbers-from-1-to-write-10", sides=SIDES))
        self._taken[place] = taken + throw.count
        return left[: throw.count]

    def _roller(self, throw: Throw) -> str:
        """Under whose name a throw's dice stand."""
        if throw.purpose is not Purpose.ATTACK or self._first.setdefault(throw.by, throw.target) == throw.target:
            return throw.by
        return roller_at(throw.by, throw.target)

    def check_used(self) -> None:
        """Refuse dice that were typed behind a roll and never fell."""
        for place, taken in self._taken.items():
            if taken < len(self.given[place]):
                raise _miscounted(place[0], taken, len(self.given[place]))

    def pick(self, options: int) -> int:
        return self.rest.pick(options)

    def people(self) -> frozenset[str]:
        """Whose dice are in it."""
        return self.by_hand | {roller(who) for _purpose, who in self.given}


_AT = "@"


def roller_at(by: str, target: str) -> str:
    """Under whose name the dice of one of several rolls stand that somebody makes against different targets."""
    return f"{by}{_AT}{target}"


def roller(who: str) -> str:
    """Whose dice stand under a name."""
    return who.partition(_AT)[0]


def rolled_at(who: str) -> str:
    """Against whom they are rolled, "" where the name does not say."""
    return who.partition(_AT)[2]
