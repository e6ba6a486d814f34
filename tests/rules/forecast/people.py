"""Fights for the tests of the forecast."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from rules.decide import decide
from rules.engine.dice import NO_DICE
from rules.engine.messages import Command, replay
from rules.forecast.policies import POLICIES
from rules.forecast.setup import Setup
from rules.model.gear import Weapon
from rules.model.sheet import Category, Sheet
from rules.model.state import Encounter
from rules.model.system import System
from rules.topics.commands import Join, Newcomer
from tests.rules.fights import Fights


def sheet(system: System, *weapons: Weapon, kind: str = "mortal", dots: int = 2, **traits: int) -> Sheet:
    """A sheet with as many dots in every Attribute and Ability."""
    rolled = (Category.ATTRIBUTE, Category.ABILITY)
    plain = {trait.key: dots for trait in system.layout.traits() if trait.category in rolled}
    return Sheet("Somebody", kind, {**plain, "willpower": 3, **traits}, weapons=weapons)


def draft(system: System, *newcomers: Newcomer) -> Encounter:
    """A drafted fight."""
    return after(Encounter(), system, Join(newcomers))


def after(state: Encounter, system: System, *commands: Command) -> Encounter:
    """The state after commands that roll nothing."""
    for command in commands:
        state = replay(state, decide(state, command, system, NO_DICE))
    return state


def random_setup(fights: Fights, system: System, random: Random, names: Iterable[str]) -> Setup:
    """A draft with random sheets, sides, policies and distance: somebody able to act is on either side."""
    able = sheet(system, kind="mortal")
    newcomers = [Newcomer("hero", able, player=True), Newcomer("foe", able, hidden=random.random() < 0.3)]
    newcomers += [
        Newcomer(name, fights.somebody(random, system), player=random.random() < 0.5, side=random.choice(SIDES))
        for name in names
    ]
    policies = {each.id: random.choice(list(POLICIES.values())) for each in newcomers if random.random() < 0.7}
    return Setup(draft(system, *newcomers), system, policies, random.choice([0, 0, 15, 50]), most_turns=12)


SIDES = ("", "", "allies", "enemies", "others")
