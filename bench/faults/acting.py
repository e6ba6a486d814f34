"""Simulated people who act as fast as they can, and a record of what the server told them."""

from __future__ import annotations

import asyncio
import contextlib
import math
import secrets
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from bench.harness import Page, Person, Table, fresh_key

chance = secrets.SystemRandom()

Wish = tuple[str, dict[str, Any], str]
"""A command's name, its fields, and the mark to find in its row, or "" if it leaves none."""

TRAITS = ["perception", "alertness"]
EDITED = "firearms"
"""The Trait edited on sheets; nobody rolls it."""


@dataclass
class Told:
    """What the server told the people of one fight: presses acknowledged, and presses refused.

    Each press is (user, key, mark).
    """

    done: list[tuple[int, str, str]] = field(default_factory=list)
    refused: list[tuple[int, str, str]] = field(default_factory=list)
    notes: str = ""
    """The notes that were saved last."""
    seconds: list[float] = field(default_factory=list)
    again: int = 0
    """How often a press had to be resent."""
    edited: dict[str, int] = field(default_factory=dict)
    """The dots that were saved last, by character name."""
    edits: int = 0
    shown: list[str] = field(default_factory=list)
    """The log entries that are now revealed to everybody."""


def mark() -> str:
    """A unique word."""
    return f"m{secrets.token_hex(7)}"


def storytellers_wish(table: Table, _person: Person) -> Wish:
    """A random action of the Storyteller."""
    sign = mark()
    someone = chance.choice([who for name, who in table.combatants.items() if not name.startswith("Bystander")])
    vampire = chance.choice([who for name, who in table.combatants.items() if name.startswith("Player")])
    kind = chance.choice(["bashing", "lethal"])
    some = chance.sample(["prone", "grappled", "blinded", "stunned", "pinned"], 2)
    wishes: list[tuple[int, Wish]] = [
        (6, ("damage", {"who": someone, "amount": 1, "type": kind, "reason": sign}, sign)),
        (1, ("heal", {"who": someone, "amount": 1, "type": "bashing"}, "")),
        (1, ("boxes", {"who": someone, "bashing": 1, "lethal": 0, "aggravated": 0, "reason": sign}, sign)),
        (3, ("conditions", {"who": someone, "have": some[:1], "had": some[1]}, "")),
        (6, _back(vampire)),
        (2, ("roll", {"who": someone, "traits": TRAITS, "difficulty": 6, "label": sign}, sign)),
        (1, ("undo", {}, "")),
    ]
    return _one_of(wishes)


def players_wish(table: Table, person: Person) -> Wish:
    """A random action of a player with their own character."""
    own, sign = table.combatants[person.name.capitalize()], mark()
    wishes: list[tuple[int, Wish]] = [
        (1, ("spend", {"who": own, "resource": "blood", "amount": 1, "reason": sign}, sign)),
        (6, ("roll", {"who": own, "traits": TRAITS, "difficulty": 6, "label": sign}, sign)),
        (1, ("declare", {"who": own, "text": sign, "action_1": "other"}, sign)),
    ]
    return _one_of(wishes)


def _back(who: str) -> Wish:
    sign = mark()
    return "spend", {"who": who, "resource": "blood", "amount": 1, "back": "on", "reason": sign}, sign


def _one_of(wishes: Iterable[tuple[int, Wish]]) -> Wish:
    weighed = list(wishes)
    return chance.choices([wish for _weight, wish in weighed], [weight for weight, _wish in weighed])[0]


class Crowd:
    """Sixteen pages acting in one fight. They wait at a gate, and count their pending presses."""

    def __init__(self, table: Table, pages: Mapping[Page, Person], *, lost_in: int = 20) -> None:
        self.table = table
        self.pages = pages
        self.told = Told()
        self.lost_in = lost_in
        """One answer in this many is dropped, as happens with phones, and the press is resent."""
        self.wanted = math.inf
        """How many acknowledged presses to stop after."""
        self.gate = asyncio.Event()
        self.under_way = 0
        self.quiet = asyncio.Event()
        self.quiet.set()

    @property
    def finished(self) -> bool:
        """Whether enough presses were acknowledged."""
        return len(self.told.done) >= self.wanted

    async def act(self) -> None:
        """Act until enough presses are acknowledged."""
        async with asyncio.TaskGroup() as group:
            for page, person in self.pages.items():
                group.create_task(self._act(page, person))

    async def _act(self, page: Page, person: Person) -> None:
        wish = storytellers_wish if person.audience == "storyteller" else players_wish
        while not self.finished:
            await self.gate.wait()
            if self.finished:
                return
            await self.do(page, person, *wish(self.table, person))

    async def do(self, page: Page, person: Person, name: str, fields: Mapping[str, Any], sign: str) -> None:
        """One press, from the first try until it is answered. Records the outcome."""
        loop = asyncio.get_running_loop()
        begun = loop.time()
        with self._busy():
            answer = await page.press(name, loses_answer=not chance.randrange(self.lost_in), **fields)
        press = person.user, answer.key, sign
        (self.told.done if answer.done else self.told.refused).append(press)
        self.told.again += answer.tries - 1
        self.told.seconds.append(loop.time() - begun)

    @contextlib.contextmanager
    def _busy(self) -> Iterator[None]:
        self.under_way += 1
        self.quiet.clear()
        try:
            yield
        finally:
            self.under_way -= 1
            if not self.under_way:
                self.quiet.set()

    async def write_notes(self, page: Page) -> None:
        """Rewrite the fight's notes every half second, from this page only, until the crowd has finished."""
        version = 0
        while not self.finished:
            await self.gate.wait()
            text = fresh_key()
            if await page.keep_notes(text, version) == 200:
                self.told.notes, version = text, version + 1
            await asyncio.sleep(0.5)

    async def edit_sheets(self, page: Page) -> None:
        """Edit all players' sheets outside the fight until the crowd has finished."""
        await asyncio.gather(*(self._edit(page, *sheet) for sheet in self.table.characters.items()))

    async def _edit(self, page: Page, name: str, character: str) -> None:
        while not self.finished:
            await self.gate.wait()
            dots = chance.randrange(1, 6)
            with self._busy():
                self.told.edited.pop(name, None)  # unanswered: the sheet may have either value
                if await page.edit_sheet(character, {f"trait-{EDITED}": str(dots)}):
                    self.told.edited[name] = dots
                    self.told.edits += 1
            await asyncio.sleep(0.1)
