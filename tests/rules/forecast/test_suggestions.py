"""Suggestions: exact odds, the best of all attacks, legal moves, without what the combatant couldn't know."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from random import Random
from typing import Any

import icepool
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rules.decide import decide
from rules.engine.dice import Purpose, RollsDice, StopAtDice, Throw
from rules.engine.messages import Command, replay
from rules.engine.phrases import Phrase
from rules.engine.violations import RuleViolation
from rules.forecast.forecast import replayed
from rules.forecast.knowledge import Memory, known
from rules.forecast.moves import Tactics
from rules.forecast.seeded import SeededDice
from rules.forecast.suggestions import MOST, Suggestion, suggestions, to_move
from rules.model.attack import Attack
from rules.model.choices import Modifier
from rules.model.gear import Armor, Damage, Fault, Weapon
from rules.model.modifiers import Use
from rules.model.sheet import Sheet
from rules.model.state import Encounter, Exchange
from rules.model.system import Game, System
from rules.odds.attacks import Odds, prospects, undefended
from rules.strike.attack import plan_attack
from rules.systems import BUILT_IN, RULESETS
from rules.systems.classic.apocalypse.system import APOCALYPSE
from rules.systems.classic.masquerade.system import MASQUERADE
from rules.systems.storytelling.first_edition.system import DARKNESS
from rules.systems.storytelling.second_edition.system import CHRONICLES
from rules.systems.wound_levels.system import WOUNDS
from rules.topics.commands import (
    Act,
    Begin,
    ChangeConditions,
    ClearJam,
    Declare,
    EndTurn,
    FullDefence,
    Harm,
    Leave,
    Newcomer,
    Reload,
    RollInitiative,
    TakeAction,
)
from tests.rules.fights import CAST, Fights, house_rules
from tests.rules.forecast.people import draft, random_setup, sheet
from tests.rules.table import KNIFE, PISTOL, RIFLE

OURS = [RULESETS[point.name] for point in BUILT_IN]
everywhere = pytest.mark.parametrize("system", OURS, ids=lambda system: system.key)


@cache
def fights_of(key: str) -> Fights:
    return Fights(RULESETS[key])


def named(one: Sheet, name: str, **more: Any) -> Sheet:
    return replace(one, name=name, **more)


def acting(system: System, *newcomers: Newcomer, dodges: bool = False) -> Encounter:
    """A running fight in which it is the NPC's moment, all others having let theirs pass or declared a dodge."""
    state, dice = draft(system, *newcomers), SeededDice(1, 1)

    def plays(command: Command) -> None:
        nonlocal state
        state = replay(state, decide(state, command, system, dice))

    plays(Begin())
    plays(RollInitiative())
    while system.turns.declares and (waiting := system.turns.declaring(state)):
        plays(Declare(waiting[0], actions=("dodge",) if dodges and waiting[0] != "npc" else ("firearm",)))
    while "npc" not in state.acting:
        plays(Act())
    return state


def after(state: Encounter, system: System, *commands: Command) -> Encounter:
    for command in commands:
        state = replay(state, decide(state, command, system, SeededDice(1, 2)))
    return state


def duel(
    system: System, *weapons: Weapon, kind: str = "mortal", held: tuple[Weapon, ...] = (), **traits: int
) -> Encounter:
    """A running fight of an NPC, whose moment it is, against Marek."""
    return acting(
        system,
        Newcomer("npc", named(sheet(system, *weapons, kind=kind, **traits), "Thug")),
        Newcomer("marek", named(sheet(system, *held), "Marek"), player=True),
    )


def found_in(state: Encounter, system: System) -> tuple[Suggestion, ...]:
    return suggestions(Game(state, system), "npc")


# ------------------------------------------------------------------ laws


def every_blow(game: Game, who: str) -> Iterator[tuple[Attack, Odds]]:
    """Every attack with every way, one by one, with its odds against the best defence."""
    seen = known(game, who, Memory())
    for weapon, foe in product(Tactics(game.system).skill(seen.me).weapons, seen.foes):
        ways: list[tuple[Modifier, ...]] = [()]
        for key, rule in game.system.circumstances.played.items():
            counts = Use.ATTACK in rule.uses and (rule.rounds or rule.damage) and weapon.mode in rule.modes
            free = not (rule.costs or rule.wanted or rule.figures or rule.harmless or rule.reserved)
            if counts and free and rule.offered and (rule.fits is None or rule.fits(weapon)):
                ways.append((Modifier(key),))
        for way in ways if weapon.works else []:
            attack = Attack(who, (foe.id,), weapon.reference, way)
            try:
                found = prospects(game, attack)
            except RuleViolation:
                continue
            yield attack, found.best or found.bare


