"""Time passes for twenty characters while the server is killed (kill -9): it has passed for all of them or for none."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import time
from dataclasses import dataclass
from pathlib import Path

import aiohttp

from bench.faults.acting import chance
from bench.faults.findings import Findings
from bench.faults.killing import DEADLINE, failures
from bench.faults.outage import data
from bench.harness import Table, Vesper, Visitor, fresh_key, set_table

CHARACTERS = 20
KILLS = 10
FIELDS = re.compile(r'name="(csrfmiddlewaretoken|seen)" value="(\w+)"')
IDS = re.compile(r'name="who" value="(\w+)"')
LOOK = """
import json, sys
import django
django.setup()
from characters.models import Character
from combat.models import LogRow
chronicle, wanted = sys.argv[1], int(sys.argv[2])
sleepers = Character.objects.filter(chronicle=chronicle, name__startswith="Sleeper")
for number in range(sleepers.count(), wanted):
    Character.objects.create(chronicle_id=chronicle, name=f"Sleeper {number}", kind="mortal")
if wanted:
    sleepers.update(marks=["bashing"] * 3)
rows = LogRow.objects.filter(encounter__chronicle=chronicle, encounter__outside_fights=True)
passed = sum(row.command["is"] == "PassTime" for row in rows)
print(json.dumps([sum(not each.marks for each in sleepers), passed]))
"""
"""Prints how many of the characters are healed, and how often time has passed; hurts so many of them first."""


@dataclass
class Report(Findings):
    """The result of a run. `halfway` kills met a press that was not answered yet."""

    kills: int = 0
    halfway: int = 0

    def __str__(self) -> str:
        return f"time for {CHARACTERS} characters, {self.kills} kills, {self.halfway} of them unanswered: {self.wrong}"


@dataclass
class Press:
    """A Storyteller's confirmation that time passes, which can be sent again."""

    visitor: Visitor
    path: str
    sent: dict[str, str | list[str]]

    async def send(self, **more: str) -> tuple[int, str]:
        """Status and body."""
        form = aiohttp.FormData()
        for name, value in {**self.sent, **more}.items():
            for each in value if isinstance(value, list) else [value]:
                form.add_field(name, each)
        headers = {"Origin": self.visitor.url, **({} if "apply" in more else {"HX-Request": "true"})}
        address = self.visitor.url + self.path
        async with self.visitor.http.post(address, data=form, headers=headers, allow_redirects=False) as answer:
            return answer.status, await answer.text()


async def run(folder: Path, *, kills: int = KILLS, server: Vesper | None = None) -> list[Report]:
    """Let time pass `kills` times, each time killing the server at a random moment, then press again."""
    report = Report()
    with server or Vesper(data(folder, "aging")) as running:
        table = await asyncio.to_thread(set_table, running, players=1, observers=0, storytellers=1, thugs=0)
        running.environment.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
        await running.started()
        async with Visitor(running.url, table.named("storyteller")[0]) as visitor:
            press, before = await _prepared(running, table, visitor)
            began = time.monotonic()
            await press.send(apply="1")
            seconds = time.monotonic() - began
            report.faults += _differences(_look(running, table), before, healed=(CHARACTERS,))
            for _kill in range(kills):
                await _killed(running, table, visitor, report, seconds)
        running.kill()
        report.faults += failures(running)
    return [report]


async def _prepared(server: Vesper, table: Table, visitor: Visitor) -> tuple[Press, int]:
    """A press about twenty hurt characters, ready to be sent, and how often time has passed in the log before."""
    _healed, passed = await asyncio.to_thread(_look, server, table, CHARACTERS)
    path = f"/chronicles/{table.chronicle}/time/"
    _status, page = await visitor.get(path)
    press = Press(visitor, path, {"amount": "1", "unit": "nights", "who": IDS.findall(page), "key": fresh_key()})
    press.sent["who"] = [each for each in press.sent["who"] if each not in table.characters.values()]
    press.sent |= dict(FIELDS.findall(page))
    _status, preview = await press.send()
    press.sent |= dict(FIELDS.findall(preview))
    return press, passed


async def _killed(server: Vesper, table: Table, visitor: Visitor, report: Report, seconds: float) -> None:
    """One press that the server may not survive, then the same press again."""
    press, before = await _prepared(server, table, visitor)
    pressed = asyncio.create_task(press.send(apply="1"))
    await asyncio.sleep(chance.uniform(0, 1.2 * seconds))
    report.kills += 1
    report.halfway += not pressed.done()
    server.kill()
    with contextlib.suppress(aiohttp.ClientError, TimeoutError):
        await pressed
    async with asyncio.timeout(DEADLINE):
        await server.started()
    report.faults += _differences(await asyncio.to_thread(_look, server, table), before, healed=(0, CHARACTERS))
    status, _body = await press.send(apply="1")
    if status != 302:
        report.faults.append(f"refused: the same press again was answered with {status}")
    report.faults += _differences(await asyncio.to_thread(_look, server, table), before, healed=(CHARACTERS,))


def _look(server: Vesper, table: Table, hurt: int = 0) -> tuple[int, int]:
    healed, passed = json.loads(server.manage("-c", LOOK, table.chronicle, str(hurt)))
    return healed, passed


def _differences(found: tuple[int, int], before: int, *, healed: tuple[int, ...]) -> list[str]:
    """Whether the log and all sheets agree, and as many are healed as there may be."""
    count, passed = found
    if count not in healed or passed - before != (count > 0):
        return [f"apart: {count} of {CHARACTERS} healed, and time passed {passed - before} times in the log"]
    return []
