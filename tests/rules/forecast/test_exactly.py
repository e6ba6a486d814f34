"""Small fights that can be computed exactly: with icepool for an attack, and as an absorbing chain for the fight.

Nothing here asks the engine: the pools are those of the rulebook. Two fight with one weapon, without defence, until
one falls. The forecast must contain the exact numbers in its margins in at least 95 of 100 runs; the seeds are fixed,
so the test is deterministic.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import icepool
import pytest

from rules.forecast.forecast import forecast
from rules.forecast.policies import STEADY
from rules.forecast.setup import MOST_TURNS, Setup
from rules.forecast.tally import Tally
from rules.model.gear import Damage, Mode, Weapon
from rules.model.state import Side
from rules.model.system import System
from rules.systems.classic.masquerade.system import MASQUERADE
from rules.systems.storytelling.first_edition.system import DARKNESS
from rules.systems.wound_levels.system import WOUNDS
from rules.topics.commands import Newcomer
from tests.rules.forecast.people import draft, sheet

pytestmark = pytest.mark.no_cover
"""Thousands of fights that run what other tests run: measuring coverage would take as long again."""

RUNS, FIGHTS = 100, 40

BLADE = Weapon("blade", Mode.MELEE, 1, "strength", Damage.LETHAL)
BLADES = tuple(replace(BLADE, key=f"blade {number}") for number in range(12))
"""A botch breaks one."""

D10 = icepool.d10

Health = tuple[int, int]
"""What the hero and the thug can still lose."""

Chances = dict[Health, float]


@dataclass(frozen=True)
class Exact:
    """The exact values of a duel."""

    hero_wins: float
    hero_falls: float
    thug_falls: float
    turns: float
    hero_loses: float


def net_successes(pool: int, difficulty: int = 6) -> icepool.Die:
    """Successes less 1s."""
    return pool @ D10.map(lambda face: (face >= difficulty) - (face == 1))


def exploding(pool: int, depth: int = 8) -> icepool.Die:
    """8 and up succeed, and a 10 is rolled again."""
    one = icepool.Die({0: 7, 1: 3})
    for _ in range(depth):
        one = icepool.map(lambda face, more: int(face >= 8) + (more if face == 10 else 0), D10, one)
    return pool @ one


def levels(die: icepool.Die) -> dict[int, float]:
    """The chance of each level of harm, below zero counting as none."""
    chances = Counter[int]()
    for outcome in die.outcomes():
        chances[max(0, outcome)] += float(die.probability(outcome))
    return dict(chances)


# ------------------------------------------------------------------ an attack by the rulebook


def classic_hit(attacker: int, target: int) -> dict[int, float]:
    """Dexterity + Melee against 6; a hit does Strength + 1 dice, one more for each further success (MQ-DMG-1)."""

    def harm(net: int) -> icepool.Die:
        return icepool.Die([0]) if net < 1 else net_successes(attacker + 1 + net - 1).map(lambda count: max(0, count))

    return levels(net_successes(2 * attacker).map(harm))


def darkness_hit(attacker: int, target: int) -> dict[int, float]:
    """Strength + Weaponry + 1 − Defense: each success is a box (WD-ATK-1, WD-DEF-1)."""
    return levels(exploding(2 * attacker + 1 - target))


def wounds_hit(attacker: int, target: int) -> dict[int, float]:
    """Dexterity + Melee against 6: with this table of wounds, any hit is enough."""
    return levels(net_successes(2 * attacker).map(lambda net: int(net > 0)))


# ------------------------------------------------------------------ the order by the rulebook


HERO_FIRST, THUG_FIRST = "hero", "thug"


def classic_order(hero: int, thug: int) -> dict[str, float]:
    """A die and two Traits; equal totals go to the higher rating (MQ-INIT-2)."""
    assert hero > thug, "equal ratings would act at the same time"
    first = icepool.map(lambda mine, theirs: mine + 2 * hero >= theirs + 2 * thug, D10, D10).probability(True)
    return {HERO_FIRST: float(first), THUG_FIRST: 1 - float(first)}


def darkness_order(hero: int, thug: int) -> dict[str, float]:
    """The same; equal ratings roll until one is higher (WD-INIT-2)."""
    assert hero == thug
    return {HERO_FIRST: 0.5, THUG_FIRST: 0.5}


def wounds_order(hero: int, thug: int) -> dict[str, float]:
    """Successes on Dexterity + Wits; equal ones go to the higher Dexterity (WL-INIT-2)."""
    assert hero > thug
    rolls = net_successes(2 * hero), net_successes(2 * thug)
    first = icepool.map(lambda mine, theirs: mine >= theirs, *rolls).probability(True)
    return {HERO_FIRST: float(first), THUG_FIRST: 1 - float(first)}


# ------------------------------------------------------------------ the fight as a chain


def struck(chances: Chances, harm: dict[int, float], whom: int) -> Chances:
    """The chances after an attack by somebody who is on their feet, on somebody who is."""
    found = Counter[Health]()
    for health, chance in chances.items():
        if min(health) <= 0:
            found[health] += chance
            continue
        for lost, share in harm.items():
            left = list(health)
            left[whom] = max(0, left[whom] - lost)
            found[left[0], left[1]] += chance * share
    return dict(found)


def turn(chances: Chances, order: str, hits: tuple[dict[int, float], dict[int, float]]) -> Chances:
    """The chances after a turn in which both attack, in this order."""
    first, then = (0, 1) if order == HERO_FIRST else (1, 0)
    return struck(struck(chances, hits[first], then), hits[then], first)


def played(start: Health, orders: dict[str, float], hits: tuple[dict[int, float], ...], *, each_turn: bool) -> Exact:
    """The exact values of a duel in which initiative is rolled each turn, or once."""
    if not each_turn:
        parts = [(share, played(start, {order: 1.0}, hits, each_turn=True)) for order, share in orders.items()]
        return Exact(*(sum(share * vars(part)[name] for share, part in parts) for name in vars(parts[0][1])))
    chances, turns = {start: 1.0}, 0.0
    for _ in range(MOST_TURNS):
        turns += sum(chance for health, chance in chances.items() if min(health) > 0)
        mixed = Counter[Health]()
        for order, share in orders.items():
            for health, chance in turn(chances, order, hits).items():
                mixed[health] += share * chance
        chances = dict(mixed)
    return Exact(
        sum(chance for (hero, thug), chance in chances.items() if hero and not thug),
        sum(chance for (hero, _thug), chance in chances.items() if not hero),
        sum(chance for (_hero, thug), chance in chances.items() if not thug),
        turns,
        sum(chance * (start[0] - hero) for (hero, _thug), chance in chances.items()),
    )


# ------------------------------------------------------------------ the forecast


@dataclass(frozen=True)
class Duel:
    """A duel in one family, with the rulebook’s numbers.

    ``dots`` are those of the hero and the thug in everything, ``start`` is what each can lose.
    """

    system: System
    dots: tuple[int, int]
    start: Health
    hit: Callable[[int, int], dict[int, float]]
    order: Callable[[int, int], dict[str, float]]
    each_turn: bool

    @property
    def exact(self) -> Exact:
        hero, thug = self.dots
        hits = self.hit(hero, thug), self.hit(thug, hero)
        return played(self.start, self.order(hero, thug), hits, each_turn=self.each_turn)

    @property
    def setup(self) -> Setup:
        sheets = [sheet(self.system, *BLADES, dots=dots, willpower=0) for dots in self.dots]
        people = Newcomer("hero", sheets[0], player=True), Newcomer("thug", sheets[1])
        return Setup(draft(self.system, *people), self.system, dict.fromkeys(("hero", "thug"), STEADY))


DUELS = {
    "classic": Duel(
        MASQUERADE.with_options({"health_levels": (("Fine", 0), ("Rough", 0), ("Bad", 0), ("Out", None))}),
        (3, 2),
        (4, 4),
        classic_hit,
        classic_order,
        each_turn=True,
    ),
    "storytelling": Duel(
        DARKNESS.with_options(dict.fromkeys(("third_last_box", "second_last_box", "last_box"), 0)),
        (3, 3),
        (8, 8),
        darkness_hit,
        darkness_order,
        each_turn=False,
    ),
    "wound levels": Duel(
        WOUNDS.with_options({"wound_levels": ((1, 0, "incapacitated"),)}),
        (3, 2),
        (1, 1),
        wounds_hit,
        wounds_order,
        each_turn=False,
    ),
}


def within(tally: Tally, exact: Exact) -> Iterator[tuple[str, bool]]:
    """Whether each interval of the forecast contains the exact value."""
    chances = {
        "hero wins": (tally.standing(Side.ALLIES), exact.hero_wins),
        "hero falls": (tally.fallen("hero"), exact.hero_falls),
        "thug falls": (tally.fallen("thug"), exact.thug_falls),
    }
    for name, (chance, value) in chances.items():
        yield name, chance.low <= value <= chance.high
    yield "turns", abs(tally.turns.mean - exact.turns) <= tally.turns.margin


@pytest.mark.parametrize("family", DUELS)
def test_the_forecast_agrees_with_the_exact_values_within_its_margins(family: str) -> None:
    duel, agreed, whole = DUELS[family], Counter[str](), Tally()
    exact, setup = duel.exact, duel.setup
    for seed in range(RUNS):
        (*_, tally) = forecast(setup, seed, FIGHTS)
        agreed.update(name for name, fits in within(tally, exact) if fits)
        whole = whole.plus(tally)
    assert min(agreed.values()) >= 95, agreed
    assert all(fits for _name, fits in within(whole, exact)), "the mean of all runs is off"
    if family != "wound levels":  # where an injury has a level of its own
        lost = whole.lost("hero")
        assert abs(lost.mean - exact.hero_loses) <= lost.margin
