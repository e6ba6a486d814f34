"""Who is in a fight, what players learn of them, and the fight's states."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.decide import decide
from rules.engine.messages import replay
from rules.model.attack import Attack
from rules.model.choices import Defence, Modifier
from rules.model.gear import Damage
from rules.model.roll import RollTraits
from rules.model.state import HealthShown, Status
from rules.systems.classic.apocalypse.system import APOCALYPSE
from rules.systems.classic.masquerade.system import MASQUERADE
from rules.systems.storytelling.second_edition.system import CHRONICLES
from rules.systems.wound_levels.held_ready import LINED_UP
from rules.systems.wound_levels.system import WOUNDS
from rules.topics.cast.decide import edited
from rules.topics.commands import (
    Act,
    Begin,
    ChangeConditions,
    End,
    EndTurn,
    Harm,
    Heal,
    Join,
    Leave,
    Narrate,
    Newcomer,
    Pause,
    ProposeAttack,
    ResolveAttack,
    Resume,
    ReviseSheet,
    SetHealth,
    SetVisibility,
    Spend,
    TakeAction,
)
from rules.topics.events import RulesWaived
from tests.rules.table import KNIFE, PISTOL, RIFLE, VEST, Table, Written, boxes, mortal, only, strike_at, vampire


def join(*ids, **fields):
    return Join(tuple(Newcomer(who, mortal(), **fields) for who in ids))


def test_players_health_is_shown_in_boxes_and_others_in_a_word():
    table = Table(begun=False)
    table.does(join("ann", player=True, character="c1"))
    table.does(join("bob", hidden=True, mask="a shape", group="thugs"))
    ann, bob = table.combatant("ann"), table.combatant("bob")
    assert (ann.player, ann.character, ann.health_shown) == (True, "c1", HealthShown.BOXES)
    assert (bob.hidden, bob.mask, bob.group, bob.health_shown) == (True, "a shape", "thugs", HealthShown.WORD)


@pytest.mark.parametrize(
    "command", [join(), join("ann", "ann"), join(""), join("bob"), join("ann", health_shown="all")]
)
def test_everybody_who_joins_has_an_id_of_their_own(command):
    Table(bob=mortal()).refuses("input", command)


def test_damage_that_somebody_brings_stands_worst_first_and_has_what_follows():
    """MQ-HEALTH-2."""
    table = Table(ann=mortal("/X*"), bob=vampire("XXXXXXX"), cy=mortal("*******"))
    assert table.health("ann") == "*X/"
    assert table.conditions("ann") == set()
    assert table.conditions("bob") == {"torpor"}
    assert table.conditions("cy") == {"dead"}


@pytest.mark.parametrize(
    "sheet",
    [
        mortal("////////"),
        mortal(strength=-1),
        mortal(strength=10**12),
        mortal(resources={"willpower": -5}),
        mortal(weapons=(replace(KNIFE, damage=10**9),)),
        mortal(weapons=(replace(PISTOL, rounds=-3),)),
        mortal(weapons=(replace(PISTOL, range=(10**9,)),)),
        mortal(armor=(replace(VEST, penalty=-(10**6)),)),
    ],
)
def test_a_sheet_that_cannot_be_stays_outside(sheet):
    table = Table(bob=mortal())
    table.refuses("input", Join((Newcomer("ann", sheet),)))
    table.refuses("input", ReviseSheet("bob", sheet))


def test_somebody_may_join_in_the_midst_and_leave():
    table = Table(ann=mortal(), bob=mortal())
    table.does(join("cy"))
    table.does(ProposeAttack("x", strike_at("cy", "ann")))
    table.attacks("cy", "ann", attack=[1])
    table.does(Leave("cy"))
    assert set(table.state.combatants) == {"ann", "bob"}
    assert (table.state.exchanges, table.state.mishaps) == ((), ())
    table.refuses("input", Leave("cy"))


def test_nothing_is_left_of_whoever_left():
    table = Table(CHRONICLES, ann=mortal(weapons=(RIFLE,)), bob=mortal(), cy=mortal(), dee=mortal())
    burst = Attack("ann", ("bob",), "rifle", (Modifier("medium_burst"),), near=("cy", "dee"), others=("cy",))
    answered = replace(burst, defences={"cy": Defence("dodge")})
    table.does(ProposeAttack("x", answered, by_hand=True))
    table.does(Leave("cy"))
    (exchange,) = table.state.exchanges
    assert exchange.attack == replace(burst, near=("dee",), others=())
    table.does(ResolveAttack("x"), attack=[2, 2])
    assert table.state.exchanges == ()


def test_what_was_aimed_at_whoever_left_is_aimed_at_nobody():
    table = Table(WOUNDS, ann=mortal(weapons=(PISTOL,)), bob=mortal(), cy=mortal(weapons=(PISTOL,)), dee=mortal())
    table.does(TakeAction("aim", "ann", ("bob",)))
    table.does(TakeAction("aim", "cy", ("dee",)))
    table.does(Leave("bob"))
    lined_up = LINED_UP.of(table.combatant("cy"))
    assert (LINED_UP.of(table.combatant("ann")), lined_up and lined_up.target) == (None, "dee")


def test_an_ambush_is_over_with_whoever_it_was_for():
    table = Table(APOCALYPSE, ann=mortal(dexterity=2, stealth=1), bob=mortal(perception=1), cy=mortal())
    table.does(TakeAction("ambush", "ann", ("bob",)), roll=[8, 8, 8], resist=[2])
    table.does(Leave("cy"))
    assert table.turn("ann").ambush
    table.does(Leave("bob"))
    assert table.turn("ann").ambush is None


def test_visibility_changes_only_what_is_said():
    table = Table(ann=mortal())
    table.does(SetVisibility("ann", hidden=True, mask=" a stranger "))
    table.does(SetVisibility("ann", health_shown="nothing"))
    ann = table.combatant("ann")
    assert (ann.hidden, ann.mask, ann.health_shown) == (True, "a stranger", HealthShown.NOTHING)
    table.refuses("input", SetVisibility("ann", health_shown="x-ray"))
    table.refuses("input", SetVisibility("zed", hidden=True))


def test_a_sheet_edited_elsewhere_comes_whole():
    """MQ-HEALTH-2: with the conditions that follow from its boxes, in addition to others."""
    table = Table(ann=mortal("///////"))
    table.does(ChangeConditions("ann", add=frozenset({"prone"})))
    table.does(ReviseSheet("ann", replace(mortal("/X", strength=3, weapons=(KNIFE,)), name="Ann")))
    assert table.health("ann") == "X/"
    assert (table.sheet("ann").weapons, table.conditions("ann")) == ((KNIFE,), {"prone"})
    table.refuses("input", ReviseSheet("zed", mortal()))


def test_a_merged_sheet_keeps_its_own_part_when_something_earlier_is_left_out():
    """Traits are those of the edit; harm and points are the difference that it made."""
    table = Table(ann=vampire(strength=2, resources={"blood": 10}))
    before = table.state
    table.does(Spend("ann", "blood", 3))
    written = vampire("X", strength=4, resources={"blood": 6}, weapons=(KNIFE,))
    revised = decide(table.state, ReviseSheet("ann", written, merged=True), MASQUERADE, Written())
    assert replay(table.state, revised).combatants["ann"].sheet == written
    alone = replay(before, revised).combatants["ann"].sheet
    assert (alone.resources, alone.marks) == ({"blood": 9}, (Damage.LETHAL,))
    assert (alone.traits["strength"], alone.weapons) == (4, (KNIFE,))


def test_an_edit_tells_of_health_and_points_alone():
    before = vampire(resources={"blood": 10})
    assert edited("ann", before, replace(before, name="Ann", merits=frozenset({"x"}))) == ()
    (told,) = edited("ann", before, replace(before, resources={"blood": 9}))
    assert (told.was.resources, told.now.resources) == ({"blood": 10}, {"blood": 9})


# ------------------------------------------------------------------ the fight itself


def test_a_fight_begins_pauses_goes_on_and_ends():
    """MQ-TURN-1."""
    table = Table(begun=False, ann=mortal())
    seen = [table.state.status]
    for command in (Begin(), Pause(), Resume(), End()):
        table.does(command)
        seen.append(table.state.status)
    assert seen == [Status.DRAFT, Status.RUNNING, Status.PAUSED, Status.RUNNING, Status.ENDED]


def test_each_step_has_its_time():
    Table(begun=False).refuses("input", Begin())
    draft = Table(begun=False, ann=mortal())
    for command in (Pause(), Resume(), End(), Act(), EndTurn(), Harm("ann", 1, Damage.LETHAL)):
        draft.refuses("input", command)
    running = Table(ann=mortal())
    for command in (Begin(), Resume()):
        running.refuses("input", command)
    running.does(End())
    for command in (Begin(), Resume(), Pause(), End(), RollTraits("ann", ("strength",)), Spend("ann", "willpower")):
        running.refuses("input", command)


def test_a_paused_fight_may_end():
    table = Table(ann=mortal())
    table.does(Pause())
    table.does(End())
    assert table.state.status is Status.ENDED


def test_wounds_are_tended_and_words_are_found_after_the_end():
    """MQ-HEAL-1, MQ-NARR-1."""
    table = Table(ann=mortal("//"), bob=mortal())
    table.attacks("bob", "ann", attack=[2])
    table.does(End())
    table.does(Narrate("r1", "It is over."))
    table.does(Heal("ann", hours=1))
    table.does(SetHealth("ann", boxes("X")))
    table.does(ChangeConditions("ann", add=frozenset({"prone"})))
    assert (table.health("ann"), table.conditions("ann"), table.state.unnarrated) == ("X", {"prone"}, ())


def test_what_the_storyteller_waives_is_told_with_the_reason():
    table = Table(ann=mortal("///////"), bob=mortal())
    told = table.does(strike_at("ann", "bob"), waive={"MQ-HEALTH-1", "MQ-ATK-8"}, why="a last gasp")
    waived = only(RulesWaived, told)
    assert ([flag.rule for flag in waived.flags], waived.why) == (["MQ-HEALTH-1"], "a last gasp")
    assert told[0] is waived
