"""Laws that hold in every fight, however it goes: random sheets, commands valid and absurd, undo and redo."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from random import Random
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from rules.attack import plan_attack
from rules.commands import (
    Abort,
    Act,
    AnswerAttack,
    Attack,
    Begin,
    ChangeConditions,
    ChooseMishap,
    ClearJam,
    Command,
    Declare,
    Defence,
    Delay,
    DifficultyOf,
    End,
    EndTurn,
    FullDefence,
    Harm,
    Heal,
    Join,
    Leave,
    Modifier,
    Narrate,
    Newcomer,
    Pause,
    ProposeAttack,
    Reload,
    Resistance,
    ResolveAttack,
    ReviseSheet,
    RollInitiative,
    RollTraits,
    SetHealth,
    SetOrder,
    SetVisibility,
    Spend,
    WithdrawAttack,
)
from rules.decide import decide
from rules.dice import Faces, Throw
from rules.encounter import Encounter, Status
from rules.events import AttackResolved, DamageDone, Event, Rolled, TraitsRolled, TurnMoved
from rules.fold import replay
from rules.gear import Armor, Damage, Fault
from rules.health import sort_marks
from rules.log import Entry, redo_target, standing, undo_target
from rules.odds import odds
from rules.plan import AttackPlan, PoolPlan
from rules.ruleset import Ruleset
from rules.rulesets.masquerade import MASQUERADE
from rules.sheet import Sheet
from rules.violations import INPUT, RuleViolation
from tests.rules.table import BOW, CLAWS, KNIFE, PISTOL, RIFLE, SHRUGGING, STONE, TORCH

CAST = ("ann", "bob", "cy", "dee", "eve")
SHORT = MASQUERADE.with_options({"health_levels": (("Fine", 0), ("Rough", -3), ("Out", None))})
RULESETS = {"by the book": MASQUERADE, "shrugging": SHRUGGING, "short": SHORT}
GIANT = 10**30


class Thrown:
    """Fair dice that remember how many were asked for."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self.count = 0

    def roll(self, throw: Throw) -> Faces:
        assert throw.count >= 1
        self.count += throw.count
        return tuple(self._random.randint(1, 10) for _ in range(throw.count))

    def pick(self, options: int) -> int:
        return self._random.randrange(options)


# ------------------------------------------------------------------ what makes sense

DOTS = ("strength", "dexterity", "stamina", "brawl", "melee", "dodge", "firearms", "fortitude", "celerity", "willpower")
WEAPONS = (KNIFE, PISTOL, RIFLE, CLAWS, TORCH, STONE, BOW)
ARMOUR = (Armor("vest", 3, penalty=-1), Armor("ward", 1, supernatural=True))
KINDS = ("mortal", "vampire", "vampire", "ghoul", "garou", "dragon")
HURT = tuple(Damage)


def somebody(random: Random) -> Sheet:
    """A sheet that can be."""
    return Sheet(
        "Somebody",
        random.choice(KINDS),
        {key: random.randint(0, 5) for key in DOTS},
        resources={"willpower": random.randint(0, 5), "blood": random.randint(0, 10)},
        marks=tuple(random.choices(HURT, k=random.choice([0, 0, 1, 3]))),
        weapons=WEAPONS,
        armor=ARMOUR[: random.choice([0, 0, 1, 2])],
    )


def struck(random: Random, there: list[str]) -> Attack:
    """An attack that has a chance to be allowed."""
    by, at = random.sample(there, 2)
    answer = Defence(random.choice(["dodge", "dodge", "parry", "block", ""]))
    picked = random.choice(
        [None, None, None, "cramped", "long_range", "burst", "full_auto", "scope", "split", "circumstance"]
    )
    return Attack(
        by,
        (at,),
        random.choice(["", *(weapon.name for weapon in WEAPONS)]),
        (Modifier(picked, {"dice": random.randint(1, 3)}),) if picked else (),
        random.choice([None, None, None, 1, 30]),
        {at: answer} if random.random() < 0.4 else {},
        frozenset(random.choice([[], [], ["wounds"], ["damage:strength", "soak:stamina"]])),
    )


