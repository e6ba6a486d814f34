"""Guns: drawing, holstering, at arm's length, as clubs; jams and their effects."""

from __future__ import annotations

from dataclasses import replace

from rules.model.choices import Defence, Modifier
from rules.model.gear import BARE_HANDS, Fault, Mode, Weapon
from rules.model.results import Outcome
from rules.model.sheet import Sheet
from rules.model.system import Game
from rules.strike.attack import plan_attack
from rules.systems.storytelling.second_edition.system import CHRONICLES
from rules.topics.commands import ChooseMishap, ClearJam, Reload
from rules.topics.events import MishapPending, MishapSettled, WeaponDrawn
from tests.rules.systems.second_edition.firefight import KNIFE, PISTOL, RIFLE, results, shooter, shot, table
from tests.rules.table import Table, does, mortal, only, parts

HOLDOUT = replace(PISTOL, name="holdout", hidden=True)


def test_what_is_not_in_the_hand_has_to_be_drawn() -> None:
    """CD-GUN-14."""
    fight = Table(CHRONICLES, ana=shooter(HOLDOUT, RIFLE), thug=mortal())

    fight.refuses("CD-GUN-14", shot("thug", "holdout"))
    assert only(WeaponDrawn, fight.does(does("ana", "draw"))).weapon == "holdout"
    assert fight.turn("ana").exposed == "CD-GUN-14"
    fight.does(shot("thug", "holdout"), attack=[2] * 6)
    fight.refuses("input", does("ana", "draw"), waive=["CD-GUN-14"])
    fight.does(does("ana", "put_away", weapon="rifle"))
    fight.refuses("CD-GUN-14", shot("thug", "rifle"))
    fight.refuses("input", does("ana", "put_away", weapon="rifle"))


def test_quick_draw_needs_no_action() -> None:
    """CD-GUN-14: others without an action left can't draw."""
    quick = Sheet("", "mortal", {"dexterity": 3}, merits=frozenset({"quick_draw"}), weapons=(HOLDOUT, RIFLE))
    fight = Table(CHRONICLES, ana=shooter(HOLDOUT, RIFLE), quick=quick, thug=mortal())
    fight.initiative(ana=9, quick=5, thug=1)

    fight.does(does("ana", "put_away", weapon="rifle"))
    fight.refuses("CD-TURN-1", does("ana", "draw", weapon="holdout"))
    assert not fight.turn("ana").exposed
    fight.does(does("quick", "put_away", weapon="rifle"))
    fight.does(does("quick", "draw", weapon="holdout"))
    assert fight.turn("quick").actions
    assert fight.turn("quick").exposed == "CD-GUN-14"


def test_a_larger_gun_at_arms_length_meets_more_defense() -> None:
    """CD-GUN-11: a weapon without a Size is a pistol."""
    sizeless = replace(PISTOL, name="sizeless", size=None)
    fight = Table(CHRONICLES, ana=shooter(PISTOL, RIFLE, sizeless), thug=mortal())

    def defense(weapon: str) -> dict[str, tuple[str, int]]:
        (against,) = plan_attack(Game(fight.state, CHRONICLES), shot("thug", weapon, distance=2)).against
        return {key: part for key, part in parts(against.attack).items() if key.startswith("defense")}

    assert defense("rifle") == {"defense": ("CD-DEF-1", -2), "defense:gun": ("CD-GUN-11", -2)}
    assert defense("pistol") == defense("sizeless") == {"defense": ("CD-DEF-1", -2)}
    (fist,) = plan_attack(Game(fight.state, CHRONICLES), shot("thug", BARE_HANDS)).against
    assert "defense:gun" not in parts(fist.attack)


