"""Single shots, bursts, several targets, and bystanders."""

from __future__ import annotations

import pytest

from rules.engine.violations import RuleViolation
from rules.model.attack import Attack
from rules.model.choices import Defence, Modifier
from rules.model.gear import BARE_HANDS
from rules.model.plan import AttackPlan
from rules.model.system import Game
from rules.odds.attacks import odds
from rules.strike.attack import plan_attack
from rules.systems.storytelling.second_edition.system import CHRONICLES
from rules.topics.commands import ChangeConditions
from tests.rules.systems.second_edition.firefight import PISTOL, SMG, results, shooter, shot, table, with_rounds
from tests.rules.table import Table, mortal, parts


def planned(fight: Table, command: Attack) -> AttackPlan:
    return plan_attack(Game(fight.state, CHRONICLES), command)


@pytest.mark.parametrize(("burst", "rounds", "dice"), [("short", 3, 1), ("medium", 10, 2), ("long", 20, 3)])
def test_a_burst_at_one_target_costs_rounds_and_brings_dice(burst: str, rounds: int, dice: int) -> None:
    """CD-GUN-1, CD-GUN-2, CD-GUN-3."""
    plan = planned(table(), shot("thug", "SMG", f"{burst}_burst"))

    assert plan.rounds == rounds
    assert plan.against[0].attack.pool == 6 + dice
    assert "targets" not in parts(plan.against[0].attack)


def test_each_roll_loses_as_many_dice_as_there_are_targets() -> None:
    """CD-GUN-4: each target's odds are those of its own pool."""
    fight = table()
    plan = planned(fight, shot(("thug", "friend"), "SMG", "medium_burst"))

    assert [each.attack.pool for each in plan.against] == [6, 6]
    assert parts(plan.against[1].attack)["targets"] == ("CD-GUN-4", -2)
    alone = planned(fight, shot("thug", "pistol")).against[0]
    assert odds(plan.against[0], Game(fight.state, CHRONICLES)).hit == odds(alone, Game(fight.state, CHRONICLES)).hit
    assert {odds(each, Game(fight.state, CHRONICLES)).hit for each in plan.against} == {
        odds(alone, Game(fight.state, CHRONICLES)).hit
    }


def test_only_an_automatic_weapon_fires_bursts_and_only_a_burst_has_several_targets() -> None:
    """CD-GUN-15: both can be waived, and then the burst is fired anyway."""
    fight = table()

    fight.refuses("CD-GUN-15", shot("thug", "pistol", "short_burst"))
    fight.refuses("CD-GUN-15", shot(("thug", "friend"), "SMG"))
    fight.does(shot("thug", "pistol", "short_burst"), waive=["CD-GUN-15"], attack=[2] * 7)
    assert fight.weapon("ana", "pistol").rounds == 14
    fight.does(shot(("thug", "friend"), "SMG"), waive=["CD-GUN-15"], attack=[2] * 12)


def test_other_attacks_have_one_target() -> None:
    """CD-GUN-15: nobody throws a knife at two people."""
    fight = table()

    fight.refuses("input", shot(("thug", "friend"), "knife"))
    fight.refuses("input", shot(("thug", "friend"), BARE_HANDS))
    fight.refuses("input", shot(("thug", "thug"), "SMG", "medium_burst"))
    fight.refuses("CD-GUN-1", shot(("thug", "friend"), "SMG", "short_burst"))
    fight.refuses("input", shot((), "SMG"))


def test_what_a_weapon_lacks_is_refused_and_fired_to_the_last_where_that_is_waived() -> None:
    """CD-GUN-12: a weapon with uncounted ammunition has enough."""
    fight = Table(
        CHRONICLES,
        ana=shooter(with_rounds(SMG, 2), with_rounds(PISTOL, None)),
        thug=mortal(),
    )

    fight.refuses("CD-GUN-12", shot("thug", "SMG", "short_burst"))
    fight.does(shot("thug", "SMG", "short_burst"), waive=["CD-GUN-12"], attack=[2] * 7)
    assert fight.weapon("ana", "SMG").rounds == 0
    fight.does(shot("thug", "pistol"), attack=[2] * 6)
    assert fight.weapon("ana", "pistol").rounds is None


def test_only_one_burst_at_a_time() -> None:
    table().refuses("input", shot("thug", "SMG", "short_burst", "long_burst"))


def test_a_burst_meets_whoever_stands_near() -> None:
    """CD-GUN-9: people named twice are only hit once."""
    fight = table()
    near = shot("thug", "SMG", "short_burst", near=("friend", "thug"), defences={"friend": Defence()})

    done = results(fight.does(near, attack=[8] + [2] * 4 + [2] * 5))

    assert list(done) == ["thug", "friend"]
    assert parts(done["friend"].attack.plan)["targets"] == ("CD-GUN-9", -2)


def test_people_who_were_only_counted_cost_dice_too() -> None:
    """CD-GUN-9: a burst at one target with two bystanders, none of them in the fight."""
    plan = planned(table(), shot("thug", "SMG", "short_burst", Modifier("into_melee", {"spared": 1, "grappled": 1})))

    assert parts(plan.against[0].attack)["targets"] == ("CD-GUN-9", -3)


def test_a_list_with_close_combat_is_one_target_and_those_about_it() -> None:
    """CD-GUN-9: a short burst at the first, with the second in the way."""
    plan = planned(table(), shot(("thug", "friend"), "SMG", "short_burst", Modifier("into_melee", {"spared": 1})))

    assert parts(plan.against[0].attack)["targets"] == ("CD-GUN-9", -2)
    assert [each.attack.pool for each in plan.against] == [5, 5]


def test_a_single_shot_spares_those_who_stand_near() -> None:
    """CD-GUN-8: four dice for a grappled target; explicit input takes precedence."""
    fight = table(cousin=mortal())
    near = {"near": ("friend", "cousin")}

    held = planned(_grappled(fight, "cousin"), shot("thug", "pistol", **near))
    assert parts(held.against[0].attack)["spared"] == ("CD-GUN-8", -2)
    assert parts(held.against[0].attack)["spared:grappled"] == ("CD-GUN-8", -4)
    assert held.against[0].attack.chance
    said = planned(fight, shot("thug", "pistol", Modifier("into_melee", {"grappled": 1}), **near))
    assert said.against[0].attack.pool == 2
    assert len(said.against) == 1


def test_fists_endanger_nobody_who_stands_near() -> None:
    """CD-GUN-8."""
    fight = table()

    fight.refuses("input", shot("thug", BARE_HANDS, near=("friend",)))
    fight.refuses("input", shot("thug", "pistol", near=("nobody",)))
    fight.refuses("input", shot("thug", "pistol", near=("ana",)))
    fight.refuses("input", shot("thug", "pistol", Modifier("into_melee", {"spared": -1})))


def test_bursts_are_offered_for_automatic_weapons_alone() -> None:
    """CD-GUN-15."""
    rule = CHRONICLES.modifiers["short_burst"]

    assert rule.fits is not None
    assert rule.fits(SMG)
    assert not rule.fits(PISTOL)


def _grappled(fight: Table, who: str) -> Table:
    fight.does(ChangeConditions(who, add=frozenset({"grappled"})))
    return fight


def test_nothing_but_refusals_comes_of_bad_figures() -> None:
    with pytest.raises(RuleViolation):
        planned(table(), shot("thug", "pistol", Modifier("aim", {"rounds": "many"})))
