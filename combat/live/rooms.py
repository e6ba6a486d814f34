"""The sockets of one process that look at the same thing, served together.

What a hint means is found out once for all of them, in one visit to the thread that has the database, however many
they are: a visit for each would cost more than all else that an action does.
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
"""Sockets that are given theirs before others of the process have their turn."""


class Served(Protocol):
    """A socket, as it is served: whose view it has, what it lacks as :func:`lacking` says, and which `page` opened it.

    The page's name is random, "" where it has none.
    """

    audience: str
    page: str

    @classmethod
    def lacking(cls, sockets: Sequence[Any]) -> list[Any]:
        """What each of these lacks, in their order. Asks the database, and so runs on its thread."""

    def was_given(self, version: int) -> None:
        """Its page gets all up to this version in the answer to what it did."""

    async def give(self, found: Any, *, answer: bool) -> None:
        """Send it; with `answer` something even when it lacks nothing."""


@dataclass(slots=True)
class _Question:
    """A socket that waits to be served: what is told when it was, and whether it wants an answer anyway."""

    done: asyncio.Future[None]
    answer: bool


class Together:
    """The sockets that look at one thing. Each round serves all that were hinted or asked until it began."""

    def __init__(self) -> None:
        self._sockets: dict[Served, tuple[str, ...]] = {}
        self._hinted: set[str] = set()
        self._given: dict[tuple[str, str], int] = {}
        self._asking: dict[Served, _Question] = {}
        self._rounds: asyncio.Task[None] | None = None

    def enter(self, socket: Served, groups: tuple[str, ...]) -> None:
        """Serve this socket too from now on, whose hints come in these groups."""
        self._sockets[socket] = groups

    def leave(self, socket: Served) -> set[str]:
        """Serve it no more. The groups that nobody here hangs on any longer."""
        groups = self._sockets.pop(socket, ())
        return set(groups).difference(*self._sockets.values())

    def __bool__(self) -> bool:
        return bool(self._sockets)

    def hinted(self, message: Message) -> None:
        """There is news for an audience, or rights changed."""
        if page := message.get("page"):
            self._given[page, message["audience"]] = message["version"]
        self._hinted.add(message["audience"])
        self._begin()

    async def ask(self, socket: Served, *, answer: bool) -> None:
        """Give this socket what it lacks; with `answer` something in any case. Returns when that is done."""
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
                # Nobody who was hinted is worse off than with a lost hint; those who asked hear of it. Trying again at
                # once would keep the process from everything else.
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
        # Only here, where the database's thread has come to it: an action hints at many audiences one by one.
        hinted = set()
        while self._hinted:
            hinted.add(self._hinted.pop())
        present = list(self._sockets)
        # Not when the hint comes: a round that still goes on might have asked before what it is about.
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
    """Put a socket, whose hints come in these groups, to those of this process that look at the same."""
    known = _all.setdefault(asyncio.get_running_loop(), {})
    found = known.setdefault(key, Together())
    found.enter(socket, groups)
    return found


def leave(key: Hashable, socket: Served) -> set[str]:
    """Take it from them. The groups in which no hints are waited for any longer."""
    known = _all.get(asyncio.get_running_loop(), {})
    found = known.get(key)
    if found is None:
        return set()
    groups = found.leave(socket)
    if not found:
        del known[key]
    return groups
