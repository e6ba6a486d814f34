"""What scenario files can't express, or not as well: plans, refused nonsense, state between turns."""

from dataclasses import replace

import pytest

from rules.engine.violations import Referee
from rules.model.attack import Attack
from rules.model.choices import Defence, Modifier
from rules.model.gear import Armor, Mode, Weapon
from rules.model.modifiers import Circumstances
from rules.model.state import Encounter, Score
from rules.model.system import Game
from rules.strike.attack import plan_attack
from rules.systems.wound_levels.held_ready import EVADING, LINED_UP, LinedUp, signs
from rules.systems.wound_levels.reach import rounds_fired
from rules.systems.wound_levels.system import WOUNDS
from rules.topics.actions import why_not
from rules.topics.changes import keeping
from rules.topics.commands import Act, ChangeConditions, Declare, Delay, EndTurn, RollInitiative, SetOrder, TakeAction
from rules.topics.events import Aimed, InitiativeRolled, Moved
from tests.rules.systems.wound_levels.cast import AXE, BOW, PISTOL, RAPIER, hurt, levels, table
from tests.rules.table import only, parts, strike_at


def planned(game, command):
    (against,) = plan_attack(Game(game.state, WOUNDS), command).against
    return against


def test_the_breakdown_shows_which_protection_counted():
    """WL-ARM-3: the others are listed as struck out, with the rule that excludes them."""
    armor = (Armor("jacket", 1), Armor("vest", 3), Armor("rags", 0))
    game = table(ann=hurt(strength=2, brawl=1), bob=hurt(stamina=2, armor=armor))
    soak = planned(game, strike_at("ann", "bob")).soak
    assert [(part.label, part.rule, part.dice, part.struck) for part in soak.parts] == [
        ("jacket: doesn’t stack", "WL-ARM-3", 1, True),
        ("vest", "WL-ARM-1", 3, False),
        ("Stamina: doesn’t stack", "WL-ARM-3", 2, True),
    ]
    assert (soak.pool, soak.outright) == (3, True)


def test_all_that_is_of_another_sort_adds_up_on_the_storytellers_word():
    """WL-ARM-3: the best item, the best power of one type, and Stamina against Brawl."""
    armor = (
        Armor("jacket", 1),
        Armor("vest", 3),
        Armor("ward", 2, supernatural=True, power="ward"),
        Armor("lesser ward", 1, supernatural=True, power="ward"),
        Armor("stone skin", 1, supernatural=True),
    )
    game = table(ann=hurt(strength=2, brawl=1, weapons=(AXE,)), bob=hurt(stamina=2, armor=armor))
    assert planned(game, strike_at("ann", "bob", "", "adds_up")).soak.pool == 3 + 2 + 1 + 2
    assert planned(game, strike_at("ann", "bob", "axe", "adds_up")).soak.pool == 3 + 2 + 1
    assert planned(game, strike_at("ann", "bob", "axe")).soak.pool == 3


def test_damage_may_be_added_to_a_trait():
    """WL-WPN-1: a table's own weapon may say so."""
    maul = replace(AXE, name="maul", damage_from="strength")
    game = table(ann=hurt(strength=3, melee=1, weapons=(maul,)), bob=hurt())
    plan = planned(game, strike_at("ann", "bob", "maul"))
    assert parts(plan.damage) == {"rating": ("WL-WPN-1", 1), "damage:strength": ("WL-WPN-1", 3)}
    struck = planned(game, strike_at("ann", "bob", "maul", strike=["rating"]))
    assert struck.damage.pool == 3


def test_a_weapon_without_a_difficulty_has_the_usual_one_of_its_mode():
    """WL-WPN-1, WL-WPN-2."""
    usual = {mode: WOUNDS.attack.pool_of(hurt(), Weapon("it", mode)).difficulty for mode in Mode}
    assert usual == {Mode.UNARMED: 5, Mode.MELEE: 6, Mode.FIREARM: 7, Mode.THROWN: 7, Mode.ARCHERY: 7}


