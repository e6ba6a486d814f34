"""Tests the system's dice for fairness with a million rolls, and checks that the same test catches loaded dice.

Run from the repository's root: ``python bench/dice.py [FACES]``. Exits with 1 if fair dice fail or loaded ones pass.
Fair dice fail by chance once in a million runs.
"""

# ruff: noqa: T201 (prints its results)

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from time import perf_counter

sys.path.insert(0, str(Path(__file__).parents[1]))

from combat.commands.dice import SIDES, SystemDice
from combat.history.fairness import Fit, fit, fit_of_pairs
from rules.engine.dice import Purpose, Throw

LIMIT = 1e-6
AT_ONCE = 10_000


def system(count: int) -> list[int]:
    """Dice as rolled in a fight."""
    dice, faces = SystemDice(), list[int]()
    while len(faces) < count:
        faces += dice.roll(Throw(Purpose.ROLL, "bench", min(AT_ONCE, count - len(faces))))
    return faces


def loaded(count: int) -> list[int]:
    """One face is 5 % more likely: some of the other faces are turned to a 10."""
    dice = SystemDice()
    return [SIDES if dice.pick(180) == 0 else face for face in system(count)]


def short(count: int) -> list[int]:
    """An off-by-one error: one face never falls."""
    dice = SystemDice()
    return [dice.pick(SIDES - 1) + 1 for _ in range(count)]


def sticky(count: int) -> list[int]:
    """Every face is equally likely, but each roll has a chance of 1 in 50 to repeat the previous one."""
    dice, faces = SystemDice(), system(count)
    for place in range(1, count):
        if dice.pick(50) == 0:
            faces[place] = faces[place - 1]
    return faces


DICE: tuple[tuple[str, Callable[[int], list[int]], bool], ...] = (
    ("the system's", system, True),
    ("one face +5 %", loaded, False),
    ("a face missing", short, False),
    ("sticky", sticky, False),
)


def fits(faces: list[int]) -> tuple[Fit, Fit]:
    """Goodness of fit of the faces, and of consecutive pairs."""
    return fit([faces.count(face) for face in range(1, SIDES + 1)]), fit_of_pairs(faces)


def main(arguments: Iterable[str]) -> int:
    count = int(next(iter(arguments), 1_000_000))
    wrong = 0
    print(f"{count} rolls each; dice less even than all but one in {1 / LIMIT:,.0f} fair ones fail")
    print(f"{'dice':16} {'even':>12} {'pairs':>12}   result")
    for name, die, is_fair in DICE:
        started = perf_counter()
        even, pairs = fits(die(count))
        passes = min(even.chance, pairs.chance) >= LIMIT
        wrong += passes is not is_fair
        verdict = f"{'fair' if passes else 'loaded'} in {perf_counter() - started:.1f} s"
        print(f"{name:16} {even.chance:12.3g} {pairs.chance:12.3g}   {verdict}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
