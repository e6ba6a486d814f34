"""Powers: what they cost, what they change, and when they end."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.engine.messages import command_type
from rules.model.conditions import PRONE
from rules.model.gear import Armor, Damage, Mode, Weapon
from rules.model.kinds import read_kinds
from rules.model.power_effects import Does, Effect, Lasts, Notice, Per, Pool
from rules.model.powers import Cost, Power, Reach, Source, Test, Timing
from rules.model.sheet import Sheet
from rules.model.system import Game
from rules.strike.attack import plan_attack
from rules.systems import RULESETS
from rules.systems.classic.masquerade.system import MASQUERADE
from rules.systems.wound_levels.system import WOUNDS
from rules.topics.actions import why_not
from rules.topics.commands import Act, End, EndPower, EndTurn, PassTime, RollTraits, TakeAction
from rules.topics.events import BoxesMarked, Healed, PowersChanged, PowerUsed, TraitsRolled
from rules.topics.powers.using import with_powers
from tests.rules.table import KNIFE, Table, mortal, only, strike_at, vampire

RULE = "MQ-POW-1"
CHRONICLES = RULESETS["chronicles"]
DARKNESS = RULESETS["darkness"]
APOCALYPSE = RULESETS["apocalypse"]


def power(*effects: Effect, key: str = "might", **more) -> Power:
    """A power that everybody has, used without an action unless more is said."""
    return Power(key, key.capitalize(), RULE, Source.SPELL, effects, **{"timing": Timing.REFLEXIVE, **more})


def dice(amount: int, *pools: Pool, **more) -> Effect:
    return Effect(Does.DICE, amount, pools=frozenset(pools), **more)


def table(*powers: Power, system=MASQUERADE, players=(), **sheets: Sheet) -> Table:
    people = sheets or {"ann": mortal(strength=2, dexterity=2, stamina=2), "bob": mortal(stamina=2)}
    return Table(with_powers(system, powers), players=players, **people)


def use(who: str = "ann", *at: str, key: str = "might", **figures) -> TakeAction:
    return TakeAction(key, who, at, figures=figures)


def pool_of(table: Table, who: str, *traits: str, faces: int) -> int:
    """The dice that somebody rolls for Traits."""
    (rolled,) = table.does(RollTraits(who, traits), roll=[2] * faces)
    assert isinstance(rolled, TraitsRolled)
    return rolled.roll.plan.pool


# ------------------------------------------------------------------ who has it, and its cost


def test_it_costs_its_points_and_says_so():
    played = table(power(costs=(Cost("willpower", 2),)), ann=mortal(willpower=5), bob=mortal())
    events = played.does(use())
    assert played.sheet("ann").resources["willpower"] == 3
    assert only(PowerUsed, events) == PowerUsed("ann", "might", "Might", RULE)


def test_it_is_refused_without_the_points():
    played = table(power(costs=(Cost("willpower", 2),)), ann=mortal(willpower=1), bob=mortal())
    assert "1" in played.refuses("MQ-WILL-1", use())
    refusal = why_not_in(played)
    assert refusal.rule == "MQ-WILL-1"


def why_not_in(played: Table):
    return why_not(Game(played.state, played.ruleset), "might", "ann")


@pytest.mark.parametrize(
    ("more", "sheet", "has"),
    [
        ({"trait": "potence", "rating": 2}, vampire(potence=2), True),
        ({"trait": "potence", "rating": 2}, vampire(potence=1), False),
        ({"entry": "iron_will"}, replace(mortal(), merits=frozenset({"iron_will"})), True),
        ({"entry": "iron_will"}, mortal(), False),
        ({"kinds": frozenset({"vampire"})}, vampire(), True),
        ({"kinds": frozenset({"vampire"})}, mortal(), False),
    ],
)
def test_only_those_who_have_it_can_use_it(more, sheet, has):
    played = table(power(**more), ann=sheet, bob=mortal())
    if has:
        played.does(use())
    else:
        played.refuses("input", use())


def test_a_chronicle_s_own_kind_has_the_powers_of_the_kind_it_is_like():
    kinds = read_kinds({"thin": {"label": "Thin-blood", "like": "vampire"}}, MASQUERADE.kinds)
    system = MASQUERADE.with_kinds(kinds)
    played = table(power(kinds=frozenset({"vampire"})), system=system, ann=mortal(kind="thin"), bob=mortal())
    played.does(use())


def test_points_multiply_cost_and_effect_and_add_up():
    might = power(
        Effect(Does.TRAIT, 1, Per.POINTS, traits=frozenset({"strength"}), most=6),
        costs=(Cost("willpower"),),
        points=3,
    )
    played = table(might, ann=mortal(strength=2, willpower=9), bob=mortal())
    played.does(use(points=3))
    assert played.sheet("ann").resources["willpower"] == 6
    assert pool_of(played, "ann", "strength", faces=5) == 5
    played.does(use(points=2))
    assert pool_of(played, "ann", "strength", faces=6) == 6, "no more than its limit"
    played.does(use(points=1))
    assert pool_of(played, "ann", "strength", faces=6) == 6
    assert played.refuses("input", use(points=4))


def test_one_of_several_traits_is_chosen():
    might = power(Effect(Does.TRAIT, 1, traits=frozenset({"strength", "stamina"})))
    played = table(might)
    assert "missing" in played.refuses("input", use())
    played.does(use(trait="stamina"))
    assert pool_of(played, "ann", "stamina", faces=3) == 3
    assert pool_of(played, "ann", "strength", faces=2) == 2


# ------------------------------------------------------------------ when it is used


def test_one_that_takes_an_action_takes_it():
    played = table(power(dice(1, Pool.ROLL), timing=Timing.ACTION))
    played.initiative(ann=9, bob=1)
    played.does(use())
    played.refuses("MQ-MULTI-1", strike_at("ann", "bob"))


def test_one_for_the_beginning_of_a_turn_is_too_late_afterwards():
    played = table(power(dice(1, Pool.ROLL), timing=Timing.FIRST))
    played.initiative(ann=9, bob=1)
    played.does(Act())
    played.refuses(RULE, use())


def test_the_same_power_counts_once():
    played = table(power(dice(1, Pool.ROLL)))
    played.does(use())
    assert "already" in played.refuses("input", use())


def test_what_is_always_on_is_never_used_and_always_counts():
    played = table(power(dice(1, Pool.ROLL, traits=frozenset({"strength"})), timing=Timing.ALWAYS))
    assert "might" not in played.ruleset.actions
    assert pool_of(played, "ann", "strength", faces=3) == 3
    assert pool_of(played, "ann", "stamina", faces=2) == 2


def test_an_always_on_trait_counts_wherever_it_is_used():
    strong = power(
        Effect(Does.TRAIT, 1, Per.RATING, traits=frozenset({"strength"})), timing=Timing.ALWAYS, trait="potence"
    )
    system = with_powers(MASQUERADE, [strong])
    assert system.layout.dots(vampire(strength=2, potence=3), "strength") == 5
    assert system.layout.dots(vampire(strength=2), "strength") == 2
    off = replace(system, powers=(replace(strong, setting="powers"),))
    assert off.layout.dots(vampire(strength=2, potence=3), "strength") == 2


# ------------------------------------------------------------------ rolls


def test_it_works_only_if_its_roll_succeeds():
    might = power(dice(2, Pool.ROLL), test=Test(("stamina",), 7), costs=(Cost("willpower"),))
    played = table(might, ann=mortal(stamina=2, willpower=3), bob=mortal())
    events = played.does(use(), roll=[6, 2])
    assert not only(PowerUsed, events).works
    assert played.sheet("ann").powers == ()
    assert played.sheet("ann").resources["willpower"] == 2
    played.does(use(), roll=[7, 2])
    assert played.sheet("ann").powers[0].effects == (dice(2, Pool.ROLL),)


def test_successes_multiply_its_amount():
    played = table(power(dice(1, Pool.ROLL, per=Per.SUCCESSES), test=Test(("stamina",))))
    played.does(use(), roll=[6, 6])
    assert pool_of(played, "ann", "strength", faces=4) == 4


def test_a_target_resists_and_the_margin_counts():
    fear = power(
        Effect(Does.CONDITION, condition=PRONE, on_target=True),
        dice(-1, Pool.ROLL, per=Per.SUCCESSES, on_target=True),
        test=Test(("strength",), resist=("stamina",)),
        reach=Reach.ONE,
    )
    played = table(fear, ann=mortal(strength=3), bob=mortal(stamina=4, strength=3))
    played.does(use("ann", "bob"), roll=[6, 6, 6], resist=[6, 2, 2, 2])
    assert played.conditions("bob") == {PRONE}
    assert played.sheet("bob").powers[0].by == "ann"
    assert pool_of(played, "bob", "strength", faces=1) == 1
    assert played.conditions("ann") == set()


def test_the_difficulty_may_be_the_target_s_dots():
    stare = power(
        Effect(Does.CONDITION, condition=PRONE, on_target=True),
        test=Test(("strength",), difficulty_of=("willpower",)),
        reach=Reach.ONE,
    )
    played = table(stare, ann=mortal(strength=2), bob=mortal(willpower=8))
    events = played.does(use("ann", "bob"), roll=[7, 8])
    assert only(TraitsRolled, events).roll.roll.successes == 1


@pytest.mark.parametrize(
    ("notice", "player", "secret"), [("seen", False, False), ("felt", False, True), ("unseen", True, False)]
)
def test_the_roll_of_what_nobody_sees_is_the_storyteller_s(notice, player, secret):
    whisper = power(dice(1, Pool.ROLL), test=Test(("stamina",)), notice=Notice(notice))
    played = table(whisper, players=["ann"] if player else [])
    events = played.does(use(), roll=[2, 2])
    assert only(TraitsRolled, events).secret is secret


# ------------------------------------------------------------------ effects


def test_dice_successes_and_difficulty_are_parts_of_the_attack():
    might = power(
        dice(2, Pool.ATTACK),
        Effect(Does.DIFFICULTY, -1, pools=frozenset({Pool.ATTACK})),
        Effect(Does.SUCCESSES, 1, pools=frozenset({Pool.DAMAGE}), modes=frozenset({Mode.UNARMED})),
    )
    played = table(might)
    played.does(use())
    result = played.attacks("ann", "bob", attack=[5, 2, 2, 2], damage=[2, 2], soak=[2, 2])
    assert (result.attack.plan.pool, result.attack.plan.difficulty) == (4, 5)
    assert [part.rule for part in result.attack.plan.parts if part.key == "power:might"] == [RULE, RULE]
    assert result.done.levels == 1


def test_attacks_against_somebody_are_harder():
    blur = power(dice(-1, Pool.AGAINST))
    played = table(blur)
    played.does(use("bob"))
    result = played.attacks("ann", "bob", attack=[2])
    assert [(part.key, part.dice) for part in result.attack.plan.parts if part.rule == RULE] == [
        ("target:power:might", -1)
    ]


def test_soak_by_type_of_damage():
    hide = power(
        dice(1, Pool.SOAK, damage=frozenset({Damage.LETHAL})),
        Effect(Does.SUCCESSES, 1, pools=frozenset({Pool.SOAK}), damage=frozenset({Damage.LETHAL})),
    )
    played = table(hide, ann=mortal(strength=2, weapons=(KNIFE,)), bob=mortal(stamina=2))
    played.does(use("bob"))
    result = played.attacks("ann", "bob", "knife", attack=[6], damage=[6, 6, 2], soak=[2])
    assert (result.done.levels, result.done.soaked) == (2, 1)
    result = played.attacks("ann", "bob", attack=[6], damage=[6, 2], soak=[2, 2])
    assert result.done.soaked == 0


def test_soak_without_a_die_needs_no_roll():
    hide = power(Effect(Does.SUCCESSES, 2, pools=frozenset({Pool.SOAK})))
    played = table(hide, ann=mortal(strength=2, weapons=(KNIFE,)), bob=mortal(stamina=0))
    played.does(use("bob"))
    result = played.attacks("ann", "bob", "knife", attack=[6], damage=[6, 6, 2])
    assert (result.done.levels, result.done.soaked, result.done.dealt) == (2, 2, 0)


def test_defence_and_initiative():
    quick = power(dice(2, Pool.DEFENCE, Pool.INITIATIVE))
    played = table(quick, ann=mortal(), bob=mortal(dexterity=2, wits=1))
    played.does(use("bob"))
    (against,) = plan(played, strike_at("ann", "bob", defence="dodge")).against
    assert against.defence.pool == 4
    played.initiative(ann=1, bob=1)
    assert played.state.initiative["bob"].rating == 5


def plan(played: Table, command):
    return plan_attack(Game(played.state, played.ruleset), command)


def test_a_natural_weapon_and_its_type_of_damage():
    thorns = Weapon("thorns", Mode.UNARMED, 1, "strength", Damage.LETHAL)
    played = table(power(Effect(Does.WEAPON, weapon=thorns)))
    played.does(use())
    assert thorns in played.sheet("ann").at_hand
    result = played.attacks("ann", "bob", "thorns", attack=[6, 2], damage=[6, 2, 2], soak=())
    assert result.done.type is Damage.LETHAL
    assert ("power:might", RULE) in {(part.key, part.rule) for part in result.attack.plan.parts}


def test_attacks_wound_differently():
    silver = power(
        Effect(
            Does.DAMAGE,
            damage=frozenset({Damage.AGGRAVATED}),
            modes=frozenset({Mode.UNARMED}),
            tags=frozenset({"silver"}),
        )
    )
    played = table(silver, ann=mortal(strength=2, weapons=(KNIFE,)), bob=mortal())
    played.does(use())
    assert plan(played, strike_at("ann", "bob")).against[0].damage_type is Damage.AGGRAVATED
    assert plan(played, strike_at("ann", "bob", "knife")).against[0].damage_type is Damage.LETHAL
    only_silver = power(Effect(Does.DAMAGE, tags=frozenset({"silver"})))
    played = table(only_silver, system=APOCALYPSE, ann=mortal(strength=2), bob=mortal(kind="garou"))
    played.does(use())
    assert plan(played, strike_at("ann", "bob")).against[0].damage_type is Damage.AGGRAVATED


def test_armour_protects_and_does_not_break():
    bark = Armor("bark", 1, supernatural=True)
    played = table(
        power(Effect(Does.ARMOR, armor=bark)), system=APOCALYPSE, ann=mortal(strength=2), bob=mortal(stamina=2)
    )
    played.does(use("bob"))
    assert played.sheet("bob").sound_armor == (bark,)
    result = played.attacks("ann", "bob", attack=[6, 6, 6][:1], damage=[6, 6], soak=[2, 2, 2])
    assert [part.label for part in result.done.soak.plan.parts if part.key == "soak:armor"] == ["bark"]
    assert played.sheet("bob").sound_armor == (bark,)


def test_healing_begins_with_the_worst():
    mend = power(Effect(Does.HEAL, 2, damage=frozenset({Damage.BASHING, Damage.LETHAL})), lasts=Lasts.AT_ONCE)
    played = table(mend, ann=mortal("*X/"), bob=mortal())
    events = played.does(use())
    assert played.health("ann") == "*"
    assert only(Healed, events).healed == {"lethal": 1, "bashing": 1}
    played.does(use("bob"))


def test_a_condition_is_ended():
    stand = power(Effect(Does.CURE, condition=PRONE), lasts=Lasts.AT_ONCE)
    fall = power(Effect(Does.CONDITION, condition=PRONE), key="fall", lasts=Lasts.AT_ONCE)
    played = table(stand, fall)
    played.does(use(key="fall"))
    assert played.conditions("ann") == {PRONE}
    played.does(use())
    assert played.conditions("ann") == set()
    assert played.sheet("ann").powers == ()


def test_further_actions_in_the_turn():
    haste = power(Effect(Does.ACTIONS, 1), Effect(Does.ACTIONS, 0), lasts=Lasts.AT_ONCE)
    played = table(haste)
    played.initiative(ann=9, bob=1)
    before = played.turn("ann").actions
    played.does(use())
    assert len(played.turn("ann").actions) == len(before) + 1


def test_what_hindered_no_longer_does():
    eyes = power(Effect(Does.SIGHT, lifts=frozenset({"fighting_blind"})))
    played = table(eyes, system=APOCALYPSE, ann=mortal(dexterity=3), bob=mortal())
    (against,) = plan(played, strike_at("ann", "bob", "", "fighting_blind")).against
    hindered = against.attack
    played.does(use())
    (against,) = plan(played, strike_at("ann", "bob", "", "fighting_blind")).against
    assert against.attack != hindered
    assert [part.struck for part in against.attack.parts if part.key == "fighting_blind"] == [True]
    assert any(part.key == "power:might" for part in against.attack.parts)


def test_a_plain_number_of_dice_is_what_the_table_rolls():
    played = table(
        power(dice(3, Pool.ROLL), Effect(Does.SIGHT, lifts=frozenset({"fighting_blind"})), timing=Timing.ALWAYS)
    )
    (rolled,) = played.does(RollTraits("ann", (), number=2), roll=[2, 2])
    assert rolled.roll.plan.pool == 2


# ------------------------------------------------------------------ where successes are the damage


@pytest.mark.parametrize("system", [DARKNESS, CHRONICLES])
def test_damage_and_soak_are_steps(system):
    might = power(dice(2, Pool.DAMAGE), key="might")
    hide = power(dice(1, Pool.SOAK), key="hide")
    frail = power(dice(-1, Pool.SOAK), key="frail")
    played = table(might, hide, frail, system=system, ann=mortal(strength=3), bob=mortal(dexterity=1, wits=1))
    played.does(use())
    played.does(use("bob", key="hide"))
    (against,) = plan(played, strike_at("ann", "bob")).against
    assert {(step.key, step.effect.value, step.amount) for step in against.steps if step.rule == RULE} == {
        ("power:might", "add", 2),
        ("power:hide", "less", 1),
    }
    played.does(use("bob", key="frail"))
    (against,) = plan(played, strike_at("ann", "bob")).against
    assert ("power:frail", "add") in {(step.key, step.effect.value) for step in against.steps}
    weak = table(power(dice(-1, Pool.DAMAGE)), system=system)
    weak.does(use())
    (against,) = plan(weak, strike_at("ann", "bob")).against
    assert ("power:might", "less") in {(step.key, step.effect.value) for step in against.steps}


@pytest.mark.parametrize("system", [DARKNESS, CHRONICLES])
def test_dice_of_a_defence_raise_defense(system):
    quick = power(dice(2, Pool.DEFENCE))
    played = table(quick, system=system, ann=mortal(strength=8), bob=mortal(dexterity=2, wits=2))
    (against,) = plan(played, strike_at("ann", "bob")).against
    before = sum(part.dice for part in against.attack.parts)
    played.does(use("bob"))
    (against,) = plan(played, strike_at("ann", "bob")).against
    assert sum(part.dice for part in against.attack.parts) == before - 2


def test_severity_counts_dice_and_successes_alike():
    might = power(Effect(Does.SUCCESSES, 1, pools=frozenset({Pool.DAMAGE})), dice(1, Pool.SOAK), timing=Timing.ALWAYS)
    played = table(might, system=WOUNDS, ann=mortal(strength=2), bob=mortal())
    (against,) = plan(played, strike_at("ann", "bob")).against
    assert [part.dice for part in against.damage.parts if part.rule == RULE] == [1]
    assert [part.dice for part in against.soak.parts if part.rule == RULE] == [1]


# ------------------------------------------------------------------ the end


def test_one_for_an_attack_ends_with_it():
    played = table(power(dice(1, Pool.ATTACK), lasts=Lasts.ATTACK))
    played.does(use())
    events = played.does(strike_at("ann", "bob"), attack=[2, 2, 2])
    assert [one.key for one in only(PowersChanged, events).ended] == ["might"]
    assert played.sheet("ann").powers == ()


def test_one_for_turns_ends_with_the_last_of_them():
    played = table(power(dice(1, Pool.ROLL), lasts=Lasts.TURN, turns=2))
    played.initiative(ann=9, bob=1)
    played.does(use())
    played.does(EndTurn())
    assert played.sheet("ann").powers
    played.does(EndTurn())
    assert played.sheet("ann").powers == ()


def test_its_turns_may_depend_on_the_roll():
    played = table(power(dice(1, Pool.ROLL), lasts=Lasts.TURN, turns_per=Per.SUCCESSES, test=Test(("stamina",))))
    played.does(use(), roll=[6, 6])
    assert played.sheet("ann").powers[0].until == played.state.turn + 1


def test_hours_end_what_they_outlast():
    long = power(dice(1, Pool.ROLL), key="long", lasts=Lasts.HOURS, hours=8)
    short = power(dice(1, Pool.ROLL), key="short")
    played = table(long, short)
    for key in ("long", "short"):
        played.does(use(key=key))
    played.does(PassTime(("ann",), 4))
    assert [one.key for one in played.sheet("ann").powers] == ["long"]
    played.does(PassTime(("ann",), 8))
    assert played.sheet("ann").powers == ()


def test_everything_ends_with_the_fight():
    played = table(power(dice(1, Pool.ROLL), Effect(Does.CONDITION, condition=PRONE), lasts=Lasts.HOURS, hours=8))
    played.does(use())
    assert played.conditions("ann") == {PRONE}
    played.does(End())
    assert played.sheet("ann").powers == ()
    assert played.conditions("ann") == set()


def test_its_bearer_ends_it_and_its_condition():
    played = table(
        power(Effect(Does.CONDITION, condition=PRONE)), power(Effect(Does.CONDITION, condition=PRONE), key="other")
    )
    played.does(use())
    played.does(use(key="other"))
    played.does(EndPower("ann", "might"))
    assert played.conditions("ann") == {PRONE}, "another power still brings it about"
    played.does(EndPower("ann", "other"))
    assert played.conditions("ann") == set()
    played.refuses("input", EndPower("ann", "other"))


def test_players_end_only_what_their_characters_used():
    curse = power(dice(-1, Pool.ROLL, on_target=True), reach=Reach.MANY)
    played = table(curse, power(dice(1, Pool.ROLL), key="own"))
    played.does(use("ann", "bob"))
    played.does(use("bob", key="own"))
    reserved, game = command_type(EndPower).reserved, Game(played.state, played.ruleset)
    assert reserved(EndPower("bob", "might"), game)
    assert not reserved(EndPower("bob", "own"), game)
    assert not reserved(EndPower("nobody", "own"), game)


def test_the_same_power_again_on_a_target_replaces_it():
    curse = power(dice(-1, Pool.ROLL, on_target=True), reach=Reach.MANY)
    played = table(curse)
    played.does(use("ann", "bob"))
    played.does(use("ann", "bob"))
    assert len(played.sheet("bob").powers) == 1


def test_a_larger_body_holds_more_and_loses_it_again():
    tough = power(Effect(Does.TRAIT, 2, traits=frozenset({"stamina"})))
    played = table(tough, system=CHRONICLES, ann=mortal(stamina=2), bob=mortal())
    boxes = len(played.ruleset.health.levels(played.sheet("ann")))
    played.does(use())
    assert len(played.ruleset.health.levels(played.sheet("ann"))) == boxes + 2
    played.state = replace(
        played.state,
        combatants={
            **played.state.combatants,
            "ann": replace(
                played.combatant("ann"), sheet=replace(played.sheet("ann"), marks=(Damage.BASHING,) * (boxes + 1))
            ),
        },
    )
    events = played.does(EndPower("ann", "might"))
    assert only(BoxesMarked, events).who == "ann"
    assert len(played.sheet("ann").marks) == boxes


def test_a_trait_never_falls_below_zero():
    drain = power(Effect(Does.TRAIT, -5, traits=frozenset({"strength"})))
    played = table(drain)
    played.does(use())
    assert played.ruleset.layout.dots(played.sheet("ann"), "strength") == 0