def worth(odds: Odds) -> tuple[int, Fraction, Fraction]:
    return int(100 * odds.incapacitates), odds.expected, odds.hit


@pytest.mark.parametrize("key", RULESETS)
@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(size=st.integers(1, 4), by_the_book=st.booleans(), seed=st.integers(0, 2**32))
def test_suggestions_are_legal_varied_and_the_best(key: str, size: int, by_the_book: bool, seed: int) -> None:
    random = Random(seed)
    system = RULESETS[key] if by_the_book else house_rules(RULESETS[key], random)
    setup = random_setup(fights_of(key), system, random, CAST[:size])
    state = setup.state
    moments = list[Encounter]()
    for row in replayed(setup, seed, 7).rows:
        state = replay(state, row.events)
        if to_move(state, system):
            moments.append(state)
    for moment in random.sample(moments, min(3, len(moments))):
        check(Game(moment, system), to_move(moment, system)[0])


def check(game: Game, who: str) -> None:
    state, system = game.state, game.system
    found = suggestions(game, who)
    assert len(found) <= MOST
    attacks = [each for each in found if isinstance(each.command, Attack)]
    assert len({(each.command.weapon, each.command.at) for each in attacks}) == len(attacks)  # type: ignore[attr-defined]
    for number, each in enumerate(found):
        assert isinstance(each.title, Phrase)
        assert isinstance(each.reason, Phrase)
        decide(state, each.command, system, SeededDice(0, number))
    assert all(not state.combatants[who].hidden for each in attacks for who in each.command.at)  # type: ignore[attr-defined]
    every = list(every_blow(game, who))
    assert bool(attacks) == bool(every)
    for each in attacks:
        assert each.odds in [odds for attack, odds in every if attack == each.command]
    if every:
        assert attacks[0].odds is not None
        assert worth(attacks[0].odds) == max(worth(odds) for _attack, odds in every)
    for attack, odds in every:
        assert worth(odds) <= worth(undefended(game, attack))
    # Nothing depends on somebody whom they don't see.
    side = state.combatants[who].side
    unseen = {each.id for each in state.combatants.values() if each.hidden and each.side is not side}
    alone = replace(state, combatants={key: each for key, each in state.combatants.items() if key not in unseen})
    if not unseen & {each for rank in state.order for each in rank}:
        assert suggestions(Game(alone, system), who) == found


# ------------------------------------------------------------------ odds and reasons


def at_least_one(dice: int, lowest: int, *, cancels: bool) -> Fraction:
    """The chance of a success, computed by icepool. A die rolled again never turns a success into a failure."""
    one = icepool.d10.map(lambda face: int(face >= lowest) - int(cancels and face == 1))
    return Fraction(1) - Fraction((dice @ one).probability("<=", 0))


@everywhere
def test_the_reason_has_the_exact_odds(system: System) -> None:
    state = duel(system, KNIFE)
    game = Game(state, system)
    first = found_in(state, system)[0]
    assert isinstance(first.command, Attack)
    against = prospects(game, first.command)
    assert first.odds == (against.best or against.bare)
    plan = plan_attack(game, first.command).against[0]
    if plan.defence is None and against.defence in ("", "defense") and not plan.needs:
        cancels = system.mechanic.read((1, 9), plan.attack.difficulty or 6).successes < 1
        assert first.odds.hit == at_least_one(plan.attack.pool, plan.attack.difficulty or 8, cancels=cancels)
    assert isinstance(first.reason, Phrase)
    assert f"{round(100 * first.odds.hit)}\u00a0% to hit, " in first.reason
    assert "Marek" in first.title


@pytest.mark.parametrize(
    ("dots", "reason"),
    [
        (1, "chances-to-hit-and-hurt"),
        (5, "chances-to-hit-and-take-down"),
    ],
)
def test_small_chances_to_take_somebody_down_are_left_out(dots: int, reason: str) -> None:
    first = found_in(duel(DARKNESS, KNIFE, strength=dots, weaponry=dots), DARKNESS)[0]
    assert first.reason.id == reason  # type: ignore[attr-defined]


