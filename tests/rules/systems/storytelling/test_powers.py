"""Powers in the storytelling family: effects that a chronicle's own powers may have (WD-POW-1, CD-POW-1)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.model.gear import Damage, Mode, Weapon
from rules.model.plan import strike
from rules.model.power_effects import Effect, Lasts, Per, Pool
from rules.model.powers import Power, Source, Timing
from rules.model.system import Game, System
from rules.odds.attacks import odds
from rules.strike.attack import plan_attack
from rules.systems.classic.masquerade.system import MASQUERADE
from rules.systems.shared.powers import acts, dice, eases, from_dots, goes_first, raises, softens, successes
from rules.systems.storytelling.defense_trait import defense_of, speed
from rules.systems.storytelling.first_edition.system import DARKNESS
from rules.systems.storytelling.second_edition.system import CHRONICLES
from rules.topics.commands import RollInitiative, RollTraits, TakeAction
from rules.topics.powers.using import with_powers
from tests.rules.table import Table, mortal, strike_at

PISTOL = Weapon("pistol", Mode.FIREARM, 1, "", Damage.LETHAL)
both = pytest.mark.parametrize("ruleset", [DARKNESS, CHRONICLES], ids=lambda each: each.key)


def own(*effects: Effect, timing: Timing = Timing.ALWAYS, lasts: Lasts = Lasts.SCENE) -> Power:
    """A made-up power that everybody has."""
    return Power("own", "made up", "X-POW-1", Source.ITEM, effects, timing=timing, lasts=lasts)


def playing(ruleset: System, *effects: Effect, **more) -> System:
    return with_powers(ruleset, [own(*effects, **more)])


def against(system: System, weapon: str = "", **sheets):
    """The plan of an attack of Ann's on Bob."""
    usual = {"ann": mortal(strength=3, brawl=3, dexterity=3, firearms=3, weapons=(PISTOL,)), "bob": mortal()}
    table = Table(system, **{**usual, **sheets})
    game = Game(table.state, table.ruleset)
    (met,) = plan_attack(game, strike_at("ann", "bob", weapon)).against
    return met, game


@both
def test_a_powers_successes_count_in_attacks_and_rolls(ruleset):
    """WD-POW-1, CD-POW-1: a part of the plan, in the odds and in the result."""
    system = playing(ruleset, successes(2, Pool.ATTACK, Pool.ROLL))
    met, game = against(system)
    (part,) = [part for part in met.attack.parts if part.successes]
    assert (part.key, part.rule, part.successes, met.attack.sure) == ("power:own", "X-POW-1", 2, 2)
    assert odds(met, game).hit == 1
    table = Table(system, ann=mortal(strength=2), bob=mortal())
    (rolled,) = table.does(RollTraits("ann", ("strength",)), roll=[2, 3])
    assert rolled.roll.roll.successes == 2


@both
def test_a_struck_success_does_not_count(ruleset):
    """WD-POW-1, CD-POW-1."""
    table = Table(playing(ruleset, successes(2, Pool.ATTACK)), ann=mortal(strength=3, brawl=3), bob=mortal())
    command = replace(strike_at("ann", "bob"), strike=frozenset({"power:own"}))
    (met,) = plan_attack(Game(table.state, table.ruleset), command).against
    assert met.attack.sure == 0


@both
def test_powers_raise_defense_speed_health_and_size(ruleset):
    """WD-POW-12, WD-POW-14: derived traits have keys like any other."""
    plain, raised = mortal(), raises(2, "defense", "speed", "health")
    system = playing(
        ruleset,
        *(replace(raised, traits=frozenset({key})) for key in ("defense", "speed", "health")),
        raises(1, "size"),
    )
    assert defense_of(system.attack).full(plain) == defense_of(ruleset.attack).full(plain) + 2
    assert speed(plain, system.layout) == speed(plain, ruleset.layout) + 2
    assert len(system.health.levels(plain)) == len(ruleset.health.levels(plain)) + 3
    met, _game = against(system)
    parts = {part.key: part.dice for part in met.attack.parts}
    assert (parts["defense"], parts["defense:power:own"]) == (-2, -2)
    assert all(part.rule == "X-POW-1" for part in met.attack.parts if part.key == "defense:power:own")
    assert defense_of(system.attack).counts(next(part for part in met.attack.parts if part.key.endswith(":own")))


