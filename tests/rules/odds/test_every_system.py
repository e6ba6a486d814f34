"""Exact odds in every ruleset: pools against icepool, whole attacks against every throw played through decide."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import factorial

import icepool
import pytest

from rules.decide import decide
from rules.engine.dice import Faces, Purpose, Throw
from rules.engine.messages import replay
from rules.engine.violations import Referee, RuleViolation
from rules.model.attack import Attack
from rules.model.choices import Defence
from rules.model.gear import Armor, Damage, Mode, Weapon
from rules.model.plan import Against, PoolPlan
from rules.model.power_effects import Does, Effect, InEffect, Pool
from rules.model.powers import Power, Source, Timing
from rules.model.results import AttackResult, Outcome
from rules.model.sheet import Category, Sheet
from rules.model.system import Game, System
from rules.odds.attacks import odds, prospects
from rules.strike.attack import plan_attack
from rules.systems import BUILT_IN, RULESETS
from rules.systems.classic.apocalypse.system import APOCALYPSE
from rules.systems.shared.powers import dice, difficulty, grows, protects, raises, successes, wounds_as
from rules.systems.storytelling.first_edition.system import DARKNESS
from rules.systems.storytelling.second_edition.system import CHRONICLES
from rules.topics.attacks.prepare import FISTS
from rules.topics.commands import ChangeConditions
from rules.topics.events import AttackResolved
from rules.topics.powers.using import with_powers
from tests.rules.fights import shipped
from tests.rules.odds.test_odds import Script, Unwritten
from tests.rules.table import KNIFE, MASQUERADE, PISTOL, VEST, Table, mortal, only, strike_at

D10 = icepool.d10
DEEP = 9
"""Rerolls per die computed by icepool: the odds of fewer successes are exact."""

OURS = [RULESETS[point.name] for point in BUILT_IN]
"""Rulesets of the built-in dice families; external rulesets have their own tests."""
everywhere = pytest.mark.parametrize("ruleset", OURS, ids=lambda ruleset: ruleset.key)


# ------------------------------------------------------------------ pools, against icepool


def net_of_ones(plan: PoolPlan) -> icepool.Die:
    """Net successes, -1 for a botch: each 1 cancels a success."""
    one = D10.map(lambda face: icepool.Vector((int(face >= plan.difficulty), int(face == 1))))
    thrown = (plan.pool @ one) if plan.pool else icepool.Die([icepool.Vector((0, 0))])
    return thrown.map(lambda counted: -1 if not counted[0] and counted[1] else max(0, counted[0] - counted[1]))


def rolled_again(plan: PoolPlan) -> icepool.Die:
    """Successes if faces from ``again`` up are rerolled."""
    least, again, pool = (10, 10, 1) if plan.chance else (8, plan.again, plan.pool)

    def once_more(deeper: icepool.Die) -> icepool.Die:
        return D10.map(lambda face: deeper + 1 if face >= again else int(face >= least))

    found = D10.map(lambda face: int(face >= least))
    for _ in range(DEEP):
        found = once_more(found)
    return pool @ found


def pools_of(ruleset: System) -> list[PoolPlan]:
    """A grid of pools for the ruleset's dice."""
    mechanic = ruleset.mechanic
    if ruleset.pools.total([]).again:
        agains = [PoolPlan((), pool, 0, again) for pool, again in product((1, 2, 3, 5, 7), (8, 9, 10))]
        return [PoolPlan((), 0, 0, 10, chance=True), *agains]
    difficulties = range(mechanic.lowest, mechanic.highest + 1)
    return [PoolPlan((), pool, difficulty) for pool, difficulty in product((0, 1, 2, 3, 5, 8, 10), difficulties)]


@everywhere
def test_pools_are_as_icepool_counts_them(ruleset):
    """MQ-DICE-3, AP-DICE-1, WD-DICE-1, WD-DICE-2."""
    for plan in pools_of(ruleset):
        ours = ruleset.mechanic.outcomes_of(plan)
        assert sum(ours.successes) == ours.total
        if plan.again:
            theirs, certain = rolled_again(plan), range(DEEP)
            assert Fraction(ours.dramatic, ours.total) == (Fraction(1, 10) if plan.chance else 0)
            five = 1 - sum(theirs.probability(count) for count in range(5))
            assert Fraction(ours.exceptional, ours.total) == five
        else:
            theirs, certain = net_of_ones(plan), range(1, plan.pool + 1)
            botches = ruleset.mechanic.read((1,), 6).botch
            assert Fraction(ours.botches, ours.total) == (theirs.probability(-1) if botches else 0)
        for count in certain:
            assert Fraction(ours.successes[count], ours.total) == theirs.probability(count)


