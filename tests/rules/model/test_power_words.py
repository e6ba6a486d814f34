"""Powers in words: cost, roll, effects and duration, from their values alone."""

from __future__ import annotations

import pytest

from rules.model.gear import Armor, Damage, Mode, Weapon
from rules.model.power_effects import Does, Effect, InEffect, Lasts, Per, Pool
from rules.model.power_words import cost_of, duration_of, effect_in_words, effects_of, end_of, roll_of
from rules.model.powers import Cost, Power, Source, Test, Timing
from rules.systems import RULESETS
from rules.systems.classic.masquerade.system import MASQUERADE


def power(*effects: Effect, **more) -> Power:
    return Power("might", "Might", "MQ-POW-1", Source.SPELL, effects, **more)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({}, ""),
        ({"costs": (Cost("blood", 2), Cost("willpower"))}, "2 blood, 1 Willpower"),
        ({"costs": (Cost("blood"),), "points": 5}, "1 to 5 blood"),
        ({"costs": (Cost("quintessence"),)}, "1 quintessence"),
    ],
)
def test_the_cost(more, words):
    assert cost_of(power(**more), MASQUERADE) == words


def test_the_cost_of_the_points_chosen():
    assert cost_of(power(costs=(Cost("blood", 2),), points=5), MASQUERADE, spent=3) == "6 blood"


@pytest.mark.parametrize(
    ("test", "words"),
    [
        (None, ""),
        (Test(("charisma", "leadership")), "Charisma + Leadership"),
        (Test(("wits",), 8), "Wits, difficulty 8"),
        (Test(("wits",), difficulty_of=("willpower",)), "Wits against the target’s Willpower"),
        (Test(("wits",), resist=("courage",)), "Wits, resisted by Courage"),
    ],
)
def test_the_roll(test, words):
    assert roll_of(power(test=test), MASQUERADE) == words


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({}, "for the scene"),
        ({"timing": Timing.ALWAYS}, ""),
        ({"lasts": Lasts.AT_ONCE}, ""),
        ({"lasts": Lasts.ATTACK}, "until the next attack"),
        ({"lasts": Lasts.TURN}, "for 1 turn"),
        ({"lasts": Lasts.TURN, "turns": 3}, "for 3 turns"),
        ({"lasts": Lasts.TURN, "turns_per": Per.SUCCESSES}, "a turn per success"),
        ({"lasts": Lasts.HOURS, "hours": 2}, "for 2 hours"),
    ],
)
def test_how_long_it_lasts(more, words):
    assert duration_of(power(**more)) == words


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"lasts": Lasts.SCENE}, "scene"),
        ({"lasts": Lasts.ATTACK}, "next attack"),
        ({"lasts": Lasts.TURN, "until": 4}, "this turn"),
        ({"lasts": Lasts.TURN, "until": 6}, "3 turns left"),
        ({"lasts": Lasts.HOURS, "hours": 1}, "for 1 hour"),
    ],
)
def test_when_it_ends(more, words):
    assert end_of(InEffect("might", "Might", "MQ-POW-1", (), **more), 4) == words


@pytest.mark.parametrize(
    ("effect", "words"),
    [
        (Effect(Does.DICE, 2, pools=frozenset({Pool.ATTACK, Pool.DAMAGE})), "+2 dice to attack and for damage"),
        (
            Effect(Does.DICE, -1, pools=frozenset({Pool.AGAINST}), modes=frozenset({Mode.FIREARM})),
            "−1 dice for attacks against the bearer (firearm)",
        ),
        (
            Effect(Does.SUCCESSES, 1, Per.RATING, frozenset({Pool.SOAK}), damage=frozenset({Damage.LETHAL})),
            "+1 per dot automatic successes to soak (lethal)",
        ),
        (
            Effect(Does.DIFFICULTY, -2, pools=frozenset({Pool.ROLL}), traits=frozenset({"perception"})),
            "−2 difficulty for rolls (Perception)",
        ),
        (Effect(Does.TRAIT, 1, Per.POINTS, traits=frozenset({"strength"})), "+1 per point spent Strength"),
        (
            Effect(Does.TRAIT, 1, Per.SUCCESSES, traits=frozenset({"strength", "stamina"}), most=6),
            "+1 per success one of Stamina, Strength, up to 6",
        ),
        (Effect(Does.DAMAGE, damage=frozenset({Damage.AGGRAVATED})), "All attacks: aggravated"),
        (
            Effect(Does.DAMAGE, modes=frozenset({Mode.UNARMED}), tags=frozenset({"silver"})),
            "unarmed: silver",
        ),
        (Effect(Does.WEAPON, weapon=Weapon("claws", Mode.UNARMED, 1, "strength", Damage.LETHAL)), "claws: +1, lethal"),
        (Effect(Does.WEAPON, weapon=Weapon("fangs", Mode.UNARMED, -1)), "fangs: -1, bashing"),
        (Effect(Does.ARMOR, armor=Armor("bark", 3)), "3 armour"),
        (Effect(Does.CONDITION, condition="prone", on_target=True), "Target: prone"),
        (Effect(Does.CURE, condition="prone"), "Ends: prone"),
        (Effect(Does.HEAL, 2, damage=frozenset({Damage.BASHING, Damage.LETHAL})), "Heals +2 bashing, lethal"),
        (Effect(Does.ACTIONS, 1), "+1 actions this turn"),
        (Effect(Does.FIRST), "First place in the turn"),
        (Effect(Does.SOFTEN, 1, damage=frozenset({Damage.AGGRAVATED})), "+1 aggravated less severe in each hit"),
        (Effect(Does.EASE, 2, lifts=frozenset({"wounds"})), "+2 dice against penalties of: wounds"),
        (Effect(Does.DICE, 1, pools=frozenset({Pool.ROLL}), least=3), "+1 dice for rolls (from 3 dots)"),
        (Effect(Does.DICE, 1, pools=frozenset({Pool.ROLL}), needs=3), "+1 dice for rolls (from 3 successes)"),
        (
            Effect(Does.DICE, 1, pools=frozenset({Pool.DAMAGE}), weapons=frozenset({"claws"})),
            "+1 dice for damage (claws)",
        ),
        (Effect(Does.SIGHT, lifts=frozenset({"cramped", "blinded"})), "Ignores: blinded, cramped quarters"),
        (Effect(Does.SIGHT, lifts=frozenset({"gunfire"})), "Ignores: gunfire"),
        (Effect(Does.TRAIT, 2, traits=frozenset({"initiative"})), "+2 Initiative"),
    ],
)
def test_an_effect(effect, words):
    """MQ-POW-1, WD-POW-1."""
    assert effect_in_words(effect, MASQUERADE).casefold() == words.casefold()
    assert effects_of(power(effect), MASQUERADE) == (effect_in_words(effect, MASQUERADE),)


@pytest.mark.parametrize("system", RULESETS.values(), ids=list(RULESETS))
def test_every_shipped_power_has_words(system):
    for each in system.powers:
        assert all(effects_of(each, system)), each.key
        assert (each.timing is Timing.ALWAYS) or duration_of(each) or each.lasts is Lasts.AT_ONCE, each.key
        assert bool(cost_of(each, system)) == bool(each.costs)
        assert bool(roll_of(each, system)) == bool(each.test)