def test_a_defence_that_has_to_be_given_is_named() -> None:
    """MQ-DEF-1: Marek has declared a dodge."""
    thug, marek = named(sheet(MASQUERADE, KNIFE), "Thug"), named(sheet(MASQUERADE), "Marek")
    state = acting(MASQUERADE, Newcomer("npc", thug), Newcomer("marek", marek, player=True), dodges=True)
    assert "against Dodge: " in found_in(state, MASQUERADE)[0].reason
    strong = named(sheet(MASQUERADE, KNIFE, strength=10, melee=10, dexterity=10), "Thug")
    state = acting(MASQUERADE, Newcomer("npc", strong), Newcomer("marek", marek, player=True), dodges=True)
    first = found_in(state, MASQUERADE)[0]
    assert first.reason.startswith("against Dodge: ")
    assert first.reason.endswith("to take Marek down")


def test_chances_are_only_certain_if_they_are() -> None:
    state = duel(DARKNESS, KNIFE, strength=40, weaponry=40)
    first = found_in(state, DARKNESS)[0]
    assert "> 99\u00a0%" in first.reason
    feeble = duel(CHRONICLES, KNIFE, strength=1, weaponry=0)
    armored = with_sheet(feeble, "marek", armor=(Armor("plate", 9),))
    assert any("< 1\u00a0% to hurt" in each.reason for each in found_in(armored, CHRONICLES))


def with_sheet(state: Encounter, who: str, **changed: Any) -> Encounter:
    one = state.combatants[who]
    return replace(state, combatants={**state.combatants, who: replace(one, sheet=replace(one.sheet, **changed))})


# ------------------------------------------------------------------ variety


def crowd(system: System, *weapons: Weapon) -> Encounter:
    foes = [Newcomer(f"p{number}", named(sheet(system), f"Foe {number}"), player=True) for number in range(6)]
    return acting(system, Newcomer("npc", named(sheet(system, *weapons, dots=3), "Thug")), *foes)


def test_three_attacks_are_not_all_made_with_one_weapon() -> None:
    found = found_in(crowd(DARKNESS, PISTOL), DARKNESS)
    assert [each.command.weapon for each in found] == ["pistol", "pistol", "unarmed"]  # type: ignore[attr-defined]
    assert len({each.command.at for each in found[:2]}) == 2  # type: ignore[attr-defined]


def test_with_nothing_but_bare_hands_three_targets_are_suggested() -> None:
    found = found_in(crowd(DARKNESS), DARKNESS)
    assert len({each.command.at for each in found}) == MOST  # type: ignore[attr-defined]


def test_bursts_are_tried_and_points_are_not_spent() -> None:
    """MQ-ATK-8: a burst adds dice."""
    state = duel(MASQUERADE, RIFLE)
    found = found_in(state, MASQUERADE)
    assert found[0].using == "Rifle (Full automatic)"
    assert all(
        not MASQUERADE.modifiers[modifier.key].costs
        for each in found
        if isinstance(each.command, Attack)
        for modifier in each.command.modifiers
    )


# ------------------------------------------------------------------ other moves


def test_a_trial_ends_when_anything_is_left_to_chance() -> None:
    with pytest.raises(RollsDice):
        StopAtDice().roll(Throw(Purpose.ROLL, "npc", 1))
    with pytest.raises(RollsDice):
        StopAtDice().pick(2)


def other(state: Encounter, system: System) -> Suggestion:
    """The first suggestion that is no attack."""
    return next(each for each in found_in(state, system) if not isinstance(each.command, Attack))


@pytest.mark.parametrize(
    ("weapon", "command", "title", "reason"),
    [
        (replace(PISTOL, rounds=0, chambered=0), Reload("npc", "pistol"), "Reload Pistol", "the best weapon is empty"),
        (
            replace(PISTOL, fault=Fault.JAMMED),
            ClearJam("npc", "pistol"),
            "Clear the jam: Pistol",
            "the best weapon is jammed",
        ),
        (
            replace(PISTOL, stowed=True),
            TakeAction("draw", "npc", weapon="pistol"),
            "Draw",
            "the best weapon isn’t in hand",
        ),
    ],
)
def test_the_best_weapon_is_made_ready(weapon: Weapon, command: Command, title: str, reason: str) -> None:
    found = other(duel(CHRONICLES, weapon, firearms=5), CHRONICLES)
    assert (found.command, found.title, found.reason) == (command, title, reason)
    assert found.odds is None


