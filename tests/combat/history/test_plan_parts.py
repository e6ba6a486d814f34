"""Parts of dice pools as readers see them."""

from __future__ import annotations

import pytest

from combat.history.plan_parts import again_in_words, as_told, can_be_struck, in_figures
from rules.model.damage_steps import DamageStage, DamageStep, Effect
from rules.model.plan import Part, PoolPlan


@pytest.mark.parametrize(
    ("part", "told"),
    [
        (Part("strength", "", "", 3), "3"),
        (Part("wounds", "", "", -2), "−2"),
        (Part("wounds", "", "", 0), "0"),
        (Part("range", "", "", difficulty=2), "diff. +2"),
        (Part("aimed", "", "", -1, difficulty=-1), "−1, diff. −1"),
        (Part("base", "", "", difficulty=6), "diff. 6"),
        (Part("willpower", "", "", successes=1), "+1 success"),
    ],
)
def test_it_is_told_what_a_part_brings(part: Part, told: str) -> None:
    assert in_figures(part) == in_figures(as_told(part, "")) == told


@pytest.mark.parametrize(
    ("plan", "told"),
    [
        (PoolPlan((), 3, 0, again=9), "9-again"),
        (PoolPlan((), 3, 0, again=8), "8-again"),
        (PoolPlan((), 3, 0, again=11), "no 10-again"),
        (PoolPlan((), 3, 0, again=10), ""),
        (PoolPlan((), 3, 6), ""),
        (PoolPlan((), 0, 0, again=9, chance=True), ""),
        (PoolPlan((), 3, 0, again=9, outright=True), ""),
    ],
)
def test_dice_that_are_rolled_again_are_named_if_they_are_not_the_usual_ones(plan: PoolPlan, told: str) -> None:
    """CD-DICE-1: a chance die rolls its 10 again, with any weapon."""
    assert again_in_words(plan) == told


def test_a_view_holds_no_key_that_names_somebody() -> None:
    told = as_told(Part("difficulty:ilya", "Ilya’s Wits", "MQ-ROLL-1", difficulty=4, struck=True), "Wits")
    assert told == Part("", "Wits", "MQ-ROLL-1", difficulty=4, struck=True)


def test_what_is_no_circumstance_cannot_be_struck() -> None:
    def step(effect: Effect) -> DamageStep:
        return DamageStep("key", "", "", DamageStage.HIT, effect)

    assert can_be_struck(Part("aimed", "", ""))
    assert not can_be_struck(Part("base:strength", "", ""))
    assert can_be_struck(step(Effect.LESS))
    assert not can_be_struck(step(Effect.COUNT))
    assert not can_be_struck(step(Effect.PIERCE))
