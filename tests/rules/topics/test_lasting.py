"""Conditions that outlast a fight: which stay, how they enter the next fight, and what ends them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.engine.violations import Referee
from rules.model.gear import Damage
from rules.model.sheet import OUTSIDE_FIGHTS, Impairment, Lasting, Sheet
from rules.model.system import Game, System
from rules.model.wear import worn
from rules.systems.classic.apocalypse.system import APOCALYPSE
from rules.systems.classic.masquerade.system import MASQUERADE
from rules.systems.storytelling.second_edition.system import CHRONICLES
from rules.systems.wound_levels.system import WOUNDS
from rules.topics.commands import (
    Care,
    ChangeConditions,
    End,
    Harm,
    Heal,
    Join,
    Newcomer,
    PassTime,
    ReviseSheet,
    SetHealth,
)
from rules.topics.events import ConditionsChanged, LastingChanged, SheetRevised
from rules.topics.health.lasting import ended_by_time
from rules.topics.turns.staying import by_rule, candidates
from tests.rules.systems.second_edition.brawl import table as brawl
from tests.rules.table import Table, Written, does, mortal, only, vampire

STAKE = Lasting("staked", "AP-SIT-10")


def in_it(*conditions: str, ruleset: System = APOCALYPSE, sheet: Sheet | None = None) -> Table:
    """Ann, a vampire unless said otherwise, in these conditions, and Bob."""
    table = Table(ruleset, ann=sheet or vampire(), bob=mortal())
    if conditions:
        table.does(ChangeConditions("ann", frozenset(conditions)))
    return table


def asked(table: Table) -> set[str]:
    """What the Storyteller is asked about Ann."""
    return {each.key for each in candidates(game_of(table)).get("ann", ())}


def game_of(table: Table) -> Game:
    return Game(table.state, table.ruleset, Referee(), Written())


def left(table: Table, who: str = "ann") -> list[str]:
    return [each.condition for each in table.sheet(who).lasting]


# ------------------------------------------------------------------ which stay


def test_a_stake_stays_and_lying_on_the_ground_does_not():
    """AP-SIT-10."""
    table = in_it("staked", "prone", "surprised", "cursed")
    assert asked(table) == {"staked", "cursed"}
    assert only(LastingChanged, table.does(End())) == LastingChanged("ann", (STAKE,))
    assert table.conditions("ann") == {"staked", "prone", "surprised", "cursed"}


@pytest.mark.parametrize(
    ("ruleset", "conditions", "stay"),
    [
        (MASQUERADE, {"immobilized", "blinded"}, [Lasting("immobilized")]),
        (APOCALYPSE, {"immobilized", "in_frenzy"}, [Lasting("immobilized", "AP-SIT-7")]),
        (CHRONICLES, {"both_eyes", "bound"}, [Lasting("both_eyes", "CD-AIM-8"), Lasting("bound")]),
        (CHRONICLES, {"deafened", "arm_wrack"}, [Lasting("arm_wrack", "CD-AIM-8"), Lasting("deafened", "CD-COND-1")]),
        (CHRONICLES, {"unconscious", "stunned"}, [Lasting("unconscious", "CD-HEALTH-5")]),
        (WOUNDS, {"dead", "asleep"}, [Lasting("dead")]),
    ],
)
def test_what_stays_by_rule(ruleset, conditions, stay):
    """AP-SIT-7, CD-AIM-8, CD-COND-1, CD-HEALTH-5."""
    table = in_it(*conditions, ruleset=ruleset, sheet=mortal())
    table.does(End())
    assert list(table.sheet("ann").lasting) == stay


def test_the_storyteller_decides_otherwise():
    table = in_it("staked", "cursed", "in_frenzy")
    table.does(End({"ann": frozenset({"cursed"})}))
    assert table.sheet("ann").lasting == (Lasting("cursed"),)


def test_nobody_is_asked_about_what_boxes_and_injuries_say():
    """CD-HEALTH-3: torpor by boxes is no condition to keep a second time; by the Storyteller's word alone, it is."""
    table = in_it("torpor", "blinded", ruleset=CHRONICLES)
    assert asked(table) == {"torpor", "blinded"}
    table.does(SetHealth("ann", (Damage.LETHAL,) * table.ruleset.health.size(table.sheet("ann"))))
    blind = (Impairment("blinded", "left"),)
    table.does(ReviseSheet("ann", replace(table.sheet("ann"), impairments=blind)))
    assert asked(table) == set()
    table.does(End())
    assert left(table) == []


def test_nobody_is_asked_about_the_dead():
    table = in_it("staked", "cursed")
    table.does(Harm("ann", 8, Damage.AGGRAVATED))
    assert asked(table) == set()