@pytest.mark.parametrize(
    "command",
    [
        Attack("zed", ("bob",)),
        Attack("ann", ("zed",)),
        Attack("ann", ()),
        Attack("ann", ("bob", "bob"), modifiers=(Modifier("sweep"),)),
        Attack("ann", ("bob", "cy")),
        Attack("ann", ("ann",)),
        Attack("ann", ("bob",), defences={"cy": Defence("dodge")}),
        Attack("ann", ("bob",), defences={"bob": Defence("block")}),
        Attack("ann", ("bob",), "bow", distance=-1),
        Attack("ann", ("bob",), "bow", (Modifier("target_size"),)),
        Attack("ann", ("bob",), modifiers=(Modifier("sleeping"),)),
        Attack("ann", ("bob",), modifiers=(Modifier("aim"),)),
    ],
)
def test_nonsense_is_turned_down(command):
    """WL-ATK-1."""
    game = table(ann=hurt(strength=3, weapons=(BOW,)), bob=hurt(), cy=hurt())
    game.refuses("input", command)


def test_close_attacks_do_not_reach_far():
    """WL-WPN-1."""
    game = table(ann=hurt(weapons=(AXE,)), bob=hurt())
    game.refuses("WL-WPN-1", strike_at("ann", "bob", "axe", distance=3))


def test_a_broken_weapon_is_not_used():
    """WL-ATK-1."""
    from rules.model.gear import Fault

    game = table(ann=hurt(weapons=(replace(AXE, fault=Fault.BROKEN),)), bob=hurt())
    game.refuses("WL-ATK-1", strike_at("ann", "bob", "axe"))


def test_waived_a_shot_beyond_all_ranges_is_one_at_the_greatest():
    """WL-MOD-9."""
    game = table(ann=hurt(dexterity=2, weapons=(PISTOL,)), bob=hurt())
    result = game.attacks("ann", "bob", "pistol", distance=99, waive={"WL-MOD-9"}, attack=[9, 8])
    assert (result.attack.plan.difficulty, result.net) == (9, 1)


def test_a_weapon_without_a_listed_range_reaches_everywhere():
    """WL-MOD-9."""
    sling = replace(BOW, name="sling", range=())
    game = table(ann=hurt(dexterity=2, weapons=(sling,)), bob=hurt())
    assert planned(game, strike_at("ann", "bob", "sling", distance=900)).attack.difficulty == 7


def test_the_greatest_range_may_be_picked():
    """WL-MOD-9."""
    game = table(ann=hurt(dexterity=2, weapons=(BOW,)), bob=hurt())
    far = planned(game, strike_at("ann", "bob", "bow", "greatest_range"))
    assert far.attack.difficulty == 9


def test_waived_an_empty_weapon_fires_nothing():
    """WL-ROF-1, WL-AUTO-1."""
    empty = replace(PISTOL, rounds=0)
    game = table(ann=hurt(dexterity=2, weapons=(empty,)), bob=hurt())
    game.refuses("WL-ROF-1", strike_at("ann", "bob", "pistol"))
    plan = plan_attack(Game(game.state, WOUNDS, Referee({"WL-ROF-1"})), strike_at("ann", "bob", "pistol"))
    assert plan.rounds == 0


def test_uncounted_rounds_never_end():
    """WL-ROF-1, WL-AUTO-1."""
    game = Game(Encounter(), WOUNDS)
    endless = replace(PISTOL, clip=None, rounds=None, automatic=True)
    assert rounds_fired(endless, (), game) == 2
    assert rounds_fired(endless, (Modifier("sweep"),), game) == 20
    assert rounds_fired(replace(endless, rate=None), (), game) == 1


