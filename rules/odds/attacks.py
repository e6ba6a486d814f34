"""Exact chances of a planned attack: counts of throws, no sampling.

With unlimited rerolls there is no last throw to count. A pool's chance of exactly n successes is still a whole number
over a power of ten (:mod:`rules.odds.success_count`); everything beyond the largest number of boxes is, exactly, in the
last count.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache

from rules.engine.violations import RuleViolation
from rules.model.attack import Attack
from rules.model.choices import Defence
from rules.model.conditions import DEAD
from rules.model.damage_steps import Points, total, worst_first, wound
from rules.model.gear import Damage
from rules.model.outcomes import Outcomes
from rules.model.plan import Against, PoolPlan
from rules.model.sheet import Sheet
from rules.model.system import Game, Mechanic, System, Track
from rules.strike.active_defence import DEFENSE, defense_in
from rules.strike.attack import plan_answered, plan_attack

MOST_FATES = 4096
"""Size of the memo for :func:`_fate`: some sixty entries for each victim and type of damage."""


@dataclass(frozen=True)
class Odds:
    """Possible results of an attack against one target. All chances are exact fractions.

    ``levels[n]`` is the chance of marking exactly n levels; with rerolls, the last holds the chance of that many or
    more. ``states`` is the chance of each condition that the damage may cause (incapacitated, dying, torpor, dead).
    ``mean`` is the exact average if ``levels`` doesn't hold it.
    """

    hit: Fraction
    botch: Fraction
    levels: tuple[Fraction, ...]
    states: Mapping[str, Fraction]
    dramatic: Fraction = Fraction(0)
    exceptional: Fraction = Fraction(0)
    mean: Fraction | None = None

    @cached_property
    def expected(self) -> Fraction:
        """Levels marked on average."""
        if self.mean is not None:
            return self.mean
        return sum((n * chance for n, chance in enumerate(self.levels)), Fraction(0))

    @property
    def harms(self) -> Fraction:
        """The chance of marking anything."""
        return 1 - self.levels[0]

    @property
    def incapacitates(self) -> Fraction:
        """The chance that the target is out of action afterwards."""
        return sum(self.states.values(), Fraction(0))

    @property
    def kills(self) -> Fraction:
        """The chance that the target is dead afterwards."""
        return self.states.get(DEAD, Fraction(0))

    def at_least(self, levels: int) -> Fraction:
        """The chance of marking that many levels or more."""
        return sum(self.levels[levels:], Fraction(0))


@dataclass(frozen=True)
class Prospects:
    """The chances of an attack on a target who doesn't defend (``bare``), and on one who defends as well as possible.

    ``passive`` are those with the Defense that applies by itself, ``None`` if there is none. ``defence`` is the key of
    the best defence (:data:`DEFENSE` for that one); if none helps it is "" and ``best`` is ``None``.
    """

    bare: Odds
    passive: Odds | None = None
    best: Odds | None = None
    defence: str = ""


def prospects(game: Game, command: Attack) -> Prospects:
    """The chances of an attack against its first target, ignoring the defence that the command holds.

    The best defence is the one with the least average damage among those the target can use now. Raises
    :class:`rules.engine.violations.RuleViolation` if the attack itself is forbidden.
    """
    open_to_all = replace(command, defences={})
    plan = plan_attack(game, open_to_all).against[0]
    bare = _undefended(game, open_to_all, plan)
    answers = {DEFENSE: odds(plan, game)} if defense_in(plan.attack.parts) else {}
    answers |= each_answer(game, open_to_all, plan.target)
    defence = least_damage({"": bare, **answers})
    return Prospects(bare, answers.get(DEFENSE), answers.get(defence), defence)


def undefended(game: Game, command: Attack) -> Odds:
    """The chances of an attack on its first target if nothing defends it: no defence makes them better.

    Raises as :func:`prospects`.
    """
    open_to_all = replace(command, defences={})
    return _undefended(game, open_to_all, plan_attack(game, open_to_all).against[0])


def _undefended(game: Game, command: Attack, plan: Against) -> Odds:
    """The chances without the Defense that applies by itself in a plan of this attack."""
    own = {part.key for part in defense_in(plan.attack.parts)}
    if own:
        plan = plan_attack(game, replace(command, strike=command.strike | own)).against[0]
    return odds(plan, game)


def least_damage(answers: Mapping[str, Odds]) -> str:
    """The answer with the least average damage, then the smallest chance to be hit; the first of equals."""
    return min(answers, key=lambda kind: (answers[kind].expected, answers[kind].hit))


def each_answer(game: Game, command: Attack, target: str) -> Iterator[tuple[str, Odds]]:
    """The chances of an attack as each defence that the target can give now leaves them."""
    for kind in game.system.attack.defences.kinds:
        try:
            plan = plan_answered(game, command, target, Defence(kind))
        except RuleViolation:
            continue
        yield kind, odds(plan, game)


def odds(plan: Against, game: Game) -> Odds:
    """The exact chances of a planned attack on its target as the target is now.

    Attack, defence, damage with overage and soak count; what a parry may do back does not.
    """
    victim = game.state.combatants[plan.target].sheet
    attack = game.system.mechanic.outcomes_of(plan.attack)
    if plan.damage is None:
        return _successes_alone(plan, attack, victim, game.system)
    net, net_total = _net(plan, game.system.mechanic)
    levels, throws = _levels(plan, net, victim, game)
    whole = net_total * throws
    chances = tuple(Fraction(count, whole) for count in levels)
    return Odds(
        Fraction(net_total - net[0], net_total),
        Fraction(attack.botches, attack.total),
        chances,
        _states(chances, plan, victim, game.system.health),
    )


def _successes_alone(plan: Against, attack: Outcomes, victim: Sheet, system: System) -> Odds:
    """The chances if the attack's successes are the damage, after all steps."""
    if plan.attack.outright:
        attack = replace(_certain(plan.automatic), mean=Fraction(plan.automatic))
    dealt = [_dealt(plan, successes) for successes in range(len(attack.successes))]
    chances = [Fraction(count, attack.total) for count in attack.successes]
    points = [total(each) for each in dealt]
    levels = [Fraction(0)] * (max(points) + 1)
    for marked, chance in zip(points, chances, strict=True):
        levels[marked] += chance
    return Odds(
        1 - chances[0],
        Fraction(attack.botches, attack.total),
        tuple(levels),
        _states_by(zip(chances, dealt, strict=True), victim, system),
        Fraction(attack.dramatic, attack.total),
        Fraction(attack.exceptional, attack.total),
        _mean(plan, attack, chances, points),
    )