def test_a_grip_ends_with_the_fight_and_cuffs_stay():
    """CD-GRP-9."""
    for leave, stay in ((False, []), (True, ["immobilized"])):
        fight = brawl()
        fight.does(does("ann", "grapple", "bob"), roll=[8, 2, 2, 2], resist=[2, 2, 2, 2])
        fight.does(does("ann", "hold"), waive=["CD-GRP-2"], roll=[8, 2], resist=[2, 2])
        fight.does(does("ann", "restrain", leave=leave), waive=["CD-GRP-2", "CD-GRP-9"], roll=[8, 2], resist=[2, 2])
        assert "immobilized" in fight.conditions("bob")
        fight.does(End())
        assert left(fight, "bob") == stay


def test_what_is_over_by_now_cannot_stay():
    table = in_it("staked")
    table.refuses("input", End({"ann": frozenset({"cursed"})}))
    table.refuses("input", End({"zed": frozenset()}))


def test_what_is_ticked_beforehand():
    assert by_rule(game_of(in_it("staked")), "ann") == {"staked"}
    assert by_rule(game_of(in_it()), "ann") == frozenset()


# ------------------------------------------------------------------ the next fight


def test_what_stayed_enters_the_next_fight():
    """AP-SIT-10."""
    table = Table(APOCALYPSE, ann=replace(vampire(), lasting=(STAKE,)))
    assert table.conditions("ann") == {"staked"}
    table.does(ChangeConditions("ann", frozenset({"prone"})))
    # It lasted before, so it stays with its origin.
    table.does(End())
    assert table.sheet("ann").lasting == (STAKE,)


def test_what_lasted_stays_even_without_a_rule():
    cursed = Lasting("cursed", fight="then", why="the crone")
    table = Table(APOCALYPSE, ann=replace(vampire(), lasting=(cursed,)))
    table.does(End())
    assert table.sheet("ann").lasting == (cursed,)


def test_a_pulled_stake_leaves_the_sheet():
    table = Table(APOCALYPSE, ann=replace(vampire(), lasting=(STAKE, Lasting("cursed"))))
    table.does(ChangeConditions("ann", remove=frozenset({"staked"}), why=" pulled "))
    assert left(table) == ["cursed"]
    table.does(End())
    assert left(table) == ["cursed"]


def test_healed_boxes_end_a_condition_that_they_caused():
    sheet = replace(vampire("X" * 7), lasting=(Lasting("torpor"),))
    table = Table(MASQUERADE, ann=sheet)
    table.does(SetHealth("ann", (Damage.LETHAL,)))
    assert (left(table), table.conditions("ann")) == ([], set())


def test_injuries_marked_one_by_one_keep_what_lasts():
    table = Table(WOUNDS, ann=replace(mortal(), lasting=(Lasting("cursed"),)))
    table.does(Harm("ann", 2, Damage.LETHAL))
    assert left(table) == ["cursed"]


def test_an_edited_sheet_brings_and_takes_conditions():
    table = Table(APOCALYPSE, ann=vampire())
    staked = replace(table.sheet("ann"), lasting=(STAKE,))
    table.does(ReviseSheet("ann", staked))
    assert (left(table), table.conditions("ann")) == (["staked"], {"staked"})
    told = only(SheetRevised, table.does(ReviseSheet("ann", replace(staked, lasting=()), worn=True)))
    assert (left(table), table.conditions("ann"), told.had) == ([], set(), {"staked"})


def test_two_fights_leave_one_of_each():
    one, other = Lasting("staked", fight="a"), Lasting("staked", fight="b")
    mine = replace(vampire(), lasting=(one,))
    both = worn(mine, vampire(), replace(vampire(), lasting=(other, Lasting("cursed"))))
    assert both.lasting == (one, Lasting("cursed"))
    assert worn(both, replace(vampire(), lasting=(one,)), vampire()).lasting == (Lasting("cursed"),)


# ------------------------------------------------------------------ outside fights


def test_outside_fights_a_condition_lasts_from_the_moment_it_is_added():
    """AP-SIT-10."""
    table = Table(APOCALYPSE, ann=replace(vampire(), lasting=(Lasting("cursed", fight="then"),)))
    table.state = replace(table.state, outside_fights=True)
    table.does(ChangeConditions("ann", frozenset({"staked", "cursed"}), why=" slept badly "))
    staked = Lasting("staked", "AP-SIT-10", OUTSIDE_FIGHTS, "slept badly")
    assert table.sheet("ann").lasting == (Lasting("cursed", fight="then"), staked)
    told = table.does(ChangeConditions("ann", remove=frozenset({"cursed"}), why="lifted"))
    assert only(ConditionsChanged, told).why == "lifted"
    assert table.sheet("ann").lasting == (staked,)


def test_outside_fights_nothing_is_kept_that_the_boxes_say():
    table = Table(MASQUERADE, ann=vampire("X" * 7))
    table.state = replace(table.state, outside_fights=True)
    table.does(ChangeConditions("ann", frozenset({"torpor"})))
    assert left(table) == []