# ------------------------------------------------------------------ whole attacks, through decide


def grouped(count: int, least: int, again: int) -> Iterator[tuple[Faces, Fraction]]:
    """Every throw, with equivalent ones grouped: representative faces, and their probability."""
    starts = sorted({1, 2, least, again or least} - {11})
    weight = dict(zip(starts, (end - start for start, end in zip(starts, [*starts[1:], 11], strict=True)), strict=True))
    for faces in combinations_with_replacement(starts, count):
        ways = factorial(count)
        for face, times in Counter(faces).items():
            ways = ways // factorial(times) * weight[face] ** times
        yield faces, Fraction(ways, 10**count)


CLAWS = Weapon("claws", Mode.UNARMED, 1, "strength", Damage.AGGRAVATED, tags=frozenset({"claws"}))
RARE = Fraction(1, 10**5)
"""Cut-off probability for endless rerolls."""


def every_way(table: Table, command: Attack, against: Against) -> Iterator[tuple[Fraction, AttackResult, frozenset]]:
    """Every outcome of an attack, with its probability and the target's conditions afterwards."""
    pools = {
        Purpose.ATTACK: against.attack,
        Purpose.DEFENCE: against.defence,
        Purpose.DAMAGE: against.damage,
        Purpose.SOAK: against.soak,
    }
    waiting: list[tuple[tuple[Faces, ...], Fraction]] = [((), Fraction(1))]
    while waiting:
        path, chance = waiting.pop()
        try:
            events = decide(table.state, command, table.ruleset, Script(path))
        except Unwritten as end:
            throw: Throw = end.args[0]
            pool = pools[throw.purpose]
            assert pool is not None
            least = pool.difficulty or (10 if pool.chance else 8)
            for faces, share in grouped(throw.count, least, throw.again):
                if not throw.again or chance * share >= RARE:
                    waiting.append(((*path, faces), chance * share))
            continue
        (result,) = only(AttackResolved, events).results
        yield chance, result, replay(table.state, events).combatants["bob"].conditions


def smallest(ruleset: System) -> list[Weapon]:
    """Bare hands, and each mode's weapon with the fewest dice."""
    weapons, _armor = shipped(ruleset.key)
    modes = [[weapon for weapon in weapons if weapon.mode is mode] for mode in Mode]
    return [FISTS, *(min(each, key=lambda weapon: weapon.damage) for each in modes if each)]


def somebody(ruleset: System, kind: str, dots: int, marked: int = 0, **more) -> Sheet:
    """A sheet with this many dots in every Attribute and none in any Ability, and almost all boxes marked."""
    traits = {trait.key: dots for trait in ruleset.layout.traits() if trait.category is Category.ATTRIBUTE}
    sheet = mortal(kind=kind, **traits, **more)
    boxes = len(ruleset.health.levels(sheet))
    return replace(sheet, marks=mortal("X" * max(0, boxes - marked) if marked else "").marks)


def close_fights(ruleset: System, dots: int, left: int = 2) -> Iterator[tuple[Table, Attack, Against]]:
    """Small attacks of every mode on a target near its end, with every possible defence and with none."""
    for weapon, kind in zip(smallest(ruleset), ["mortal", "vampire"] * 4, strict=False):
        table = Table(
            ruleset,
            ann=somebody(ruleset, "mortal", dots, weapons=(weapon,)),
            bob=somebody(ruleset, kind, dots, left, weapons=smallest(ruleset)[1:2]),
        )
        for defence in (None, *ruleset.attack.defences.kinds):
            command = strike_at("ann", "bob", weapon.name, distance=1, defence=defence)
            try:
                (against,) = plan_attack(Game(table.state, ruleset), command).against
            except RuleViolation:
                continue
            yield table, command, against


