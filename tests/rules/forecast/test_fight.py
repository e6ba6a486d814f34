"""Single fights: how they begin, what each combatant does, how they end."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

import pytest

from rules.engine.messages import Command
from rules.forecast.fight import Fought, _Playing, fight
from rules.forecast.forecast import replayed
from rules.forecast.moves import Tactics
from rules.forecast.policies import CAREFUL, CAUTIOUS, MARKSMAN, PROTECTIVE, RECKLESS, STEADY, Policy, Spends
from rules.forecast.seeded import SeededDice
from rules.forecast.setup import Setup, checked
from rules.model.attack import Attack
from rules.model.conditions import PRONE
from rules.model.gear import Damage, Fault
from rules.model.sheet import Sheet
from rules.model.state import Exchange, PendingMishap, Score, Side, Stage, Step
from rules.model.system import System
from rules.systems.classic.apocalypse.system import APOCALYPSE
from rules.systems.classic.masquerade.system import MASQUERADE
from rules.systems.storytelling.first_edition.system import DARKNESS
from rules.systems.storytelling.second_edition.system import CHRONICLES
from rules.systems.wound_levels.system import WOUNDS
from rules.topics.commands import (
    Abort,
    Act,
    Begin,
    CheckSurprise,
    ChooseMishap,
    ClearJam,
    Declare,
    EndTurn,
    Leave,
    Newcomer,
    Pause,
    Reload,
    ResolveAttack,
    Resume,
    RollInitiative,
    SetVisibility,
    TakeAction,
    WithdrawAttack,
)
from rules.topics.grapples.grapple import GRAPPLES, Grapple
from tests.rules.forecast.people import after, draft, sheet
from tests.rules.table import KNIFE, PISTOL

ARMS = {"hero": (KNIFE,), "thug": (KNIFE,)}

Some = TypeVar("Some", bound=Command)


def duel(
    system: System = MASQUERADE, hero: Policy = STEADY, thug: Policy = STEADY, *, sheets: dict[str, Sheet] | None = None
) -> Setup:
    """A hero against a thug, both with a knife."""
    sheets = {who: sheet(system, *weapons) for who, weapons in ARMS.items()} | (sheets or {})
    people = [Newcomer(who, each, player=who == "hero") for who, each in sheets.items()]
    return checked(Setup(draft(system, *people), system, {"hero": hero, "thug": thug}))


def run(setup: Setup, seed: int = 1) -> Fought:
    return fight(setup, SeededDice(seed, 0))


def given(fought: Fought, command: type[Some]) -> list[Some]:
    """The commands of a type in a fight."""
    return [row.command for row in fought.rows if isinstance(row.command, command)]


def done(fought: Fought, who: str) -> list[str]:
    """What somebody did, in a word each."""
    names = []
    for row in fought.rows:
        command = row.command
        if getattr(command, "by", "") == who or getattr(command, "who", "") == who:
            key = command.key if isinstance(command, TakeAction) else type(command).__name__
            names.append(key)
    return names


def with_state(setup: Setup, **changes: object) -> Setup:
    return replace(setup, state=replace(setup.state, **changes))


def with_combatant(setup: Setup, who: str, **changes: object) -> Setup:
    people = setup.state.combatants
    return with_state(setup, combatants={**people, who: replace(people[who], **changes)})


# ------------------------------------------------------------------ how it begins


def test_a_draft_begins() -> None:
    rows = run(duel()).rows
    assert [type(row.command) for row in rows[:3]] == [Begin, RollInitiative, Declare]


def test_a_paused_fight_is_resumed() -> None:
    setup = duel()
    paused = replace(setup, state=after(setup.state, MASQUERADE, Begin(), Pause()))
    rows = run(paused).rows
    assert [type(row.command) for row in rows[:2]] == [Resume, RollInitiative]


def in_order(setup: Setup, *, stage: Stage = Stage.INITIATIVE, acting: tuple[str, ...] = ()) -> Setup:
    """The fight once it has begun and has an order: first the hero."""
    state = after(setup.state, setup.system, Begin())
    scores = {"hero": Score((9,), 4, 13), "thug": Score((5,), 4, 9)}
    return replace(
        setup, state=replace(state, order=(("hero",), ("thug",)), initiative=scores, stage=stage, acting=acting)
    )


def test_a_running_fight_rolls_initiative_only_if_it_is_due() -> None:
    setup = in_order(duel())
    assert isinstance(run(setup).rows[0].command, RollInitiative)
    assert isinstance(run(replace(setup, rolled=True)).rows[0].command, Declare)
    kept = in_order(duel(DARKNESS))
    assert not given(run(kept), RollInitiative)


def test_a_running_fight_goes_on_in_the_middle_of_a_turn() -> None:
    setup = in_order(duel(), stage=Stage.ATTACK)
    fought = run(setup)
    assert isinstance(fought.rows[0].command, Act)
    assert fought.state.turn == fought.outcome.turns


def attack_waiting(step: Step) -> Setup:
    setup = in_order(duel())
    return with_state(setup, exchanges=(Exchange("x1", Attack("hero", ("thug",), "knife"), ("thug",), step=step),))


def test_an_announced_attack_is_rolled_or_withdrawn() -> None:
    assert isinstance(run(attack_waiting(Step.APPROVED)).rows[0].command, ResolveAttack)
    assert isinstance(run(attack_waiting(Step.PENDING)).rows[0].command, WithdrawAttack)


def test_a_mishap_that_waits_is_settled() -> None:
    waiting = with_state(in_order(duel()), mishaps=(PendingMishap("r1", "hero", "knife", ("broken",)),), resolutions=1)
    assert run(waiting).rows[0].command == ChooseMishap("r1")


# ------------------------------------------------------------------ surprise


@pytest.mark.parametrize("system", [APOCALYPSE, CHRONICLES, DARKNESS, WOUNDS], ids=lambda each: each.key)
def test_an_ambush_is_rolled_before_initiative(system: System) -> None:
    setup = duel(system, sheets={"hero": sheet(system, KNIFE, dots=4), "thug": sheet(system, KNIFE, dots=1)})
    fought = run(replace(setup, ambushed=Side.ENEMIES))
    assert fought.rows[1].command == CheckSurprise(("thug",), ("hero",))
    assert given(fought, RollInitiative)


def test_the_fallen_take_no_part_in_an_ambush() -> None:
    people = [Newcomer(who, sheet(DARKNESS, KNIFE), player=who == "hero") for who in ("hero", "thug", "brute")]
    setup = Setup(draft(DARKNESS, *people), DARKNESS, ambushed=Side.ENEMIES)
    down = with_combatant(setup, "thug", conditions=frozenset({"unconscious"}))
    assert replayed(down, 1, 0).rows[1].command == CheckSurprise(("brute",), ("hero",))


def test_a_won_ambush_is_a_free_attack_on_its_victim() -> None:
    people = [
        Newcomer("hero", sheet(WOUNDS, replace(KNIFE, stowed=True), dots=5), player=True),
        Newcomer("thug", sheet(WOUNDS, dots=1)),
        Newcomer("brute", sheet(WOUNDS, replace(KNIFE, damage=5), dots=1)),
    ]
    setup = Setup(
        draft(WOUNDS, *people), WOUNDS, {"hero": replace(RECKLESS, spends=Spends.NEVER)}, ambushed=Side.ENEMIES
    )
    fought = replayed(setup, 1, 0)
    kinds = [type(row.command) for row in fought.rows[:5]]
    assert kinds == [Begin, CheckSurprise, TakeAction, Attack, RollInitiative]
    assert fought.rows[3].command == Attack("hero", ("thug",), "knife")
    assert fought.rows[4].command == RollInitiative(ambushed=("thug",))
    assert given(fought, RollInitiative) == [RollInitiative(ambushed=("thug",))]


def test_surprise_is_not_rolled_in_a_fight_that_has_an_order() -> None:
    assert not given(run(replace(in_order(duel(DARKNESS)), ambushed=Side.ENEMIES)), CheckSurprise)


# ------------------------------------------------------------------ what somebody does


def test_the_target_answers_by_its_own_policy() -> None:
    answers = {
        policy.key: {kind.kind for each in given(run(duel(thug=policy)), Attack) for kind in each.defences.values()}
        for policy in (STEADY, CAREFUL)
    }
    assert answers["steady"] == set()
    assert answers["careful"] <= {"dodge", "parry"}
    assert answers["careful"]


def test_somebody_cautious_gives_up_an_action_to_defend() -> None:
    """Against two, the one defence that was declared isn't enough."""
    quick = sheet(MASQUERADE, dots=1, wits=5, dexterity=3)
    people = [Newcomer(who, quick, player=True) for who in ("ann", "bob")]
    state = draft(MASQUERADE, *people, Newcomer("thug", sheet(MASQUERADE, KNIFE, dots=3, wits=1, dexterity=2)))
    fought = run(checked(Setup(state, MASQUERADE, {"ann": STEADY, "bob": STEADY, "thug": CAUTIOUS})))
    assert ("melee", "dodge") in [each.actions for each in given(fought, Declare) if each.by == "thug"]
    assert {each.by for each in given(fought, Abort)} == {"thug"}


