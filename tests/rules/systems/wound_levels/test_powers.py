"""Powers in Wound Levels: those of its document, and a chronicle's own (WL-DEF-3, WL-ARM-3)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.model.gear import Armor
from rules.model.power_effects import Effect, Lasts, Pool
from rules.model.powers import Cost, Power, Source, Timing
from rules.model.system import Game, System
from rules.odds.attacks import odds
from rules.strike.attack import plan_attack
from rules.systems.shared.powers import dice, difficulty, eases, protects, raises, sees_through, successes
from rules.systems.wound_levels.system import WOUNDS
from rules.topics.commands import EndTurn, RollInitiative, RollTraits, TakeAction
from rules.topics.powers.using import with_powers
from tests.rules.systems.wound_levels.cast import AXE, BOW, PISTOL, hurt
from tests.rules.table import Table, strike_at


def playing(*effects: Effect, timing: Timing = Timing.ALWAYS, **more) -> System:
    """The ruleset with a made-up power that everybody has."""
    return with_powers(WOUNDS, [Power("own", "made up", "X-POW-1", Source.SPELL, effects, timing=timing, **more)])


def planned(system: System, weapon: str = "axe", defence: str | None = None, **sheets):
    usual = {"ann": hurt(strength=3, melee=1, weapons=(AXE, PISTOL, BOW)), "bob": hurt(dexterity=2, dodge=1)}
    table = Table(system, **{**usual, **sheets})
    game = Game(table.state, table.ruleset)
    (against,) = plan_attack(game, strike_at("ann", "bob", weapon, defence=defence)).against
    return against, game


@pytest.mark.parametrize(
    ("effect", "where", "pool", "sure"),
    [
        (dice(2, Pool.ATTACK), "attack", 6, 0),
        (successes(1, Pool.ATTACK), "attack", 4, 1),
        (raises(1, "strength"), "attack", 5, 0),
        (dice(1, Pool.DEFENCE), "defence", 4, 0),
        (successes(2, Pool.DEFENCE), "defence", 3, 2),
        (dice(-1, Pool.AGAINST), "attack", 3, 0),
    ],
)
def test_a_chronicles_powers_change_attacks_and_defences(effect, where, pool, sure):
    """WL-ATK-1, WL-DEF-1: each is a part of the plan, under its own rule."""
    against, _game = planned(playing(effect), defence="dodge")
    plan = getattr(against, where)
    assert (plan.pool, plan.sure) == (pool, sure)
    assert any(part.rule == "X-POW-1" for part in plan.parts)


def test_difficulties_change():
    """WL-ATK-1."""
    bare, _game = planned(WOUNDS)
    against, _game = planned(playing(difficulty(-1, Pool.ATTACK)))
    assert against.attack.difficulty == bare.attack.difficulty - 1


def test_damage_and_protection_are_levels():
    """WL-DMG-1, WL-ARM-1: dice for damage or soak add to the severity, or take from it, and to the odds."""
    bare, game = planned(WOUNDS)
    harder, _game = planned(playing(dice(2, Pool.DAMAGE)))
    assert harder.damage.pool == bare.damage.pool + 2
    softer, played = planned(playing(dice(2, Pool.SOAK)))
    assert softer.soak.pool == bare.soak.pool + 2
    assert odds(softer, played).expected < odds(bare, game).expected


def test_a_powers_armour_is_protection_of_another_source():
    """WL-ARM-3: the best protection counts, and the others don't stack."""
    system = playing(protects(Armor("ward", 4)), timing=Timing.REFLEXIVE)
    table = Table(system, ann=hurt(strength=3, weapons=(AXE,)), bob=hurt(armor=(Armor("vest", 2),)))
    table.does(TakeAction("own", "bob"))
    (against,) = plan_attack(Game(table.state, system), strike_at("ann", "bob", "axe")).against
    assert [(part.label, part.dice, part.struck) for part in against.soak.parts] == [
        ("vest: doesn’t stack", 2, True),
        ("ward", 4, False),
    ]


def test_initiative_rolls_and_wound_penalties_change():
    """WL-INIT-1, WL-DICE-1, WL-DMG-5."""
    system = playing(dice(1, Pool.INITIATIVE, Pool.ROLL), eases(1, "wounds"))
    table = Table(system, ann=hurt(5, dexterity=2, wits=2, strength=4), bob=hurt(dexterity=1, wits=1))
    table.does(RollInitiative(), initiative={"ann": [6, 6, 2, 3, 4], "bob": [2, 3, 4]})
    assert [table.state.initiative[who].rating for who in ("ann", "bob")] == [5, 3]
    penalty = WOUNDS.health.hindrance(table.sheet("ann"))
    pool = 4 + 1 + penalty + min(1, -penalty)
    (rolled,) = table.does(RollTraits("ann", ("strength",)), roll=[2] * pool)
    assert penalty < 0
    assert rolled.roll.plan.pool == pool


def test_gunfire_is_dodged_with_a_power_while_it_lasts():
    """WL-DEF-3: with one that is used and paid for, as with one that is always on."""
    power = {"timing": Timing.REFLEXIVE, "lasts": Lasts.TURN, "costs": (Cost("willpower"),)}
    system = playing(sees_through("gunfire"), **power)
    table = Table(
        system, ann=hurt(dexterity=2, firearms=1, weapons=(PISTOL,)), bob=hurt(dexterity=2, dodge=1, willpower=3)
    )
    shot = replace(strike_at("ann", "bob", "pistol", defence="dodge"), distance=10)
    table.refuses("WL-DEF-3", shot)
    table.does(RollInitiative(), initiative={"ann": [2, 3, 4], "bob": [2, 3, 4]})
    table.does(TakeAction("own", "bob"))
    (against,) = plan_attack(Game(table.state, system), shot).against
    assert (against.defence_kind, against.defence.pool) == ("dodge", 3)
    table.does(EndTurn())
    table.refuses("WL-DEF-3", shot)
