"""WebSocket consumers: they push what changed and answer heartbeats, but never write."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections import deque
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs

from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer
from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.urls import reverse
from django.utils import timezone, translation

from campaigns.live import token
from campaigns.models import User
from campaigns.rulesets import why_missing
from campaigns.showing import fresh_for
from combat.commands.deadlines import in_time
from combat.live import pages, wall
from combat.live import rooms as together
from combat.live.frames import Frame, frame, language_of
from combat.live.hub import PAGES, RIGHTS, SHOWN, Message, group_of, hub, person, table_of
from combat.live.rooms import Together
from combat.secrecy.access import Seen, reader_name, seen_with, session_key, signed_in

logger = logging.getLogger(__name__)

BAD_MESSAGE = 4400
SIGNED_OUT = 4401
NOT_YOURS = 4403
NOT_FOUND = 4404
CROWDED = 4408
TOO_MANY = 4429

MOST_SOCKETS = 10
"""Sockets per reader and process. One more closes the oldest, and its page polls instead."""

MOST_VERSIONS = 2**53
"""JavaScript counts exactly up to here."""

LONGEST = 200
MESSAGES, SECONDS = 30, 10


class Refused(Exception):
    """The socket must close with this code."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


_open: dict[str, list[EncounterConsumer]] = {}
"""This process's sockets by reader, oldest first."""