def test_nothing_is_given_up_for_an_attack_that_the_rules_forbid() -> None:
    setup = in_order(duel(thug=CAUTIOUS), stage=Stage.ATTACK)
    playing = _Playing(setup, SeededDice(1, 0), Tactics(MASQUERADE))
    attack = Attack("hero", ("thug",), "halberd")
    assert playing._answered(attack, "thug") == (attack,)
    assert not playing.rows


def test_somebody_hurt_leaves() -> None:
    fought = run(duel(hero=CAREFUL, thug=CAUTIOUS, sheets={"hero": sheet(MASQUERADE, KNIFE, dots=4)}), seed=2)
    assert given(fought, Leave) == [Leave("thug")]
    fate = fought.outcome.fates["thug"]
    assert (fate.left, fate.fallen, fought.outcome.left_standing) == (True, False, frozenset({Side.ALLIES}))
    assert "thug" not in fought.state.combatants
    assert sum(fate.lost.values()) >= 4


BEATEN = CHRONICLES.with_options({"beaten_down": True})


def test_somebody_beaten_down_fights_on_for_a_point() -> None:
    fought = run(duel(BEATEN, sheets={"thug": sheet(BEATEN, KNIFE, dots=4, willpower=8)}), seed=4)
    assert "fight_on" in done(fought, "hero") + done(fought, "thug")


