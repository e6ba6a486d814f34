"""One of two server processes is killed: its users continue on the other."""

from __future__ import annotations

import asyncio
from pathlib import Path

from bench.faults.outage import Evening, Report, pair_of_processes, suffer

SECONDS = 10.0
SECONDS_TO_MOVE = 15.0
"""Time limit in seconds for a page to find the other process: five until it retries, the rest for a busy machine."""


async def run(folder: Path, *, seconds: float = SECONDS) -> list[Report]:
    """Kill each process once, for this many seconds; the other serves meanwhile."""
    with pair_of_processes(folder) as (pair, proxy, _postgres, _redis):

        async def kill(evening: Evening) -> None:
            for server in pair:
                await asyncio.to_thread(server.kill)
                told = await evening.somebody_acts(within=SECONDS_TO_MOVE)
                evening.expect("somebody is answered by the remaining process", holds=told)
                await asyncio.sleep(seconds)
                moved = await evening.onlooker.is_live(within=SECONDS_TO_MOVE)
                evening.expect("it is live on the remaining process", holds=moved)
                await server.started()

        return [await suffer("one of two processes killed, then the other", pair, kill, url=proxy.url)]
