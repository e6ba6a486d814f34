"""Things and people in the line of fire."""

from __future__ import annotations

from rules.model.choices import Modifier
from rules.model.damage_steps import DamageStage, DamageStep, Effect, through
from rules.model.gear import BARE_HANDS, Armor
from rules.model.system import Game
from rules.odds.attacks import odds
from rules.strike.attack import plan_attack
from rules.systems.storytelling.second_edition.system import CHRONICLES
from rules.topics.commands import Leave
from rules.topics.events import CoverStruck, ShieldStruck
from rules.topics.firefights.stance import COVERS, Cover
from tests.rules.systems.second_edition.firefight import VEST, results, shot, table
from tests.rules.table import Damage, Table, does, mortal, only, vampire


def cover(**figures: int | bool | str) -> Modifier:
    return Modifier("cover", figures)


def behind_door(fight: Table, who: str = "thug") -> None:
    fight.does(does(who, "seek_cover", degree="full", cover="door", durability=1, structure=5))


def test_what_is_left_strikes_the_cover_and_the_target_alike() -> None:
    """CD-COV-1: two successes, plus 2 for the pistol, less 1."""
    fight = table()
    behind_door(fight)

    events = fight.does(shot("thug", "pistol"), attack=[8, 8, 2, 2, 2, 2])

    assert fight.health("thug") == "XXX"
    assert only(CoverStruck, events) == CoverStruck(Cover("door", 1, 2), 3, True, "CD-COV-1", ("thug",))
    assert COVERS.of(fight.state)["door"].structure == 2


def test_everybody_behind_it_is_named() -> None:
    """CD-COV-1: it is damaged for all of them."""
    fight = table()
    behind_door(fight)
    behind_door(fight, "friend")

    struck = only(CoverStruck, fight.does(shot("thug", "pistol"), attack=[8, 8, 2, 2, 2, 2]))

    assert set(struck.behind) == {"thug", "friend"}


def test_a_fact_of_one_attack_leaves_nothing_about() -> None:
    """CD-COV-1: cover with uncounted Structure is still hit."""
    fight = table()

    struck = only(CoverStruck, fight.does(shot("thug", "pistol", cover(durability=1)), attack=[8] + [2] * 5))

    assert (struck.damage, struck.cover.structure, struck.lasting) == (2, None, False)
    assert struck.behind == ("thug",)
    assert not COVERS.of(fight.state)


def test_every_step_carries_its_rule_and_can_be_struck_out() -> None:
    """CD-COV-1, CD-COV-2, CD-COV-3."""

    def steps(*mods: Modifier, strike: frozenset[str] = frozenset()) -> list[tuple[str, str, bool]]:
        fight = table()
        (against,) = plan_attack(Game(fight.state, CHRONICLES), shot("thug", "pistol", *mods, strike=strike)).against
        return [(step.key, step.rule, step.struck) for step in against.steps if step.stage is DamageStage.COVER]

    door = [("cover", "CD-COV-1", False), ("cover:structure", "CD-COV-1", False)]
    assert steps(cover(durability=2)) == door
    assert steps(cover(durability=3)) == [*door, ("cover:stop", "CD-COV-1", False)]
    glass = steps(cover(durability=3, transparent=True))
    assert glass == [
        ("cover", "CD-COV-2", False),
        ("cover:structure", "CD-COV-1", False),
        ("cover:stop", "CD-COV-2", False),
    ]
    assert steps(cover(durability=3, too_small=True)) == [("cover", "CD-COV-3", True)]
    assert steps(cover(durability=2), strike=frozenset({"cover"})) == [("cover", "CD-COV-1", True), door[1]]


def test_the_odds_know_what_stands_in_the_way() -> None:
    """CD-COV-1: if nothing penetrates, there is no damage, however likely the hit."""
    fight = table()
    (stopped,) = plan_attack(Game(fight.state, CHRONICLES), shot("thug", "pistol", cover(durability=3))).against
    (open_,) = plan_attack(Game(fight.state, CHRONICLES), shot("thug", "pistol")).against

    assert odds(stopped, Game(fight.state, CHRONICLES)).harms == 0
    assert odds(stopped, Game(fight.state, CHRONICLES)).hit == odds(open_, Game(fight.state, CHRONICLES)).hit > 0