class EncounterConsumer(AsyncWebsocketConsumer):
    """A fight page's socket. The reader's rights are checked again for every frame."""

    have: Any = None
    audience = ""
    page = ""
    language = ""
    groups_joined: tuple[str, ...] = ()
    reader = ""
    place: tuple[str, ...] = ()
    user_id = 0
    chronicles: tuple[str, ...] = ()
    shown_group = ""
    showing: asyncio.Task[None] | None = None
    closed = False
    """Whether the server closed the socket. Messages sent before the page confirms that still arrive."""
    together: Together

    async def connect(self) -> None:
        # Accept first: only then does the page receive a close code. Pages retry a refused handshake for ever.
        await self.accept()
        self.heard: deque[float] = deque(maxlen=MESSAGES)
        self.language = language_of(_asked(self.scope, "language"))
        self.page = _asked(self.scope, "page")[:LONGEST]
        try:
            self.groups_joined = await database_sync_to_async(self._begin)()
        except Refused as refused:
            await self.close(code=refused.code)
            return
        # Join the groups first, then send the current state, so that nothing is lost in between.
        self.place = self._looks_at()
        self.together = together.enter(self.place, self, self.groups_joined)
        for group in self.groups_joined:
            await hub().join(group, self.together.hinted)
        self.shown_group = self._shown_group()
        await hub().join(self.shown_group, self._hear_shown)
        await self._make_room()
        await self.bring()
        if self.user_id:
            await self._show()

    async def _make_room(self) -> None:
        mine = _open.setdefault(self.reader, [])
        mine.append(self)
        if len(mine) > MOST_SOCKETS:
            await mine.pop(0).close(code=CROWDED)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        # Not in `disconnect`, which isn't called for a consumer that fails.
        try:
            await super().__call__(scope, receive, send)
        finally:
            await self._leave()

    async def _leave(self) -> None:
        mine = _open.get(self.reader, [])
        if self in mine:
            mine.remove(self)
        if not mine:
            _open.pop(self.reader, None)
        if self.shown_group:
            await hub().leave(self.shown_group, self._hear_shown)
        if self.groups_joined:
            for group in together.leave(self.place, self):
                await hub().leave(group, self.together.hinted)

    # ------------------------------------------------------------------ passages that were shown

    def _hear_shown(self, _message: Message) -> None:
        self.showing = asyncio.ensure_future(self._show())

    async def _show(self) -> None:
        """Tell the page what its reader was just shown, if anything: it fetches that, and knows what it had before."""
        try:
            found = await database_sync_to_async(self._just_shown)()
            if found is not None and not self.closed:
                await self.send(text_data=json.dumps({"shown": found}))
        except Exception as problem:  # as a lost hint: it is still there to read
            logger.warning("A shown passage could not be announced: %s", problem or type(problem).__name__)

    def _shown_group(self) -> str:
        return group_of(person(self.user_id), SHOWN)

    def _just_shown(self) -> dict[str, str] | None:
        key = session_key(self.scope)
        if signed_in([key]).get(key) != self.user_id:
            return None
        found = fresh_for(self.user_id, self.chronicles, timezone.now())
        if found is None:
            return None
        url = reverse("combat:shown", args=[found.chronicle, found.passage])
        return {"reveal": found.reveal, "passage": found.passage, "url": url}

    async def close(self, code: int | None = None, reason: str | None = None) -> None:
        self.closed = True
        await super().close(code, reason)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if self.closed:
            return
        now = time.monotonic()
        if len(self.heard) == MESSAGES and now - self.heard[0] < SECONDS:
            await self.close(code=TOO_MANY)
            return
        self.heard.append(now)
        have = self._heartbeat(text_data)
        if have is None:
            await self.close(code=BAD_MESSAGE)
            return
        self.have = have
        await self.bring(answer=True)

    async def bring(self, *, answer: bool = False) -> None:
        """Send what the page is missing, if its reader still may see it. With `answer`, send something in any case."""
        await self.together.ask(self, answer=answer)

    def was_given(self, version: int) -> None:
        """The response to the page's own request brings it to `version`. If it is lost, the next heartbeat asks."""
        if self.have is not None:
            self.have = max(self.have, version)

    async def give(self, found: Frame | Changed | Refused | None, *, answer: bool) -> None:
        """Deliver what :meth:`lacking` found for this socket."""
        if self.closed:
            return
        if isinstance(found, Refused):
            await self.close(code=found.code)
        elif found is not None:
            self.have = found.version
            await self.send(text_data=found.html)
        elif answer:
            await self.send(text_data=json.dumps({"version": self.have}))

    def _heartbeat(self, text: str | None) -> Any:
        have = _said(text)
        return have if isinstance(have, int) and not isinstance(have, bool) and 0 <= have < MOST_VERSIONS else None

    def _looks_at(self) -> tuple[str, ...]:
        """The key of the room: sockets with the same key are served together."""
        return ("fight", self.encounter_id)

    # ------------------------------------------------------------------ on a thread, with the database

    def _begin(self) -> tuple[str, ...]:
        """Check the reader's rights, and return the groups that bring this page's hints. Raises `Refused`."""
        self.encounter_id: str = self.scope["url_route"]["kwargs"]["encounter_id"]
        (seen,) = self._seen([self])
        if isinstance(seen, Refused):
            raise seen
        self.reader, self.audience, self.have = seen.reader, seen.audience, _asked_for(self.scope, seen.audience)
        self._note_reader(seen)
        return group_of(self.encounter_id, self.audience), group_of(table_of(seen.encounter.chronicle_id), RIGHTS)

    def _note_reader(self, seen: Any) -> None:
        self.user_id, self.chronicles = seen.membership.user_id, (seen.encounter.chronicle_id,)

    @classmethod
    def lacking(cls, sockets: Sequence[Any]) -> list[Any]:
        """For each of these sockets, all of one fight: the frame it is missing, a `Refused`, or None."""
        frames: dict[Any, Frame | None] = {}

        def one(socket: EncounterConsumer, seen: Any) -> Frame | Refused | None:
            if isinstance(seen, Refused):
                return seen
            if seen.audience != socket.audience:
                # The page shows a different audience's view and has to be reloaded.
                return Refused(NOT_YOURS)
            key = (seen.audience, socket.language, socket.have)
            if key not in frames:
                with translation.override(socket.language):
                    frames[key] = frame(seen.encounter, seen.audience, socket.have)
            return frames[key]

        return [one(socket, seen) for socket, seen in zip(sockets, cls._seen(sockets), strict=True)]

    @classmethod
    def _seen(cls, sockets: Sequence[Any]) -> list[Any]:
        """How each of them may see the fight, as the database says now, or a `Refused`."""
        keys = [session_key(socket.scope) for socket in sockets]
        seen = _in_time(keys, sockets[0].encounter_id)

        def one(socket: EncounterConsumer, key: str) -> Any:
            if key not in seen:
                return Refused(SIGNED_OUT)
            return seen[key] or Refused(NOT_YOURS if socket.audience else NOT_FOUND)

        return [one(socket, key) for socket, key in zip(sockets, keys, strict=True)]


