"""What a power changes for ordinary people."""

from __future__ import annotations

import pytest

from rules.model.own_powers import read_power
from rules.model.plain import USUAL
from rules.model.plan import dice_of
from rules.odds.powers import SUCCESSES, shown
from rules.systems import RULESETS
from rules.systems.classic.apocalypse.system import APOCALYPSE
from rules.systems.classic.masquerade.system import MASQUERADE

DICE = {"does": "dice", "amount": 2}


def show(*effects, system=MASQUERADE, **more):
    return shown(system, read_power("own_x", {"label": "X", "effects": list(effects), **more}, system))


def attacks(found):
    """Who strikes with what, and the pools of attack, damage and soak without the power and with it."""
    return [
        (
            each.suffered,
            each.weapon.name,
            *[
                tuple(pool.pool if pool else None for pool in (plan.attack, plan.damage, plan.soak))
                for plan in (each.without, each.having)
            ],
        )
        for each in found.blows
    ]


@pytest.mark.parametrize("system", RULESETS.values(), ids=list(RULESETS))
def test_more_strength_shows_in_blows_and_rolls(system):
    found = show({"does": "trait", "amount": 2, "traits": ["strength"]}, system=system)
    (blow,) = found.blows
    assert blow.odds_having.expected > blow.odds_without.expected
    (cast,) = found.casts
    assert cast.having.pool == cast.without.pool + 2
    assert cast.odds_having.mean > cast.odds_without.mean
    assert cast.without.pool >= USUAL


def test_each_pool_is_shown_where_it_counts():
    assert attacks(show(DICE | {"pools": ["attack"]})) == [(False, "unarmed", (4, 2, 2), (6, 2, 2))]
    assert attacks(show(DICE | {"pools": ["damage"]})) == [(False, "unarmed", (4, 2, 2), (4, 4, 2))]
    assert attacks(show(DICE | {"pools": ["soak"]})) == [(True, "unarmed", (4, 2, 2), (4, 2, 4))]
    assert attacks(show(DICE | {"amount": -1, "pools": ["against"]})) == [(True, "unarmed", (4, 2, 2), (3, 2, 2))]
    (blow,) = show(DICE | {"pools": ["defence"]}).blows
    assert (blow.suffered, blow.having.defence_kind, blow.having.defence.pool) == (True, "dodge", 6)
    assert show(DICE | {"pools": ["initiative"]}).initiative == (4, 6)
    assert show(DICE | {"pools": ["attack"]}).initiative is None


def test_a_limit_chooses_the_weapon():
    shot = DICE | {"pools": ["attack"], "modes": ["firearm"]}
    assert attacks(show(shot)) == [(False, "weapon", (4, 1, 2), (6, 1, 2))]
    cut = DICE | {"pools": ["soak"], "damage": ["lethal"]}
    (blow,) = show(cut, kinds=["vampire"]).blows
    assert (blow.weapon.type, blow.having.soak.pool - blow.without.soak.pool) == ("lethal", 2)


def test_a_natural_weapon_is_compared_to_bare_hands():
    claws = {"does": "weapon", "weapon": {"name": "Claws", "damage": 2, "damage_from": "strength", "type": "lethal"}}
    assert attacks(show(claws)) == [(False, "Claws", (4, 2, 2), (4, 4, 0))]


def test_the_target_has_what_is_meant_for_it():
    weak = DICE | {"amount": -1, "pools": ["soak", "roll"], "on_target": True}
    found = show(weak, reach="one")
    assert attacks(found) == [(False, "unarmed", (4, 2, 2), (4, 2, 1))]
    assert [(each.other, each.traits, each.having.pool) for each in found.casts] == [(True, ("strength",), 1)]


def test_a_condition_counts_while_it_lasts():
    found = show({"does": "condition", "condition": "blinded", "on_target": True}, system=APOCALYPSE, reach="one")
    assert {each.suffered for each in found.blows} == {False, True}
    # Nobody who is staked strikes at anybody.
    found = show({"does": "condition", "condition": "staked", "on_target": True}, reach="one")
    assert all(not each.suffered for each in found.blows)


def test_the_user_is_one_who_can_have_it():
    found = show(DICE | {"pools": ["damage"], "per": "rating"}, trait="potence", rating=3)
    assert (found.kind, found.rating) == ("vampire", 3)
    assert attacks(found)[0][3][1] == 2 + 6
    assert show(DICE | {"pools": ["attack"]}, kinds=["garou"]).kind == "garou"
    assert show(DICE | {"pools": ["attack"]}, entry="claws").kind == "mortal"


def test_successes_and_points_are_assumed():
    one = DICE | {"amount": 1, "pools": ["attack"]}
    rolled = show(one | {"per": "successes"}, roll={"traits": ["wits"]})
    assert (rolled.successes, attacks(rolled)[0][3][0]) == (SUCCESSES, 4 + SUCCESSES)
    paid = show(one | {"per": "points"}, costs=[{"resource": "willpower"}], points=3)
    assert (paid.points, attacks(paid)[0][3][0]) == (3, 4 + 3)


def test_of_several_traits_one_is_chosen():
    found = show({"does": "trait", "amount": 1, "traits": ["strength", "dexterity"]})
    assert [each.traits for each in found.casts] == [("dexterity",)]


def test_rolls_that_nothing_changes_are_left_out():
    both = DICE | {"pools": ["roll"], "traits": ["wits", "alertness"]}
    found = show(both, both)
    assert [each.traits for each in found.casts] == [("strength", "alertness"), ("wits",)]
    assert all(dice_of(each.having.parts) == dice_of(each.without.parts) + 4 for each in found.casts)
    seen = show({"does": "sight", "lifts": ["long_range"]}, timing="always")
    assert [each.traits for each in seen.casts] == [MASQUERADE.perception]


def test_what_happens_at_once_changes_no_pool():
    found = show({"does": "heal"}, lasts="at_once")
    assert (found.blows, found.casts, found.initiative) == ((), (), None)


def test_more_dice_than_anybody_can_roll_show_nothing():
    most = {"does": "dice", "amount": 10, "pools": ["attack", "roll"], "per": "points"}
    found = show(most, costs=[{"resource": "willpower"}], points=20)
    assert (found.blows, found.casts) == ((), ())
