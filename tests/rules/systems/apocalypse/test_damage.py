"""Damage, healing and death in Apocalypse."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from rules.engine.dice import Roll
from rules.engine.messages import evolve
from rules.model.gear import Damage
from rules.model.results import Outcome
from rules.model.roll import RollTraits
from rules.model.system import Game
from rules.odds.attacks import odds
from rules.strike.attack import plan_attack
from rules.systems.classic.apocalypse.system import APOCALYPSE
from rules.topics.commands import ChangeConditions, ChooseMishap, EndTurn, Harm, Heal, Spend
from rules.topics.events import ArmorDestroyed, Healed
from tests.rules.systems.apocalypse.hunt import BOW, CLAWS, KLAIVE, STAKE, TORCH, VEST, garou, leech, table
from tests.rules.table import KNIFE, MASQUERADE, PISTOL, Table, boxes, mortal, only, strike_at

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
    assert APOCALYPSE.attack.damage.type(weapon, target, ()) is kind


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
    """AP-DMG-5: fixed damage has no minimum die."""
    played = table(ann=mortal(dexterity=2, weapons=(PISTOL,)), bob=mortal())
    result = played.attacks("ann", "bob", "pistol", attack=[6, 6], strike=["rating"])
    assert (result.outcome, result.done.dealt) == (Outcome.HIT, 0)


def test_odds_of_what_is_not_rolled():
    """AP-DMG-5, AP-SIT-7: one die hits on 6 and up; four levels or none."""
    played = table(ann=mortal(weapons=(PISTOL,)), bob=mortal())
    (against,) = plan_attack(Game(played.state, APOCALYPSE), strike_at("ann", "bob", "pistol")).against
    chances = odds(against, Game(played.state, APOCALYPSE))
    assert chances.levels == (Fraction(1, 2), 0, 0, 0, Fraction(1, 2))
    played.does(ChangeConditions("bob", add=frozenset({"immobilized"})))
    (against,) = plan_attack(Game(played.state, APOCALYPSE), strike_at("ann", "bob", "pistol")).against
    chances = odds(against, Game(played.state, APOCALYPSE))
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
    # Intact armour still soaks, encumbers, and allows blocking.
    assert len(played.sheet("bob").sound_armor) == 2 - broken


def test_destroyed_armour_does_nothing_more():
    """AP-ARM-2, AP-ARM-3, AP-DEF-2."""
    rag = replace(VEST, destroyed=True)
    played = table(ann=mortal(weapons=(KNIFE,), strength=2), bob=mortal(armor=(rag,), dexterity=2))
    assert played.attacks("ann", "bob", "knife", attack=[6], damage=[6, 2, 2]).done.soaked == 0
    played.refuses("AP-DEF-2", strike_at("ann", "bob", "knife", defence="block"))
    played.does(RollTraits("bob", ("dexterity",)), roll=[2, 2])
    # Nothing remains to be destroyed.
    assert evolve(played.state, ArmorDestroyed("bob", rag)) == played.state


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
    soak = easier.attack.damage.soak(played.sheet("bob"), Damage.LETHAL, KNIFE)
    assert soak.pool == 5


@pytest.mark.parametrize(
    ("weapon", "dice"),
    [(CLAWS, 2), (KLAIVE, 0), (replace(CLAWS, tags=frozenset({"claws", "silver"})), 0)],
)
def test_garou_soak_what_is_not_silver_once_the_switch_is_on(weapon, dice):
    """AP-SOAK-1."""
    printed = APOCALYPSE.with_options({"garou_soak_aggravated": True})
    part = printed.attack.damage
    damage = part.type(weapon, garou(), ())
    assert part.soak(garou(stamina=2), damage, weapon).pool == dice
    assert APOCALYPSE.attack.damage.soak(garou(stamina=2), damage, weapon).pool == 0
    assert part.soak(leech(stamina=2), damage, weapon).pool == 0


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
    assert {event.rule for event in told if isinstance(event, Healed)} == {"AP-HEAL-1"}
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
    """AP-HEAL-2: lighter damage heals in minutes, an aggravated level in a day."""
    sheet, healed = APOCALYPSE.health.rest(garou("**X//"), 25)
    assert (sheet.marks, healed) == (boxes("*"), {"bashing": 2, "lethal": 1, "aggravated": 1})


def test_the_dead_do_not_heal_whatever_their_sheet_says():
    """AP-HEAL-1, AP-HEALTH-1: a mortal with all boxes lethal and one level more is dead, not healing."""
    played = table(man=replace(mortal("*XXXXXX"), merits=frozenset({"regenerates"})))
    assert played.conditions("man") == {"dead"}
    played.does(EndTurn())
    assert played.health("man") == "*XXXXXX"


def test_masquerade_knows_no_regeneration():
    """AP-HEAL-1 exists in Apocalypse only."""
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
    assert APOCALYPSE.health.follows(sheet) == {condition}


def test_a_mortal_dies_of_the_level_after_the_last():
    """AP-HEALTH-1."""
    sheet = APOCALYPSE.health.inflict(mortal("XXXXXXX"), 1, Damage.BASHING)
    assert sheet.marks == boxes("*XXXXXX")


# ------------------------------------------------------------------ stakes


def test_the_staked_are_awake_and_spend_no_blood():
    """AP-SIT-10."""
    played = table(ann=mortal(strength=4, weapons=(STAKE,)), bob=leech("*/", resources={"blood": 9, "willpower": 2}))
    told = played.attacks("ann", "bob", "stake", "stake", attack=[9], damage=[6] * 3 + [2] * 4, soak=[2])
    assert (told.done.dealt, played.conditions("bob")) == (3, {"staked"})
    played.refuses("AP-SIT-10", RollTraits("bob", ("strength",)))
    played.refuses("AP-SIT-10", Spend("bob", "blood", 1))
    played.refuses("AP-SIT-10", Heal("bob", 1, Damage.LETHAL))
    rested = played.does(Heal("bob", hours=24))
    assert (only(Healed, rested).healed, played.sheet("bob").resources["blood"]) == ({"aggravated": 0}, 9)
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