@everywhere
@pytest.mark.parametrize("dots", [1, 2])
def test_the_odds_are_what_comes_of_every_throw(ruleset, dots):
    """MQ-DMG-1, AP-DMG-5, WD-DMG-1: decide and odds agree, exactly if the rolls are finite."""
    cases = 0
    for table, command, against in close_fights(ruleset, dots):
        ours = odds(against, Game(table.state, ruleset))
        levels, outcomes, states = Counter(), Counter(), Counter()
        for chance, result, conditions in every_way(table, command, against):
            levels[result.done.dealt if result.done else 0] += chance
            outcomes[result.outcome] += chance
            states.update(dict.fromkeys(conditions & ours.states.keys(), chance))
        lost = 1 - sum(levels.values())
        assert 0 <= lost < Fraction(1, 500)
        assert lost == 0 or against.attack.again

        def alike(one: Fraction, other: Fraction, lost: Fraction = lost) -> bool:
            return other <= one <= other + lost

        assert alike(ours.hit, outcomes[Outcome.HIT] + outcomes[Outcome.EXCEPTIONAL])
        assert alike(ours.exceptional, outcomes[Outcome.EXCEPTIONAL])
        assert alike(ours.botch, outcomes[Outcome.BOTCH])
        assert alike(ours.dramatic, outcomes[Outcome.DRAMATIC_FAILURE])
        assert all(alike(ours.at_least(n), sum(levels[m] for m in levels if m >= n)) for n in range(1, 9))
        assert all(alike(chance, states[state]) for state, chance in ours.states.items())
        assert alike(ours.kills, states["dead"])
        if not lost:
            assert ours.expected == sum(n * chance for n, chance in levels.items())
        cases += 1
    assert cases >= 4


@pytest.mark.parametrize("ruleset", [MASQUERADE, APOCALYPSE], ids=["masquerade", "apocalypse"])
@pytest.mark.parametrize(
    "decided",
    [
        {"ones_cancel_damage_and_soak": False},
        {"mortals_soak_lethal": True, "defence_difficulty": 8, "highest_difficulty": 7},
    ],
)
def test_the_odds_follow_the_house_rules(ruleset, decided):
    """MQ-DICE-3, MQ-DICE-5, MQ-SOAK-1, AP-DICE-1, AP-SOAK-1."""
    played = ruleset.with_options(decided)
    for table, command, against in close_fights(played, 2):
        levels = Counter()
        for chance, result, _conditions in every_way(table, command, against):
            levels[result.done.dealt if result.done else 0] += chance
        ours = odds(against, Game(table.state, played))
        assert {n: chance for n, chance in enumerate(ours.levels) if chance} == dict(levels)


# ------------------------------------------------------------------ with powers in effect

EFFECTS = {
    "successes": (successes(1, Pool.DAMAGE, Pool.ATTACK), successes(1, Pool.SOAK)),
    "certain soak": (successes(0, Pool.DAMAGE), successes(2, Pool.SOAK)),
    "dice": (dice(1, Pool.ATTACK, Pool.DAMAGE), dice(-1, Pool.SOAK, Pool.DEFENCE)),
    "difficulty": (difficulty(-1, Pool.ATTACK, Pool.DAMAGE), difficulty(2, Pool.AGAINST, Pool.SOAK)),
    "traits": (raises(1, "strength"), raises(-1, "stamina")),
    "natural weapon": (grows(CLAWS), raises(1, "fortitude")),
    "damage type": (wounds_as(Damage.AGGRAVATED, Mode.UNARMED, Mode.MELEE), protects(Armor("scales", 1))),
}
"""Effects on the attacker and on the target."""


def in_effect(effect: Effect) -> tuple[InEffect, ...]:
    """A power with one effect, as it is in effect on somebody."""
    return (InEffect("power", "power", "MQ-POW-1", (effect,)),)


