"""Fixed pools: an antagonist's sheet states them in place of Attribute + Ability, in every ruleset."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.model.attack import Attack
from rules.model.gear import Armor, Damage, Mode, Weapon
from rules.model.plan import PoolPlan
from rules.model.pools import labels
from rules.model.roll import DifficultyOf, RollTraits
from rules.model.sheet import Sheet
from rules.model.system import Game, System
from rules.odds.attacks import odds
from rules.strike.attack import plan_attack
from rules.systems.classic.apocalypse.system import APOCALYPSE
from rules.systems.classic.masquerade.system import MASQUERADE
from rules.systems.storytelling.first_edition.attack import FINESSE
from rules.systems.storytelling.first_edition.system import DARKNESS
from rules.systems.storytelling.second_edition.system import CHRONICLES
from rules.systems.wound_levels.system import WOUNDS
from rules.topics.commands import Declare
from rules.topics.rolls.pools import plan_roll
from tests.rules.table import CLUB, KNIFE, Table, mortal, parts, strike_at

CLASSIC = (MASQUERADE, APOCALYPSE, WOUNDS)
STORYTELLING = (DARKNESS, CHRONICLES)


def everywhere(*systems: System) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("system", systems, ids=lambda system: system.key)


def stated(sheet: Sheet | None = None, /, **pools: int) -> Sheet:
    """A plain sheet that states these pools."""
    plain = mortal(strength=2, dexterity=2, stamina=2, wits=2, perception=2, composure=2, brawl=1, dodge=1, melee=1)
    return replace(sheet or plain, pools=pools)


def fight(system: System, foe: Sheet, hero: Sheet | None = None) -> Table:
    return Table(system, foe=foe, hero=hero or mortal(strength=3, dexterity=3, brawl=3, dodge=3, stamina=3))


def planned(table: Table, command: Attack) -> PoolPlan:
    return plan_attack(game_of(table), command).against[0].attack


def traits_in(plan: PoolPlan) -> dict[str, int]:
    """The parts that are Traits or a fixed pool, with their dice."""
    return {key: dice for key, (_rule, dice) in parts(plan).items() if key.partition(":")[0] in ("trait", "pool")}


@everywhere(*CLASSIC, *STORYTELLING)
def test_an_attack_uses_the_attack_pool(system: System) -> None:
    table = fight(system, stated(attack=7))
    plan = planned(table, strike_at("foe", "hero"))
    assert traits_in(plan) == {"pool:attack": 7}
    assert next(part.label for part in plan.parts if part.key == "pool:attack") == "Attack (fixed pool)"
    assert traits_in(system.attack.pool_of(table.sheet("foe"), Weapon("fist", Mode.UNARMED))) == {"pool:attack": 7}


@everywhere(*CLASSIC, *STORYTELLING)
def test_without_a_fixed_pool_attributes_count_as_usual(system: System) -> None:
    plan = planned(fight(system, stated(initiative=9)), strike_at("foe", "hero"))
    assert all(key.startswith("trait:") for key in traits_in(plan))


@everywhere(*CLASSIC, *STORYTELLING)
def test_an_abilitys_pool_goes_before_that_of_all_attacks(system: System) -> None:
    plan = planned(fight(system, stated(attack=7, brawl=4)), strike_at("foe", "hero"))
    assert traits_in(plan) == {"pool:brawl": 4}


@everywhere(*CLASSIC)
def test_a_defence_uses_its_own_pool_or_that_of_all_defences(system: System) -> None:
    for pools, key in (({"dodge": 6, "defence": 3}, "pool:dodge"), ({"defence": 3}, "pool:defence")):
        table = fight(system, stated(**pools))
        met = plan_attack(game_of(table), strike_at("hero", "foe", defence="dodge")).against[0]
        assert met.defence is not None
        assert traits_in(met.defence) == {key: pools[key.removeprefix("pool:")]}


def test_a_clash_is_an_attack() -> None:
    table = fight(WOUNDS, stated(attack=7, defence=2))
    met = plan_attack(game_of(table), strike_at("hero", "foe", defence="clash")).against[0]
    assert met.defence is not None
    assert traits_in(met.defence) == {"pool:attack": 7}


@everywhere(*STORYTELLING)
def test_defense_is_the_stated_one(system: System) -> None:
    table = fight(system, stated(defence=4))
    assert parts(planned(table, strike_at("hero", "foe")))["defense"][1] == -4
    armored = fight(system, replace(stated(defence=4), armor=(Armor("plate", 2, defense=-1),)))
    plan = planned(armored, strike_at("hero", "foe"))
    assert sum(part.dice for part in plan.parts if part.key.startswith("defense")) == -3


@everywhere(MASQUERADE, APOCALYPSE)
def test_soak_replaces_stamina_where_it_soaks(system: System) -> None:
    damage = system.attack.damage
    assert damage is not None
    foe = replace(stated(soak=5), kind="vampire", traits={"stamina": 2, "fortitude": 3}, armor=(Armor("vest", 2),))
    assert dict(_soaked(damage.soak(foe, Damage.BASHING, CLUB))) == {"pool:soak": 5, "soak:armor": 2}
    assert dict(_soaked(damage.soak(replace(foe, kind="mortal"), Damage.LETHAL, KNIFE))) == {"soak:armor": 2}


def _soaked(plan: PoolPlan) -> list[tuple[str, int]]:
    return [(part.key, part.dice) for part in plan.parts if part.dice]


def test_soak_is_protection_against_blows_in_wound_levels() -> None:
    fist = Weapon("fist", Mode.UNARMED)
    foe = replace(stated(soak=5), armor=(Armor("vest", 2),))
    for stacks, total in ((False, 5), (True, 7)):
        system = WOUNDS.with_options({"stamina_stacks": stacks})
        damage = system.attack.damage
        assert damage is not None
        plan = damage.soak(foe, Damage.BASHING, fist)
        assert plan.pool == total
        assert [part.label for part in plan.parts if part.key == "armor:stamina"] == ["Soak (fixed pool)"]


@everywhere(*CLASSIC, *STORYTELLING)
def test_initiative_is_the_stated_one(system: System) -> None:
    assert system.initiative.rating(stated(initiative=9)) == 9


@everywhere(*CLASSIC, *STORYTELLING)
def test_other_rolls_by_name(system: System) -> None:
    table = fight(system, stated(perception=8, stealth=5))
    noticing = ("perception", "alertness") if "perception" in system.perception else ("wits", "composure")
    for traits, expected in (
        (noticing, {"pool:perception": 8}),
        (("dexterity", "stealth"), {"pool:stealth": 5}),
        (("strength",), {"trait:strength": 2}),
    ):
        plan = plan_roll(game_of(table), RollTraits("foe", traits))
        assert traits_in(plan) == expected


def game_of(table: Table) -> Game:
    return Game(table.state, table.ruleset)


def test_a_fixed_pool_is_a_difficulty_too() -> None:
    table = fight(MASQUERADE, stated(perception=8))
    command = RollTraits("hero", ("dexterity",), difficulty=DifficultyOf("foe", ("perception", "alertness")))
    assert plan_roll(game_of(table), command).difficulty == 8


@everywhere(*STORYTELLING)
def test_a_grapple_is_an_attack(system: System) -> None:
    table = fight(system, stated(attack=7))
    assert system.grappling is not None
    mine, theirs = system.grappling.planned(game_of(table), "foe", "hero")
    assert traits_in(mine) == {"pool:attack": 7}
    assert theirs is not None
    assert all(key.startswith("trait:") for key in traits_in(theirs))


def test_finesse_does_not_count_beside_a_fixed_pool() -> None:
    rapier = Weapon("rapier", Mode.MELEE, 2, type=Damage.LETHAL)
    foe = replace(stated(attack=7), weapons=(rapier,), merits=frozenset({FINESSE}))
    plan = planned(fight(DARKNESS, foe), strike_at("foe", "hero", "rapier"))
    assert parts(plan)["pool:attack"] == (DARKNESS.cites[Mode.MELEE], 7)


@everywhere(MASQUERADE, APOCALYPSE, *STORYTELLING)
@pytest.mark.parametrize("boxes", [1, 3, 7, 12])
def test_health_is_the_number_of_boxes(system: System, boxes: int) -> None:
    levels = system.health.levels(stated(health=boxes))
    assert len(levels) == boxes
    usual = system.health.levels(stated())
    assert levels[-1].penalty == usual[-1].penalty, "the last box is always the worst"
    penalties = [-99 if each.penalty is None else each.penalty for each in levels]
    assert penalties == sorted(penalties, reverse=True)


def test_a_longer_track_heals_box_by_box() -> None:
    table = Table(MASQUERADE, foe=stated(health=12), hero=mortal())
    sheet = replace(table.sheet("foe"), marks=(Damage.LETHAL,) * 8)
    mended, healed = MASQUERADE.health.rest(sheet, 24 * 60)
    assert healed["lethal"] >= 1
    assert len(mended.marks) == 8 - healed["lethal"]


def test_a_declared_action_shares_the_fixed_pool() -> None:
    table = Table(MASQUERADE, foe=stated(attack=7, defence=5), hero=mortal(wits=1))
    table.initiative(foe=1, hero=9)
    table.does(Declare("foe", actions=("unarmed", "dodge")))
    split = table.turn("foe").split
    assert split is not None
    assert split.dice == 5


def test_the_odds_are_those_of_the_fixed_pool() -> None:
    table = fight(MASQUERADE, stated(attack=6))
    same = fight(MASQUERADE, mortal(dexterity=3, brawl=3, strength=2))
    command = strike_at("foe", "hero")
    chances = [odds(plan_attack(game_of(each), command).against[0], game_of(each)) for each in (table, same)]
    assert chances[0] == chances[1]


@everywhere(*CLASSIC, *STORYTELLING)
def test_pools_have_names(system: System) -> None:
    named = labels(system)
    assert {"attack", "defence", "initiative", "perception", "brawl"} <= named.keys()
    assert ("soak" in named) == (system in CLASSIC)
    assert ("dodge" in named) == (system in CLASSIC) or system is APOCALYPSE
    assert "strength" not in named
    assert "clash" not in named
