"""What a forecast begins with: absurd input is refused, and changes are made."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.engine.violations import INPUT, RuleViolation
from rules.forecast.changes import Ambush, BetterArmor, Change, Distance, OneMore, OtherSide, changed
from rules.forecast.forecast import forecast, replayed
from rules.forecast.policies import CAREFUL, RECKLESS
from rules.forecast.setup import MOST_COMBATANTS, MOST_DISTANCE, Setup, checked, chosen
from rules.model.gear import Armor, Damage
from rules.model.state import Encounter, Side, Status
from rules.systems.classic.apocalypse.system import APOCALYPSE
from rules.systems.classic.masquerade.system import MASQUERADE
from rules.systems.storytelling.first_edition.system import DARKNESS
from rules.topics.commands import Begin, Newcomer
from tests.rules.forecast.people import after, draft, sheet
from tests.rules.table import KNIFE, VEST


def duel(system=MASQUERADE, **policies) -> Setup:
    state = draft(system, Newcomer("hero", sheet(system, KNIFE), player=True), Newcomer("thug", sheet(system, KNIFE)))
    return Setup(state, system, policies)


def refused(setup: Setup) -> str:
    with pytest.raises(RuleViolation) as refusal:
        forecast(setup, seed=1)
    with pytest.raises(RuleViolation):
        replayed(setup, 1, 0)
    assert refusal.value.rule == INPUT
    return refusal.value.message


def with_state(setup: Setup, **changes) -> Setup:
    return replace(setup, state=replace(setup.state, **changes))


def test_a_fight_that_has_ended_has_no_forecast() -> None:
    message = "Only a draft or a running fight can have a forecast."
    assert refused(with_state(duel(), status=Status.ENDED)) == message
    assert refused(with_state(duel(), outside_fights=True)) == message


def test_a_crowd_is_refused() -> None:
    crowd = [Newcomer(f"thug{number}", sheet(MASQUERADE)) for number in range(MOST_COMBATANTS)]
    state = draft(MASQUERADE, Newcomer("hero", sheet(MASQUERADE), player=True), *crowd)
    assert refused(Setup(state, MASQUERADE)) == "A forecast can have at most 60 combatants."


@pytest.mark.parametrize("distance", [-1, MOST_DISTANCE + 1])
def test_an_absurd_distance_is_refused(distance: int) -> None:
    assert refused(replace(duel(), distance=distance)) == "Enter a distance from 0 to 1000."


def test_a_policy_for_somebody_else_is_refused() -> None:
    assert refused(duel(nobody=RECKLESS)) == "There is no combatant called nobody."


def test_both_sides_need_somebody() -> None:
    assert refused(Setup(Encounter(), MASQUERADE)) == "Put at least one combatant on each side: allies and enemies."
    aside = OtherSide("thug", Side.OTHERS).apply(duel())
    assert refused(aside) == "Put at least one combatant on each side: allies and enemies."


def test_both_sides_need_somebody_who_can_act() -> None:
    setup = duel()
    thug = setup.state.combatants["thug"]
    down = replace(thug, sheet=replace(thug.sheet, marks=(Damage.LETHAL,) * 7))
    down = replace(setup, state=replace(setup.state, combatants={**setup.state.combatants, "thug": down}))
    assert refused(down) == "On one side, everybody is already out of action."


def test_everybody_has_a_policy() -> None:
    assert {who: each.key for who, each in checked(duel(hero=RECKLESS)).policies.items()} == {
        "hero": "reckless",
        "thug": "cautious",
    }


def test_policies_are_chosen_by_key() -> None:
    assert chosen({"hero": "careful"}) == {"hero": CAREFUL}
    with pytest.raises(RuleViolation, match="Unknown way of fighting: kind"):
        chosen({"hero": "kind"})


def test_a_forecast_grows_and_follows_from_its_seed() -> None:
    tallies = list(forecast(duel(), seed=3, fights=11))
    assert [each.fights for each in tallies] == list(range(1, 12))
    assert list(forecast(duel(), seed=3, fights=11)) == tallies
    assert list(forecast(duel(), seed=4, fights=11)) != tallies


def test_parts_of_a_forecast_add_up_to_the_whole() -> None:
    (*_, whole) = forecast(duel(), seed=3, fights=9)
    (*_, first) = forecast(duel(), seed=3, fights=4)
    (*_, rest) = forecast(duel(), seed=3, fights=5, first=4)
    assert first.plus(rest) == whole


def test_an_example_can_be_played_again_alone() -> None:
    (*_, tally) = forecast(duel(), seed=3, fights=20)
    number = tally.examples("fallen", "hero")[0]
    assert replayed(duel(), 3, number).outcome.fates["hero"].fallen


# ------------------------------------------------------------------ what if


def test_one_more_is_an_unhurt_copy_with_the_same_policy() -> None:
    setup = duel(thug=CAREFUL)
    thug = setup.state.combatants["thug"]
    hurt = replace(thug, sheet=replace(thug.sheet, name="Thug", marks=(Damage.LETHAL,)), chosen_side=Side.ALLIES)
    setup = with_state(setup, combatants={**setup.state.combatants, "thug": hurt})
    setup = changed(setup, [OneMore("thug"), OneMore("thug")])
    assert list(setup.state.combatants) == ["hero", "thug", "thug-2", "thug-3"]
    copy = setup.state.combatants["thug-3"]
    assert (copy.sheet.name, copy.sheet.marks, copy.side) == ("Thug 3", (), Side.ALLIES)
    assert setup.policy("thug-3") is CAREFUL
    assert copy.sheet.weapons == thug.sheet.weapons


def test_better_armour_protects_more() -> None:
    setup = BetterArmor("hero", 2).apply(duel())
    (armor,) = setup.state.combatants["hero"].sheet.armor
    assert (armor.name, armor.rating) == ("extra armour", 2)
    setup = BetterArmor("hero").apply(setup)
    assert [each.rating for each in setup.state.combatants["hero"].sheet.armor] == [3]


def test_armour_against_bullets_gets_better_too() -> None:
    setup = duel()
    hero = setup.state.combatants["hero"]
    worn = replace(hero, sheet=replace(hero.sheet, armor=(VEST, Armor("kevlar", 1, 3))))
    setup = BetterArmor("hero").apply(with_state(setup, combatants={**setup.state.combatants, "hero": worn}))
    assert [(each.rating, each.ballistic) for each in setup.state.combatants["hero"].sheet.armor] == [(4, None), (2, 4)]


def test_a_distance_is_set() -> None:
    assert Distance(30).apply(duel()).distance == 30


def test_an_ambush_needs_a_rule_and_a_fight_that_has_no_order_yet() -> None:
    for system in (APOCALYPSE, DARKNESS):
        assert Ambush(Side.ALLIES).apply(duel(system)).ambushed is Side.ALLIES
    with pytest.raises(RuleViolation, match="Masquerade has no rule for ambushes"):
        Ambush(Side.ALLIES).apply(duel())
    begun = duel(APOCALYPSE)
    begun = replace(begun, state=replace(after(begun.state, APOCALYPSE, Begin()), order=(("hero",), ("thug",))))
    with pytest.raises(RuleViolation, match="too late for an ambush"):
        Ambush(Side.ALLIES).apply(begun)


@pytest.mark.parametrize("change", [OneMore("nobody"), BetterArmor("nobody"), OtherSide("nobody", Side.ALLIES)])
def test_a_change_of_somebody_else_is_refused(change: Change) -> None:
    with pytest.raises(RuleViolation, match="There is no combatant called nobody"):
        change.apply(duel())