def test_somebody_beaten_down_who_cannot_fight_on_surrenders() -> None:
    broken = replace(sheet(BEATEN, KNIFE), resources={"willpower": 0})
    fought = run(duel(BEATEN, sheets={"hero": sheet(BEATEN, KNIFE, dots=4), "thug": broken}), seed=2)
    assert done(fought, "thug")[-1] == "surrender"
    assert fought.outcome.fates["thug"].left
    assert not fought.outcome.fates["thug"].fallen


def test_somebody_beaten_down_who_flees_when_hurt_surrenders() -> None:
    policy = replace(CAUTIOUS, gives_up=0.1)
    fought = run(duel(BEATEN, thug=policy, sheets={"hero": sheet(BEATEN, KNIFE, dots=4)}), seed=2)
    assert done(fought, "thug")[-1] in ("surrender", "Leave")


def test_weapons_are_drawn_reloaded_and_cleared() -> None:
    stowed = replace(KNIFE, stowed=True)
    empty = replace(PISTOL, rounds=0)
    jammed = replace(PISTOL, fault=Fault.JAMMED)
    for weapon, first in ((stowed, "draw"), (empty, "Reload"), (jammed, "ClearJam")):
        fought = run(duel(sheets={"hero": sheet(MASQUERADE, weapon)}))
        assert [each for each in done(fought, "hero") if each != "Declare"][:2] == [first, "Attack"]
    assert given(run(duel(sheets={"hero": sheet(MASQUERADE, empty)})), Reload)[0] == Reload("hero", "pistol")
    assert given(run(duel(sheets={"hero": sheet(MASQUERADE, jammed)})), ClearJam)[0] == ClearJam("hero", "pistol")


