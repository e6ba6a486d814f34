"""The network between people and the server drops all bytes for a while; sockets stay open."""

from __future__ import annotations

import asyncio
from pathlib import Path

from bench.faults.outage import Evening, Report, data, suffer
from bench.faults.proxy import Proxy
from bench.harness import Vesper

SECONDS = 30.0
SECONDS_TO_TELL = 25.0
"""Time limit for the page to say that it is not live, and that a press was not answered: heartbeats are sent every five
seconds, and each waits for four."""


async def run(folder: Path, *, seconds: float = SECONDS) -> list[Report]:
    """Cut the network once, for this many seconds."""
    with Vesper(data(folder, "cut")) as server, Proxy(server.port) as proxy:

        async def cut(evening: Evening) -> None:
            proxy.cut()
            over = asyncio.create_task(asyncio.sleep(seconds))
            await evening.onlooker.press()
            told = await evening.onlooker.is_not_live(within=SECONDS_TO_TELL)
            evening.expect("it says that it is not live", holds=told)
            evening.expect(
                "it says that a press got no answer", holds=await evening.onlooker.speaks(within=SECONDS_TO_TELL)
            )
            await over
            proxy.mend()

        return [await suffer("the network cut", [server], cut, url=proxy.url)]
