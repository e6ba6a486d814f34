"""Drives a real server from outside: its processes, a table with people at it, and pages as browsers keep them.

Nothing here imports Django, and the server is only observed from outside. Loopback only. Used by `bench/faults`,
`bench/live` and `bench/tables`:

    with Vesper(folder) as server:
        table = set_table(server, players=8)
        async with Visitor(server.url, table.people["player 1"]) as visitor:
            page = await visitor.open(table.encounter)
            await page.press("spend", who=table.combatants["Player 1"], resource="blood", amount=1)
"""

from __future__ import annotations

from collections.abc import Sequence

from bench.harness.page import Page, Visitor, fresh_key
from bench.harness.server import Vesper, free_port, listens
from bench.harness.table import Person, Table, set_table

__all__ = [
    "Page",
    "Person",
    "Table",
    "Vesper",
    "Visitor",
    "free_port",
    "fresh_key",
    "listens",
    "set_table",
    "spread",
]


def spread(figures: Sequence[float]) -> str:
    """Median and maximum of some seconds, as text; "none" if there are none."""
    if not figures:
        return "none"
    ordered = sorted(figures)
    return f"p50 {ordered[len(ordered) // 2]:.2f} s, max {ordered[-1]:.2f} s"
