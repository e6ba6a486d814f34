"""Plays a scenario by the same rules as a live fight."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from rules.decide import decide
from rules.engine.dice import Dice, Purpose
from rules.engine.log import Entry, redo_target, standing, undo_target
from rules.engine.messages import Command, Event, replay
from rules.engine.violations import RuleViolation, bad_input
from rules.model.state import Encounter
from rules.model.system import Game
from rules.scenario import reading, results
from rules.scenario.as_written import brought_along
from rules.scenario.compare import breakdown, mismatches, shown
from rules.scenario.dice import AnyDice, BadDice, WrittenDice
from rules.scenario.fields import BadScenario
from rules.scenario.reading import Scenario
from rules.scenario.steps import REDO, UNDO, Step
from rules.scenario.struck import check_struck
from rules.topics.commands import Begin, ChooseMishap, Join, RollInitiative


@dataclass(frozen=True, slots=True)
class Played:
    """A played step: its results, and every way in which they differ from what was expected."""

    do: str
    result: Mapping[str, Any]
    wrong: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """The result of one file. ``fault`` says why it could not be played to the end, if it could not."""

    path: Path
    title: str
    ruleset: str
    steps: tuple[Played, ...] = ()
    fault: str = ""

    @property
    def ok(self) -> bool:
        """Whether every expectation was met."""
        return not self.fault and not any(step.wrong for step in self.steps)

    @property
    def failure(self) -> str:
        """The first mismatch and its step, else ""."""
        for number, step in enumerate(self.steps, 1):
            if step.wrong:
                more = f" (and {len(step.wrong) - 1} more)" if len(step.wrong) > 1 else ""
                return f"step {number} ({step.do}): {step.wrong[0]}{more}"
        return self.fault

    def as_json(self) -> dict[str, Any]:
        """The report as plain JSON values. A fault is a last step of its own, without a result."""
        steps: list[dict[str, Any]] = [
            {"do": step.do, "result": dict(step.result), "mismatch": "; ".join(step.wrong) or None}
            for step in self.steps
        ]
        if self.fault:
            steps.append({"do": "", "result": {}, "mismatch": self.fault})
        return {"title": self.title, "ruleset": self.ruleset, "ok": self.ok, "steps": steps}


def play_file(path: Path) -> Report:
    """Read and play a file. Raises nothing: every error is in the report."""
    about = reading.Heading(path.stem)
    try:
        values = reading.load(path)
        about = reading.heading(path, values)
        scenario = reading.read(path, values)
    except BadScenario as problem:
        return Report(path, about.title, about.ruleset, fault=str(problem))
    except Exception as problem:  # a bug in Vesper must not stop the other files
        return Report(path, about.title, about.ruleset, fault=_own_fault(problem))
    return play(scenario, path)


def play(scenario: Scenario, path: Path) -> Report:
    """Play a scenario to the end, or to the first step that can't be played."""
    played: list[Played] = []
    fault = ""
    try:
        table = GameTable(scenario)
        for step in scenario.steps:
            played.append(table.step(step))  # noqa: PERF401 - keeps the steps before a fault
    except BadScenario as problem:
        fault = str(problem) if problem.where else f"{_place(scenario, played)}: {problem}"
    except Exception as problem:  # a bug in Vesper, as above
        fault = f"{_place(scenario, played)}: {_own_fault(problem)}"
    return Report(path, scenario.title, scenario.ruleset.key, tuple(played), fault)


def _place(scenario: Scenario, played: list[Played]) -> str:
    return f"step {len(played) + 1} ({scenario.steps[len(played)].do})"


def _own_fault(problem: Exception) -> str:
    return f"the program itself failed: {type(problem).__name__}: {problem}"


def _rolled_in(result: results.Result) -> Iterator[tuple[str, results.Result]]:
    """A step's pools: a single one without a name, or one for each of several targets."""
    targets = result.get("targets", {})
    if targets:
        yield from ((f" against {name}", rolled) for name, rolled in targets.items())
    elif "parts" in result:
        yield "", result


