"""What a ruleset shows beside somebody's name in addition to their conditions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from campaigns.words import said
from combat.panes.figures import Condition
from combat.panes.sheets import with_signs
from rules.engine.phrases import Typed, phrase
from rules.model.sheet import Sheet
from rules.model.signs import Sign
from rules.model.state import Combatant, Encounter
from rules.systems import RULESETS

STATE = Encounter(combatants={"ann": Combatant("ann", Sheet("Ann"))})
HELD, AIMING = Condition("held", "held"), Condition("aiming", "aiming")


def signs(state: Encounter, who: str) -> Iterator[Sign]:
    yield Sign("aims", phrase("aims at {target}", target=Typed("Quintus")), instead_of="aiming")
    yield Sign("behind", phrase("behind {what}", what="Quintus’s car"))
    yield Sign("left", phrase("evades: {left} left", left=2), own=True)


def clean(text: str) -> str:
    """As read by somebody for whom Quintus is a tall man."""
    return said(text, lambda words: words if isinstance(words, Typed) else words.replace("Quintus", "a tall man"))


def shown(*, full: bool) -> list[str]:
    ruleset = replace(RULESETS["masquerade"], signs=(signs,))
    return [each.label for each in with_signs((AIMING, HELD), STATE, "ann", ruleset, clean, full=full)]


def test_signs_stand_behind_the_conditions_and_in_place_of_some() -> None:
    assert shown(full=False) == ["held", "aims at Quintus", "behind a tall man’s car"]


def test_one_s_own_are_for_those_who_may_know_them() -> None:
    assert shown(full=True)[-1] == "evades: 2 left"