def test_waived_a_dodge_without_dice_left_is_rolled_in_full():
    """WL-DEF-1."""
    game = table(ann=hurt(strength=1, melee=1, wits=1, weapons=(AXE,)), bob=hurt(dexterity=2, wits=1, stamina=2))
    game.does(RollInitiative(), initiative={"ann": [2, 2], "bob": [6, 6, 6]})
    game.does(TakeAction("evade", "bob"), roll=[2, 2])
    command = strike_at("ann", "bob", "axe", defence="dodge")
    game.refuses("WL-DEF-1", command)
    game.does(command, waive={"WL-DEF-1"}, attack=[6, 7], defence=[6, 2])
    assert levels(game, "bob") == (2,)


def test_a_parry_with_something_else_than_a_blade_is_brawl():
    """WL-DEF-2."""
    game = table(ann=hurt(strength=2, weapons=(AXE,)), bob=hurt(dexterity=2, melee=3, brawl=1, weapons=(BOW, RAPIER)))
    blade = planned(game, strike_at("ann", "bob", "axe", defence="parry"))
    bow = planned(game, strike_at("ann", "bob", "axe", defence=Defence("parry", "bow")))
    rapier = planned(game, strike_at("ann", "bob", "axe", defence=Defence("parry", "rapier")))
    assert (blade.defence.pool, bow.defence.pool, rapier.defence.pool) == (5, 3, 5)


def test_a_clash_takes_what_is_in_hand_of_the_same_ability():
    """WL-DEF-5: and the attacker's armour counts against it."""
    game = table(
        ann=hurt(strength=2, melee=1, stamina=3, armor=(Armor("vest", 2),), weapons=(AXE,)),
        bob=hurt(dexterity=3, melee=1, stamina=3, weapons=(BOW, RAPIER)),
    )
    game.does(strike_at("ann", "bob", "axe", defence="clash"), attack=[2, 2, 6], defence=[6, 6, 2, 2])
    assert (levels(game, "ann"), levels(game, "bob")) == ((1,), ())


def test_evasion_is_gone_from_an_attack_before_a_clash_compares():
    """WL-DEF-4, WL-DEF-5: 3 less an evasion of 2 ties with 1, and both count in full."""
    game = table(
        ann=hurt(strength=2, melee=1, stamina=3, weapons=(AXE,)),
        bob=hurt(dexterity=3, melee=1, stamina=3, weapons=(RAPIER,)),
    )
    game.does(TakeAction("evade", "bob"), roll=[7, 8, 2])
    game.does(strike_at("ann", "bob", "axe", defence="clash"), attack=[6, 6, 6], defence=[6, 2, 2, 2])
    assert (levels(game, "ann"), levels(game, "bob")) == ((2,), (2,))
    assert EVADING.of(game.combatant("bob")) == 0


def test_initiative_without_a_die_is_nothing():
    """WL-INIT-1."""
    game = table(ann=hurt(dexterity=0, wits=0), bob=hurt(dexterity=1, wits=1))
    told = game.does(RollInitiative(), initiative={"bob": [1, 1]})
    scores = only(InitiativeRolled, told).scores
    assert scores["ann"] == Score((), 0, 0, difficulty=6)
    assert scores["bob"] == Score((1, 1), 2, -2, difficulty=6)
    assert game.state.order == (("ann",), ("bob",))


def test_a_sheet_may_have_an_initiative_of_its_own():
    """WL-INIT-1."""
    game = table(ann=hurt(initiative=3))
    game.does(RollInitiative(), initiative={"ann": [6, 7, 8]})
    assert game.state.initiative["ann"].total == 3


def test_a_latecomer_goes_before_those_ambushed():
    """WL-INIT-3."""
    game = table(ann=hurt(dexterity=1, wits=1), bob=hurt(dexterity=1, wits=1))
    game.does(RollInitiative(("bob",), ambushed=("bob",)), initiative={"bob": [6, 6]})
    game.does(RollInitiative(("ann",)), initiative={"ann": [1, 1]})
    assert game.state.order == (("ann",), ("bob",))
    game.does(EndTurn())
    assert game.state.initiative["ann"].total == -2


