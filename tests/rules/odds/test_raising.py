"""What a raised Trait changes in somebody's own pools."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from rules.model.gear import BARE_HANDS, Mode, Weapon
from rules.model.sheet import Sheet
from rules.odds.raising import changes_of
from rules.systems.classic.masquerade.system import MASQUERADE
from rules.systems.storytelling.second_edition.system import CHRONICLES
from tests.rules.table import KNIFE

ANN = Sheet("Ann", "vampire", traits={"dexterity": 3, "brawl": 3, "melee": 1, "willpower": 4})


def changed(system, sheet, trait, to):
    return {str(each.label): (each.before, each.after) for each in changes_of(system, sheet, trait, to)}


def test_pools_of_weapons_and_ready_made_rolls_with_exact_chances():
    (fists,) = changes_of(MASQUERADE, ANN, "brawl", 4)
    assert (fists.label, fists.before, fists.after) == ("Unarmed", 6, 7)
    assert fists.chances[0] < fists.chances[1]
    armed = replace(ANN, weapons=(KNIFE,))
    assert changed(MASQUERADE, armed, "melee", 2) == {"Knife": (4, 5)}
    own = MASQUERADE.with_options({"own_rolls": ["Juggling: Dexterity + Performance, 8", "Never: Wits + Perception"]})
    assert changed(own, ANN, "performance", 1) == {"Juggling": (3, 4)}


def test_natural_weapons_replace_bare_hands():
    sharp = replace(ANN, weapons=(Weapon(BARE_HANDS, Mode.UNARMED, 2, "strength"),))
    assert changed(MASQUERADE, sharp, "brawl", 4) == {"Unarmed": (6, 7)}


def test_a_trait_in_none_of_these_is_shown_in_a_plain_roll():
    assert changed(MASQUERADE, ANN, "computer", 1) == {"Dexterity + Computer": (3, 4)}
    (courage,) = changes_of(MASQUERADE, ANN, "courage", 2)
    assert (courage.label, courage.chances) == ("Courage", (Fraction(1, 2), Fraction(13, 20)))


def test_derived_traits_and_the_most_points_change_too():
    assert changed(MASQUERADE, ANN, "willpower", 5) == {"Willpower": (4, 5), "Maximum Willpower": (4, 5)}
    assert changed(CHRONICLES, Sheet("Bo"), "resolve", 3)["Maximum Willpower"] == (4, 5)


def test_what_is_never_rolled_changes_no_pool():
    assert changed(MASQUERADE, ANN, "generation", 8) == {"Maximum Blood pool": (10, 15)}
    assert changed(MASQUERADE, ANN, "brawl", 3) == {}
