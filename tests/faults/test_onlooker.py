"""What the browser in `bench/faults` counts as an acknowledged press."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Callable

import pytest

from bench.faults.acting import TRAITS, Crowd
from bench.faults.killing import looked_into
from bench.faults.onlooker import SHOWS, onlooker
from bench.faults.outage import Report, count
from bench.harness import Vesper, Visitor, set_table
from script import chromium

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(chromium.path() is None and not os.environ.get("CI"), reason=chromium.MISSING),
]

SECONDS = 60


def test_a_roll_that_is_shown_to_the_table_is_no_press_of_the_log(vesper: Callable[..., Vesper]) -> None:
    """The page reveals it by itself, first to a server that is away. A server that reveals nothing is detected."""
    server = vesper()
    table = set_table(server, players=1, observers=0, storytellers=1, thugs=0)
    storyteller, player = table.people["storyteller 1"], table.people["player 1"]
    server.start()

    async def rolled() -> tuple[Crowd, str]:
        async with Visitor(server.url, player) as visitor:
            page = await visitor.open(table.encounter)
            crowd = Crowd(table, {page: player})
            roll = {"who": table.combatants["Player 1"], "traits": TRAITS, "difficulty": 6}
            await crowd.do(page, player, "roll", roll, "")
            held = re.search(r'value="(\w+)" data-let-go', page.panes["pane-dice"][1])
            assert held
            return crowd, held[1]

    async def seen(crowd: Crowd) -> Report:
        report = Report("")
        async with onlooker(server.url, table, storyteller) as desk, asyncio.timeout(SECONDS):
            for command in (SHOWS, "/do/initiative"):
                await desk.page.route(f"**{command}", lambda route: route.fulfill(status=503), times=1)
            while not desk.seen.shown:
                await asyncio.sleep(0.1)
            await desk.press()
            while not all(desk.seen.presses.values()) or not desk.seen.presses:
                await asyncio.sleep(0.1)
            report.seen = desk.seen
        count(report, crowd, storyteller.user)
        return report

    crowd, held = asyncio.run(rolled())
    crowd.told.shown = [held]
    assert looked_into(server, table, crowd) == [f"lost: {held} was shown to the table, but is hidden again"]
    report = asyncio.run(seen(crowd))
    assert report.seen.shown == [held]
    assert list(report.seen.presses.values()) == [200]
    assert looked_into(server, table, crowd) == []