def test_nobody_waits():
    """WL-INIT-2: delaying doesn't exist."""
    game = table(ann=hurt(wits=1), bob=hurt(wits=1))
    game.refuses("input", Delay("ann"))
    game.refuses("input", Declare("ann", actions=("melee",), delay=True))


def test_the_storyteller_orders_those_whom_nothing_tells_apart():
    """WL-INIT-2."""
    game = table(ann=hurt(dexterity=1, wits=1), bob=hurt(dexterity=1, wits=1))
    game.does(RollInitiative(), initiative={"ann": [6, 2], "bob": [6, 2]})
    assert game.state.order == (("ann", "bob"),)
    assert WOUNDS.initiative.notice(game.state) == "Tied: Ann and Bob"
    game.does(SetOrder((("bob",), ("ann",))))
    assert WOUNDS.initiative.notice(game.state) == ""
    assert game.state.order == (("bob",), ("ann",))


def test_everybody_who_is_tied_is_named():
    """WL-INIT-2: rank by rank, and the names in each as a list."""
    alike = hurt(dexterity=1, wits=1)
    game = table(ann=alike, bob=alike, cid=alike, dee=alike, eve=alike)
    rolled = {"ann": [6, 6], "bob": [6, 6], "cid": [6, 6], "dee": [6, 2], "eve": [6, 2]}
    game.does(RollInitiative(), initiative=rolled)
    assert WOUNDS.initiative.notice(game.state) == "Tied: Ann, Bob and Cid; Dee and Eve"


def test_a_full_turn_of_defence_is_just_a_word():
    """WL-SPLIT-1: it has no rule, so it is an action like any other."""
    game = table(ann=hurt(dexterity=2, dodge=2))
    game.does(Declare("ann", actions=("full_defence",)))
    assert game.turn("ann").actions == ("full_defence",)
    assert not game.turn("ann").full_defence


def test_words_that_name_no_pool_share_the_first_that_is_rolled():
    """WL-SPLIT-1: a pool that can't be known in advance is known when it is rolled."""
    game = table(ann=hurt(strength=3, melee=3, weapons=(AXE,)), bob=hurt(stamina=5))
    game.does(Declare("ann", actions=("shout", "melee")))
    assert planned(game, strike_at("ann", "bob", "axe")).attack.pool == 3
    game.does(Declare("ann", actions=("shout", "sing")))
    result = game.attacks("ann", "bob", "axe", attack=[6, 2, 2])
    assert result.attack.plan.pool == 3
    assert game.turn("ann").split.dice == 6


def test_a_declared_evasion_counts_with_its_own_pool():
    """WL-SPLIT-1, WL-DEF-4."""
    game = table(ann=hurt(strength=3, melee=3, dexterity=2, dodge=2, weapons=(AXE,)))
    game.does(Declare("ann", actions=("melee", "evade")))
    assert game.turn("ann").split.dice == 4


def test_what_was_declared_of_a_split_is_owed_until_it_is_done():
    """WL-SPLIT-1: it is done at one's own place; dice kept for a defence can wait."""
    ann = hurt(strength=3, melee=3, dexterity=1, wits=1, weapons=(AXE,))
    game = table(ann=ann, bob=hurt(strength=3, brawl=2, stamina=5, dexterity=1, wits=1), cy=hurt(stamina=5))
    game.does(RollInitiative(), initiative={"ann": [6, 6], "bob": [6, 2], "cy": [2, 2]})
    game.does(Declare("ann", actions=("melee", "melee")))
    game.does(Act())
    for target, left in (("bob", ("ann",)), ("cy", ())):
        game.attacks("ann", target, "axe", attack=[2, 2, 2])
        assert WOUNDS.turns.owing(game.state) == left
    game.does(Act())
    assert WOUNDS.turns.owing(game.state) == ("bob",)
    game.attacks("bob", "ann", "", Modifier("split", {"dice": 2}), attack=[2, 2])
    assert WOUNDS.turns.owing(game.state) == ()