@dataclass
class GameTable:
    """A fight being played from a file: its state and log."""

    scenario: Scenario
    state: Encounter = field(init=False)
    log: list[Entry] = field(default_factory=list)
    _start: Encounter = field(init=False)

    def __post_init__(self) -> None:
        self.state = Encounter()
        for command in (Join(self.scenario.newcomers), Begin()):
            self.state = replay(self.state, self._before_the_fight(command))
        self._start = self.state

    def _before_the_fight(self, command: Command) -> tuple[Event, ...]:
        try:
            return decide(self.state, command, self.scenario.ruleset, WrittenDice({}))
        except RuleViolation as violation:
            raise BadScenario(violation.message, "combatants") from violation

    def step(self, step: Step) -> Played:
        """Play one step. Raises :class:`BadScenario` if its dice don't fit."""
        try:
            told = self._play(step)
        except RuleViolation as violation:
            return self._turned_down(step, violation)
        result = {
            **results.outcomes(told, several=step.several, kinds=self.scenario.ruleset.health.one_by_one is None),
            **self._standing(step, told),
        }
        wrong = list(mismatches(step.expect, result))
        if step.refused:
            wrong.insert(0, f"refused: expected {shown(step.refused)}, but the step was not turned down")
        return Played(step.do, result, tuple(wrong))

    def _turned_down(self, step: Step, violation: RuleViolation) -> Played:
        result = {"refused": violation.rule, "why": violation.message, **self._standing(step)}
        if not step.refused:
            return Played(step.do, result, (f"turned down by {violation.rule}: {violation.message}",))
        wanted = {"refused": self._meant(step.refused, violation.rule), **step.expect}
        wrong = list(mismatches(wanted, result))
        if wanted["refused"] != violation.rule:
            wrong[0] += f" ({violation.message})"
        return Played(step.do, result, tuple(wrong))

    def _meant(self, expected: str, rule: str) -> str:
        """The rule id to expect. Other people's files, which can't know the rules added here, write "input" instead."""
        known = self.scenario.ruleset.book.rules.get(rule)
        return rule if expected == "input" and known is not None and known.added else expected

    def _standing(self, step: Step, told: tuple[Event, ...] = ()) -> results.Result:
        return results.standing(Game(self.state, self.scenario.ruleset), step.by, told)

    def _play(self, step: Step) -> tuple[Event, ...]:
        if step.do in (UNDO, REDO):
            self._turn_back(step.do)
            WrittenDice(step.dice).check_used()
            return ()
        if step.command is None:
            raise bad_input(f"{self.scenario.ruleset.name} knows no action called “{step.do}”.")
        dice = WrittenDice(step.dice)
        try:
            told = self._decided(step, step.command, dice)
            check_struck(step.command, told)
            dice.check_used()
        except BadDice as problem:
            raise BadScenario(f"{problem}{self._pools(step, step.command, problem.what)}") from problem
        self._keep(told)
        return told

    def _decided(self, step: Step, command: Command, dice: Dice) -> tuple[Event, ...]:
        ruleset, command = self.scenario.ruleset, self._settled(step, command)
        before = brought_along(Game(self.state, ruleset, dice=dice), command)
        return (*before, *decide(replay(self.state, before), command, ruleset, dice, step.waive))

    def _pools(self, step: Step, command: Command, what: str) -> str:
        """The parts of the pool whose dice don't fit; "" for a roll without a pool of Traits."""
        if what not in (Purpose.ATTACK, Purpose.ROLL):
            return ""
        try:
            told = self._decided(step, command, AnyDice())
        except RuleViolation:  # caused by the made-up dice, so not reported
            return ""
        result = results.outcomes(told, several=step.several)
        return "".join(
            f" The pool{name}: {breakdown(rolled['parts'])}."
            for name, rolled in _rolled_in(result)
            if any("dice" in part for part in rolled["parts"])
        )

    def _settled(self, step: Step, command: Command) -> Command:
        """The command, completed with what only the state knows."""
        if isinstance(command, ChooseMishap):
            waiting = [mishap.resolution for mishap in self.state.mishaps if mishap.by == step.by]
            return replace(command, resolution=waiting[-1] if waiting else "")
        if isinstance(command, RollInitiative):
            return replace(command, who=self._rolling(command.who))
        return command

    def _rolling(self, written: tuple[str, ...]) -> tuple[str, ...]:
        """Everyone who must roll and everyone with dice in the file; empty (the default) if these are the same."""
        ruleset = self.scenario.ruleset
        able = [who for who in self.state.combatants if ruleset.initiative.rolls(self.state, who)]
        due = ruleset.initiative.due(self.state, able)
        return (*due, *written) if set(written) - set(due) else ()

    # -------------------------------------------------------------- the log

    def _keep(self, told: tuple[Event, ...]) -> None:
        """Append the events to the log, unless undoing them changes nothing."""
        after = replay(self.state, told)
        before, since = (replace(state, resolutions=0, unnarrated=()) for state in (self.state, after))
        if since != before:
            self.log.append(Entry(len(self.log) + 1, told))
        self.state = after

    def _turn_back(self, do: str) -> None:
        seq = undo_target(self.log) if do == UNDO else redo_target(self.log)
        if seq is None:
            raise bad_input(f"There is nothing to {do}.")
        number = len(self.log) + 1
        self.log.append(Entry(number, undoes=seq) if do == UNDO else Entry(number, redoes=seq))
        state = replay(self._start, [event for entry in standing(self.log) for event in entry.events])
        # Rolls outside the log are not counted again: each number belongs to one roll only.
        self.state = replace(state, resolutions=self.state.resolutions)