def test_what_is_no_pistol_clubs_like_a_crowbar() -> None:
    """CD-GUN-11, CD-IMP-1: Strength + Weaponry, 2 more damage per hit, and no round is fired."""
    fight = table()
    club = shot("thug", "rifle", "bludgeon", defences={"thug": Defence("withhold_defense")})

    plan = plan_attack(Game(fight.state, CHRONICLES), club)
    assert (plan.mode, plan.rounds) == (Mode.MELEE, 0)
    assert results(fight.does(club, attack=[8]))["thug"].net == 1
    assert (fight.health("thug"), fight.weapon("ana", "rifle")) == ("XXX", RIFLE)
    fight.refuses("CD-GUN-11", shot("thug", "pistol", "bludgeon"))
    fight.refuses("input", shot("thug", "knife", "bludgeon"))
    fits = CHRONICLES.modifiers["bludgeon"].fits
    assert fits is not None
    assert [fits(weapon) for weapon in (RIFLE, PISTOL, KNIFE)] == [True, False, False]


def test_rounds_that_go_in_one_by_one_cost_defense() -> None:
    """CD-GUN-12: a magazine does not."""
    revolver = Weapon("revolver", Mode.FIREARM, 2, clip=6, rounds=0, single_rounds=True)
    fight = Table(CHRONICLES, ana=shooter(revolver, PISTOL), thug=mortal())

    fight.does(Reload("ana", "pistol"))
    assert not fight.turn("ana").exposed
    fight.does(Reload("ana", "revolver"))
    assert fight.turn("ana").exposed == "CD-GUN-12"


FAR = Modifier("range", {"band": "beyond"})


def test_a_dramatic_failure_waits_for_the_storyteller() -> None:
    """CD-GUN-13: chance may decide, "nothing" included."""
    fight = table()

    (pending,) = [only(MishapPending, fight.does(shot("thug", "pistol", FAR), attack=[1])).mishap]
    assert pending.choices == ("jam", "seized", "nothing")
    settled = only(MishapSettled, fight.does(ChooseMishap(pending.resolution), picks=[2]))
    assert (settled.mishap, settled.by_chance) == ("nothing", True)
    assert fight.weapon("ana", "pistol").fault is None


def test_a_jam_is_cleared_and_a_bad_one_only_later() -> None:
    """CD-GUN-13."""
    for mishap, fault in (("jam", Fault.JAMMED), ("seized", Fault.SEIZED)):
        fight = table()
        pending = only(MishapPending, fight.does(shot("thug", "pistol", FAR), attack=[1])).mishap
        fight.does(ChooseMishap(pending.resolution, mishap))
        assert fight.weapon("ana", "pistol").fault is fault
        if fault is Fault.SEIZED:
            fight.refuses("CD-GUN-13", ClearJam("ana", "pistol"))
        fight.does(ClearJam("ana", "pistol"), waive=["CD-GUN-13"])
        assert fight.weapon("ana", "pistol").fault is None


def test_one_of_the_spared_may_be_hit_as_with_one_success() -> None:
    """CD-GUN-8: at random among the named people, or else among all but shooter and target."""
    fight = table(cousin=mortal())
    near = shot("thug", "pistol", FAR, near=("friend",))
    pending = only(MishapPending, fight.does(near, attack=[1])).mishap
    assert (pending.choices, pending.allies) == (("jam", "seized", "ally_hit", "nothing"), ("friend",))
    fight.does(ChooseMishap(pending.resolution, "ally_hit"), picks=[0])
    assert fight.health("friend") == "XXX"

    counted = shot("thug", "knife", FAR, Modifier("into_melee", {"spared": 1}), defences={})
    pending = only(MishapPending, fight.does(counted, attack=[1])).mishap
    assert (pending.choices, pending.allies) == (("ally_hit", "nothing"), ("friend", "cousin"))


def test_several_dramatic_failures_of_a_burst_bring_one_mishap() -> None:
    """CD-GUN-13: a thrown knife can't jam."""
    fight = table()

    events = fight.does(shot(("thug", "friend"), "SMG", "medium_burst", FAR), attack=[1, 1])
    assert [result.outcome for result in results(events).values()] == [Outcome.DRAMATIC_FAILURE] * 2
    assert only(MishapPending, events).mishap.choices == ("jam", "seized", "nothing")
    done = fight.does(shot("thug", "knife", FAR), attack=[1])
    assert not [event for event in done if isinstance(event, MishapPending)]
