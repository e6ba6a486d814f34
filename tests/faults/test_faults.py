"""A short run of `bench/faults` with real servers. The results of long runs are in docs/reliability.md."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from bench.faults import killing
from bench.harness import Page, Vesper, Visitor, fresh_key, set_table

pytestmark = pytest.mark.django_db(transaction=True)

WATCHERS = 5
"""A Storyteller, two players, an observer, the wall."""
LATE = "The fight has changed. Check it and try again."


@pytest.mark.servers
def test_nothing_is_lost_when_the_server_is_killed(vesper: Callable[..., Vesper]) -> None:
    report = asyncio.run(killing.run(vesper(), actions=24, stops=2, players=2, tabs=8, lost_in=4))
    assert report.faults == []
    assert report.actions >= 24
    assert report.kills == 2
    assert report.again  # presses with lost responses were resent
    assert len(report.converged) == 2 * WATCHERS


@pytest.mark.servers
def test_nobody_misses_anything_when_hints_are_lost(vesper: Callable[..., Vesper]) -> None:
    report = asyncio.run(killing.run(vesper("lossy"), actions=20, stops=1, kill=False, players=2, tabs=8))
    assert report.faults == []
    assert report.actions >= 20


def test_the_harness_finds_what_is_done_twice(vesper: Callable[..., Vesper]) -> None:
    """Without idempotency keys, a press with a lost response is performed again."""
    report = asyncio.run(killing.run(vesper("keyless"), actions=10, stops=0, players=2, tabs=8, lost_in=1))
    assert report.count("twice")


# ------------------------------------------------------------------ many hands


@pytest.mark.servers
def test_many_hands_on_one_combatant(vesper: Callable[..., Vesper]) -> None:
    """One effect each, and late presses are refused as stale."""
    server = vesper()
    table = set_table(server, players=1, observers=0, thugs=1)
    server.start()
    ilya = table.combatants["Player 1"]

    async def all_of_it() -> None:
        names = ("storyteller 1", "storyteller 2", "player 1")
        async with (
            Visitor(server.url, table.people[names[0]]) as first,
            Visitor(server.url, table.people[names[1]]) as second,
            Visitor(server.url, table.people[names[2]]) as player,
        ):
            pages = [await each.open(table.encounter) for each in (first, second, player)]
            for page in pages:
                page.longest_answer = killing.DEADLINE
            await at_the_same_moment(*pages)
            await a_double_click(pages[0])
            await two_tabs(await first.open(table.encounter), await first.open(table.encounter))

    async def at_the_same_moment(first: Page, second: Page, player: Page) -> None:
        before = await rows(first)
        harm = {"who": ilya, "amount": 1, "type": "bashing"}
        answers = await asyncio.gather(
            first.press("damage", **harm, reason="the first hand"),
            second.press("damage", **harm, reason="the second hand"),
            player.press("spend", who=ilya, resource="blood", amount=1, reason="their own hand"),
        )
        assert [answer.status for answer in answers] == [200] * 3
        assert await rows(first) == before + 3

    async def a_double_click(page: Page) -> None:
        before, key = await rows(page), fresh_key()
        fields = {"who": ilya, "amount": 1, "type": "bashing", "reason": "twice"}
        both = await asyncio.gather(
            *(page.post("damage", fields, key=key, version=page.version) for _click in range(2))
        )
        assert [status for status, _html in both] == [200, 200]
        assert await rows(page) == before + 1
        status, html = await page.post("damage", {**fields, "amount": 2}, key=key, version=page.version)
        assert status == 409
        assert LATE in html
        assert await rows(page) == before + 1

    async def two_tabs(fast: Page, slow: Page) -> None:
        boxes = {"who": ilya, "bashing": 2, "lethal": 0, "aggravated": 0}
        assert (await fast.press("boxes", **boxes, reason="the fast tab")).status == 200
        before = await rows(fast)
        late = await slow.press("boxes", **boxes, reason="the slow tab")
        assert late.status == 409
        assert LATE in late.html
        assert slow.version == fast.version  # and is shown the current state
        assert await rows(fast) == before

    async def rows(page: Page) -> int:
        status, export = await page.visitor.get(f"/encounters/{table.encounter}/log.jsonl")
        assert status == 200
        return len(export.splitlines()) - 1

    asyncio.run(all_of_it())
    assert "locked" not in server.said.read_text()