# ------------------------------------------------------------------ time


def test_time_ends_unconsciousness_and_no_stake():
    """AP-SIT-10: until the stake is out."""
    sheet = replace(mortal(), lasting=(Lasting("unconscious"), STAKE, Lasting("cursed")))
    table = Table(APOCALYPSE, ann=sheet)
    assert ended_by_time(table.ruleset, table.combatant("ann"), 0) == frozenset()
    table.does(Heal("ann", hours=1))
    assert table.conditions("ann") == {"staked", "cursed"}
    assert left(table) == ["staked", "cursed"]


def test_time_that_passes_for_many_ends_it_too():
    """WL-DMG-4: no rule says how long injuries take to heal, but nobody stays unconscious for a night."""
    for ruleset in (MASQUERADE, WOUNDS):
        table = Table(ruleset, ann=replace(mortal(), lasting=(Lasting("unconscious"), Lasting("cursed"))))
        table.does(PassTime(("ann",), 8))
        assert left(table) == ["cursed"]


def test_only_what_lasts_ends_by_itself():
    table = in_it("unconscious", sheet=mortal())
    table.does(Heal("ann", hours=24))
    assert table.conditions("ann") == {"unconscious"}


def test_somebody_joins_with_what_lasts():
    table = Table(MASQUERADE, bob=mortal())
    table.does(Join((Newcomer("ann", replace(vampire(), lasting=(STAKE,)), conditions=frozenset({"prone"})),)))
    assert table.conditions("ann") == {"staked", "prone"}


# ------------------------------------------------------------------ tended wounds


WOUNDED = mortal("XXXXX", stamina=2)


def next_fight(sheet: Sheet) -> Table:
    return Table(CHRONICLES, ann=sheet, bob=mortal())


def tended_in_a_fight() -> Table:
    table = next_fight(WOUNDED)
    assert table.conditions("ann") == {"bleeding"}
    table.does(ChangeConditions("ann", remove=frozenset({"bleeding"})))
    assert table.conditions("ann") == frozenset()
    table.does(End())
    return table


def test_a_tended_wound_does_not_bleed_in_the_next_fight():
    """CD-HEALTH-3."""
    first = tended_in_a_fight()
    assert first.sheet("ann").lasting == (Lasting("bandaged", "CD-HEALTH-3"),)
    assert next_fight(first.sheet("ann")).conditions("ann") == {"bandaged"}
    assert next_fight(replace(first.sheet("ann"), lasting=())).conditions("ann") == {"bleeding"}


def test_a_tended_wound_that_worsens_bleeds_again_and_light_harm_leaves_it_alone():
    """CD-HEALTH-3."""
    table = next_fight(tended_in_a_fight().sheet("ann"))
    table.does(Harm("ann", 1, Damage.BASHING))
    assert (table.conditions("ann"), left(table)) == ({"bandaged"}, ["bandaged"])
    table.does(Harm("ann", 1, Damage.LETHAL))
    assert (table.conditions("ann"), left(table)) == ({"bleeding"}, [])


def test_bandages_are_over_once_the_wound_has_healed():
    """CD-HEALTH-3."""
    table = next_fight(tended_in_a_fight().sheet("ann"))
    table.does(Heal("ann", 1, Damage.LETHAL))
    assert (table.conditions("ann"), left(table)) == (frozenset(), [])


def test_care_outside_fights_lasts_into_the_next_fight():
    """CD-HEALTH-3, CD-HEAL-1."""
    table = next_fight(WOUNDED)
    table.does(PassTime(("ann",), 1, {"ann": Care.CARE}))
    assert table.sheet("ann").lasting == (Lasting("bandaged", "CD-HEALTH-3", OUTSIDE_FIGHTS),)
    assert next_fight(table.sheet("ann")).conditions("ann") == {"bandaged"}
    told = table.does(PassTime(("ann",), 1, {"ann": Care.CARE}))
    assert not [each for each in told if isinstance(each, LastingChanged)]


def test_a_storyteller_who_takes_bandages_off_decides_that_the_wound_bleeds():
    """CD-HEALTH-3."""
    table = next_fight(tended_in_a_fight().sheet("ann"))
    table.does(ChangeConditions("ann", remove=frozenset({"bandaged"})))
    assert (table.conditions("ann"), left(table)) == ({"bleeding"}, [])
    table.does(End())
    assert next_fight(table.sheet("ann")).conditions("ann") == {"bleeding"}


def test_outside_fights_the_storyteller_may_say_that_a_wound_is_tended():
    """CD-HEALTH-3."""
    table = next_fight(WOUNDED)
    table.state = replace(table.state, outside_fights=True)
    table.does(ChangeConditions("ann", remove=frozenset({"bleeding"}), why="The doctor was in"))
    assert (table.conditions("ann"), left(table)) == ({"bandaged"}, ["bandaged"])
