"""PostgreSQL is restarted, then killed and restarted after a while, under two server processes."""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path

from bench.faults.outage import Evening, Report, pair_of_processes, suffer

SECONDS = 15.0
SECONDS_TO_TELL = 25.0


AWAY = ["AdminShutdown: ", "OperationalError: ", "PoolTimeout: "]


async def run(folder: Path, *, seconds: float = SECONDS) -> list[Report]:
    """Restart it at once, then kill it for this many seconds."""
    with pair_of_processes(folder) as (pair, proxy, postgres, _redis):

        async def away(evening: Evening) -> None:
            await asyncio.to_thread(postgres.end)
            await asyncio.to_thread(postgres.start)
            evening.expect("presses are answered after a restart", holds=await evening.somebody_acts())
            # Like a crash: no goodbye to clients, and its log must be replayed at the next start.
            postgres.process.send_signal(signal.SIGQUIT)
            await asyncio.to_thread(postgres.process.wait, 30)
            over = asyncio.create_task(asyncio.sleep(seconds))
            await evening.onlooker.press()
            spoke = await evening.onlooker.speaks(within=SECONDS_TO_TELL)
            evening.expect("it says that the database is away", holds=spoke)
            told = await evening.onlooker.is_not_live(within=SECONDS_TO_TELL)
            evening.expect("it says that it is not live", holds=told)
            await over
            await asyncio.to_thread(postgres.start)

        return [await suffer("PostgreSQL restarted, then killed", pair, away, url=proxy.url, provoked=AWAY)]
