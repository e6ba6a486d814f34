"""Rooms: the sockets of one process that show the same thing are served together.

One visit to the database thread evaluates a hint for all of them. A visit for each socket would cost more than the
rest of a command.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol
from weakref import WeakKeyDictionary

from channels.db import database_sync_to_async

from combat.live.hub import RIGHTS, Message

logger = logging.getLogger(__name__)

SERVED_AT_A_STRETCH = 50
"""Sockets served before the loop yields to the rest of the process."""


class Served(Protocol):
    """A socket in a room: its `audience`, and the random name of the `page` that opened it, "" for none."""

    audience: str
    page: str

    @classmethod
    def lacking(cls, sockets: Sequence[Any]) -> list[Any]:
        """What each of these is missing, in their order. Queries the database, so it runs on its thread."""

    def was_given(self, version: int) -> None:
        """The page gets everything up to this version in the response to its own request."""

    async def give(self, found: Any, *, answer: bool) -> None:
        """Send it. `answer`: send something even if nothing is missing."""


@dataclass(slots=True)
class _Question:
    """A socket's request to be served: `done` resolves afterwards; `answer`: it needs one in any case."""

    done: asyncio.Future[None]
    answer: bool


class Together:
    """A room. Each round serves all sockets with a hint or request from before the round."""

    def __init__(self) -> None:
        self._sockets: dict[Served, tuple[str, ...]] = {}
        self._hinted: set[str] = set()
        self._given: dict[tuple[str, str], int] = {}
        self._asking: dict[Served, _Question] = {}
        self._rounds: asyncio.Task[None] | None = None

    def enter(self, socket: Served, groups: tuple[str, ...]) -> None:
        """Add a socket that gets its hints from these groups."""
        self._sockets[socket] = groups

    def leave(self, socket: Served) -> set[str]:
        """Remove a socket. Returns the groups that no socket here needs any longer."""
        groups = self._sockets.pop(socket, ())
        return set(groups).difference(*self._sockets.values())

    def __bool__(self) -> bool:
        return bool(self._sockets)

    def hinted(self, message: Message) -> None:
        """Take note of a hint, and begin a round."""
        if page := message.get("page"):
            self._given[page, message["audience"]] = message["version"]
        self._hinted.add(message["audience"])
        self._begin()

    async def ask(self, socket: Served, *, answer: bool) -> None:
        """Send this socket what it is missing, or with `answer` something in any case. Returns when that is done."""
        done = asyncio.get_running_loop().create_future()
        self._asking[socket] = _Question(done, answer)
        self._begin()
        await done

    def _begin(self) -> None:
        if self._rounds is None or self._rounds.done():
            self._rounds = asyncio.create_task(self._go_on())

    async def _go_on(self) -> None:
        while self._hinted or self._asking:
            asking, self._asking = self._asking, {}
            try:
                await self._round(asking)
            except Exception as problem:
                # For hinted sockets this is like a lost hint, and those that asked get the error. An immediate retry
                # would keep the process busy.
                self._hinted.clear()
                logger.warning("Sockets could not be served: %s", problem or type(problem).__name__)
                for question in asking.values():
                    if not question.done.done():
                        question.done.set_exception(problem)

    async def _round(self, asking: dict[Served, _Question]) -> None:
        found = await database_sync_to_async(self._look)(list(asking))
        for place, (socket, lacks) in enumerate(found, start=1):
            if place % SERVED_AT_A_STRETCH == 0:
                await asyncio.sleep(0)
            question = asking.get(socket)
            try:
                if question or socket in self._sockets:
                    await socket.give(lacks, answer=question is not None and question.answer)
            except Exception as problem:
                logger.warning("A socket could not be served: %s", problem or type(problem).__name__)
            if question and not question.done.done():
                question.done.set_result(None)

    def _look(self, asking: list[Served]) -> list[tuple[Served, Any]]:
        # Only here, on the database thread: an action sends its hints one by one, and all are served together.
        hinted = set()
        while self._hinted:
            hinted.add(self._hinted.pop())
        present = list(self._sockets)
        # Not when the hint arrives: a round in progress may have read the state from before it.
        given, self._given = self._given, {}
        for (page, audience), version in given.items():
            for each in present:
                if (each.page, each.audience) == (page, audience):
                    each.was_given(version)
        wanted = dict.fromkeys([*asking, *(each for each in present if _means(hinted, each))])
        kinds = dict.fromkeys(type(each) for each in wanted)
        return [pair for kind in kinds for pair in _lacking(kind, [each for each in wanted if type(each) is kind])]


def _means(hinted: set[str], socket: Served) -> bool:
    return RIGHTS in hinted or socket.audience in hinted


def _lacking(kind: type[Served], sockets: list[Served]) -> Iterable[tuple[Served, Any]]:
    return zip(sockets, kind.lacking(sockets), strict=True)


_all: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[Hashable, Together]] = WeakKeyDictionary()


def enter(key: Hashable, socket: Served, groups: tuple[str, ...]) -> Together:
    """Add a socket with its groups to this process's room of that key. Returns the room."""
    known = _all.setdefault(asyncio.get_running_loop(), {})
    found = known.setdefault(key, Together())
    found.enter(socket, groups)
    return found


def leave(key: Hashable, socket: Served) -> set[str]:
    """Remove a socket from its room. Returns the groups that no socket needs any longer."""
    known = _all.get(asyncio.get_running_loop(), {})
    found = known.get(key)
    if found is None:
        return set()
    groups = found.leave(socket)
    if not found:
        del known[key]
    return groups
