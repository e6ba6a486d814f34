"""Many at once: nobody is refused for it, nothing is lost, nothing counts twice."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection

from rules import commands
from rules.gear import Damage
from tests.combat.conftest import Table

pytestmark = pytest.mark.django_db(transaction=True)

WRITERS = 6


def at_once(work: Callable[[int], Any]) -> list[Any]:
    """Let every writer do its work on a thread and a connection of its own."""

    def one(number: int) -> Any:
        try:
            return work(number)
        finally:
            connection.close()

    with ThreadPoolExecutor(WRITERS) as pool:
        return list(pool.map(one, range(WRITERS)))


def test_every_write_counts_and_is_numbered(fight: Table) -> None:
    before = fight.encounter.seq

    def harm(_number: int) -> list[int]:
        return [fight.do(commands.Spend(fight["Ilya"], "blood", 1)).seq, fight.do(harm_thug).seq]

    harm_thug = commands.Harm(fight["Thug 1"], 1, Damage.BASHING)
    numbers = sorted(seq for pair in at_once(harm) for seq in pair)
    assert numbers == list(range(before + 1, before + 1 + 2 * WRITERS))
    assert fight.state.combatants[fight["Ilya"]].sheet.resources["blood"] == 10 - WRITERS
    assert list(fight.encounter.rows.values_list("seq", flat=True)) == list(range(1, fight.encounter.seq + 1))


def test_the_same_press_at_the_same_moment_counts_once(fight: Table) -> None:
    command = commands.Spend(fight["Ilya"], "blood", 1)
    done = at_once(lambda _number: fight.do(command, key="one press"))
    assert len({performed.seq for performed in done}) == 1
    assert sum(not performed.repeated for performed in done) == 1
    assert fight.state.combatants[fight["Ilya"]].sheet.resources["blood"] == 9
