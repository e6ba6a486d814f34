"""Laws of every simulated fight: it ends, its rows are legal and follow from the seed, in every ruleset."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from functools import cache
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rules.decide import decide
from rules.engine.messages import Command, replay
from rules.engine.violations import RuleViolation
from rules.forecast.fight import Fought, fight
from rules.forecast.forecast import replayed
from rules.forecast.moves import Tactics
from rules.forecast.seeded import SeededDice
from rules.forecast.setup import SIDES, Setup, checked
from rules.model.state import Encounter
from rules.model.system import System
from rules.systems import RULESETS
from rules.topics.commands import Begin, RollInitiative
from rules.topics.events import RulesWaived
from tests.rules.fights import CAST, Fights, house_rules
from tests.rules.forecast.people import random_setup


@cache
def fights_of(key: str) -> Fights:
    return Fights(RULESETS[key])


@pytest.mark.parametrize("key", RULESETS)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(size=st.integers(0, 5), by_the_book=st.booleans(), seed=st.integers(0, 2**32))
def test_every_fight_is_legal_and_ends(key: str, size: int, by_the_book: bool, seed: int) -> None:
    random = Random(seed)
    system = RULESETS[key] if by_the_book else house_rules(RULESETS[key], random)
    setup = random_setup(fights_of(key), system, random, CAST[:size])
    fought = replayed(setup, seed, 7)
    check_rows(setup, fought)
    check_outcome(setup, fought)
    check_alone(setup, seed, fought)


def check_alone(setup: Setup, seed: int, fought: Fought) -> None:
    """A fight is the same whether it is played alone or after others."""
    tactics = Tactics(setup.system)
    *_before, again = [fight(checked(setup), SeededDice(seed, number), number, tactics) for number in (5, 6, 7)]
    assert again == fought


@pytest.mark.parametrize("key", RULESETS)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(size=st.integers(0, 4), by_the_book=st.booleans(), moments=st.integers(0, 40), seed=st.integers(0, 2**32))
def test_so_does_one_that_goes_on_from_anywhere(
    key: str, size: int, by_the_book: bool, moments: int, seed: int
) -> None:
    random = Random(seed)
    system = RULESETS[key] if by_the_book else house_rules(RULESETS[key], random)
    setup = random_setup(fights_of(key), system, random, CAST[:size])
    setup = replace(setup, state=later(fights_of(key), system, setup.state, random, moments))
    policies = {who: policy for who, policy in setup.policies.items() if who in setup.state.combatants}
    setup = replace(setup, policies=policies, rolled=random.random() < 0.5, ambushed=random.choice([None, *SIDES]))
    try:
        checked(setup)
    except RuleViolation:  # the fight is over
        return
    fought = replayed(setup, seed, 7)
    check_rows(setup, fought)
    check_outcome(setup, fought)
    check_alone(setup, seed, fought)


def later(fights: Fights, system: System, state: Encounter, random: Random, moments: int) -> Encounter:
    """The state after some sensible commands; those that the rules forbid are left out."""
    commands: list[Command] = [Begin(), RollInitiative()]
    for number in range(moments):
        if len(state.combatants) < 2:
            break
        command = commands.pop(0) if commands else fights.sensible(random, state, system)
        with suppress(RuleViolation):
            state = replay(state, decide(state, command, system, SeededDice(number, 1)))
    return state


def check_rows(setup: Setup, fought: Fought) -> None:
    """The engine allows each row where it is, with any dice and nothing waived, and they lead to the state."""
    state = setup.state
    for number, row in enumerate(fought.rows):
        decide(state, row.command, setup.system, SeededDice(0, number))
        state = replay(state, row.events)
        assert not any(isinstance(event, RulesWaived) for event in row.events)
    assert state == fought.state


def check_outcome(setup: Setup, fought: Fought) -> None:
    outcome = fought.outcome
    assert len(outcome.left_standing) < len(SIDES) or outcome.turns == setup.most_turns
    for who, fate in outcome.fates.items():
        assert fate.fallen or not fate.dead
        if not fate.fallen and not fate.left:
            assert fate.side in outcome.left_standing, who
        assert all(count > 0 for count in (*fate.lost.values(), *fate.spent.values()))