@pytest.mark.parametrize("fault", [Fault.BROKEN, Fault.TAKEN, Fault.DROPPED, Fault.SEIZED])
def test_a_useless_weapon_is_not_used(fault: Fault) -> None:
    fought = run(duel(sheets={"hero": sheet(MASQUERADE, replace(KNIFE, fault=fault))}))
    assert {each.weapon for each in given(fought, Attack) if each.by == "hero"} == {"unarmed"}


def test_somebody_prone_gets_up_first() -> None:
    setup = with_combatant(duel(CHRONICLES), "thug", conditions=frozenset({PRONE}))
    assert done(run(setup), "thug")[0] == "rise"


@pytest.mark.parametrize(
    "system", [CHRONICLES, MASQUERADE.with_options({"manoeuvres": True})], ids=["chronicles", "masquerade"]
)
def test_nobody_stays_in_a_grapple(system: System) -> None:
    setup = duel(system)
    grapple = Grapple("hero", "thug", 0)
    state = GRAPPLES.put(after(setup.state, system, Begin()), (grapple,))
    people = {who: replace(each, conditions=frozenset({"grappled"})) for who, each in state.combatants.items()}
    fought = run(replace(setup, state=replace(state, combatants=people)))
    assert {"break_free", "let_go"} & {*done(fought, "hero"), *done(fought, "thug")}
    assert not GRAPPLES.of(fought.state)


def test_a_marksman_takes_cover_and_aims() -> None:
    armed = sheet(CHRONICLES, PISTOL)
    fought = run(duel(CHRONICLES, hero=MARKSMAN, sheets={"hero": armed}), seed=5)
    assert done(fought, "hero")[:3] == ["seek_cover", "aim", "Attack"]
    assert done(fought, "hero").count("seek_cover") == 1


