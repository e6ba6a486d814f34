"""Random fights of every ruleset, each played twice, with and without the hidden ones: players receive the same.

What an audience receives is a function of its view, and its version counts how often that changed: the same views in
the same order are the same bytes, ids, versions and counts. `VESPER_FIGHTS=200` plays that many.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

import pytest

from combat.log import codec
from combat.log.happened import Happened
from combat.panes.build import view_for
from combat.secrecy.fight import Fight
from combat.secrecy.sight import Sight, cast_of
from rules.decide import decide
from rules.engine.dice import Faces, Throw
from rules.engine.violations import RuleViolation
from rules.fold import replay
from rules.model.state import Encounter
from rules.systems import RULESETS
from rules.topics import commands
from rules.topics.commands import Command, Newcomer
from tests.rules.fights import Fights

FIGHTS = int(os.environ.get("VESPER_FIGHTS", "30"))
STEPS = 30
SEEN, UNSEEN = ("ann", "bob", "cy", "dee"), ("wvu", "xyz", "zyx")
OWNERS = {"c-ann": 1, "c-bob": 2}
AUDIENCES = ("table", "player-1", "player-2")

# What the Storyteller does to the fight as a whole is done by all, and what shows somebody is no secret any more.
FOR_ALL = (
    commands.Act,
    commands.Begin,
    commands.CheckSurprise,
    commands.End,
    commands.EndTurn,
    commands.Join,
    commands.Narrate,
    commands.Pause,
    commands.Resume,
    commands.SetInitiativeMode,
    commands.SetOrder,
    commands.SetVisibility,
)


@dataclass
class Keyed:
    """Dice that depend on the step, on whose they are and on what for: what others roll in between changes none."""

    key: str
    thrown: Counter[str] = field(default_factory=Counter)

    def roll(self, throw: Throw) -> Faces:
        random = self._next(f"{throw.purpose} {throw.by} {throw.target}")
        return tuple(random.randint(1, 10) for _ in range(throw.count))

    def pick(self, options: int) -> int:
        return self._next(f"pick {options}").randrange(options)

    def _next(self, what: str) -> Random:
        self.thrown[what] += 1
        return Random(f"{self.key} {what} {self.thrown[what]}")


class Twin:
    """One of the two: its state, its log, and what every audience received so far."""

    def __init__(self, ruleset: Any) -> None:
        self.ruleset, self.state = ruleset, Encounter()
        self.rows: list[Happened] = []
        self.received: dict[str, list[Any]] = {audience: [] for audience in AUDIENCES}

    def do(self, command: Command, token: str) -> str:
        """Do it, and give the refusal as a player reads it, "" for none."""
        try:
            events = decide(self.state, command, self.ruleset, Keyed(token))
        except RuleViolation as refused:
            return f"{refused.rule} {Sight(cast_of(self.state, self.state)['who']).refusal(refused.message)}"
        after = replay(self.state, events)
        cast = cast_of(self.state, after) | {"by_player": False}
        self.rows.append(Happened(token, "command", codec.dump_command(command), events, cast, "somebody"))
        self.state = after
        fight = Fight("The chapel", "Rain.", after, self.rows, self.ruleset, OWNERS)
        for audience, views in self.received.items():
            view = view_for(fight, audience)
            if not views or views[-1] != view:
                views.append(view)
        return ""

    def carry_out(self, command: Command, token: str) -> str:
        """As :meth:`do`, by a Storyteller who knows of the hidden."""
        if isinstance(command, commands.Act):
            return self._act(token)
        if isinstance(command, commands.SetOrder):
            unseen = tuple((who,) for rank in self.state.order for who in rank if who in UNSEEN)
            command = replace(command, order=(*command.order, *unseen))
        return self.do(command, token)

    def _act(self, token: str) -> str:
        """Move on to the next whom players see."""
        refused = self.do(commands.Act(), token)
        for number in range(20):
            acting = self.state.acting
            if refused or not acting or not set(acting) <= set(UNSEEN):
                break
            refused = self.do(commands.Act(), f"{token} over {number}")
        return refused


def newcomers(fights: Fights, random: Random) -> Iterator[Newcomer]:
    for who in (*SEEN, *UNSEEN):
        sheet = replace(fights.somebody(random), name=who.capitalize())
        character = f"c-{who}" if f"c-{who}" in OWNERS else ""
        shown = random.choice(["boxes", "word", "nothing"]) if who not in UNSEEN else "word"
        mask = "A shape" if who == "dee" else ""
        yield Newcomer(who, sheet, character, bool(character), hidden=who in UNSEEN, mask=mask, health_shown=shown)


def among(state: Encounter, who: tuple[str, ...]) -> Encounter:
    """The part of a state that some of its people have to do with, so that commands are made about them alone."""
    return replace(
        state,
        combatants={each: one for each, one in state.combatants.items() if each in who},
        exchanges=tuple(each for each in state.exchanges if {each.attack.by, *each.attack.at} <= set(who)),
        mishaps=(),
        extended=tuple(each for each in state.extended if each.command.by in who),
        unnarrated=(),
        order=tuple(rank for rank in state.order if set(rank) <= set(who)),
    )


def named(command: Command, step: int | str) -> Command:
    """With ids that do not count what went unseen (at a table they are random), and everybody under their own name."""
    if isinstance(command, commands.ReviseSheet):
        return replace(command, sheet=replace(command.sheet, name=command.who.capitalize()))
    if isinstance(command, commands.Join):
        people = (replace(each, sheet=replace(each.sheet, name=each.id.capitalize())) for each in command.newcomers)
        return replace(command, newcomers=tuple(people))
    if isinstance(command, commands.ProposeAttack):
        return replace(command, exchange=f"x{step}")
    if isinstance(command, commands.RollTraits) and command.extended:
        return replace(command, extended=replace(command.extended, id=f"e{step}"))
    return command


def in_the_dark(fights: Fights, random: Random, state: Encounter, ruleset: Any) -> Command | None:
    """Something that the hidden do among themselves."""
    part = among(state, UNSEEN)
    if len(part.combatants) < 2:
        return None
    command = fights.sensible(random, part, ruleset)
    if isinstance(command, FOR_ALL) or (isinstance(command, commands.RollInitiative) and not command.who):
        return None
    if isinstance(command, commands.SetCircumstances) and not command.who:
        return None
    return command


@pytest.mark.parametrize("key", sorted(RULESETS))
@pytest.mark.parametrize("seed", range(max(1, FIGHTS // len(RULESETS))))
def test_players_receive_the_same_with_and_without_the_hidden(key: str, seed: int) -> None:
    fights, ruleset = Fights(RULESETS[key]), RULESETS[key]
    with_them, without = Twin(ruleset), Twin(ruleset)
    cast = tuple(newcomers(fights, Random(f"{key} {seed}")))
    with_them.do(commands.Join(cast), "join")
    without.do(commands.Join(tuple(each for each in cast if not each.hidden)), "join")
    first = (commands.Begin(), commands.RollInitiative())
    for step in range(-len(first), STEPS):
        random, token = Random(f"{key} {seed} {step}"), f"t{step}"
        if step >= 0 and random.random() < 0.5:
            unseen = in_the_dark(fights, random, with_them.state, ruleset)
            if unseen is not None:
                with_them.do(named(unseen, f"dark {step}"), f"dark {step}")
        if step < 0:
            command: Command = first[step]
        else:
            command = named(
                fights.sensible(random, among(without.state, tuple(without.state.combatants)), ruleset), step
            )
        said = [twin.carry_out(command, token) for twin in (with_them, without)]
        # That somebody hidden has no place in the order yet is told to the Storyteller, who alone rolls for all.
        assert said[0] == said[1] or isinstance(command, commands.RollInitiative), (step, command)
        for audience in AUDIENCES:
            one, other = with_them.received[audience], without.received[audience]
            assert one[-1].panes() == other[-1].panes(), (step, audience, command)
            assert len(one) == len(other), (step, audience, command)