@both
def test_dice_of_a_defence_count_against_shots_only_if_they_name_the_mode(ruleset):
    """WD-DEF-1, CD-POW-3: Defense itself doesn't meet shots."""

    def pool(*effects: Effect) -> int:
        met, _game = against(playing(ruleset, *effects), "pistol")
        return met.attack.pool

    bare = pool()
    assert pool(dice(2, Pool.DEFENCE)) == bare
    assert pool(dice(2, Pool.DEFENCE, modes=frozenset({Mode.FIREARM}))) == bare - 2
    assert pool(dice(2, Pool.DEFENCE, modes=frozenset({Mode.UNARMED}))) == bare
    assert pool(dice(-2, Pool.DEFENCE, modes=frozenset({Mode.FIREARM}))) == bare


@both
def test_less_defense_never_adds_dice_to_the_attack(ruleset):
    """WD-DEF-1, CD-DEF-1."""
    met, _game = against(playing(ruleset, dice(-9, Pool.DEFENCE)))
    assert met.attack.pool == 6


@both
def test_damage_is_softened_by_one_type(ruleset):
    """WD-POW-4, CD-POW-5: of lethal damage too, if a power says so."""
    blade = Weapon("blade", Mode.MELEE, 0, "", Damage.LETHAL, form="slashing")
    system = playing(ruleset, softens(1, Damage.LETHAL))
    table = Table(system, ann=mortal(strength=4, weaponry=4, weapons=(blade,)), bob=mortal())
    result = table.attacks("ann", "bob", "blade", attack=[8, 8, 2, 3, 4, 5])
    assert result.done is not None
    assert dict(result.done.mixed) == {Damage.LETHAL: 1, Damage.BASHING: 1}


def test_what_is_given_back_goes_with_its_penalty():
    """WD-POW-13: struck out with it, and nothing of other penalties."""
    system = playing(DARKNESS, eases(5, "wounds"), eases(5, "armor"))
    sheet = mortal("XXXXXX")
    parts = system.pools.hindrances(sheet, ("strength",))
    assert [(part.key, part.dice) for part in parts] == [("wounds", -2), ("eased:wounds:own", 2)]
    assert all(part.struck for part in strike(parts, frozenset({"wounds"})))
    assert [part.struck for part in strike(parts, frozenset({"eased:wounds:own"}))] == [False, True]


def test_effects_from_so_many_dots_are_left_out_below():
    """CD-POW-16: an entry without dots counts as what the power needs."""
    power = Power("x", "x", "X-POW-1", Source.MERIT, (dice(1, Pool.SOAK), from_dots(4, dice(1, Pool.ROLL))), entry="x")
    sheet = replace(mortal(), merits=frozenset({"x"}))
    assert [power.is_had_by(each, DARKNESS.layout) for each in (mortal(), sheet)] == [False, True]
    assert len(power.settled(sheet, DARKNESS.layout)) == 1
    assert len(power.settled(replace(sheet, rated={"x": 4}), DARKNESS.layout)) == 2
    asked = replace(power, rating=3)
    assert not asked.is_had_by(replace(sheet, rated={"x": 2}), DARKNESS.layout)
    scaled = replace(power, effects=(dice(1, Pool.SOAK, per=Per.RATING),))
    assert [each.amount for each in scaled.settled(replace(sheet, rated={"x": 4}), DARKNESS.layout)] == [4]


def test_the_first_place_is_taken_only_where_ranks_move():
    """CD-POW-4, MQ-POW-1: elsewhere such a power changes nothing."""
    system = playing(MASQUERADE, goes_first(), timing=Timing.REFLEXIVE, lasts=Lasts.AT_ONCE)
    table = Table(system, ann=mortal(), bob=mortal())
    (told,) = table.does(TakeAction("own", "ann"))
    assert (told.power, told.works) == ("own", True)


def test_a_power_may_give_an_action():
    """WD-POW-1, WD-TURN-1: a second action in a turn of one."""
    system = playing(DARKNESS, acts(1), timing=Timing.REFLEXIVE, lasts=Lasts.AT_ONCE)
    table = Table(system, ann=mortal(strength=3, brawl=2), bob=mortal())
    table.does(RollInitiative(), initiative={"ann": [9], "bob": [1]})
    table.does(TakeAction("own", "ann"))
    table.attacks("ann", "bob", attack=[2, 3, 4])
    table.attacks("ann", "bob", attack=[2, 3, 4, 5])
    table.refuses("WD-TURN-1", strike_at("ann", "bob"))