def sensible(random: Random, state: Encounter) -> Command:
    """A command that fits what is going on."""
    there = sorted(state.combatants)
    who, other = random.sample(there, 2)
    pool = random.choice([("strength",), ("dexterity", "brawl"), ("stamina", "stealth"), ("willpower",)])
    plans = random.choices(
        ["unarmed", "melee", "firearm", "dodge", "celerity", "hide", "full_defence"], k=random.randint(0, 3)
    )
    choices: list[Command] = [
        *[struck(random, there) for _ in range(9)],
        ProposeAttack(f"x{state.resolutions}", struck(random, there), random.random() < 0.3),
        ProposeAttack(f"x{state.resolutions}", struck(random, there)),
        *[Act(), Act(), Act(), Act(), EndTurn(), EndTurn(), RollInitiative(), RollInitiative((who,))],
        Declare(who, "", tuple(plans), random.random() < 0.2, willpower=random.choice([0, 0, 1]), out_of_order=True),
        Declare(who, "", tuple(plans)),
        *[Delay(who), Abort(who), Abort(who, "point"), FullDefence(who), Leave(who)],
        *[ClearJam(who, random.choice(["pistol", "bow"])), Reload(who, "pistol"), Reload(who, "rifle", 4)],
        RollTraits(who, pool, random.choice([None, 4, DifficultyOf(other, ("wits",))])),
        RollTraits(who, pool, resisted=Resistance(other, pool)),
        *[Harm(who, random.randint(1, 3), random.choice(HURT)), Heal(who, 1, random.choice(HURT)), Heal(who, hours=24)],
        SetHealth(who, tuple(random.choices(HURT, k=random.randint(0, 3)))),
        *[Spend(who, "willpower"), Spend(who, "willpower", -1), Spend(who, "blood")],
        ChangeConditions(who, frozenset({random.choice(["prone", "staked"])}), frozenset({"staked"})),
        SetOrder(tuple((one,) for rank in state.order[::-1] for one in rank)),
        *[
            SetVisibility(who, hidden=True),
            ReviseSheet(who, somebody(random)),
            random.choice([Pause(), End(), Begin()]),
        ],
        Join((Newcomer(random.choice(CAST), somebody(random)),)),
        *[Narrate(resolution, "So it was.") for resolution in state.unnarrated[:1]],
        *[ChooseMishap(mishap.resolution) for mishap in state.mishaps],
        *[ChooseMishap(mishap.resolution, mishap.choices[-1], other) for mishap in state.mishaps],
    ]
    for exchange in state.exchanges:
        dodge = Defence(random.choice(["", "dodge", "block"]))
        choices += [AnswerAttack(exchange.id, exchange.attack.at[0], dodge)] * 4
        choices += [ResolveAttack(exchange.id), ResolveAttack(exchange.id), WithdrawAttack(exchange.id)]
    return random.choice(choices)


# ------------------------------------------------------------------ what does not

name = st.sampled_from([*CAST, "", " ", "zed", "\x00", "r1", "é" * 50, "9" * 30])
names = st.lists(name, max_size=3).map(tuple)
figure = st.sampled_from([-GIANT, -20, -1, 0, 1, 2, 7, 24, 100, GIANT])
garbage = st.one_of(figure, st.sampled_from([True, None, "x", "long", 2.5, (1,)]), st.builds(list), st.builds(dict))
damage = st.sampled_from(HURT)
marks = st.lists(damage, max_size=9).map(tuple)
weapon = st.one_of(st.sampled_from(["", *(weapon.name for weapon in WEAPONS)]), name)
traits = st.lists(st.one_of(st.sampled_from([*DOTS, "humanity", "generation"]), name), max_size=3).map(tuple)
actions = st.lists(st.one_of(st.sampled_from(["melee", "full_defence", "open", "celerity"]), name), max_size=3).map(
    tuple
)
modifier = st.builds(
    Modifier,
    st.one_of(st.sampled_from([*MASQUERADE.modifiers, "head", "short_burst"]), name),
    st.dictionaries(st.sampled_from(["by", "dice", "count", "band", "why"]), garbage, max_size=5),
)
modifiers = st.lists(modifier, max_size=2).map(tuple)
strikes = st.frozensets(
    st.sampled_from(["wounds", "base", "split", "rating", "damage:strength", "soak:stamina"]), max_size=3
)
kind = st.one_of(st.sampled_from(["", "dodge", "parry", "block"]), name)
defence = st.builds(Defence, kind, weapon, modifiers, strikes)
maybe_figure = st.one_of(st.none(), figure)
attack = st.builds(
    Attack, name, names, weapon, modifiers, maybe_figure, st.dictionaries(name, defence, max_size=2), strikes
)
waiting = st.one_of(st.integers(0, 9).map("x{}".format), name)
resolution = st.one_of(st.integers(0, 9).map("r{}".format), name)


