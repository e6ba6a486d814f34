"""Covering fire, and the choice that it forces."""

from __future__ import annotations

from dataclasses import replace

from rules.model.choices import Modifier
from rules.model.gear import Fault
from rules.model.results import Outcome
from rules.model.system import Game
from rules.strike.attack import plan_attack
from rules.systems.storytelling.second_edition.system import CHRONICLES
from rules.topics.commands import EndTurn, Leave, TakeAction
from rules.topics.events import CoveringFireLaid, CoveringFireMet, MishapPending
from rules.topics.firefights.stance import STANCE
from tests.rules.systems.second_edition.firefight import SMG, shooter, shot, table, with_rounds
from tests.rules.table import Table, does, mortal, only, parts


def laid(fight: Table, *at: str, roll: list[int] | None = None) -> None:
    """Ana's covering fire, with two successes unless given."""
    fight.does(does("ana", "covering_fire", *(at or ("thug",)), weapon="SMG"), roll=roll or [8, 8, 2, 2, 2, 2])


def met(fight: Table, command: TakeAction, **dice: list[int]) -> CoveringFireMet:
    return only(CoveringFireMet, fight.does(command, **dice))


def test_it_rolls_dexterity_and_firearms_without_a_burst_bonus() -> None:
    """CD-GUN-10: circumstances count, and so does one's own concealment (CD-CON-3)."""
    fight = table()
    fight.does(does("ana", "seek_cover", degree="partial"))
    rain = (Modifier("circumstance", {"dice": -1, "why": "rain"}),)

    told = only(
        CoveringFireLaid,
        fight.does(TakeAction("covering_fire", "ana", ("thug",), rain, weapon="SMG"), roll=[8] + [2] * 3),
    )
    assert told.roll.plan.pool == 4
    assert parts(told.roll.plan)["firing_from_concealment"] == ("CD-CON-3", -1)
    assert (told.outcome, told.rule, fight.weapon("ana", "SMG").rounds) == (Outcome.SUCCESS, "CD-GUN-10", 20)
    assert STANCE.of(fight.combatant("thug")).fires[0].successes == 1
    assert fight.state.unnarrated == ("r1",)


def test_only_full_automatic_weapons_that_work_and_hold_ten_rounds() -> None:
    """CD-GUN-10, CD-GUN-12, CD-GUN-13."""
    broken = replace(SMG, name="jammed one", fault=Fault.JAMMED)
    belt = replace(SMG, name="belt", clip=None, rounds=None)
    fight = Table(CHRONICLES, ana=shooter(with_rounds(SMG, 9), broken, belt), thug=mortal())

    fight.refuses("CD-GUN-13", does("ana", "covering_fire", "thug", weapon="jammed one"))
    fight.refuses("CD-GUN-12", does("ana", "covering_fire", "thug", weapon="SMG"))
    fight.does(does("ana", "covering_fire", "thug", weapon="SMG"), waive=["CD-GUN-12"], roll=[2] * 6)
    assert fight.weapon("ana", "SMG").rounds == 0
    fight.does(does("ana", "covering_fire", "thug", weapon="belt"), roll=[2] * 6)
    assert fight.weapon("ana", "belt").rounds is None
    table().refuses("CD-GUN-10", does("ana", "covering_fire", "thug", weapon="pistol"))


def test_a_dramatic_failure_may_jam_the_gun() -> None:
    """CD-GUN-10, CD-GUN-13."""
    fight = Table(CHRONICLES, ana=shooter(SMG, dexterity=1, firearms=0), thug=mortal())

    events = fight.does(does("ana", "covering_fire", "thug"), roll=[1])
    assert only(CoveringFireLaid, events).outcome is Outcome.DRAMATIC_FAILURE
    assert only(MishapPending, events).mishap.choices == ("jam", "seized", "nothing")
    assert not STANCE.of(fight.combatant("thug")).fires


def test_whoever_acts_in_the_open_is_hit_after_the_act() -> None:
    """CD-GUN-10: two successes plus 1 for the weapon."""
    fight = table()
    laid(fight)

    fight.attacks("thug", "friend", defence="withhold_defense", attack=[2])
    assert fight.health("thug") == "XXX"
    fight.attacks("thug", "friend", defence="withhold_defense", attack=[2])
    assert fight.health("thug") == "XXX"


def test_the_storyteller_is_told_what_an_attack_costs() -> None:
    """CD-GUN-10: nothing for somebody lying flat."""
    fight = table()
    laid(fight)
    laid(fight)
    strike = replace(shot("friend", ""), by="thug", weapon="unarmed")

    (flag,) = plan_attack(Game(fight.state, CHRONICLES), strike).flags
    assert (flag.rule, "takes 3 and 3" in flag.text) == ("CD-GUN-10", True)
    fight.does(does("thug", "prone"))
    assert not plan_attack(Game(fight.state, CHRONICLES), strike).flags


def test_cover_and_the_ground_save_from_it() -> None:
    """CD-GUN-10: also people who were in cover before; fog stops no bullets."""
    for before, choice in (
        (does("thug", "seek_cover", degree="partial"), "cover"),
        (does("thug", "prone"), "prone"),
        (does("thug", "seek_cover", degree="obscured"), "acted"),
    ):
        fight = table()
        fight.does(before)
        laid(fight)
        assert met(fight, does("thug", "human_shield", "friend")).choice == choice
        assert not STANCE.of(fight.combatant("thug")).fires
    for after, choice in (
        (does("thug", "seek_cover", degree="partial"), "cover"),
        (does("thug", "prone"), "prone"),
        (does("thug", "act_under_fire"), "acted"),
    ):
        fight = table()
        laid(fight)
        assert met(fight, after).choice == choice
        assert fight.health("thug") == ("XXX" if choice == "acted" else "")
        fight.refuses("CD-GUN-10", does("thug", "act_under_fire"))


def test_coming_out_of_cover_or_moving_on_is_no_choice() -> None:
    """CD-GUN-10."""
    fight = table()
    fight.does(does("thug", "seek_cover", degree="partial"))
    laid(fight)

    fight.does(does("thug", "leave_cover"))
    fight.does(does("thug", "move", distance=2))
    assert STANCE.of(fight.combatant("thug")).fires


def test_each_fire_hits_by_itself_but_that_of_one_who_has_left() -> None:
    """CD-GUN-10."""
    fight = table(bob=shooter())
    laid(fight)
    fight.does(does("bob", "covering_fire", "thug", weapon="SMG"), roll=[8] + [2] * 5)
    fight.does(Leave("ana"))

    fight.does(does("thug", "act_under_fire"))
    assert fight.health("thug") == "XX"


def test_the_choice_is_due_on_the_next_turn_and_over_with_it() -> None:
    """CD-GUN-10: this turn for one who has not acted, the next for one who has."""
    fight = table()
    fight.initiative(ana=5, thug=9, friend=1)
    fight.attacks("thug", "friend", defence="withhold_defense", attack=[2])
    laid(fight, "thug", "friend")
    assert [STANCE.of(fight.combatant(who)).fires[0].until for who in ("thug", "friend")] == [2, 1]

    fight.does(EndTurn())
    assert not STANCE.of(fight.combatant("friend")).fires
    assert STANCE.of(fight.combatant("thug")).fires
    fight.does(EndTurn())
    assert not STANCE.of(fight.combatant("thug")).fires


def test_one_who_leaves_or_is_hit_by_nothing_at_all() -> None:
    """CD-GUN-10: leaving the fight ends the exposure."""
    fight = table()
    laid(fight)
    fight.does(Leave("thug"))

    assert "thug" not in fight.state.combatants
