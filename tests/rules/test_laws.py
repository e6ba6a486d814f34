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
    Resume,
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
from rules.encounter import Encounter
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


# ------------------------------------------------------------------ what may be said

absurd = st.sampled_from(["", " ", "zed", "\x00", "r1", "é" * 50, "9" * 30])
who = st.one_of(st.sampled_from(CAST), st.sampled_from(CAST), st.sampled_from(CAST), absurd)
figure = st.sampled_from([-GIANT, -20, -1, 0, 1, 1, 2, 3, 5, 7, 24, 100, GIANT])
word = st.one_of(st.sampled_from(["", "a word", "prone", "staked", "dead"]), absurd)
weapon = st.one_of(
    st.sampled_from(["", "unarmed", "knife", "pistol", "rifle", "claws", "torch", "stone", "bow"]), absurd
)
trait = st.one_of(
    st.sampled_from(["strength", "dexterity", "brawl", "melee", "willpower", "humanity", "generation"]), absurd
)
traits = st.lists(trait, max_size=3).map(tuple)
damage = st.sampled_from(list(Damage))
action = st.one_of(
    st.sampled_from(["unarmed", "melee", "firearm", "dodge", "parry", "celerity", "full_defence", "open", "hide"]),
    absurd,
)
keys = st.one_of(st.sampled_from([*MASQUERADE.modifiers, "head", "short_burst"]), absurd)
anything = st.one_of(figure, st.booleans(), st.none(), st.just("x"), st.just("long"), st.just(2.5), st.just([1]))
modifier = st.builds(
    Modifier, keys, st.dictionaries(st.sampled_from(["by", "dice", "count", "band", "why"]), anything, max_size=5)
)
modifiers = st.lists(modifier, max_size=2).map(tuple)
strikes = st.frozensets(
    st.sampled_from(["wounds", "base", "split", "rating", "damage:strength", "soak:stamina"]), max_size=2
)
defence = st.builds(
    Defence, st.one_of(st.sampled_from(["", "dodge", "dodge", "parry", "block"]), absurd), weapon, modifiers, strikes
)
attack = st.builds(
    lambda by, at, weapon, modifiers, distance, defence, struck: Attack(
        by, at, weapon, modifiers, distance, {at[0]: defence} if defence and at else {}, struck
    ),
    who,
    st.one_of(who.map(lambda one: (one,)), who.map(lambda one: (one,)), st.lists(who, max_size=2).map(tuple)),
    weapon,
    st.one_of(st.just(()), modifiers),
    st.one_of(st.none(), st.none(), figure),
    st.one_of(st.none(), defence),
    strikes,
)
sheets = st.builds(
    Sheet,
    word,
    st.sampled_from(["mortal", "vampire", "ghoul", "garou", "dragon"]),
    st.dictionaries(
        st.sampled_from(
            ["strength", "dexterity", "stamina", "brawl", "melee", "dodge", "fortitude", "celerity", "willpower"]
        ),
        st.integers(0, 6),
    ),
    st.just(frozenset()),
    st.dictionaries(st.sampled_from(["willpower", "blood", "blood_pool", "luck"]), st.integers(0, 12)),
    st.lists(damage, max_size=3).map(tuple),
    st.lists(st.sampled_from([KNIFE, PISTOL, RIFLE, CLAWS, TORCH, STONE, BOW, KNIFE]), max_size=4).map(tuple),
    st.lists(st.sampled_from([Armor("vest", 3, penalty=-1), Armor("ward", 1, supernatural=True)]), max_size=2).map(
        tuple
    ),
)
odd_sheets = st.builds(
    lambda sheet, marks, resource, dots: dataclasses.replace(
        sheet, marks=marks, resources={"blood": resource}, traits={**sheet.traits, "strength": dots}
    ),
    sheets,
    st.lists(damage, max_size=9).map(tuple),
    figure,
    figure,
)
willing = st.one_of(st.just(0), st.just(0), figure)
difficulty = st.one_of(st.none(), figure, st.builds(DifficultyOf, who, traits))
COMMANDS: tuple[st.SearchStrategy[Command], ...] = (
    attack,
    attack,
    st.builds(ProposeAttack, st.sampled_from(["x", "y", ""]), attack, st.booleans()),
    st.builds(AnswerAttack, st.sampled_from(["x", "y", "z"]), who, defence),
    st.builds(ResolveAttack, st.sampled_from(["x", "y", "z"])),
    st.builds(WithdrawAttack, st.sampled_from(["x", "y", "z"])),
    st.builds(
        ChooseMishap, st.integers(0, 20).map("r{}".format), st.sampled_from(["", "jam", "fall", "ally_hit", "?"]), who
    ),
    st.builds(ClearJam, who, weapon),
    st.builds(Reload, who, weapon, st.one_of(st.none(), figure)),
    st.builds(
        RollTraits,
        who,
        traits,
        difficulty,
        modifiers,
        st.one_of(st.none(), st.builds(Resistance, who, traits)),
        strikes,
    ),
    st.builds(Harm, who, figure, damage),
    st.builds(Heal, who, st.one_of(st.none(), figure), st.one_of(st.none(), damage), st.one_of(st.none(), figure)),
    st.builds(SetHealth, who, st.lists(damage, max_size=9).map(tuple)),
    st.builds(Spend, who, st.sampled_from(["willpower", "blood", "blood_points", "luck", ""]), figure),
    st.builds(ChangeConditions, who, st.frozensets(word, max_size=2), st.frozensets(word, max_size=2)),
    st.builds(Narrate, st.one_of(st.integers(0, 20).map("r{}".format), absurd), word),
    st.builds(RollInitiative, st.one_of(st.just(()), st.lists(who, max_size=2).map(tuple))),
    st.builds(SetOrder, st.lists(st.lists(who, max_size=3).map(tuple), max_size=4).map(tuple)),
    st.builds(
        Declare,
        who,
        word,
        st.lists(action, max_size=3).map(tuple),
        st.booleans(),
        willpower=willing,
        out_of_order=st.booleans(),
    ),
    st.builds(Act),
    st.builds(Act),
    st.builds(EndTurn),
    st.builds(Delay, who, word),
    st.builds(Abort, who, st.sampled_from(["roll", "point", ""])),
    st.builds(FullDefence, who),
    st.builds(Leave, who),
    st.builds(Join, st.lists(st.builds(Newcomer, who, st.one_of(sheets, odd_sheets)), max_size=2).map(tuple)),
    st.builds(ReviseSheet, who, st.one_of(sheets, odd_sheets)),
    st.builds(SetVisibility, who, health_shown=st.sampled_from([None, "boxes", "x"])),
    st.sampled_from([Begin(), Pause(), Resume(), Resume(), Resume()]),
)
waivers = st.one_of(st.just(frozenset()), st.just(frozenset()), st.just(frozenset(MASQUERADE.book.rules) | {INPUT}))


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

    @initialize(
        cast=st.lists(sheets, min_size=2, max_size=5),
        played=st.sampled_from(sorted(RULESETS)),
        ranked=st.booleans(),
        seed=st.integers(0, 2**32),
    )
    def people_meet(self, cast: list[Sheet], played: str, ranked: bool, seed: int) -> None:
        self.ruleset = RULESETS[played]
        people = tuple(
            Newcomer(who, sheet, player=bool(n % 2)) for n, (who, sheet) in enumerate(zip(CAST, cast, strict=False))
        )
        self.play(Join(people), seed)
        self.play(Begin(), seed)
        if ranked:
            self.play(RollInitiative(), seed)

    @rule(command=st.one_of(*COMMANDS), seed=st.integers(0, 2**32), waive=waivers)
    def play(self, command: Command, seed: int, waive: frozenset[str] = frozenset()) -> None:
        dice = Thrown(Random(seed))
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

    @rule(command=attack)
    def look_ahead(self, command: Attack) -> None:
        """What is shown before the dice refuses as the roll would, and its chances add up."""
        try:
            plan = plan_attack(self.state, command, self.ruleset)
        except RuleViolation:
            return
        self.check_plan(plan)
        for against in plan.against:
            if against.attack.pool < 20 and against.damage.pool < 20:
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
    max_examples=120,
    stateful_step_count=40,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    database=None,
)
TestFight = Fight.TestCase