def odd(seed: int, marks: tuple[Damage, ...], resource: int, dots: int) -> Sheet:
    """A sheet that hardly can be."""
    sheet = somebody(Random(seed))
    return dataclasses.replace(
        sheet, marks=marks, resources={"blood": resource}, traits={**sheet.traits, "strength": dots}
    )


seeds = st.integers(0, 2**32)
odd_sheet = st.builds(odd, seeds, marks, figure, figure)
ABSURD: st.SearchStrategy[Command] = st.one_of(
    attack,
    st.builds(ProposeAttack, waiting, attack, st.booleans()),
    st.builds(AnswerAttack, waiting, name, defence),
    st.builds(ResolveAttack, waiting),
    st.builds(WithdrawAttack, waiting),
    st.builds(ChooseMishap, resolution, st.one_of(st.sampled_from(["", "jam", "ally_hit"]), name), name),
    st.builds(ClearJam, name, weapon),
    st.builds(Reload, name, weapon, maybe_figure),
    st.builds(
        RollTraits,
        name,
        traits,
        st.one_of(maybe_figure, st.builds(DifficultyOf, name, traits)),
        modifiers,
        st.one_of(st.none(), st.builds(Resistance, name, traits, maybe_figure)),
        strikes,
    ),
    st.builds(Harm, name, figure, damage),
    st.builds(Heal, name, maybe_figure, st.one_of(st.none(), damage), maybe_figure),
    st.builds(SetHealth, name, marks),
    st.builds(Spend, name, st.one_of(st.sampled_from(["willpower", "blood", "blood_points", "luck"]), name), figure),
    st.builds(ChangeConditions, name, st.frozensets(name, max_size=2), st.frozensets(name, max_size=2)),
    st.builds(Narrate, resolution, name),
    st.builds(RollInitiative, names),
    st.builds(SetOrder, st.lists(names, max_size=4).map(tuple)),
    st.builds(Declare, name, name, actions, st.booleans(), names, figure, st.booleans()),
    st.builds(Delay, name, name),
    st.builds(Abort, name, st.one_of(st.sampled_from(["roll", "point"]), name)),
    st.builds(FullDefence, name),
    st.builds(Leave, name),
    st.builds(Join, st.lists(st.builds(Newcomer, name, odd_sheet, health_shown=name), max_size=2).map(tuple)),
    st.builds(ReviseSheet, name, odd_sheet),
    st.builds(SetVisibility, name, health_shown=name),
    st.sampled_from([Begin(), Pause(), End(), Act(), EndTurn()]),
)
waivers = st.sampled_from([frozenset(), frozenset(), frozenset(MASQUERADE.book.rules) | {INPUT}])


def found(value: Any, kind: type) -> Iterator[Any]:
    """Every value of a kind that is inside another, at any depth."""
    if isinstance(value, kind):
        yield value
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        for each in dataclasses.fields(value):
            yield from found(getattr(value, each.name), kind)
    elif isinstance(value, tuple):
        for each in value:
            yield from found(each, kind)


def gravity(sheet: Sheet) -> int:
    """How badly somebody is hurt in all: one for each box, and one for each stage."""
    return sum(mark.severity + 1 for mark in sheet.marks)