@pytest.mark.parametrize("effects", EFFECTS.values(), ids=EFFECTS)
@pytest.mark.parametrize("weapon", [FISTS, KNIFE], ids=["unarmed", "armed"])
def test_the_odds_follow_powers(effects, weapon):
    """MQ-POW-1: every throw with powers in effect on both sides, with each defence and without."""
    mine, theirs = effects
    played = MASQUERADE.with_options({"powers": True})
    name = mine.weapon.name if mine.weapon else weapon.name
    ann = replace(somebody(played, "vampire", 1, weapons=(weapon,)), powers=in_effect(mine))
    bob = replace(somebody(played, "vampire", 2, 4, weapons=(KNIFE,)), powers=in_effect(theirs))
    table = Table(played, ann=ann, bob=bob)
    plain = Table(played, ann=replace(ann, powers=()), bob=replace(bob, powers=()))
    for defence in (None, "dodge", "parry"):
        command = strike_at("ann", "bob", name, distance=1, defence=defence)
        (against,) = plan_attack(Game(table.state, played), command).against
        levels = Counter()
        for chance, result, _conditions in every_way(table, command, against):
            levels[result.done.dealt if result.done else 0] += chance
        ours = odds(against, Game(table.state, played))
        assert {n: chance for n, chance in enumerate(ours.levels) if chance} == dict(levels)
        without = replace(command, weapon=weapon.name)
        (before,) = plan_attack(Game(plain.state, played), without).against
        assert ours != odds(before, Game(plain.state, played))


def test_the_odds_follow_potence():
    """MQ-POW-2: automatic successes of damage, even on a hit with a single die."""
    played = MASQUERADE.with_options({"powers": True})
    ann = somebody(played, "vampire", 1)
    table = Table(played, ann=replace(ann, traits={**ann.traits, "potence": 2}), bob=somebody(played, "mortal", 2, 5))
    command = strike_at("ann", "bob", distance=1, defence="dodge")
    (against,) = plan_attack(Game(table.state, played), command).against
    levels = Counter()
    for chance, result, _conditions in every_way(table, command, against):
        levels[result.done.dealt if result.done else 0] += chance
    ours = odds(against, Game(table.state, played))
    assert against.damage.sure == 2
    assert {n: chance for n, chance in enumerate(ours.levels) if chance} == dict(levels)


# ------------------------------------------------------------------ with powers


def mighty_fights(ruleset: System) -> Iterator[tuple[Table, Attack, Against]]:
    """Small close fights, armed and unarmed, of creatures with every power that the ruleset knows as theirs."""
    played = ruleset.with_options({"powers": True})
    blade = Weapon("blade", Mode.MELEE, 0, type=Damage.LETHAL, form="slashing", tags=frozenset({"fire"}))
    ordinary = somebody(played, "mortal", 1, weapons=(blade,))
    mighty = somebody(played, "vampire", 2, 3, weapons=(blade,))
    entries = {power.entry: 5 for power in played.powers if power.entry}
    dots = {power.trait: 1 for power in played.powers if power.source is Source.DISCIPLINE}
    used = tuple(
        power.in_effect(power.settled(mighty, played.layout, 1, 1), turn=1)
        for power in played.powers
        if power.timing is not Timing.ALWAYS and power.key not in {"defensive_strike", "sure_strike"}
    )
    mighty = replace(mighty, traits={**mighty.traits, **dots}, merits=frozenset(entries), rated=entries, powers=used)
    for (ann, bob), weapon in product(((mighty, ordinary), (ordinary, mighty)), ("", "blade")):
        table = Table(played, ann=ann, bob=replace(bob, marks=bob.marks or (Damage.BASHING,) * 5))
        command = strike_at("ann", "bob", weapon)
        (against,) = plan_attack(Game(table.state, played), command).against
        yield table, command, against


@pytest.mark.parametrize("ruleset", [DARKNESS, CHRONICLES], ids=lambda ruleset: ruleset.key)
def test_the_odds_of_powers_are_what_comes_of_every_throw(ruleset):
    """WD-POW-1, CD-POW-1: Traits, dice, Defense, damage and softened damage of powers on either side."""
    rules = set()
    for table, command, against in mighty_fights(ruleset):
        levels, hit = Counter(), Fraction(0)
        for chance, result, _conditions in every_way(table, command, against):
            levels[result.done.dealt if result.done else 0] += chance
            hit += chance if result.outcome in (Outcome.HIT, Outcome.EXCEPTIONAL) else 0
        ours, lost = odds(against, Game(table.state, table.ruleset)), 1 - sum(levels.values())
        assert 0 <= lost < Fraction(1, 500)
        assert hit <= ours.hit <= hit + lost
        for n in range(1, 9):
            done = sum(levels[m] for m in levels if m >= n)
            assert done <= ours.at_least(n) <= done + lost
        rules |= {part.rule for part in (*against.attack.parts, *against.steps) if "-POW-" in part.rule}
    assert len(rules) >= 6