class WallConsumer(EncounterConsumer):
    """A wall screen's socket: authorised by its link alone, it shows the newest fight."""

    def _note_reader(self, seen: Any) -> None:
        self.chronicles = (seen.chronicle.pk,)

    def _shown_group(self) -> str:
        return group_of(table_of(self.chronicles[0]), SHOWN)

    def _just_shown(self) -> dict[str, str] | None:
        return {}  # the screen asks what is on it now

    @classmethod
    def _seen(cls, sockets: Sequence[Any]) -> list[Any]:
        tokens = [socket.scope["url_route"]["kwargs"]["token"] for socket in sockets]
        walls_behind = {token: wall.behind(token) for token in set(tokens)}

        def one(socket: WallConsumer, seen: Any) -> Any:
            if seen is None:
                return Refused(NOT_YOURS if socket.audience else NOT_FOUND)
            if seen.encounter is None or seen.encounter.pk != socket.encounter_id:
                return Refused(NOT_YOURS)
            if why_missing(seen.chronicle.ruleset):
                return Refused(NOT_YOURS)
            return seen

        return [one(socket, walls_behind[token]) for socket, token in zip(sockets, tokens, strict=True)]


@dataclass(frozen=True, slots=True)
class Changed:
    """The page is out of date: its new token, and the message with it."""

    version: str

    @property
    def html(self) -> str:
        return json.dumps({"version": self.version})


class PageConsumer(EncounterConsumer):
    """The socket of a page outside fights. It says that the page is out of date, but not what changed.

    It only says so if the reader sees a difference. Changes they may not know about send nothing.
    """

    def _begin(self) -> tuple[str, ...]:
        asked = self.scope["url_route"]["kwargs"]
        self.name, self.key = asked["name"], asked["key"]
        self.have = _asked(self.scope, "have")
        found = self._shown()
        self.audience = PAGES  # from here on, a refusal means that the reader lost access
        self.reader = reader_name(self.user_id)
        self.chronicles = found.chronicles
        places = [person(self.user_id)] if self.key == pages.HOME else [table_of(each) for each in found.chronicles]
        rights = [group_of(table_of(each), RIGHTS) for each in found.chronicles]
        return (*(group_of(place, PAGES) for place in places), *rights)

    def _looks_at(self) -> tuple[str, ...]:
        return (type(self).__name__, self.name, self.key, str(self.user_id))

    def _shown(self) -> pages.Shown:
        key = session_key(self.scope)
        self.user_id = signed_in([key]).get(key, 0)
        user = User.objects.filter(pk=self.user_id).first()
        if user is None:
            raise Refused(SIGNED_OUT)
        try:
            with translation.override(self.language):
                return pages.shown(user, self.name, self.key)
        except (Http404, PermissionDenied):
            raise Refused(NOT_YOURS if self.audience else NOT_FOUND) from None

    @classmethod
    def lacking(cls, sockets: Sequence[Any]) -> list[Any]:
        """For each of these pages, all of one reader: a `Changed` if it is out of date, a `Refused`, or None."""
        return [socket._changed() for socket in sockets]

    def _changed(self) -> Changed | Refused | None:
        try:
            found = self._shown()
        except Refused as refused:
            return refused
        with translation.override(self.language):
            now = token(found.value)
        return None if now == self.have else Changed(now)

    def _heartbeat(self, text: str | None) -> Any:
        have = _said(text)
        return have if isinstance(have, str) and len(have) <= 16 else None


def _in_time(keys: Collection[str], encounter_id: str) -> dict[str, Seen | None]:
    """As `seen_with`, after answering all questions whose time is up."""
    seen = seen_with(keys, encounter_id)
    anybody = next(filter(None, seen.values()), None)
    try:
        return seen if anybody is None or in_time(anybody) is anybody else seen_with(keys, encounter_id)
    except Http404:
        return dict.fromkeys(seen)


def _asked(scope: Any, name: str) -> str:
    """A parameter of the socket's address; "" if it is missing."""
    query: bytes = scope.get("query_string", b"")
    return parse_qs(query.decode("latin1")).get(name, [""])[0]


def _asked_for(scope: Any, audience: str) -> int | None:
    """The version that the page claims to have, if it is this audience's."""
    have = _asked(scope, "have")
    counts = have.isascii() and have.isdigit() and len(have) < len(str(MOST_VERSIONS))
    return int(have) if counts and _asked(scope, "audience") == audience else None


def _said(text: str | None) -> Any:
    """The version in a heartbeat; None for any other message."""
    if text is None or len(text) > LONGEST:
        return None
    try:
        said = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return said.get("have") if isinstance(said, dict) and set(said) == {"have"} else None