class Fight(RuleBasedStateMachine):
    """A fight of two to five, at which everything is said that can be said."""

    ruleset: Ruleset

    def __init__(self) -> None:
        super().__init__()
        self.state = Encounter()
        self.log: list[Entry] = []
        self.before: dict[int, Encounter] = {}
        self.resolved: list[str] = []

    @initialize(size=st.integers(2, 5), played=st.sampled_from(sorted(RULESETS)), ranked=st.booleans(), seed=seeds)
    def people_meet(self, size: int, played: str, ranked: bool, seed: int) -> None:
        random = Random(seed)
        self.ruleset = RULESETS[played]
        self.play(
            Join(tuple(Newcomer(who, somebody(random), player=random.random() < 0.5) for who in CAST[:size])), random
        )
        self.play(Begin(), random)
        if ranked and self.state.combatants:
            self.play(RollInitiative(), random)

    @rule(seed=seeds, waive=waivers)
    def some_time_goes_by(self, seed: int, waive: frozenset[str]) -> None:
        random = Random(seed)
        for _ in range(12):
            if len(self.state.combatants) < 2:
                return
            self.goes_on(sensible(random, self.state), random, waive)

    @rule(command=ABSURD, seed=seeds, waive=waivers)
    def somebody_raves(self, command: Command, seed: int, waive: frozenset[str]) -> None:
        self.goes_on(command, Random(seed), waive)

    def goes_on(self, command: Command, random: Random, waive: frozenset[str]) -> None:
        """Play a command; a fight that was stopped by it goes on as if nothing had been said."""
        self.play(command, random, waive)
        if self.state.status is not Status.RUNNING:
            self.undo()

    def play(self, command: Command, random: Random, waive: frozenset[str] = frozenset()) -> None:
        dice = Thrown(random)
        try:
            events = decide(self.state, command, self.ruleset, dice, waive)
        except RuleViolation as refusal:
            self.check_refusal(refusal, waive)
            return
        before, self.state = self.state, replay(self.state, events)
        self.append(Entry(len(self.log) + 1, events), before)
        self.check_dice(events, dice)
        self.check_resolutions(events)
        self.check_harm(command, before)
        self.check_turn(events, before)

    @rule(command=attack, seed=seeds)
    def look_ahead(self, command: Attack, seed: int) -> None:
        """What is shown before the dice is refused or adds up, and so do its chances."""
        there = sorted(self.state.combatants)
        random = Random(seed)
        for looked_at in (command, *(struck(random, there) for _ in range(3) if len(there) > 1)):
            self.check_preview(looked_at)

    def check_preview(self, command: Attack) -> None:
        try:
            plan = plan_attack(self.state, command, self.ruleset)
        except RuleViolation:
            return
        self.check_plan(plan)
        for against in plan.against:
            if against.attack.pool < 12 and against.damage.pool < 12:
                chances = odds(against, self.state, self.ruleset)
                assert sum(chances.levels) == 1
                assert 0 <= chances.kills <= chances.incapacitates <= 1
                assert chances.hit + chances.botch <= 1

    @rule()
    def undo(self) -> None:
        target = undo_target(self.log)
        if target is None:
            return
        self.append(Entry(len(self.log) + 1, undoes=target), self.state)
        self.state = self.told()
        assert self.state == self.before[target]

    @rule()
    def redo(self) -> None:
        target = redo_target(self.log)
        if target is None:
            return
        assert self.state == self.before[target]
        self.append(Entry(len(self.log) + 1, redoes=target), self.state)
        self.state = replay(self.state, self.log[target - 1].events)

    def append(self, entry: Entry, before: Encounter) -> None:
        self.log.append(entry)
        self.before[entry.seq] = before

    def told(self) -> Encounter:
        return replay(Encounter(), (event for entry in standing(self.log) for event in entry.events))

    # -------------------------------------------------------------- laws of one command

    def check_refusal(self, refusal: RuleViolation, waive: frozenset[str]) -> None:
        """Whoever is turned down is told why, by a rule that is in the book and was not waived."""
        assert refusal.message
        assert refusal.rule == INPUT or refusal.rule in self.ruleset.book.rules.keys() - waive

    def check_plan(self, plan: PoolPlan | AttackPlan) -> None:
        """A plan's parts add up to its pool and its difficulty."""
        for pool in found(plan, PoolPlan):
            counted = [part for part in pool.parts if not part.struck]
            assert pool.pool == sum(part.dice for part in counted) >= 0
            assert pool.difficulty == sum(part.difficulty for part in counted)
            assert 2 <= pool.difficulty <= 10
            assert all(part.rule in self.ruleset.book.rules for part in pool.parts)

    def check_dice(self, events: tuple[Event, ...], dice: Thrown) -> None:
        """As many dice are asked for as the plans say, and each is told of."""
        rolls = list(found(events, Rolled))
        for rolled in rolls:
            self.check_plan(rolled.plan)
            assert len(rolled.roll.faces) == rolled.plan.pool
            assert rolled.roll.difficulty == rolled.plan.difficulty
        initiative = sum(len(score.faces) for event in events for score in getattr(event, "scores", {}).values())
        assert dice.count == sum(rolled.plan.pool for rolled in rolls) + initiative
        for done in found(events, DamageDone):
            assert 0 <= done.soaked <= done.levels
            assert 0 <= done.dealt <= done.levels - done.soaked

    def check_resolutions(self, events: tuple[Event, ...]) -> None:
        """What is resolved gets a name that nothing that stands has."""
        named = [event.resolution for event in events if isinstance(event, AttackResolved | TraitsRolled)]
        others = [
            event.resolution
            for entry in standing(self.log[:-1])
            for event in entry.events
            if isinstance(event, AttackResolved | TraitsRolled)
        ]
        assert not set(named) & set(others)
        assert self.state.resolutions == len(named) + len(others)

    def check_harm(self, command: Command, before: Encounter) -> None:
        """Nothing heals by being hit."""
        if isinstance(command, Harm | Attack | AnswerAttack | ResolveAttack | ChooseMishap):
            for who, combatant in self.state.combatants.items():
                assert gravity(combatant.sheet) >= gravity(before.combatants[who].sheet)

    def check_turn(self, events: tuple[Event, ...], before: Encounter) -> None:
        """Whoever's turn it becomes can act, and has not been there before."""
        for event in events:
            if isinstance(event, TurnMoved) and event.visit is not None:
                assert event.visit.ids
                assert not any(self.ruleset.turns.hindrance(self.state, who, self.ruleset) for who in event.visit.ids)
                assert event.visit not in before.visited

    # -------------------------------------------------------------- laws of the state

    @invariant()
    def the_fold_of_the_log_is_the_state(self) -> None:
        assert self.told() == self.state

    @invariant()
    def boxes_are_sound(self) -> None:
        size = len(self.ruleset.health.levels(self.ruleset)) if self.state.combatants else 0
        for combatant in self.state.combatants.values():
            assert len(combatant.sheet.marks) <= size
            assert combatant.sheet.marks == sort_marks(combatant.sheet.marks)

    @invariant()
    def nobody_is_spoken_of_who_is_not_there(self) -> None:
        there = set(self.state.combatants)
        ranked = [who for rank in self.state.order for who in rank]
        assert len(ranked) == len(set(ranked))
        assert set(ranked) <= set(self.state.initiative) <= there
        assert set(self.state.acting) <= there
        for exchange in self.state.exchanges:
            assert {exchange.attack.by, *exchange.attack.at, *exchange.asked} <= there
        assert {mishap.by for mishap in self.state.mishaps} <= there
        waiting = [exchange.id for exchange in self.state.exchanges]
        assert len(waiting) == len(set(waiting))

    @invariant()
    def nobody_holds_less_than_nothing(self) -> None:
        for combatant in self.state.combatants.values():
            assert all(points >= 0 for points in combatant.sheet.resources.values())
            for held in combatant.sheet.weapons:
                assert held.rounds is None or 0 <= held.rounds <= (held.clip or 0) + held.chambered
                assert held.fault in (None, *Fault)


Fight.TestCase.settings = settings(
    max_examples=150,
    stateful_step_count=15,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    database=None,
)
TestFight = Fight.TestCase
