"""The World of Darkness ruleset's own declarations: sheet, kinds, options."""

from __future__ import annotations

import pytest

from rules.model.options import BadOption
from rules.systems.storytelling.first_edition.system import DARKNESS
from tests.rules.systems.storytelling.table import sheet


def test_attributes_begin_with_two_dots_and_skills_with_none():
    dots = DARKNESS.layout.dots
    assert (dots(sheet(), "resolve"), dots(sheet(), "weaponry"), dots(sheet(), "size")) == (2, 0, 5)


@pytest.mark.parametrize(("potency", "most"), [(0, 10), (1, 10), (6, 15), (10, 100)])
def test_vitae_goes_by_blood_potency(potency, most):
    assert DARKNESS.layout.maximum(sheet(kind="vampire", blood_potency=potency), "blood") == most


def test_willpower_is_resolve_and_composure():
    assert DARKNESS.layout.maximum(sheet(resolve=3, composure=4), "willpower") == 7


def test_ready_made_rolls_have_no_difficulty():
    assert [roll.difficulty for roll in DARKNESS.ready_rolls()] == [None, None]
    own = DARKNESS.with_options({"own_rolls": ("Hide: Dexterity + Stealth resisted by Wits + Composure",)})
    assert own.ready_rolls()[-1].resisted == ("wits", "composure")
    for line in ("Hide: Dexterity + Stealth, 7", "Hide: Dexterity against Wits", "Hide: Luck"):
        with pytest.raises(BadOption):
            DARKNESS.with_options({"own_rolls": (line,)})


def test_every_circumstance_stands_on_a_rule():
    assert {rule.rule for rule in DARKNESS.modifiers.values()} <= set(DARKNESS.book.rules)
