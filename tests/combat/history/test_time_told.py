"""What the log says of time that passes."""

from __future__ import annotations

from typing import Any

import pytest

from combat.history.tell.sentences import text_of
from rules.model.gear import Damage
from rules.topics import commands
from tests.combat.conftest import SECRET, Table

pytestmark = pytest.mark.django_db


def newest(fight: Table, audience: Any = "storyteller") -> list[str]:
    return [text_of(line) for line in fight.view(audience).log.entries[0].lines]


@pytest.mark.parametrize(
    ("hours", "words"),
    [
        (1, "1 hour passes"),
        (36, "36 hours pass"),
        (24, "1 night passes"),
        (9 * 24, "9 nights pass"),
        (7 * 24, "1 week passes"),
        (14 * 24, "2 weeks pass"),
    ],
)
def test_time_is_told_in_its_largest_whole_unit(fight: Table, hours: int, words: str) -> None:
    fight.do(commands.PassTime((fight["Thug 1"],), hours))
    assert newest(fight) == [f"{words} for Thug 1."]


def test_each_reader_learns_of_those_they_know(fight: Table) -> None:
    fight.do(commands.Harm(fight["Thug 1"], 2, Damage.BASHING))
    fight.do(commands.SetVisibility(fight["Thug 1"], health_shown="nothing"))
    who = tuple(fight[name] for name in ("Ilya", "Thug 1", SECRET))
    fight.do(commands.PassTime(who, 9 * 24, dusk=True, why="The long wait."))
    assert newest(fight) == [
        f"9 nights pass for Ilya, Thug 1 and {SECRET}. (The long wait.)",
        "Ilya spends 9 blood at dusk. 1 left.",
        "Thug 1 heals 2 bashing.",
        f"{SECRET} spends 9 blood at dusk. 1 left.",
    ]
    assert newest(fight, "table") == ["9 nights pass for Ilya and Thug 1.", "Ilya spends 9 blood at dusk."]


def test_time_for_the_unseen_alone_is_not_told(fight: Table) -> None:
    before = fight.view("table").log
    fight.do(commands.PassTime((fight[SECRET],), 24, dusk=True))
    assert fight.view("table").log == before