def test_nobody_takes_endless_steps_before_an_action(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rules.forecast.fight.MOST_STEPS", 1)
    armed = sheet(CHRONICLES, PISTOL)
    fought = run(duel(CHRONICLES, hero=MARKSMAN, sheets={"hero": armed}), seed=5)
    assert done(fought, "hero")[:2] == ["seek_cover", "aim"]
    assert isinstance(
        fought.rows[[getattr(row.command, "key", "") for row in fought.rows].index("seek_cover") + 1].command, Act
    )


def test_points_are_spent_by_policy() -> None:
    spent = {}
    for policy in (STEADY, RECKLESS):
        rich = replace(sheet(DARKNESS, KNIFE), resources={"willpower": 5})
        spent[policy.key] = run(duel(DARKNESS, hero=policy, sheets={"hero": rich})).outcome.fates["hero"].spent
    assert spent["steady"] == {}
    assert spent["reckless"]["willpower"] > 0


def test_extra_actions_are_bought() -> None:
    fast = replace(sheet(MASQUERADE, KNIFE, kind="vampire", celerity=2), resources={"blood": 10})
    fought = run(duel(hero=RECKLESS, sheets={"hero": fast}))
    said = [each for each in given(fought, Declare) if each.by == "hero"]
    assert said[0].actions == ("melee", "celerity", "celerity")
    assert fought.outcome.fates["hero"].spent["blood"] >= 1
    rage = replace(sheet(APOCALYPSE, KNIFE, kind="garou"), resources={"rage": 6})
    fought = run(duel(APOCALYPSE, hero=replace(PROTECTIVE, key="x"), sheets={"hero": rage}))
    said = [each for each in given(fought, Declare) if each.by == "hero"]
    assert said[0].actions.count("rage") == 2


def test_somebody_hidden_shows_themselves_with_their_first_attack() -> None:
    setup = with_combatant(duel(), "thug", hidden=True)
    fought = run(setup)
    assert given(fought, SetVisibility) == [SetVisibility("thug", hidden=False)]
    first = next(row.command for row in fought.rows if isinstance(row.command, Attack))
    assert first.by == "thug"


def test_those_who_are_too_far_run() -> None:
    weak = sheet(MASQUERADE, replace(PISTOL, damage=0), dots=1)
    fought = run(replace(duel(hero=MARKSMAN, sheets={"hero": weak}), distance=50))
    shots = [each.distance for each in given(fought, Attack) if each.by == "hero"]
    far = [each for each in shots if each]
    assert far == sorted(far, reverse=True)
    assert set(far) <= {50, 30, 10}
    assert shots == far + [None] * (len(shots) - len(far))
    blow = next(n for n, row in enumerate(fought.rows) if isinstance(row.command, Attack) and row.command.by == "thug")
    assert sum(isinstance(row.command, EndTurn) for row in fought.rows[:blow]) == 3


# ------------------------------------------------------------------ how it ends


def test_a_fight_in_which_nobody_can_be_harmed_is_undecided() -> None:
    weak = sheet(DARKNESS, dots=1, health=7)
    setup = replace(duel(DARKNESS, sheets=dict.fromkeys(("hero", "thug"), weak)), most_turns=3)
    state = setup.state
    barred = {who: replace(each, conditions=frozenset({"surprised"})) for who, each in state.combatants.items()}
    fought = run(replace(setup, state=replace(state, combatants=barred), most_turns=1))
    assert fought.outcome.left_standing == {Side.ALLIES, Side.ENEMIES}
    assert fought.outcome.turns == 1


def test_an_outcome_says_what_it_cost() -> None:
    hurt = replace(sheet(MASQUERADE, PISTOL, dots=4), marks=(Damage.BASHING,))
    fought = run(duel(hero=MARKSMAN, sheets={"hero": hurt, "thug": sheet(MASQUERADE, dots=1)}), seed=3)
    hero, thug = fought.outcome.fates["hero"], fought.outcome.fates["thug"]
    assert (hero.side, thug.side) == (Side.ALLIES, Side.ENEMIES)
    assert hero.rounds == sum(each.by == "hero" for each in given(fought, Attack))
    assert thug.fallen
    assert thug.lost["lethal"] >= 1
    assert hero.lost == {} or min(hero.lost.values()) > 0


def test_the_dead_are_told_from_the_fallen() -> None:
    fates = [replayed(duel(APOCALYPSE), 1, number).outcome.fates["thug"] for number in range(40)]
    assert {(fate.fallen, fate.dead) for fate in fates} == {(False, False), (True, False), (True, True)}


def test_wound_levels_are_counted_as_injury() -> None:
    fought = run(duel(WOUNDS))
    assert {damage for fate in fought.outcome.fates.values() for damage in fate.lost} == {"injury"}


def test_combatants_on_neither_side_stay_out_of_it() -> None:
    setup = with_combatant(duel(), "hero", player=True)
    bystander = replace(setup.state.combatants["thug"], id="eve", chosen_side=Side.OTHERS)
    setup = checked(with_state(setup, combatants={**setup.state.combatants, "eve": bystander}))
    fought = run(setup)
    assert done(fought, "eve") == []
    assert all("eve" not in each.at for each in given(fought, Attack))
    assert set(fought.outcome.fates) == {"hero", "thug"}
