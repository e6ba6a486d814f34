"""A Storyteller awards experience to eight at once while the server is killed (kill -9): all get it, or nobody."""

from __future__ import annotations

import asyncio
import contextlib
import json
from dataclasses import dataclass
from pathlib import Path

import aiohttp

from bench.faults.acting import chance, mark
from bench.faults.findings import TOKEN, Findings
from bench.faults.killing import failures
from bench.faults.outage import data
from bench.harness import Table, Vesper, Visitor, fresh_key, set_table

PLAYERS = 8
KILLS = 20
LATEST = 0.25
"""Seconds after which an award is over even on a slow machine: kills are at random moments until then."""


@dataclass
class Report(Findings):
    """How often the server was killed, how often before the award was there, and what was wrong."""

    kills: int = 0
    lost: int = 0

    def __str__(self) -> str:
        return f"awards to {PLAYERS}: {self.kills} kills, {self.lost} of them before the award was there: {self.wrong}"


async def run(folder: Path, *, kills: int = KILLS) -> list[Report]:
    """Award and kill this often. After each restart the same press is repeated, as a person would."""
    report = Report()
    with Vesper(data(folder, "awards")) as server:
        table = await asyncio.to_thread(set_table, server, players=PLAYERS)
        for _time in range(kills):
            reason, key = mark(), fresh_key()
            await server.started()
            pressed = asyncio.create_task(_award(server, table, reason, key))
            await asyncio.sleep(chance.uniform(0, LATEST))
            server.kill()
            report.kills += 1
            await asyncio.gather(pressed, return_exceptions=True)
            there = _count(server, table, reason, report)
            report.lost += not there
            if there not in (0, PLAYERS):
                report.faults.append(f"torn: {there} of {PLAYERS} got {reason}")
            await server.started()
            await _award(server, table, reason, key)
            if (now := _count(server, table, reason, report)) != PLAYERS:
                report.faults.append(f"{'twice' if now > PLAYERS else 'lost'}: {now} of {PLAYERS} got {reason}")
            server.kill()
        report.faults += failures(server)
    return [report]


async def _award(server: Vesper, table: Table, reason: str, key: str) -> None:
    """Press the button, once the page is there. Raises `aiohttp.ClientError` if the server is killed meanwhile."""
    who = [one for name, one in table.characters.items() if name.startswith("Player")]
    path = f"/chronicles/{table.chronicle}/experience/"
    async with Visitor(server.url, table.people["storyteller 1"]) as visitor:
        _status, page = await visitor.get(path)
        fields = [("csrfmiddlewaretoken", TOKEN.findall(page)[0]), ("reason", "own"), ("words", reason)]
        fields += [("amount", "1"), ("key", key), *(("to", one) for one in who)]
        headers = {"Origin": server.url}
        async with visitor.http.post(server.url + path, data=fields, headers=headers, allow_redirects=False) as answer:
            await answer.read()
            if answer.status != 302:
                raise aiohttp.ClientError(f"the award was answered with {answer.status}")


def _count(server: Vesper, table: Table, reason: str, report: Report) -> int:
    """How many characters have the award, by the database. Notes ledgers that don't match their seals."""
    with contextlib.suppress(RuntimeError):
        said = json.loads(server.manage("bench/faults/awarded.py", table.chronicle, reason))
        report.faults += [f"seals: {fault}" for fault in said["faults"]]
        return int(said["count"])
    report.faults.append("unread: the database can't be read")
    return 0
