"""Fan-out of hints to sockets. A hint says whose view changed, never what changed, and may get lost.

Each process joins the channel layer's group of an encounter and audience once, however many of its sockets wait for it,
because a group's cost grows with its members. The hub passes the hints on to the sockets. Hints from the same process
reach it directly, so that a process without a channel layer still serves its own sockets, just as fast.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import threading
from collections.abc import Callable, Mapping, Sequence
from contextvars import Context
from typing import Any
from weakref import WeakKeyDictionary

from asgiref.sync import async_to_sync
from channels.layers import BaseChannelLayer, InMemoryChannelLayer, get_channel_layer

from campaigns import outage
from combat.signals import Answered, views_changed

logger = logging.getLogger(__name__)

PATIENCE = 2
"""Timeout of the channel layer, in seconds."""
SECONDS_BETWEEN_TRIES = 2

ME = secrets.token_hex(8)
"""This process's signature on its hints, to skip them when they return: its own sockets know already."""

Message = Mapping[str, Any]
Listener = Callable[[Message], None]
"""Receives a hint with an "audience". Called on the hub's loop, and must not block.

A hint caused by a page names the "page" and the "version" that the page's own response brings it to."""

RIGHTS = "rights"
"""The audience for changed rights: each socket of the chronicle checks its own again."""
PAGES = "pages"
"""The audience of pages outside fights: each checks whether its reader sees a difference."""

SHOWN = "shown"
"""The audience of passages that were shown: of one person's pages, or of a chronicle's wall."""

_outage = outage.Outage()
"""The channel layer's outage, as this process sees it."""


def person(user_id: int) -> str:
    """The group key of one user's own pages, in place of an encounter's id."""
    return f"person-{user_id}"


def group_of(encounter_id: str, audience: str) -> str:
    """The channel layer's group of an encounter's audience."""
    return f"encounter.{encounter_id}.{audience}"


def table_of(chronicle_id: str) -> str:
    """The group key of a whole chronicle, in place of an encounter's id."""
    return f"chronicle-{chronicle_id}"


def connect() -> None:
    """Send hints when views change. Called once, when the app is ready."""
    views_changed.connect(_views_changed, dispatch_uid="combat.live.hub")


def _views_changed(encounter_id: str, audiences: Sequence[str], answered: Answered | None, **_more: object) -> None:
    hint(encounter_id, *audiences, answered=answered)


def hint(encounter_id: str, *audiences: str, answered: Answered | None = None) -> None:
    """Tell every process that these audiences' views changed. Never raises: heartbeats make up for lost hints."""
    messages: dict[str, dict[str, Any]] = {
        group_of(encounter_id, audience): {"type": "hint", "encounter": encounter_id, "audience": audience, "by": ME}
        for audience in audiences
    }
    if answered and answered.page.audience in audiences:
        of_page = {"page": answered.page.name, "version": answered.version}
        messages[group_of(encounter_id, answered.page.audience)] |= of_page
    # This process's own sockets are told directly, since the channel layer may be down.
    _tell_here(messages)
    layer = _layer()
    if not messages or type(layer) is InMemoryChannelLayer or _outage:
        return  # an in-memory layer has no other processes, and one that is down is left alone
    try:
        async_to_sync(_send)(layer, messages)
    except TimeoutError:
        # Circuit breaker: the next command must not wait for a layer that doesn't answer.
        _outage.begin()
        logger.warning("The channel layer does not answer: no hints for %d seconds", outage.SECONDS)
    except Exception as problem:  # of any type: the change itself is saved already
        logger.warning("A hint could not be sent: %s", problem)


def _layer() -> BaseChannelLayer:
    layer = get_channel_layer()
    assert layer is not None  # the settings name one
    return layer


async def _send(layer: Any, messages: Mapping[str, Message]) -> None:
    async with asyncio.timeout(PATIENCE):
        for group, message in messages.items():
            await layer.group_send(group, message)


def _tell_here(messages: Mapping[str, Message]) -> None:
    """Pass hints, keyed by group, to the sockets of this process."""
    with _hubs_at_hand:
        hubs = list(_hubs.items())
    for loop, each in hubs:
        with contextlib.suppress(RuntimeError):  # a closed loop has no sockets any more
            # With a context of its own: in the current request's context, the sockets would query the database on
            # the thread that the request is blocking.
            loop.call_soon_threadsafe(each.hear, messages, context=Context())