def test_wounds_make_a_split_smaller():
    """WL-SPLIT-1, WL-DMG-5: wound penalties apply before the dice are divided."""
    game = table(ann=hurt(3, strength=2, melee=2, dexterity=3, dodge=2, weapons=(AXE,)))
    game.refuses("WL-SPLIT-1", Declare("ann", actions=("melee", "dodge")))


def test_a_split_that_is_waived_through_has_no_less_than_no_dice():
    """WL-SPLIT-1."""
    game = table(ann=hurt(strength=2, melee=1, weapons=(AXE,)), bob=hurt())
    result = game.attacks("ann", "bob", "axe", Modifier("split", {"dice": 2}), waive={"WL-SPLIT-1"}, attack=[6, 6])
    assert result.attack.plan.pool == 2


def test_what_moves_is_aimed_at_less_well():
    """WL-MOD-3: a target that has moved this round is moving."""
    game = table(ann=hurt(dexterity=2, weapons=(BOW,)), bob=hurt(dexterity=1))
    game.does(TakeAction("move", "bob"))
    assert planned(game, strike_at("ann", "bob", "bow", Modifier("aim", {"rounds": 3}))).attack.difficulty == 5


def test_what_is_held_ready_can_be_told():
    """WL-DEF-4, WL-MOD-3: only to those who may know everything about somebody."""
    game = table(ann=hurt(dexterity=2, weapons=(BOW,)))
    assert list(signs(game.state, "ann")) == []
    game.does(TakeAction("aim", "ann"))
    assert [(sign.text, sign.own) for sign in signs(game.state, "ann")] == [("aims: 1 round", True)]
    game.state = keeping(game.state, "ann", EVADING, 2)
    assert [sign.text for sign in signs(game.state, "ann")] == ["evades: 2 left", "aims: 1 round"]


def test_an_aim_is_at_somebody_or_at_whoever_comes():
    """WL-MOD-3."""
    game = table(ann=hurt(dexterity=2, weapons=(BOW,)), bob=hurt(), cy=hurt())
    game.does(TakeAction("aim", "ann", ("bob",)))
    assert planned(game, strike_at("ann", "cy", "bow")).attack.difficulty == 7
    assert planned(game, strike_at("ann", "bob", "bow")).attack.difficulty == 6
    game.does(TakeAction("aim", "ann", ("cy",)))
    assert LINED_UP.of(game.combatant("ann")) == LinedUp("cy", 1)
    game.does(TakeAction("aim", "ann"))
    game.does(TakeAction("aim", "ann"))
    assert LINED_UP.of(game.combatant("ann")) == LinedUp("", 2)
    assert planned(game, strike_at("ann", "bob", "bow")).attack.difficulty == 5


def test_aiming_takes_the_whole_round_and_a_steady_stand():
    """WL-MOD-3, WL-MOD-1."""
    game = table(ann=hurt(dexterity=2, dodge=2, athletics=2, weapons=(BOW,)), bob=hurt())
    game.does(Declare("ann", actions=("archery", "dodge")))
    game.refuses("WL-MOD-3", TakeAction("aim", "ann"))
    game.does(Declare("ann"))
    game.does(TakeAction("move", "ann"))
    game.refuses("WL-MOD-3", TakeAction("aim", "ann"))
    game.does(EndTurn())
    game.does(ChangeConditions("ann", frozenset({"in_cover"})))
    assert why_not(Game(game.state, WOUNDS), "aim", "ann").rule == "WL-MOD-1"
    game.does(ChangeConditions("ann", frozenset(), frozenset({"in_cover"})))
    assert why_not(Game(game.state, WOUNDS), "aim", "ann") is None


def test_moving_ends_an_aim():
    """WL-MOD-3."""
    game = table(ann=hurt(dexterity=2, weapons=(BOW,)), bob=hurt())
    game.does(TakeAction("aim", "ann", ("bob",)))
    told = game.does(TakeAction("move", "ann", figures={"distance": 5}))
    assert only(Moved, told) == Moved("ann", 5, unit="feet")
    assert only(Aimed, told) == Aimed("ann")
    assert LINED_UP.of(game.combatant("ann")) is None