@pytest.mark.parametrize("system", [APOCALYPSE, CHRONICLES], ids=["apocalypse", "chronicles"])
def test_who_is_prone_gets_up(system: System) -> None:
    """AP-SIT-8, CD-PRONE-1."""
    state = after(duel(system, KNIFE), system, ChangeConditions("npc", add=frozenset({"prone"})))
    found = other(state, system)
    assert found.command == TakeAction("rise", "npc")
    assert found.reason == "no longer prone"


def test_who_is_held_breaks_free() -> None:
    """CD-GRP-4: breaking free is rolled, so the condition that it is for is named."""
    state, grapple = duel(CHRONICLES, brawl=5, strength=5), TakeAction("grapple", "npc", ("marek",))
    tried = (replay(state, decide(state, grapple, CHRONICLES, SeededDice(1, number))) for number in range(30))
    held = next(each for each in tried if each.combatants["npc"].conditions)
    again = after(held, CHRONICLES, Act(), Act(), EndTurn(), Act())
    (found,) = found_in(again, CHRONICLES)
    assert found.command == TakeAction("break_free", "npc")
    assert found.reason == "no longer grappled"


def test_who_is_badly_hurt_flees_if_human() -> None:
    hurt = after(duel(MASQUERADE, KNIFE), MASQUERADE, Harm("npc", 4, Damage.LETHAL))
    found = other(hurt, MASQUERADE)
    assert found.command == Leave("npc")
    assert (found.title, found.reason) == ("Flee from the fight", "57\u00a0% of health lost, 1 opponent in sight")


@pytest.mark.parametrize(
    ("system", "harm", "command"),
    [
        (APOCALYPSE, 3, FullDefence("npc")),
        (CHRONICLES, 3, TakeAction("dodge", "npc")),
        (WOUNDS, 2, TakeAction("evade", "npc")),
    ],
    ids=["apocalypse", "chronicles", "wounds"],
)
def test_who_is_hurt_may_only_defend(system: System, harm: int, command: Command) -> None:
    """AP-DEF-4, CD-DODGE-1, WL-DEF-4."""
    kind = next(each.key for each in system.kinds.values() if not each.human)
    hurt = after(duel(system, KNIFE, kind=kind), system, Harm("npc", harm, Damage.LETHAL))
    found = other(hurt, system)
    assert found.command == command
    assert "of health lost" in found.reason


def test_cover_is_for_those_who_may_be_shot_at() -> None:
    """CD-COV-1."""
    armed = other(duel(CHRONICLES, PISTOL, held=(RIFLE,)), CHRONICLES)
    assert armed.command.key == "seek_cover"  # type: ignore[attr-defined]
    assert armed.reason == "harder to shoot from then on"
    sheltered = after(duel(CHRONICLES, PISTOL, held=(RIFLE,)), CHRONICLES, armed.command)
    aim = other(sheltered, CHRONICLES)
    assert aim.command == TakeAction("aim", "npc", ("marek",), weapon="pistol")
    assert (aim.title, aim.reason) == ("Aim", "the next shot is more likely to hit")
    unarmed = other(duel(CHRONICLES, PISTOL), CHRONICLES)
    assert unarmed.command.key == "aim"  # type: ignore[attr-defined]


def test_with_nobody_in_sight_there_is_nothing_to_do() -> None:
    thug, marek = named(sheet(DARKNESS, KNIFE), "Thug"), named(sheet(DARKNESS), "Marek")
    state = acting(DARKNESS, Newcomer("npc", thug), Newcomer("marek", marek, player=True, hidden=True))
    assert found_in(state, DARKNESS) == ()


# ------------------------------------------------------------------ whom they are for


def test_they_are_for_those_who_act_and_have_no_player() -> None:
    state = duel(DARKNESS, KNIFE)
    assert to_move(state, DARKNESS) == ("npc",)
    attack = Attack("npc", ("marek",), "knife")
    assert to_move(after(state, DARKNESS, attack), DARKNESS) == ()
    waiting = replace(state, exchanges=(Exchange("x", attack),))
    assert to_move(waiting, DARKNESS) == ()
    assert to_move(draft(DARKNESS, Newcomer("npc", sheet(DARKNESS))), DARKNESS) == ()
    while "marek" not in state.acting:
        state = after(state, DARKNESS, Act())
    assert to_move(state, DARKNESS) == ()