class Hub:
    """The listeners of one event loop, by group."""

    def __init__(self) -> None:
        self._listeners: dict[str, set[Listener]] = {}
        self._receiver: asyncio.Task[None] | None = None
        self._mender: asyncio.Task[None] | None = None
        self._channel = ""
        self._joining = asyncio.Lock()

    async def join(self, group: str, listener: Listener) -> None:
        """Pass the group's hints to a listener from now on."""
        async with self._joining:
            self._listeners.setdefault(group, set()).add(listener)
            # Again for every socket: if the layer lost its groups, the next socket restores them.
            await self._enter(group)

    async def leave(self, group: str, listener: Listener) -> None:
        """Stop passing the group's hints to a listener."""
        async with self._joining:
            known = self._listeners.get(group, set())
            known.discard(listener)
            if known:
                return
            self._listeners.pop(group, None)
            await self._exit(group)
            if not self._listeners:
                self._rest()

    def hear(self, messages: Mapping[str, Message]) -> None:
        """Pass on hints, keyed by group. Called on the hub's own loop."""
        for group, message in messages.items():
            for listener in list(self._listeners.get(group, ())):
                listener(message)

    def _rest(self) -> None:
        for task in (self._receiver, self._mender):
            if task:
                task.cancel()
        self._receiver = self._mender = None

    async def _enter(self, group: str) -> bool:
        """Join the layer's group. False if that fails; the hub then retries by itself."""
        if self._mender and asyncio.current_task() is not self._mender:
            return False
        try:
            async with asyncio.timeout(PATIENCE):
                if self._receiver is None or self._receiver.done():
                    self._channel = await _layer().new_channel("vesper")  # type: ignore[call-arg]  # every layer takes a prefix
                    self._receiver = asyncio.create_task(self._receive(self._channel))
                await _layer().group_add(group, self._channel)
        except Exception as problem:
            # Play goes on without a channel layer: hints get lost, and heartbeats bring the news.
            logger.warning("The channel layer cannot be reached: %s", problem or type(problem).__name__)
            self._mend_soon()
            return False
        return True

    async def _exit(self, group: str) -> None:
        if self._mender:
            return  # the layer is down: waiting would block others, and nobody listens to what it still sends
        try:
            async with asyncio.timeout(PATIENCE):
                await _layer().group_discard(group, self._channel)
        except Exception as problem:
            logger.warning("The channel layer could not be left: %s", problem or type(problem).__name__)
            self._mend_soon()

    def _mend_soon(self) -> None:
        if self._mender is None:
            self._mender = asyncio.create_task(self._mend())

    async def _mend(self) -> None:
        """Rejoin every group once the layer is back, and let all sockets fetch what they missed."""
        mended = False
        while not mended:
            await asyncio.sleep(SECONDS_BETWEEN_TRIES)
            async with self._joining:
                mended = await self._enter_all(list(self._listeners))
        self._mender = None
        _outage.end()
        logger.warning("The channel layer is back")
        self.hear({group: {"audience": RIGHTS} for group in self._listeners})

    async def _enter_all(self, groups: list[str]) -> bool:
        for group in groups:
            if not await self._enter(group):
                return False
        return True

    async def _receive(self, channel: str) -> None:
        try:
            while True:
                message = await _layer().receive(channel)
                if message.get("by") == ME:
                    continue
                self.hear({group_of(message["encounter"], message["audience"]): message})
        except Exception as problem:
            logger.warning("The channel layer was lost: %s", problem)
            self._mend_soon()


_hubs: WeakKeyDictionary[asyncio.AbstractEventLoop, Hub] = WeakKeyDictionary()
_hubs_at_hand = threading.Lock()


def hub() -> Hub:
    """The hub of the running event loop: a server process has one."""
    loop = asyncio.get_running_loop()
    with _hubs_at_hand:
        if loop not in _hubs:
            _hubs[loop] = Hub()
        return _hubs[loop]