def _dealt(plan: Against, successes: int) -> Points:
    """The points by type for a number of successes."""
    return wound(successes, plan.damage_type, plan.steps)[0]


def _mean(plan: Against, attack: Outcomes, chances: list[Fraction], points: list[int]) -> Fraction:
    """The exact average of the points, beyond the last count too: there each success more is a point more, or none."""
    last = len(points) - 1
    growth = total(_dealt(plan, last + 1)) - points[last]
    # What is off from a straight line through the last count; the line itself has the successes' own average.
    off = sum(
        (
            chance * (marked - points[last] - growth * (n - last))
            for n, (chance, marked) in enumerate(zip(chances, points, strict=True))
        ),
        Fraction(0),
    )
    return points[last] + growth * (attack.expected - last) + off


def _net(plan: Against, mechanic: Mechanic) -> tuple[list[int], int]:
    """How often the attack is left with how many successes after the defence, out of how many throws."""
    attack = _certain(plan.automatic) if plan.automatic else mechanic.outcomes_of(plan.attack)
    defence = _certain(0) if plan.defence is None else mechanic.outcomes_of(plan.defence)
    net = [0] * len(attack.successes)
    for hits, ways in enumerate(attack.successes):
        for answered, against in enumerate(defence.successes):
            net[plan.left(hits, answered)] += ways * against
    return net, attack.total * defence.total


def _levels(plan: Against, net: list[int], victim: Sheet, game: Game) -> tuple[list[int], int]:
    """How often how many levels are marked, in throws of the largest damage pool and the soak for each of ``net``."""
    part = game.system.attack.damage
    assert plan.soak is not None
    assert part is not None
    soak = _damage(plan.soak, game.system.mechanic)
    most = part.of_hit(plan, len(net) - 1)
    throws_of_most = _damage(most, game.system.mechanic).total
    whole = throws_of_most * soak.total
    marked = [0] * (most.pool + most.sure + 1)
    marked[0] = net[0] * whole
    for successes, ways in enumerate(net[1:], start=1):
        damage = _damage(part.of_hit(plan, successes), game.system.mechanic)
        weight = ways * (throws_of_most // damage.total)
        for levels, throws in enumerate(damage.successes):
            for soaked, resisted in enumerate(soak.successes):
                dealt = part.settle(max(0, levels - soaked), plan.damage_type, victim)
                marked[dealt] += weight * throws * resisted
    return marked, whole


def _damage(pool: PoolPlan, mechanic: Mechanic) -> Outcomes:
    """Distribution of a damage or soak pool; outright levels have one result."""
    return _certain(pool.pool) if pool.outright else mechanic.outcomes_of(pool)


def _certain(successes: int) -> Outcomes:
    """What needs no dice."""
    return Outcomes((*[0] * successes, 1), 0, 1)


def _states(chances: tuple[Fraction, ...], plan: Against, victim: Sheet, health: Track) -> dict[str, Fraction]:
    fates = health.fates(victim, len(chances), plan.damage_type)
    return _summed(zip(chances, fates, strict=True))


def _states_by(chances: Iterable[tuple[Fraction, Points]], victim: Sheet, system: System) -> dict[str, Fraction]:
    """The chance of each condition in which nobody acts, from the chances of what is marked."""
    same = _Same(victim)
    return _summed((chance, _fate(same, worst_first(points), system)) for chance, points in chances)


class _Same:
    """A cache key for a sheet: equal only to a key for the same object, since sheets can't be hashed."""

    __slots__ = ("sheet",)

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet

    def __hash__(self) -> int:
        return id(self.sheet)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.sheet is self.sheet


@lru_cache(maxsize=MOST_FATES)
def _fate(victim: _Same, points: tuple[tuple[Damage, int], ...], system: System) -> frozenset[str]:
    """The conditions in which nobody acts after these points of damage. All attacks on a victim share them."""
    hurt = victim.sheet
    for damage, amount in points:
        hurt = system.health.inflict(hurt, amount, damage)
    return system.conditions.out(system.health.follows(hurt))


def _summed(fates: Iterable[tuple[Fraction, frozenset[str]]]) -> dict[str, Fraction]:
    """The chance of each condition, from the chances of all results."""
    states: dict[str, Fraction] = {}
    for chance, conditions in fates:
        for condition in conditions:
            states[condition] = states.get(condition, Fraction(0)) + chance
    return states


def wins(mine: Outcomes, theirs: Outcomes | None, ahead: int = 0) -> Fraction:
    """The chance that one roll has more successes than another (``None``: none), ``ahead`` being given beforehand.

    Where dice are rolled again, what lies beyond the last count of both is a tie.
    """
    against, total = ((1,), 1) if theirs is None else (theirs.successes, theirs.total)
    ways = sum(
        count * other
        for won, count in enumerate(mine.successes)
        for lost, other in enumerate(against)
        if won + ahead > lost
    )
    return Fraction(ways, mine.total * total)
