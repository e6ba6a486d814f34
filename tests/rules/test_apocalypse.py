"""What Apocalypse does otherwise than Masquerade; the scenarios show each rule, these the corners of the parts."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from rules.attack import plan_attack
from rules.commands import (
    Abort,
    ChangeConditions,
    ChooseMishap,
    Declare,
    Defence,
    EndTurn,
    FullDefence,
    Harm,
    Heal,
    Join,
    Modifier,
    Newcomer,
    RollInitiative,
    RollTraits,
    SetOrder,
    Spend,
    TakeAction,
)
from rules.commands import Act as Act_
from rules.dice import Roll
from rules.encounter import Ambush
from rules.events import (
    ArmorDestroyed,
    Healed,
    KnockedDown,
    Moved,
    Outcome,
    ResourceChanged,
    RulesWaived,
    StandingsChanged,
)
from rules.fold import fold
from rules.gear import Armor, Damage, Mode, Weapon
from rules.modifiers import Circumstances, ModifierRule, modifier_rule
from rules.odds import odds
from rules.rulesets.apocalypse import APOCALYPSE
from rules.sheet import Sheet
from rules.situations import from_ambush, steps_of
from rules.violations import RuleViolation
from tests.rules.table import KNIFE, MASQUERADE, PISTOL, Table, boxes, mortal, only, parts, strike_at

STAKE = Weapon("stake", Mode.MELEE, 1, "strength", Damage.LETHAL, tags=frozenset({"stake"}))
TORCH = Weapon("torch", Mode.MELEE, 2, "", Damage.LETHAL, tags=frozenset({"fire"}))
CLAWS = Weapon("claws", Mode.UNARMED, 1, "", Damage.AGGRAVATED, tags=frozenset({"claws"}))
KLAIVE = Weapon("klaive", Mode.MELEE, 2, "strength", Damage.AGGRAVATED, tags=frozenset({"silver"}))
BOW = Weapon("bow", Mode.ARCHERY, 5, "", Damage.LETHAL, range=(60,))
VEST = Armor("vest", 2, penalty=-1)


def garou(marks: str = "", **written):
    return mortal(marks, kind="garou", **written)


def leech(marks: str = "", **written):
    return mortal(marks, kind="vampire", **written)


def table(ruleset=APOCALYPSE, **sheets: Sheet) -> Table:
    return Table(ruleset, **sheets)


def plain(**more: Sheet) -> Table:
    """Ann, who is quick, and Bob, who is not; totals 8 and 3."""
    made = table(**{"ann": mortal(dexterity=3, wits=3, brawl=2), "bob": mortal()} | more)
    made.initiative(**{who: 2 if who == "ann" else 1 for who in made.state.combatants})
    return made


# ------------------------------------------------------------------ initiative and turns


def test_initiative_is_rolled_once_and_newcomers_join_in():
    """AP-INIT-1."""
    played = plain()
    assert "kept" in played.refuses("AP-INIT-1", RollInitiative())
    played.does(Join((Newcomer("cyd", mortal(dexterity=2, wits=2)),)))
    assert played.refuses("AP-INIT-1", RollInitiative(("cyd", "bob")))
    played.does(RollInitiative(), initiative={"cyd": [1]})
    assert played.state.order == (("ann",), ("cyd",), ("bob",))
    assert {who: score.total for who, score in played.state.initiative.items()} == {"ann": 8, "cyd": 5, "bob": 3}
    played.does(RollInitiative(), waive=["AP-INIT-1"], initiative={"ann": [1], "bob": [9], "cyd": [1]})
    assert played.state.order == (("bob",), ("ann",), ("cyd",))


def test_a_standing_moves_with_the_wounds_and_leaves_the_storytellers_order_alone():
    """AP-INIT-3: a place is taken before the first that is not better."""
    played = plain(cyd=mortal(dexterity=3, wits=3), dee=mortal())
    played.does(SetOrder((("bob",), ("ann",), ("cyd",), ("dee",))))
    assert not [event for event in played.does(EndTurn()) if isinstance(event, StandingsChanged)]
    played.does(Harm("cyd", 5, Damage.LETHAL))
    told = only(StandingsChanged, played.does(EndTurn()))
    assert told.scores["cyd"].total == 5
    # Bob's place is the Storyteller's; Cyd (5) goes before Dee (3), which Bob's total is as well.
    assert told.order == (("cyd",), ("bob",), ("ann",), ("dee",))


def test_several_standings_that_move_find_their_places_among_each_other():
    """AP-INIT-3: of 8 and 7 the wounds leave 6 to each, by a rating of 4; Dee keeps 3."""
    played = table(ann=mortal(dexterity=3, wits=3), bob=mortal(dexterity=3, wits=2), dee=mortal())
    played.initiative(ann=2, bob=2, dee=1)
    assert played.state.order == (("ann",), ("bob",), ("dee",))
    played.does(Harm("ann", 4, Damage.BASHING))
    played.does(Harm("bob", 2, Damage.BASHING))
    played.does(EndTurn())
    assert {who: score.total for who, score in played.state.initiative.items()} == {"ann": 6, "bob": 6, "dee": 3}
    # Equal in total and in rating, 4 each: they share a rank, in the order of the cast.
    assert played.state.order == (("ann", "bob"), ("dee",))
    played.does(Harm("bob", 2, Damage.BASHING))
    played.does(Harm("dee", 2, Damage.BASHING))
    played.does(EndTurn())
    assert played.state.order == (("ann",), ("bob",), ("dee",))


def test_equal_standings_are_shared_in_the_order_of_the_cast():
    """AP-INIT-2, AP-INIT-3: Ann falls to 3 with a rating of 1 (Dexterity + Wits 2 less 1)."""
    played = table(ann=mortal(), bob=mortal("//"))
    played.initiative(ann=1, bob=1)
    assert played.state.order == (("ann",), ("bob",))
    played.does(Harm("ann", 2, Damage.BASHING))
    played.does(EndTurn())
    assert played.state.order == (("ann", "bob"),)
    played.does(Harm("bob", 4, Damage.BASHING))
    played.does(EndTurn())
    assert played.state.order == (("ann",), ("bob",))


def test_initiative_of_every_turn_is_not_touched_by_its_end():
    """AP-INIT-1: the switch."""
    played = table(APOCALYPSE.with_options({"initiative_every_turn": True}), ann=mortal(), bob=mortal())
    played.initiative(ann=5, bob=1)
    played.does(Harm("ann", 5, Damage.BASHING))
    played.does(TakeAction("knockdown", "bob"), check=[6])
    assert not [event for event in played.does(EndTurn()) if isinstance(event, StandingsChanged)]
    played.initiative(ann=5, bob=6)
    assert played.state.initiative["bob"].total == 6 + 2 - 2


def test_all_declare_at_once_or_the_slowest_first():
    """AP-DECL-1."""
    assert APOCALYPSE.turns.declaring(plain().state, APOCALYPSE) == ("ann", "bob")
    strict = APOCALYPSE.with_options({"slowest_declare_first": True})
    assert strict.turns.declaring(plain().state, strict) == ("bob",)


def test_rage_buys_actions_and_is_given_back_when_it_is_declared_anew():
    """AP-ORDER-3."""
    played = plain(ann=garou(dexterity=3, wits=3, rage=3))
    told = only(ResourceChanged, played.does(Declare("ann", actions=("unarmed", "rage", "rage"))))
    assert (told.resource, told.left, told.spent) == ("rage", 1, 2)
    told = only(ResourceChanged, played.does(Declare("ann", actions=("unarmed", "rage"))))
    assert (told.left, told.spent) == (2, -1)
    assert played.turn("ann").actions == ("unarmed", "rage")
    assert APOCALYPSE.turns.most_fast(played.sheet("ann"), APOCALYPSE) == 2
    assert "Rage" in played.refuses("AP-RAGE-1", Declare("ann", actions=("rage",) * 4))


def test_points_that_are_meant_to_be_spent_are_there_and_stay():
    """AP-DECL-1."""
    played = plain(ann=garou(dexterity=3, wits=3, rage=3, gnosis=1))
    played.does(Declare("ann", points={"gnosis": 1}))
    assert played.turn("ann").declaration.points == {"gnosis": 1}
    assert played.sheet("ann").resources == {}
    assert "Gnosis" in played.refuses("AP-GNOSIS-1", Declare("ann", points={"gnosis": 2}))
    played.refuses("input", Declare("ann", points={"rage": -1}))


def test_nothing_but_defences_is_a_turn_of_defence():
    """AP-MULTI-1, AP-DEF-4; an action that was bought is something else."""
    played = plain(ann=garou(dexterity=3, wits=3, rage=3))
    played.does(Declare("ann", actions=("dodge", "block")))
    assert played.turn("ann").full_defence
    played.does(Declare("ann", actions=("dodge", "block", "rage")))
    assert not played.turn("ann").full_defence


def test_any_action_left_becomes_a_defence_and_none_is_aborted():
    """AP-ORDER-2."""
    played = plain()
    played.does(Declare("bob", actions=("unarmed",)))
    assert played.refuses("input", Abort("bob", "point"))
    played.does(strike_at("ann", "bob", defence="dodge"), attack=[2] * 5, defence=[2])
    assert played.turn("bob").actions == ()
    played.refuses("AP-ORDER-2", strike_at("ann", "bob", defence="dodge"), waive=["AP-MULTI-1"])
    played.does(EndTurn())
    played.does(Declare("bob", actions=("unarmed",)))
    played.does(FullDefence("bob"))
    assert played.turn("bob").full_defence


# ------------------------------------------------------------------ dazed


def dazed(**more: Sheet) -> Table:
    played = plain(**more)
    played.does(ChangeConditions("bob", add=frozenset({"dazed"})))
    return played


def test_the_dazed_lose_the_turn_that_they_still_had():
    """AP-SIT-4."""
    played = dazed()
    assert played.refuses("AP-SIT-4", strike_at("bob", "ann"))
    played.refuses("AP-SIT-4", strike_at("ann", "bob", defence="dodge"))
    assert APOCALYPSE.turns.declaring(played.state, APOCALYPSE) == ("ann",)
    played.does(Act_())
    played.does(Act_())
    assert played.state.acting == ()
    played.does(EndTurn())
    assert played.conditions("bob") == set()


def test_the_dazed_who_have_acted_or_defend_lose_the_next():
    """AP-SIT-4."""
    played = plain()
    played.does(strike_at("bob", "ann"), attack=[2])
    played.does(FullDefence("ann"))
    played.does(ChangeConditions("bob", add=frozenset({"dazed"})))
    played.does(ChangeConditions("ann", add=frozenset({"dazed"})))
    played.does(EndTurn())
    assert played.conditions("ann") == played.conditions("bob") == {"dazed"}
    assert played.refuses("AP-SIT-4", RollTraits("bob", ("wits",)))
    played.does(EndTurn())
    assert played.conditions("ann") == played.conditions("bob") == set()


def test_what_is_done_simultaneously_stops_nobody():
    """AP-INIT-2, AP-SIT-4."""
    played = table(ann=mortal(strength=5), bob=mortal())
    played.initiative(ann=5, bob=5)
    played.does(Act_())
    played.attacks("ann", "bob", attack=[6], damage=[6, 6, 6, 6, 2], soak=[2])
    assert "dazed" in played.conditions("bob")
    assert played.attacks("bob", "ann", attack=[2]).outcome is Outcome.MISS


def test_without_ranks_no_turn_is_lost():
    """AP-SIT-4: neither dice nor lost actions block anybody before initiative."""
    played = table(ann=mortal(), bob=mortal())
    played.does(ChangeConditions("bob", add=frozenset({"dazed"})))
    played.attacks("bob", "ann", attack=[2])
    played.does(EndTurn())
    assert played.conditions("bob") == {"dazed"}


@pytest.mark.parametrize(
    ("target", "levels", "is_dazed"),
    [
        (mortal(stamina=2), 2, False),
        (mortal(stamina=2), 3, True),
        (mortal(kind="ghoul", stamina=2), 3, True),
        (garou(stamina=2), 4, False),
        (garou(stamina=2), 5, True),
        (mortal("XXXX", stamina=2), 3, True),
        (mortal("XXXXX", stamina=2), 3, False),
    ],
)
def test_who_is_dazed_by_how_much(target, levels, is_dazed):
    """AP-SIT-4: the dead are past it."""
    gun = replace(PISTOL, damage=levels)
    played = table(ann=mortal(dexterity=5, weapons=(gun,)), bob=target)
    soak = {"soak": [2, 2]} if target.kind == "garou" else {}
    played.attacks("ann", "bob", "pistol", attack=[6] * 5, **soak)
    assert ("dazed" in played.conditions("bob")) is is_dazed


# ------------------------------------------------------------------ damage, soak, armour


@pytest.mark.parametrize(
    ("weapon", "target", "kind"),
    [
        (TORCH, garou(), Damage.AGGRAVATED),
        (TORCH, mortal(), Damage.LETHAL),
        (KLAIVE, garou(), Damage.AGGRAVATED),
        (KLAIVE, leech(), Damage.LETHAL),
        (replace(KLAIVE, type=Damage.BASHING), garou(), Damage.AGGRAVATED),
        (replace(CLAWS, tags=frozenset({"claws", "silver"})), leech(), Damage.AGGRAVATED),
        (CLAWS, mortal(), Damage.LETHAL),
        (CLAWS, mortal(kind="ghoul"), Damage.LETHAL),
        (replace(KNIFE, tags=frozenset({"sunlight"})), leech(), Damage.AGGRAVATED),
        (KNIFE, leech(), Damage.LETHAL),
    ],
)
def test_damage_is_what_it_is_to_the_target(weapon, target, kind):
    """AP-DMG-7."""
    assert APOCALYPSE.attack.damage.type(weapon, target, (), APOCALYPSE) is kind


def test_harm_that_is_said_is_converted_and_nothing_else():
    """AP-DMG-7."""
    played = table(ann=garou(), bob=mortal())
    played.does(Harm("ann", 1, Damage.LETHAL, frozenset({"silver"})))
    played.does(Harm("bob", 1, Damage.AGGRAVATED))
    assert (played.health("ann"), played.health("bob")) == ("*", "X")


def test_guns_do_levels_outright():
    """AP-DMG-5: the plan has no difficulty, and no overage."""
    played = table(ann=mortal(dexterity=2, weapons=(PISTOL,)), bob=mortal(stamina=9))
    result = played.attacks("ann", "bob", "pistol", attack=[6, 6])
    assert result.done.damage.plan.outright
    assert result.done.damage.roll == Roll((), 0, 4)
    assert (result.done.levels, result.done.dealt) == (4, 4)
    assert played.health("bob") == "XXXX"


def test_a_struck_rating_leaves_nothing_to_mark():
    """AP-DMG-5: outright damage has no least die."""
    played = table(ann=mortal(dexterity=2, weapons=(PISTOL,)), bob=mortal())
    result = played.attacks("ann", "bob", "pistol", attack=[6, 6], strike=["rating"])
    assert (result.outcome, result.done.dealt) == (Outcome.HIT, 0)


def test_odds_of_what_is_not_rolled():
    """AP-DMG-5, AP-SIT-7: one die hits on 6 and up; four levels or none."""
    played = table(ann=mortal(weapons=(PISTOL,)), bob=mortal())
    (against,) = plan_attack(played.state, strike_at("ann", "bob", "pistol"), APOCALYPSE).against
    chances = odds(against, played.state, APOCALYPSE)
    assert chances.levels == (Fraction(1, 2), 0, 0, 0, Fraction(1, 2))
    played.does(ChangeConditions("bob", add=frozenset({"immobilized"})))
    (against,) = plan_attack(played.state, strike_at("ann", "bob", "pistol"), APOCALYPSE).against
    chances = odds(against, played.state, APOCALYPSE)
    assert (chances.hit, chances.botch, chances.levels) == (1, 0, (0, 0, 0, 0, 1))


def test_a_helpless_target_is_rolled_for_when_the_storyteller_wants_it():
    """AP-SIT-7."""
    played = table(ann=mortal(dexterity=2), bob=mortal())
    played.does(ChangeConditions("bob", add=frozenset({"immobilized"})))
    assert played.attacks("ann", "bob", strike=["automatic"], attack=[2, 2]).outcome is Outcome.MISS
    assert played.attacks("ann", "bob", damage=[2]).net == 1


@pytest.mark.parametrize(("rating", "levels", "broken"), [(2, 3, False), (2, 4, True), (2, 9, True), (0, 4, False)])
def test_armour_breaks_at_twice_its_rating(rating, levels, broken):
    """AP-ARM-2."""
    vest = replace(VEST, rating=rating)
    played = table(ann=mortal(weapons=(replace(PISTOL, damage=levels),)), bob=mortal(armor=(vest, vest), dexterity=3))
    told = played.does(strike_at("ann", "bob", "pistol"), attack=[6], **({"soak": [2] * rating} if rating else {}))
    assert [event.armor.name for event in told if isinstance(event, ArmorDestroyed)] == ["vest"] * broken
    assert [armor.destroyed for armor in played.sheet("bob").armor] == [broken, False]
    # What is whole is worn still: it soaks, hinders, and lets its bearer block.
    assert len(played.sheet("bob").sound_armor) == 2 - broken


def test_destroyed_armour_does_nothing_more():
    """AP-ARM-2, AP-ARM-3, AP-DEF-2."""
    rag = replace(VEST, destroyed=True)
    played = table(ann=mortal(weapons=(KNIFE,), strength=2), bob=mortal(armor=(rag,), dexterity=2))
    assert played.attacks("ann", "bob", "knife", attack=[6], damage=[6, 2, 2]).done.soaked == 0
    played.refuses("AP-DEF-2", strike_at("ann", "bob", "knife", defence="block"))
    played.does(RollTraits("bob", ("dexterity",)), roll=[2, 2])
    # Nothing is left to be destroyed.
    assert fold(played.state, ArmorDestroyed("bob", rag)) == played.state


def test_what_an_ally_takes_by_mishap_breaks_armour_too():
    """AP-ATK-6, AP-ARM-2."""
    gun = replace(PISTOL, damage=4)
    played = Table(
        APOCALYPSE,
        players=["ann", "cyd"],
        ann=mortal(dexterity=2, weapons=(gun,)),
        bob=mortal(),
        cyd=mortal(armor=(VEST,)),
    )
    played.attacks("ann", "bob", "pistol", attack=[1, 2])
    told = played.does(ChooseMishap("r1", "ally_hit", "cyd"), soak=[2, 2])
    assert only(ArmorDestroyed, told).who == "cyd"


def test_bows_do_by_strength_and_fortitude_is_for_what_is_grave():
    """AP-DMG-4, AP-SOAK-1."""
    played = table(ann=mortal(strength=3, weapons=(BOW, CLAWS)), bob=leech(stamina=2, fortitude=3))
    assert played.attacks("ann", "bob", "bow", attack=[6], damage=[6, 2, 2], soak=[2, 2]).done.damage.plan.pool == 3
    played.attacks("ann", "bob", "claws", attack=[6], damage=[6, 2, 2, 2], soak=[2, 2, 2])
    easier = APOCALYPSE.with_options({"fortitude_soaks_all": True})
    soak = easier.attack.damage.soak(played.sheet("bob"), Damage.LETHAL, KNIFE, easier)
    assert soak.pool == 5


@pytest.mark.parametrize(
    ("weapon", "dice"),
    [(CLAWS, 2), (KLAIVE, 0), (replace(CLAWS, tags=frozenset({"claws", "silver"})), 0)],
)
def test_garou_soak_what_is_not_silver_once_the_switch_is_on(weapon, dice):
    """AP-SOAK-1."""
    printed = APOCALYPSE.with_options({"garou_soak_aggravated": True})
    part = printed.attack.damage
    damage = part.type(weapon, garou(), (), printed)
    assert part.soak(garou(stamina=2), damage, weapon, printed).pool == dice
    assert APOCALYPSE.attack.damage.soak(garou(stamina=2), damage, weapon, APOCALYPSE).pool == 0
    assert part.soak(leech(stamina=2), damage, weapon, printed).pool == 0


# ------------------------------------------------------------------ healing and the end


def test_the_regenerating_heal_as_turns_end():
    """AP-HEAL-1."""
    odd = replace(garou("X/"), merits=frozenset({"no_regeneration"}))
    blessed = replace(mortal("X"), merits=frozenset({"regenerates"}))
    played = table(wolf=garou("*X/"), odd=odd, blessed=blessed, man=mortal("X/"), dead=garou("*******"))
    told = played.does(EndTurn())
    assert {event.who: event.healed for event in told if isinstance(event, Healed)} == {
        "wolf": {"bashing": 1},
        "blessed": {"lethal": 1},
    }
    assert [played.health(who) for who in ("wolf", "odd", "blessed", "man", "dead")] == [
        "*X",
        "X/",
        "",
        "X/",
        "*******",
    ]
    played.does(EndTurn())
    played.does(EndTurn())
    assert played.health("wolf") == "*"


def test_rest_says_what_it_healed_in_garou():
    """AP-HEAL-2: what is lighter is gone in minutes, an aggravated level in a day."""
    sheet, healed = APOCALYPSE.health.rest(garou("**X//"), 25, APOCALYPSE)
    assert (sheet.marks, healed) == (boxes("*"), {"bashing": 2, "lethal": 1, "aggravated": 1})


def test_the_dead_do_not_heal_whatever_their_sheet_says():
    """AP-HEAL-1, AP-HEALTH-1: a mortal with all lethal and a level more is dead, not mending."""
    played = table(man=replace(mortal("*XXXXXX"), merits=frozenset({"regenerates"})))
    assert played.conditions("man") == {"dead"}
    played.does(EndTurn())
    assert played.health("man") == "*XXXXXX"


def test_masquerade_knows_no_regeneration():
    """AP-HEAL-1 stands in Apocalypse alone."""
    played = Table(MASQUERADE, wolf=replace(garou("X/"), merits=frozenset({"regenerates"})))
    assert not [event for event in played.does(EndTurn()) if isinstance(event, Healed)]


@pytest.mark.parametrize(
    ("sheet", "hours", "left"),
    [
        (garou("**X//"), 1, "**"),
        (garou("**X//"), 24, "*"),
        (garou("**X//"), 24 * 9, ""),
        (replace(garou("**X/"), merits=frozenset({"no_regeneration"})), 23, "**X"),
        (replace(garou("**X/"), merits=frozenset({"no_regeneration"})), 24, "*"),
        (replace(garou("**X/"), merits=frozenset({"no_regeneration"})), 72, ""),
        (mortal("X/"), 23, "X"),
        (replace(mortal("*X/"), merits=frozenset({"regenerates"})), 23, "*"),
        (mortal("*XXXXXX"), 24 * 999, "*XXXXXX"),
        (garou("*******"), 24 * 999, "*******"),
    ],
)
def test_rest_by_kind(sheet, hours, left):
    """AP-HEAL-2: the dead do not heal."""
    played = table(one=sheet)
    played.does(Heal("one", hours=hours))
    assert played.health("one") == left


@pytest.mark.parametrize(
    ("sheet", "condition"),
    [
        (mortal("XXXXXXX"), "incapacitated"),
        (mortal("*XXXXXX"), "dead"),
        (mortal("*XXXXX/"), "incapacitated"),
        (garou("******X"), "incapacitated"),
        (leech("XXXXXXX"), "incapacitated"),
        (leech("*******"), "dead"),
    ],
)
def test_how_the_boxes_end(sheet, condition):
    """AP-HEALTH-1."""
    assert APOCALYPSE.health.follows(sheet, APOCALYPSE) == {condition}


def test_a_mortal_dies_of_the_level_after_the_last():
    """AP-HEALTH-1."""
    sheet = APOCALYPSE.health.inflict(mortal("XXXXXXX"), 1, Damage.BASHING, APOCALYPSE)
    assert sheet.marks == boxes("*XXXXXX")


# ------------------------------------------------------------------ stakes


def test_the_staked_are_awake_and_spend_no_blood():
    """AP-SIT-10."""
    played = table(ann=mortal(strength=4, weapons=(STAKE,)), bob=leech("/", resources={"blood": 9, "willpower": 2}))
    told = played.attacks("ann", "bob", "stake", "stake", attack=[9], damage=[6] * 3 + [2] * 4, soak=[2])
    assert (told.done.dealt, played.conditions("bob")) == (3, {"staked"})
    played.refuses("AP-SIT-10", RollTraits("bob", ("strength",)))
    played.refuses("AP-SIT-10", Spend("bob", "blood", 1))
    played.refuses("AP-SIT-10", Heal("bob", 1, Damage.LETHAL))
    played.refuses("AP-SIT-10", Heal("bob", hours=24))
    played.does(RollTraits("bob", ("perception",)))
    played.does(Spend("bob", "willpower", 1))
    played.does(Spend("bob", "blood", -1))
    played.does(ChangeConditions("bob", remove=frozenset({"staked"})))
    played.does(Spend("bob", "blood", 1))


@pytest.mark.parametrize(("target", "levels"), [(leech(), 2), (garou(), 3), (mortal(stamina=5), 3)])
def test_who_is_not_staked(target, levels):
    """AP-SIT-10."""
    played = table(ann=mortal(strength=4, weapons=(STAKE, KNIFE)), bob=target)
    soak = {"soak": [2]} if target.kind != "mortal" else {}
    played.attacks("ann", "bob", "stake", "stake", attack=[9], damage=[6] * levels + [2] * (7 - levels), **soak)
    assert "staked" not in played.conditions("bob")
    played.refuses("AP-SIT-10", strike_at("ann", "bob", "knife", "stake"))


def test_a_miss_with_a_stake_is_a_miss():
    """AP-SIT-10."""
    played = table(ann=mortal(weapons=(STAKE,)), bob=leech())
    assert played.attacks("ann", "bob", "stake", "stake", attack=[8]).done is None


# ------------------------------------------------------------------ falls


def test_a_fall_and_getting_up():
    """AP-SIT-8."""
    played = plain()
    told = only(KnockedDown, played.does(TakeAction("knockdown", "ann", ("bob",)), check=[2]))
    assert (told.who, told.outcome, played.conditions("bob")) == ("bob", Outcome.FAIL, {"prone"})
    assert not played.does(TakeAction("knockdown", "bob"), check=[2])[1:]
    played.does(TakeAction("rise", "bob"))
    assert (played.conditions("bob"), played.turn("bob").actions) == (set(), ())
    played.refuses("input", TakeAction("rise", "bob"))


def test_a_success_costs_initiative_for_one_turn():
    """AP-SIT-8."""
    played = plain()
    assert only(KnockedDown, played.does(TakeAction("knockdown", "ann"), check=[6, 2, 2])).outcome is Outcome.SUCCESS
    totals = []
    for _ in range(2):
        played.does(EndTurn())
        totals.append(played.state.initiative["ann"].total)
    assert totals == [6, 8]


def test_a_tackle_fells_and_a_botched_fall_hurts():
    """AP-SIT-8."""
    played = table(ann=mortal(), bob=mortal("//////"))
    played.attacks("ann", "bob", "", "knockdown", attack=[6], damage=[6], soak=[2])
    assert played.conditions("bob") == {"incapacitated", "prone"}
    played = table(ann=mortal(), bob=mortal())
    told = played.does(strike_at("ann", "bob", "", "tackle"), attack=[6], damage=[2], check=[1])
    assert only(KnockedDown, told).outcome is Outcome.BOTCH
    assert (played.health("bob"), played.conditions("bob")) == ("/", {"prone"})


# ------------------------------------------------------------------ ambush


def lurking() -> Table:
    return table(ann=mortal(dexterity=2), bob=mortal(), cyd=mortal())


def test_an_ambush_is_kept_until_it_is_used():
    """AP-SIT-1."""
    played = lurking()
    played.does(TakeAction("ambush", "ann", ("bob",)), roll=[6, 6], resist=[2])
    assert played.turn("ann").ambush == Ambush("bob", 2)
    # Against somebody else it is worth nothing.
    assert played.attacks("ann", "cyd", attack=[2, 2]).outcome is Outcome.MISS
    played.refuses("AP-SIT-1", strike_at("ann", "bob", defence="dodge"))
    played.attacks("ann", "bob", attack=[2, 2, 2, 2])
    assert played.turn("ann").ambush is None
    played.refuses("AP-SIT-1", TakeAction("ambush", "cyd", ("bob",)))
    played.refuses("input", TakeAction("ambush", "ann", ("ann",)))
    played.refuses("input", TakeAction("ambush", "ann", ("zed",)))


@pytest.mark.parametrize(("faces", "ambush"), [([6, 2], Ambush("bob", 0, seen=True)), ([2, 2], None)])
def test_a_tie_and_a_failure(faces, ambush):
    """AP-SIT-1."""
    played = lurking()
    played.does(TakeAction("ambush", "ann", ("bob",)), roll=faces, resist=[6])
    assert played.turn("ann").ambush == ambush
    told = played.does(strike_at("ann", "bob", defence="dodge"), attack=[2, 2], defence=[2])
    assert told


def test_an_ambush_is_free():
    """AP-SIT-1: it takes no action of the turn."""
    played = plain(cyd=mortal())
    played.does(Join((Newcomer("dee", mortal()),)))
    played.does(TakeAction("ambush", "ann", ("dee",)), roll=[6, 2, 2], resist=[2])
    played.attacks("ann", "dee", attack=[2] * 6)
    assert played.turn("ann").actions
    played.refuses("AP-SIT-1", TakeAction("ambush", "ann", ("bob",)))


# ------------------------------------------------------------------ movement


def test_half_the_running_distance_and_an_action():
    """AP-SIT-9: Bob runs 23 metres in a turn, and 11 of them are no more than half."""
    played = plain()

    def goes(**figures):
        return only(Moved, played.does(TakeAction("move", "bob", figures=figures)))

    assert (goes().distance, played.turn("bob").moved) == (11, 11)
    assert goes(distance=0).as_action is False
    assert goes(distance=1).as_action is True
    # What the action was given for: the rest of the way comes with it.
    assert goes(distance=1).as_action is False
    played.refuses("AP-SIT-9", TakeAction("move", "bob", figures={"distance": 11}))
    played.refuses("input", TakeAction("move", "bob", figures={"distance": -1}))
    played.does(EndTurn())
    assert goes(distance=2, action=True).as_action is True
    played.refuses("AP-MULTI-1", strike_at("bob", "ann"))
    assert "no action" in played.refuses("AP-SIT-9", TakeAction("move", "bob", figures={"distance": 10}))
    assert played.does(TakeAction("move", "bob", figures={"distance": 10}), waive=["AP-SIT-9"])


def test_without_ranks_each_way_is_measured_alone():
    """AP-SIT-9."""
    played = table(bob=mortal())
    for _ in range(3):
        played.does(TakeAction("move", "bob", figures={"distance": 23}))
    assert played.turn("bob").moved == 69


def test_a_ruleset_knows_its_own_actions_alone():
    """AP-SIT-9 is nothing to Masquerade."""
    played = Table(MASQUERADE, bob=mortal())
    assert "Masquerade knows no action" in played.refuses("input", TakeAction("move", "bob"))
    table(bob=mortal()).refuses("input", TakeAction("fly", "bob"))
    table(bob=mortal()).refuses("input", TakeAction("move", "zed"))


# ------------------------------------------------------------------ circumstances


def test_one_of_a_group_and_what_includes_another():
    """AP-SIT-5, AP-SIT-6, AP-SIT-10 to AP-SIT-13."""
    played = table(ann=mortal(weapons=(STAKE,)), bob=leech())
    played.refuses("input", strike_at("ann", "bob", "", "flank", "rear"))
    played.refuses("input", strike_at("ann", "bob", "stake", "stake", "target_small"))
    (both,) = plan_attack(played.state, strike_at("ann", "bob", "stake", "target_precise", "stake"), APOCALYPSE).against
    assert (both.attack.difficulty, both.damage.pool) == (9, 1 + 1 + 2)


def test_what_passes_the_armour_is_aimed():
    """AP-SIT-13."""
    played = table(ann=mortal(), bob=mortal(armor=(VEST,)))
    played.refuses("AP-SIT-13", strike_at("ann", "bob", "", "past_armor"))
    (against,) = plan_attack(
        played.state, strike_at("ann", "bob", "", "past_armor", "target_medium"), APOCALYPSE
    ).against
    assert against.soak.pool == 1
    shot = table(ann=mortal(weapons=(PISTOL,)), bob=mortal(armor=(VEST,)))
    shot.attacks("ann", "bob", "pistol", "past_armor", "target_small", attack=[8])
    assert shot.sheet("bob").sound_armor


def test_explosives_do_levels_outright():
    """AP-DMG-5."""
    grenade = Weapon("grenade", Mode.THROWN, 6, "", Damage.LETHAL, range=(20,), tags=frozenset({"explosive"}))
    played = table(ann=mortal(dexterity=2, weapons=(grenade,)), bob=mortal())
    result = played.attacks("ann", "bob", "grenade", attack=[6, 6])
    assert (result.done.levels, result.done.damage.plan.parts[0].rule) == (6, "AP-DMG-5")


def test_the_blind_do_not_shoot_and_are_not_blinder_still():
    """AP-SIT-2, AP-SIT-3."""
    played = table(ann=mortal(weapons=(PISTOL,)), bob=mortal())
    played.refuses("AP-SIT-2", strike_at("ann", "bob", "pistol", "fighting_blind"))
    told = played.does(strike_at("ann", "bob", "pistol", "fighting_blind"), waive=["AP-SIT-2"], attack=[7])
    assert only(RulesWaived, told)
    played.does(ChangeConditions("ann", add=frozenset({"blinded"})))
    played.refuses("AP-SIT-2", strike_at("ann", "bob", "pistol"))
    (against,) = plan_attack(played.state, strike_at("ann", "bob", "", "fighting_blind"), APOCALYPSE).against
    assert against.attack.difficulty == 8
    assert [(each.rule, each.difficulty) for each in against.attack.parts if each.struck] == [("AP-SIT-2", 2)]
    (against,) = plan_attack(played.state, strike_at("bob", "ann"), APOCALYPSE).against
    assert (against.attack.pool, against.attack.difficulty) == (3, 6)


def test_cover_that_is_known_and_cover_that_is_picked():
    """AP-DEF-1."""
    played = table(ann=mortal(weapons=(PISTOL, BOW)), bob=mortal())
    played.does(ChangeConditions("bob", add=frozenset({"prone", "good_cover"})))

    def difficulty(weapon, *mods):
        command = strike_at("ann", "bob", weapon, *mods)
        return plan_attack(played.state, command, APOCALYPSE).against[0].attack.difficulty

    assert (difficulty("pistol"), difficulty("bow"), difficulty("unarmed")) == (8, 8, 6)
    assert difficulty("pistol", Modifier("cover")) == 7
    (against,) = plan_attack(played.state, strike_at("ann", "bob", "pistol", Modifier("cover")), APOCALYPSE).against
    assert parts(against.attack)["cover"] == ("AP-DEF-1", 1)
    assert difficulty("pistol", Modifier("cover", {"degree": "superior"})) == 9
    played.refuses("input", strike_at("ann", "bob", "pistol", Modifier("cover", {"degree": 3})))


def test_a_dodge_from_guns_ends_somewhere():
    """AP-DEF-1: behind what was picked, in place of what was there; flat on the ground otherwise."""
    played = table(ann=mortal(weapons=(replace(PISTOL, rate=None),)), bob=mortal())

    def dodged(*mods):
        answer = Defence("dodge", modifiers=mods)
        played.does(strike_at("ann", "bob", "pistol", defence=answer), attack=[2], defence=[2])
        return played.conditions("bob")

    assert dodged() == {"prone"}
    played.does(ChangeConditions("bob", add=frozenset({"superior_cover"}), remove=frozenset({"prone"})))
    assert dodged() == {"superior_cover"}
    played.does(ChangeConditions("bob", add=frozenset({"prone"})))
    assert dodged(Modifier("cover", {"degree": "good"})) == {"prone", "good_cover"}
    assert dodged(Modifier("cover")) == {"prone", "light_cover"}
    played.does(strike_at("ann", "bob", defence="dodge"), attack=[2], defence=[2])
    assert played.conditions("bob") == {"prone", "light_cover"}


def test_no_room_is_no_dodge():
    """AP-DEF-1: shots can be dodged all the same."""
    played = table(ann=mortal(), bob=mortal())
    played.refuses("AP-DEF-1", strike_at("ann", "bob", "", "no_room", defence="dodge"))
    played.does(strike_at("ann", "bob", "", "no_room", defence="block"), attack=[2], defence=[2])


def test_an_ambush_taken_as_a_fact():
    """AP-SIT-1."""
    played = table(ann=mortal(), bob=mortal())
    played.attacks("ann", "bob", "", Modifier("ambush", {"dice": 2}), attack=[2, 2, 2])
    played.attacks("ann", "bob", "", "ambush", attack=[2])
    rule: ModifierRule = modifier_rule("ambush", APOCALYPSE)
    for dice in (-1, 21, "two", True):
        with pytest.raises(RuleViolation):
            from_ambush(rule, {"dice": dice}, Circumstances())
    assert [(part.rule, part.dice) for part in from_ambush(rule, {"dice": 20}, Circumstances())] == [("AP-SIT-1", 20)]
    assert from_ambush(rule, {"dice": 0}, Circumstances()) == ()
    with pytest.raises(RuleViolation):
        steps_of(None, APOCALYPSE.settings)


def test_no_figure_of_the_house_is_forgotten():
    """AP-SIT-13, AP-ARM-1, AP-DEF-5, AP-SIT-7."""
    house = APOCALYPSE.with_options(
        {"aim_adds_levels": False, "armor_alone": False, "several_attackers_most": 1, "automatic_successes": 2}
    )
    played = table(house, ann=mortal(weapons=(PISTOL,), strength=2), bob=mortal(armor=(VEST,)))
    several = Modifier("several_attackers", {"count": 5})
    (against,) = plan_attack(played.state, strike_at("ann", "bob", "pistol", "target_precise", several), house).against
    assert (against.damage.pool, against.soak.pool, against.attack.difficulty) == (4, 0, 10)
    played.does(ChangeConditions("bob", add=frozenset({"staked"})))
    assert played.attacks("ann", "bob", damage=[2, 2, 2]).net == 2


def test_a_condition_of_the_target_may_be_picked_as_a_fact():
    """AP-SIT-3, AP-SIT-7: it counts once."""
    played = table(ann=mortal(), bob=mortal())
    assert played.attacks("ann", "bob", "", "held", attack=[2] * 3).attack.plan.pool == 3
    assert played.attacks("ann", "bob", "", "immobilized", damage=[2]).net == 1
    played.does(ChangeConditions("bob", add=frozenset({"blinded"})))
    assert played.attacks("ann", "bob", "", "blinded", attack=[2] * 3).attack.plan.pool == 3