def test_bad_numbers_are_refused() -> None:
    fight = table()

    fight.refuses("input", shot("thug", "pistol", cover(structure=3)))
    fight.refuses("input", shot("thug", "pistol", cover(durability=1, structure=-1)))
    fight.refuses("input", shot("thug", BARE_HANDS, cover(durability=1)))
    fight.refuses("input", shot("thug", "pistol", Modifier("human_shield", {"name": "nobody"})))
    fight.refuses("input", shot("thug", "pistol", Modifier("human_shield", {"name": "ana"})))


def test_a_fist_goes_round_cover_and_shields() -> None:
    """CD-COV-1, CD-COV-4: only shots and throws are stopped."""
    fight = table(guy=mortal())
    behind_door(fight)
    fight.does(does("thug", "human_shield", "guy"))

    fight.attacks("ana", "thug", BARE_HANDS, defence="withhold_defense", attack=[8])
    assert fight.health("thug") == "/"
    assert fight.health("guy") == ""
    assert COVERS.of(fight.state)["door"].structure == 5


def test_cover_and_shield_one_behind_the_other() -> None:
    """CD-COV-1, CD-COV-4: five, less 1 of the door, four to the shield, less its Stamina 2."""
    fight = table(guy=mortal())
    behind_door(fight)
    fight.does(does("thug", "human_shield", "guy"))

    fight.does(shot("thug", "pistol"), attack=[8, 8, 8, 2, 2, 2])
    assert (COVERS.of(fight.state)["door"].structure, fight.health("guy"), fight.health("thug")) == (1, "XXXX", "XX")


def test_the_shields_armour_blunts_and_takes_before_its_stamina() -> None:
    """CD-COV-4, CD-ARM-1, CD-ARM-2: four lethal; the vest turns two and takes the worst of the rest."""
    fight = table(guy=mortal(armor=(VEST,)))
    fight.does(does("thug", "human_shield", "guy"))

    events = fight.does(shot("thug", "pistol"), attack=[8, 8, 2, 2, 2, 2])

    assert fight.health("guy") == "X//"
    done = only(ShieldStruck, events).done
    assert (done.dealt, dict(done.mixed)) == (3, {Damage.LETHAL: 1, Damage.BASHING: 2})
    assert fight.health("thug") == "/"


def test_a_shield_of_dead_flesh_takes_bashing_and_lets_lethal_through() -> None:
    """CD-COV-4, CD-VAMP-2."""
    fight = table(elder=vampire())
    fight.does(does("thug", "human_shield", "elder"))

    fight.does(shot("thug", "pistol"), attack=[8, 8, 2, 2, 2, 2])
    assert (fight.health("elder"), fight.health("thug")) == ("////", "XX")


def test_what_stays_in_the_shield_goes_no_further_and_a_miss_hits_nobody() -> None:
    """CD-COV-4: a shield in heavy armour is hit but not hurt."""
    plate = Armor("plate", 9)
    fight = table(guy=mortal(armor=(plate,)))
    fight.does(does("thug", "human_shield", "guy"))

    done = results(fight.does(shot("thug", "pistol"), attack=[8] + [2] * 5))["thug"].done
    assert done is not None
    assert done.dealt == 0
    fight.does(shot("thug", "pistol"), attack=[2] * 6)
    assert (fight.health("guy"), fight.health("thug")) == ("", "")


def test_a_shield_who_leaves_the_fight_no_longer_shields() -> None:
    """CD-COV-4."""
    fight = table(guy=mortal())
    fight.does(does("thug", "human_shield", "guy"))
    fight.does(Leave("guy"))

    fight.does(shot("thug", "pistol"), attack=[8] + [2] * 5)
    assert fight.health("thug") == "XXX"


def test_what_is_caught_is_told_though_it_changes_nothing() -> None:
    """CD-COV-1: a step that stops nothing is still listed."""
    step = DamageStep("cover:structure", "Door", "CD-COV-1", DamageStage.COVER, Effect.CATCH)

    points, told = through({Damage.LETHAL: 2}, Damage.LETHAL, (step,))
    assert points == {Damage.LETHAL: 2}
    assert [each.left for each in told] == [points]