# ------------------------------------------------------------------ with the best defence, and without any


@everywhere
def test_nobody_is_worse_off_for_defending(ruleset):
    """MQ-DEF-1, AP-DEF-1, WD-DEF-1."""
    helped = False
    for table, command, _against in close_fights(ruleset, 2, left=5):
        found = prospects(Game(table.state, ruleset), command)
        if found.best is not None:
            assert (found.best.expected, found.best.hit) < (found.bare.expected, found.bare.hit)
            assert found.defence == "defense" or found.defence in ruleset.attack.defences.kinds
            helped = True
    assert helped


def test_the_best_defence_is_the_one_with_the_most_dice():
    """MQ-DEF-1, MQ-DEF-2: three dice to dodge with, one to parry with."""
    table = Table(MASQUERADE, ann=mortal(dexterity=3, melee=2, weapons=(KNIFE,)), bob=mortal(dodge=2, weapons=(KNIFE,)))
    command = strike_at("ann", "bob", "knife", defence="parry")
    found = prospects(Game(table.state, MASQUERADE), command)
    (dodged,) = plan_attack(Game(table.state, MASQUERADE), replace(command, defences={"bob": Defence("dodge")})).against
    (open_to_all,) = plan_attack(Game(table.state, MASQUERADE), replace(command, defences={})).against
    assert (found.defence, found.best) == ("dodge", odds(dodged, Game(table.state, MASQUERADE)))
    assert found.bare == odds(open_to_all, Game(table.state, MASQUERADE))


def test_who_cannot_defend_has_no_best_defence():
    """MQ-ATK-7: a staked target does nothing."""
    table = Table(MASQUERADE, ann=mortal(weapons=(KNIFE,)), bob=mortal(dodge=3))
    table.does(ChangeConditions("bob", frozenset({"staked"})))
    command = strike_at("ann", "bob", "knife")
    found = prospects(Game(table.state, MASQUERADE), command)
    (against,) = plan_attack(Game(table.state, MASQUERADE), command).against
    assert (found.bare, found.best, found.defence) == (odds(against, Game(table.state, MASQUERADE)), None, "")


def test_a_defence_without_dice_is_no_best_one():
    """MQ-HEALTH-1: five dice off leave Bob none to dodge with, the same as no defence."""
    table = Table(MASQUERADE, ann=mortal(weapons=(KNIFE,)), bob=mortal("XXXXXX", dexterity=2, dodge=2))
    command = strike_at("ann", "bob", "knife")
    found = prospects(Game(table.state, MASQUERADE), command)
    dodging = replace(command, defences={"bob": Defence("dodge")})
    (dodged,) = plan_attack(Game(table.state, MASQUERADE), dodging).against
    assert odds(dodged, Game(table.state, MASQUERADE)).expected == found.bare.expected
    assert (found.best, found.defence) == (None, "")


def test_the_best_defence_may_be_any_that_is_left():
    """MQ-DEF-2, AP-DEF-1: parrying with more dots than dodging; no dodging without room."""
    table = Table(MASQUERADE, ann=mortal(melee=2, weapons=(KNIFE,)), bob=mortal(dexterity=2, melee=3, weapons=(KNIFE,)))
    assert prospects(Game(table.state, MASQUERADE), strike_at("ann", "bob", "knife")).defence == "parry"
    table = Table(APOCALYPSE, ann=mortal(weapons=(KNIFE,)), bob=mortal(athletics=5, weapons=(KNIFE,)))
    assert prospects(Game(table.state, APOCALYPSE), strike_at("ann", "bob", "knife")).defence == "dodge"
    assert prospects(Game(table.state, APOCALYPSE), strike_at("ann", "bob", "knife", "no_room")).defence == "parry"


