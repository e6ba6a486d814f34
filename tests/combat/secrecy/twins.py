"""Random fights played twice with the same dice, with and without hidden combatants."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from random import Random
from typing import Protocol

from rules.engine import slots
from rules.engine.dice import Faces, Throw
from rules.engine.messages import Command
from rules.model.state import Encounter
from rules.topics import commands
from rules.topics.commands import Newcomer
from tests.rules.fights import Fights

SEEN, UNSEEN = ("ann", "bob", "cy", "dee"), ("wvu", "xyz", "zyx")
PLAYED = ("ann", "bob")
"""The characters of the two players."""

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

FIRST = (commands.Begin(), commands.RollInitiative())


@dataclass
class Keyed:
    """Dice seeded by step, roller and purpose: rolls of others in between don't change them."""

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


class Twin(Protocol):
    """One of two fights that differ in their hidden combatants only."""

    @property
    def state(self) -> Encounter: ...

    def do(self, command: Command, token: str, waive: frozenset[str] = frozenset()) -> str:
        """Do it, and give the refusal as a player reads it, "" for none."""


Compare = Callable[[object], None]
"""Compares what players receive of two twins, after something was done."""


def play(fights: Fights, seed: object, with_them: Twin, without: Twin, steps: int, compare: Compare) -> None:
    """Play one fight on both twins, and on the first one also the deeds of the hidden. Compare after every deed.

    `compare` gets what was done, for its message. Half the steps waive every rule: without that, most of what the
    hidden tried in Chronicles was refused, and nothing was compared.
    """
    ruleset = fights.ruleset
    for step in range(-len(FIRST), steps):
        random, token = Random(f"{ruleset.key} {seed} {step}"), f"t{step}"
        waive = random.choice([frozenset[str](), frozenset(ruleset.book.rules)])
        for number in range(random.randrange(4) if step >= 0 else 0):
            dark = f"dark {step} {number}"
            unseen = in_the_dark(fights, random, with_them.state)
            if unseen is not None and not with_them.do(named(unseen, dark), dark, waive):
                compare(unseen)
        if step < 0:
            command: Command = FIRST[step]
        else:
            visible = among(without.state, tuple(without.state.combatants))
            command = named(said(fights, random, visible), f"{step}")
        answers = [carry_out(twin, command, token, waive) for twin in (with_them, without)]
        # That somebody hidden has no place in the order yet is told to the Storyteller, who alone rolls for all.
        assert answers[0] == answers[1] or isinstance(command, commands.RollInitiative), (step, command, answers)
        compare((step, command))


def carry_out(twin: Twin, command: Command, token: str, waive: frozenset[str]) -> str:
    """As :meth:`Twin.do`, for a Storyteller who knows of the hidden."""
    if isinstance(command, commands.Act):
        return _act(twin, token)
    if isinstance(command, commands.SetOrder):
        unseen = tuple((who,) for rank in twin.state.order for who in rank if who in UNSEEN)
        command = replace(command, order=(*command.order, *unseen))
    # Whether everybody rolls kept initiative again depends on who has not rolled yet, the hidden included.
    return twin.do(command, token, frozenset() if isinstance(command, commands.RollInitiative) else waive)


def _act(twin: Twin, token: str) -> str:
    """Move on to the next whom players see."""
    refused = twin.do(commands.Act(), token)
    for number in range(20):
        acting = twin.state.acting
        if refused or not acting or not set(acting) <= set(UNSEEN):
            break
        refused = twin.do(commands.Act(), f"{token} over {number}")
    return refused


def newcomers(fights: Fights, seed: object, characters: str = "c-") -> Iterator[Newcomer]:
    """The cast of a fight. `characters` is the prefix of the players' characters' ids."""
    random = Random(f"{fights.ruleset.key} {seed}")
    for who in (*SEEN, *UNSEEN):
        sheet = replace(fights.somebody(random), name=who.capitalize())
        character = f"{characters}{who}" if who in PLAYED else ""
        shown = random.choice(["boxes", "word", "nothing"]) if who not in UNSEEN else "word"
        mask = "A shape" if who == "dee" else ""
        yield Newcomer(who, sheet, character, bool(character), hidden=who in UNSEEN, mask=mask, health_shown=shown)


def join(with_them: Twin, without: Twin, cast: tuple[Newcomer, ...], other: tuple[Newcomer, ...] = ()) -> None:
    """Bring the cast in. `other` is that of the twin without the hidden, where its characters have other ids."""
    with_them.do(commands.Join(cast), "join")
    without.do(commands.Join(tuple(each for each in other or cast if not each.hidden)), "join")


def among(state: Encounter, who: tuple[str, ...]) -> Encounter:
    """The part of a state that concerns some combatants, so that random commands name nobody else."""
    return replace(
        slots.among(state, who),
        combatants={each: one for each, one in state.combatants.items() if each in who},
        exchanges=tuple(each for each in state.exchanges if {each.attack.by, *each.attack.at} <= set(who)),
        mishaps=(),
        extended=tuple(each for each in state.extended if each.command.by in who),
        unnarrated=(),
        order=tuple(rank for rank in state.order if set(rank) <= set(who)),
    )


def said(fights: Fights, random: Random, state: Encounter) -> Command:
    """A random command: half of them are fights at close quarters.

    Never an override: the Storyteller names the attack by a number that counts the unseen ones.
    """
    while True:
        command = random.choice([fights.sensible, fights.at_close_quarters])(random, state, fights.ruleset)
        if not isinstance(command, commands.OverrideAttack):
            return command


def named(command: Command, step: str) -> Command:
    """A command with ids that don't count unseen rows (at a table they are random), and with the right names.

    The hidden have cover of their own: when cover is shot to pieces, everybody behind it loses it visibly.
    """
    if isinstance(command, commands.ReviseSheet):
        return replace(command, sheet=replace(command.sheet, name=command.who.capitalize()))
    if isinstance(command, commands.Join):
        people = (replace(each, sheet=replace(each.sheet, name=each.id.capitalize())) for each in command.newcomers)
        return replace(command, newcomers=tuple(people))
    if isinstance(command, commands.ProposeAttack):
        return replace(command, exchange=f"x{step}")
    if isinstance(command, commands.RollTraits) and command.extended:
        return replace(command, extended=replace(command.extended, id=f"e{step}"))
    if isinstance(command, commands.TakeAction) and "cover" in command.figures and step.startswith("dark"):
        return replace(command, figures={**command.figures, "cover": "Crate"})
    return command


def in_the_dark(fights: Fights, random: Random, state: Encounter) -> Command | None:
    """A random deed of the hidden among themselves, None for none."""
    part = among(state, UNSEEN)
    if len(part.combatants) < 2:
        return None
    command = said(fights, random, part)
    if isinstance(command, FOR_ALL):
        return None
    if isinstance(command, commands.RollInitiative | commands.SetCircumstances) and not command.who:
        return None
    # The rules of turns begin for everybody once anybody has initiative.
    if isinstance(command, commands.RollInitiative) and not set(state.initiative) - set(UNSEEN):
        return None
    return command
