"""Redis is stopped and restarted under two server processes: play must go on in the meantime."""

from __future__ import annotations

import asyncio
from pathlib import Path

from bench.faults.outage import Evening, Report, pair_of_processes, suffer

SECONDS = 15.0


async def run(folder: Path, *, seconds: float = SECONDS) -> list[Report]:
    """Stop it once, for this many seconds."""
    with pair_of_processes(folder) as (pair, proxy, _postgres, redis):

        async def stop(evening: Evening) -> None:
            await asyncio.to_thread(redis.end, "kill")
            acts = await evening.somebody_acts(within=seconds)
            evening.expect("presses are answered without Redis", holds=acts)
            await asyncio.sleep(seconds)
            live = await evening.onlooker.is_live(within=1)
            evening.expect("it stays live, updated by heartbeats", holds=live)
            await asyncio.to_thread(redis.start)

        return [
            await suffer(
                "Redis stopped", pair, stop, url=proxy.url, provoked=["ConnectionError: ", "ConnectionRefusedError: "]
            )
        ]
