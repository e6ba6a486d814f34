"""Made-up powers for any ruleset: random ones for the laws."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

from rules.model.conditions import PRONE, STUNNED
from rules.model.gear import Armor, Damage, Mode, Weapon
from rules.model.power_effects import Does, Effect, Lasts, Notice, Per, Pool
from rules.model.powers import Cost, Power, Reach, Source, Test, Timing
from rules.model.sheet import Category
from rules.model.system import System

MOST = 3


def made_up(ruleset: System, random: Random) -> tuple[Power, ...]:
    """Up to three random powers that everybody has, or everybody with a dot of some Trait."""
    return tuple(_power(f"made_up_{number}", ruleset, random) for number in range(random.randint(0, MOST)))


def _power(key: str, ruleset: System, random: Random) -> Power:
    timing, reach = random.choice(list(Timing)), random.choice(list(Reach))
    lasts = random.choice(list(Lasts))
    attributes = _attributes(ruleset)
    resources = [each.key for each in ruleset.layout.resources]
    test = Test(
        (random.choice(attributes),),
        resist=(random.choice(attributes),) if reach is Reach.ONE and random.random() < 0.5 else (),
    )
    return Power(
        key,
        key,
        ruleset.cites["pool"],
        Source.SPELL,
        tuple(_effect(ruleset, random, always=timing is Timing.ALWAYS) for _each in range(random.randint(1, 3))),
        trait=random.choice(["", *attributes]),
        timing=timing,
        costs=tuple(Cost(one, random.randint(1, 2)) for one in random.sample(resources, k=random.randint(0, 1))),
        points=random.choice([0, 0, 3]),
        test=test if random.random() < 0.4 else None,
        reach=reach,
        lasts=lasts,
        turns=random.randint(1, 2),
        turns_per=random.choice([Per.ONCE, Per.SUCCESSES, Per.RATING]),
        hours=random.randint(1, 24) if lasts is Lasts.HOURS else 0,
        notice=random.choice(list(Notice)),
    )


def _attributes(ruleset: System) -> list[str]:
    return [trait.key for trait in ruleset.layout.traits() if trait.category is Category.ATTRIBUTE]


def _effect(ruleset: System, random: Random, *, always: bool) -> Effect:
    varies = ruleset.mechanic.lowest < ruleset.mechanic.highest
    pooled = [Does.DICE, Does.SUCCESSES, *([Does.DIFFICULTY] if varies else [])]
    does = random.choice([*pooled, Does.TRAIT] if always else [*pooled, *_MADE])
    if does in _MADE:
        return _MADE[does](ruleset, random)
    return Effect(
        does,
        random.randint(0, 2) if does is Does.SUCCESSES else random.randint(-2, 3),
        random.choice(list(Per)),
        frozenset(random.sample(list(Pool), k=random.randint(1, 3))),
        traits=frozenset(random.sample(_attributes(ruleset), k=random.choice([0, 0, 1]))),
        modes=frozenset(random.sample(list(Mode), k=random.choice([0, 0, 2]))),
        damage=frozenset(random.sample(list(Damage), k=random.choice([0, 0, 2]))),
        on_target=random.random() < 0.3,
    )


def _trait(ruleset: System, random: Random) -> Effect:
    traits = random.sample(_attributes(ruleset), k=random.choice([1, 1, 2]))
    return Effect(Does.TRAIT, random.randint(-2, 3), traits=frozenset(traits), most=random.choice([0, 6]))


_MADE: Mapping[Does, Callable[[System, Random], Effect]] = {
    Does.TRAIT: _trait,
    Does.DAMAGE: lambda _ruleset, random: Effect(
        Does.DAMAGE, damage=frozenset({random.choice(list(Damage))}), tags=frozenset({"silver"})
    ),
    Does.WEAPON: lambda _ruleset, random: Effect(
        Does.WEAPON, weapon=Weapon("thorns", Mode.UNARMED, random.randint(0, 3), "strength")
    ),
    Does.ARMOR: lambda _ruleset, random: Effect(
        Does.ARMOR, armor=Armor("bark", random.randint(1, 3), supernatural=True)
    ),
    Does.CONDITION: lambda _ruleset, random: Effect(
        Does.CONDITION, condition=random.choice([PRONE, STUNNED, "shining"]), on_target=random.random() < 0.5
    ),
    Does.CURE: lambda _ruleset, _random: Effect(Does.CURE, condition=PRONE),
    Does.HEAL: lambda _ruleset, random: Effect(
        Does.HEAL, random.randint(1, 3), damage=frozenset({random.choice(list(Damage))})
    ),
    Does.SOFTEN: lambda _ruleset, random: Effect(
        Does.SOFTEN, random.randint(1, 2), damage=frozenset({random.choice([Damage.LETHAL, Damage.AGGRAVATED])})
    ),
    Does.EASE: lambda _ruleset, random: Effect(Does.EASE, random.randint(1, 2), lifts=frozenset({"wounds"})),
    Does.FIRST: lambda _ruleset, _random: Effect(Does.FIRST),
    Does.ACTIONS: lambda _ruleset, random: Effect(Does.ACTIONS, random.randint(1, 2)),
    Does.SIGHT: lambda ruleset, random: Effect(
        Does.SIGHT, lifts=frozenset(random.sample(sorted(ruleset.modifiers), k=2))
    ),
}
