"""Sources of dice in a live fight: the system's random generator, or dice typed from the table."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from rules.engine.dice import Faces, Purpose, Throw
from rules.engine.phrases import phrase, phrases
from rules.engine.violations import RuleViolation, bad_input
from rules.model.words import in_words

SIDES = 10
_chance = secrets.SystemRandom()


class SystemDice:
    """Dice from the system's cryptographic random source."""

    def roll(self, throw: Throw) -> Faces:
        return tuple(_chance.randint(1, SIDES) for _ in range(throw.count))

    def pick(self, options: int) -> int:
        return _chance.randrange(options)


class DiceWanted(Exception):
    """A throw needs dice that are not typed yet: ask for exactly these, and send everything again. Nothing changed."""

    def __init__(self, throw: Throw) -> None:
        super().__init__(throw)
        self.throw = throw


def _miscounted(purpose: Purpose, count: int, typed: int) -> RuleViolation:
    if purpose is Purpose.ROLL:
        return bad_input(phrases("this-roll-has-dice", count, typed=typed))
    return bad_input(phrases("this-sort-of-roll-has-dice", count, purpose=in_words(purpose), typed=typed))


@dataclass(frozen=True, slots=True)
class TypedDice:
    """Typed dice. `given` holds faces by purpose and roller.

    Only the throws of those in `by_hand` are asked for (:class:`DiceWanted`), except those in `rolled`; all others use
    `rest`. Rerolls are typed after the roll's own dice; while they are missing, the whole roll is asked for again, with
    fields for them.
    :meth:`check_used` rejects surplus dice. In an attack on several targets, the rolls after the first are keyed by
    :func:`roller_at`.
    """

    given: Mapping[tuple[Purpose, str], Faces]
    by_hand: frozenset[str] = frozenset()
    rest: SystemDice = field(default_factory=SystemDice)
    rolled: frozenset[tuple[Purpose, str]] = frozenset()
    _taken: dict[tuple[Purpose, str], int] = field(default_factory=dict, init=False)
    _first: dict[str, str] = field(default_factory=dict, init=False)

    def roll(self, throw: Throw) -> Faces:
        place = (throw.purpose, self._roller(throw))
        faces, taken = self.given.get(place), self._taken.get(place, 0) if throw.may_go_on else 0
        if faces is None or (taken and taken == len(faces)):
            if throw.by in self.by_hand and place not in self.rolled:
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
        """The roller key of a throw's dice."""
        if throw.purpose is not Purpose.ATTACK or self._first.setdefault(throw.by, throw.target) == throw.target:
            return throw.by
        return roller_at(throw.by, throw.target)

    def check_used(self) -> None:
        """Reject surplus dice typed after a roll."""
        for place, taken in self._taken.items():
            if taken < len(self.given[place]):
                raise _miscounted(place[0], taken, len(self.given[place]))

    def pick(self, options: int) -> int:
        return self.rest.pick(options)

    def people(self) -> frozenset[str]:
        """The ids of everybody whose dice are typed."""
        return self.by_hand | {roller(who) for _purpose, who in self.given}


_AT = "@"


def roller_at(by: str, target: str) -> str:
    """The roller key of one of several rolls by the same attacker against different targets."""
    return f"{by}{_AT}{target}"


def roller(who: str) -> str:
    """The combatant's id in a roller key."""
    return who.partition(_AT)[0]


def rolled_at(who: str) -> str:
    """The target's id in a roller key, "" if it has none."""
    return who.partition(_AT)[2]
