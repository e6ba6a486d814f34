"""One of two server processes is killed: whoever was on it goes on with the other."""

from __future__ import annotations

import asyncio
from pathlib import Path

from bench.faults.outage import Evening, Report, pair_of_processes, suffer

SECONDS = 10.0
SECONDS_TO_MOVE = 15.0
"""Within which a page has found the process that is left: five until it tries again, and as much again on a busy
machine."""


async def run(folder: Path, *, seconds: float = SECONDS) -> list[Report]:
    """Kill each once, for so long; the other serves meanwhile."""
    with pair_of_processes(folder) as (pair, proxy, _postgres, _redis):

        async def kill(evening: Evening) -> None:
            for server in pair:
                await asyncio.to_thread(server.kill)
                told = await evening.somebody_acts(within=SECONDS_TO_MOVE)
                evening.expect("somebody is answered by the process that is left", holds=told)
                await asyncio.sleep(seconds)
                moved = await evening.onlooker.is_live(within=SECONDS_TO_MOVE)
                evening.expect("it is live on the process that is left", holds=moved)
                await server.started()

        return [await suffer("one of two processes killed, then the other", pair, kill, url=proxy.url)]