def test_a_long_way_after_the_last_action_is_too_far():
    """WL-MOVE-1: no dice remain to pay for it."""
    game = table(ann=hurt(strength=2, dexterity=1, wits=1, brawl=1), bob=hurt(wits=1))
    game.does(RollInitiative(), initiative={"ann": [6, 6], "bob": [2, 2]})
    game.attacks("ann", "bob", attack=[2, 2, 2])
    game.refuses("WL-MOVE-1", TakeAction("move", "ann", figures={"distance": 11}))
    game.does(TakeAction("move", "ann"))
    assert game.turn("ann").moved == 10
    game.does(TakeAction("move", "ann"))
    assert game.turn("ann").moved == 10


def test_a_surprise_can_be_tried_in_secret():
    """WL-INIT-4."""
    from rules.topics.events import TraitsRolled

    game = table(ann=hurt(), bob=hurt())
    told = game.does(TakeAction("surprise", "ann", ("bob",), figures={"secret": True}), roll=[6], resist=[2])
    assert only(TraitsRolled, told).secret
    assert game.turn("ann").ambush.target == "bob"


def test_nobody_is_surprised_in_the_midst_of_a_fight():
    """WL-INIT-4: later arrivals still can be."""
    game = table(ann=hurt(), bob=hurt(), cy=hurt())
    game.does(RollInitiative(("ann", "bob")), initiative={"ann": [6, 6], "bob": [2, 2]})
    assert why_not(Game(game.state, WOUNDS), "surprise", "ann") is None
    game.refuses("WL-INIT-4", TakeAction("surprise", "ann", ("bob",)))
    game.does(TakeAction("surprise", "ann", ("cy",)), roll=[6], resist=[2])
    game.does(RollInitiative(("cy",)), initiative={"cy": [2, 2]})
    assert why_not(Game(game.state, WOUNDS), "surprise", "ann").rule == "WL-INIT-4"


def test_a_modifier_without_a_weapon_says_nothing_of_its_weight():
    """WL-MOD-14."""
    (part,) = WOUNDS.circumstances.parts((Modifier("underwater"),), Circumstances())
    assert part.difficulty == 0


def test_two_handed_weapons_are_large_under_water():
    """WL-MOD-14."""
    pole = replace(AXE, name="pole", two_handed=True)
    game = table(ann=hurt(strength=2, weapons=(pole, AXE)), bob=hurt())
    assert planned(game, strike_at("ann", "bob", "pole", "underwater")).attack.difficulty == 9
    assert planned(game, strike_at("ann", "bob", "axe", "underwater")).attack.difficulty == 8


def test_an_attack_leaves_the_stock_of_others_alone():
    """WL-DEF-4: an evasion is used up only by what it cancels."""
    game = table(ann=hurt(strength=2, weapons=(AXE,)), bob=hurt(dexterity=3, stamina=3))
    game.does(TakeAction("evade", "bob"), roll=[7, 8, 2])
    assert EVADING.of(game.combatant("bob")) == 2
    game.attacks("ann", "bob", "axe", attack=[2, 2])
    assert EVADING.of(game.combatant("bob")) == 2
    result = game.attacks("ann", "bob", "axe", attack=[6, 2])
    assert (result.taken_off, result.evaded, EVADING.of(game.combatant("bob"))) == (1, 1, 1)
    assert levels(game, "bob") == ()


def test_a_circumstance_that_is_not_for_the_weapon_says_so():
    """WL-MOD-4 is only for shots, WL-INIT-5 not for attacks."""
    game = table(ann=hurt(strength=2, brawl=1), bob=hurt())
    blind = game.refuses("input", strike_at("ann", "bob", "unarmed", "firing_blind"))
    assert blind == "“Firing blind” doesn’t work with this weapon."
    assert game.refuses("input", strike_at("ann", "bob", "unarmed", "sleeping")) == "“Asleep” doesn’t apply here."
