"""A made-up command is a scenario step through its declaration alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

import pytest

from rules.engine.inputs import Asked, Want, Wanted
from rules.engine.messages import EVENTS, Command, Event, command, decides, event, evolves_beside
from rules.engine.phrases import phrase
from rules.engine.slots import Slot
from rules.model.state import Encounter
from rules.model.system import Game
from rules.scenario.cast import Cast
from rules.scenario.play import Report, play_file
from rules.systems import RULESETS
from tests.made_up import imported


@pytest.fixture(autouse=True)
def _bragging() -> Iterator[None]:
    with imported():
        yield


SCENARIO = """
title = "A braggart"
ruleset = "masquerade"
[combatants.ana]
[combatants.ben]
"""


def play(path: Path, steps: str) -> Report:
    (path / "brag.toml").write_text(SCENARIO + steps, encoding="utf-8")
    return play_file(path / "brag.toml")


def test_a_system_keeps_and_tells_what_is_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A slot that an event fills, and how a scenario reads it, without other code knowing of either."""
    claims = Slot(Encounter, "claims", int, 0)

    @evolves_beside(EVENTS["Bragged"])
    def counted(state: Encounter, event: Any) -> Encounter:
        return claims.put(state, claims.of(state) + event.kills)

    def results(game: Game, told: tuple[Event, ...]) -> dict[str, int]:
        return {"claims": claims.of(game.state), "events": len(told)}

    monkeypatch.setitem(cast("Any", RULESETS), "masquerade", replace(RULESETS["masquerade"], results=(results,)))
    report = play(
        tmp_path,
        """
        [[steps]]
        do = "brag"
        by = "ana"
        kills = 3
        dice.roll = [8, 3, 7]
        expect = { claims = 3, events = 1 }
        [[steps]]
        do = "brag"
        by = "ben"
        kills = 6
        refused = "input"
        expect = { claims = 3, events = 0 }
        [[steps]]
        do = "undo"
        expect = { claims = 0 }
        """,
    )
    assert report.ok, report.failure


def test_a_combatant_may_be_a_player_s() -> None:
    newcomers = Cast(RULESETS["masquerade"])
    assert newcomers.combatant("ana", {"player": True}).player
    assert not newcomers.combatant("ben", {}).player


def test_a_scenario_plays_it(tmp_path: Path) -> None:
    report = play(
        tmp_path,
        """
        [[steps]]
        do = "brag"
        by = "ana"
        kills = 3
        dice.roll = [8, 3, 7]
        expect = { pool = 3, difficulty = 6, successes = 2, believed = 2, kills = 3 }
        [[steps]]
        do = "hush"
        who = "ana"
        [[steps]]
        do = "brag"
        by = "ben"
        kills = 6
        refused = "input"
        [[steps]]
        do = "undo"
        """,
    )
    assert report.ok, report.failure


@pytest.mark.parametrize(
    ("step", "fault"),
    [
        ('by = "ana"', "“kills” is missing"),
        ('by = "ana"\nkills = "three"', "should be a whole number"),
        ('by = "cy"\nkills = 3', "there is no combatant “cy”"),
        ('by = "ana"\nkills = 3\nloudly = true', "loudly"),
        ('by = "ana"\nkills = 3\ndice.roll = [8, 3]', "too few dice"),
    ],
)
def test_a_scenario_says_what_is_wrong_with_it(tmp_path: Path, step: str, fault: str) -> None:
    report = play(tmp_path, f'[[steps]]\ndo = "brag"\n{step}\n')
    assert not report.ok
    assert fault in report.failure


def test_a_step_takes_every_kind_of_input(tmp_path: Path) -> None:
    inputs = (
        Wanted("loudly", phrase("Loudly"), Want.SWITCH),
        Wanted("tune", phrase("Tune"), Want.CHOICE, (("low", phrase("Low")), ("high", phrase("High")))),
        Wanted("to", phrase("To"), Want.SOMEBODY),
        Wanted("times", phrase("Times"), least=1, most=3),
    )

    @command(phrase("whistle"), acts_for="by", asked=Asked(inputs))
    @dataclass(frozen=True, slots=True)
    class Whistle(Command):
        by: str
        loudly: bool = False
        tune: str = "low"
        to: str = ""
        times: int = 1

    @event(no_rule=True, says=phrase("{by} whistles."), people=("by", "to"))
    @dataclass(frozen=True, slots=True)
    class Whistled(Event):
        by: str
        to: str
        tune: str
        times: int
        loudly: bool

    @decides(Whistle)
    def whistle(_game: Game, given: Whistle) -> tuple[Event, ...]:
        return (Whistled(given.by, given.to, given.tune, given.times, given.loudly),)

    step = """
        [[steps]]
        do = "whistle"
        by = "ana"
        loudly = true
        tune = "high"
        to = "ben"
        times = 2
        expect = { loudly = true, tune = "high", times = 2 }
        [[steps]]
        do = "whistle"
        by = "ana"
        expect = { loudly = false, tune = "low", times = 1 }
        [[steps]]
        do = "whistle"
        by = "ana"
        tune = "middling"
        refused = "input"
    """
    report = play(tmp_path, step)
    assert report.ok, report.failure


def test_a_scenario_knows_the_condition(tmp_path: Path) -> None:
    steps = """
        conditions = ["smug"]
        [[steps]]
        do = "brag"
        by = "ben"
        kills = 3
        refused = "MQ-HEALTH-1"
        [[steps]]
        do = "condition"
        at = "ana"
        add = ["doubted"]
        expect = { conditions.ana = ["doubted"], conditions.ben = ["smug"] }
        [[steps]]
        do = "roll"
        by = "ana"
        traits = ["wits"]
        dice.roll = [8]
        expect = { difficulty = 8, successes = 1 }
        [[steps]]
        do = "end_turn"
        expect = { conditions.ana = ["doubted"], conditions.ben = [] }
    """
    report = play(tmp_path, steps)
    assert report.ok, report.failure
    report = play(tmp_path, '[[steps]]\ndo = "condition"\nat = "ana"\nadd = ["doubtet"]\n')
    assert "write “doubted”" in report.failure