def test_what_is_waived_is_waived_for_the_chances_too():
    """MQ-ATK-2: three metres are out of a knife's reach."""
    table = Table(MASQUERADE, ann=mortal(weapons=(KNIFE,)), bob=mortal(dodge=1))
    command = strike_at("ann", "bob", "knife", distance=3)
    with pytest.raises(RuleViolation):
        prospects(Game(table.state, MASQUERADE), command)
    found = prospects(Game(table.state, MASQUERADE, Referee({"MQ-ATK-2"})), command)
    assert found == prospects(Game(table.state, MASQUERADE), strike_at("ann", "bob", "knife"))
    assert found.defence == "dodge"


def test_defense_in_the_pool_is_the_best_defence():
    """WD-DEF-1: Strength 3 alone against Defense 2 is one die with it, and three without."""
    table = Table(
        DARKNESS, ann=mortal(strength=3, brawl=1, weapons=()), bob=mortal(dexterity=2, wits=3, composure=2, armor=())
    )
    found = prospects(Game(table.state, DARKNESS), strike_at("ann", "bob"))
    four, two = (DARKNESS.mechanic.outcomes_of(PoolPlan((), dice, 0, 10)) for dice in (4, 2))
    assert found.bare.hit == 1 - Fraction(four.successes[0], four.total) == 1 - Fraction(7, 10) ** 4
    assert found.best.hit == 1 - Fraction(two.successes[0], two.total) == 1 - Fraction(7, 10) ** 2
    assert found.defence == "defense"


@pytest.mark.parametrize("condition", ["immobilized", "staked"])
def test_what_hits_by_itself_cannot_go_wrong(condition):
    """AP-SIT-7: no roll, so no botch; a pistol's levels are certain except for the soak."""
    table = Table(APOCALYPSE, ann=mortal(dexterity=1, weapons=(PISTOL,)), bob=mortal(stamina=1, armor=(VEST,)))
    table.does(ChangeConditions("bob", frozenset({condition})))
    (against,) = plan_attack(Game(table.state, APOCALYPSE), strike_at("ann", "bob", "pistol")).against
    found = odds(against, Game(table.state, APOCALYPSE))
    assert (found.hit, found.botch, found.dramatic) == (1, 0, 0)


# ------------------------------------------------------------------ with powers in effect


def mighty(ruleset: System) -> System:
    """The ruleset with powers that everybody has: on attacks, attacks against them, damage and soak."""
    varies = ruleset.mechanic.lowest < ruleset.mechanic.highest
    effects = [
        Effect(Does.DICE, 1, pools=frozenset({Pool.ATTACK, Pool.DAMAGE})),
        Effect(Does.DICE, -1, pools=frozenset({Pool.AGAINST})),
        Effect(Does.DICE, 1, pools=frozenset({Pool.SOAK, Pool.DEFENCE})),
    ]
    if varies:
        effects += [
            Effect(Does.SUCCESSES, 1, pools=frozenset({Pool.DAMAGE, Pool.SOAK})),
            Effect(Does.DIFFICULTY, -1, pools=frozenset({Pool.ATTACK})),
        ]
    else:
        effects.append(Effect(Does.SUCCESSES, 1, pools=frozenset({Pool.ATTACK, Pool.DAMAGE, Pool.SOAK})))
    rule = ruleset.cites["pool"]
    return with_powers(ruleset, [Power("might", "Might", rule, Source.SPELL, tuple(effects), timing=Timing.ALWAYS)])


@everywhere
def test_the_odds_follow_powers_in_every_ruleset(ruleset):
    """MQ-POW-1: dice, automatic successes and difficulty from powers count in the odds as in the rolls."""
    cases, played = 0, mighty(ruleset)
    for table, command, against in close_fights(played, 1):
        assert any(part.key.startswith("power:") for part in against.attack.parts)
        levels = Counter()
        for chance, result, _conditions in every_way(table, command, against):
            levels[result.done.dealt if result.done else 0] += chance
        ours, lost = odds(against, Game(table.state, played)), 1 - sum(levels.values())
        assert 0 <= lost < Fraction(1, 500)
        assert lost == 0 or against.attack.again
        for least in range(1, 9):
            reached = sum(levels[n] for n in levels if n >= least)
            assert reached <= ours.at_least(least) <= reached + lost
        cases += 1
    assert cases >= 4
