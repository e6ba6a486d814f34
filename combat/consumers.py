"""The socket of a fight: it brings what changed, takes heartbeats, and never writes."""

from __future__ import annotations

import asyncio
import json
import time
from collections import deque
from typing import Any
from urllib.parse import parse_qs

from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer
from django.http import Http404

from combat import walls
from combat.access import encounter_or_404, signed_in
from combat.broadcast import RIGHTS, group_of, hub, table_of
from combat.frames import Frame, frame

BAD_MESSAGE = 4400
SIGNED_OUT = 4401
NOT_YOURS = 4403
NOT_FOUND = 4404
TOO_MANY = 4429

LONGEST = 200
MESSAGES, SECONDS = 30, 10


class Refused(Exception):
    """The socket must close with this code."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class EncounterConsumer(AsyncWebsocketConsumer):
    """One page's socket. Every frame asks anew whether its reader may have it."""

    have: int | None = None
    audience = ""
    groups_joined: tuple[str, ...] = ()

    async def connect(self) -> None:
        # Accepts first, because only then does the page get the code; a refused handshake is tried for ever.
        await self.accept()
        self.encounter_id: str = self.scope["url_route"]["kwargs"]["encounter_id"]
        self.sending = asyncio.Lock()
        self.heard: deque[float] = deque(maxlen=MESSAGES)
        try:
            self.audience, chronicle_id = await database_sync_to_async(self._who)()
        except Refused as refused:
            await self.close(code=refused.code)
            return
        self.have = _asked_for(self.scope, self.audience)
        # First in the group, then the present: nothing falls between.
        self.groups_joined = (group_of(self.encounter_id, self.audience), group_of(table_of(chronicle_id), RIGHTS))
        for group in self.groups_joined:
            await hub().join(group, self.hinted)
        await self.bring()

    async def disconnect(self, code: int) -> None:
        for group in self.groups_joined:
            await hub().leave(group, self.hinted)

    async def hinted(self, _message: dict[str, Any]) -> None:
        """There is news, or rights changed."""
        await self.bring()

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        now = time.monotonic()
        if len(self.heard) == MESSAGES and now - self.heard[0] < SECONDS:
            await self.close(code=TOO_MANY)
            return
        self.heard.append(now)
        have = _heartbeat(text_data)
        if have is None:
            await self.close(code=BAD_MESSAGE)
            return
        self.have = have
        await self.bring(answer=True)

    async def bring(self, *, answer: bool = False) -> None:
        """Send what the page lacks, if its reader still may have it; a heartbeat gets an answer in any case."""
        async with self.sending:
            try:
                found = await database_sync_to_async(self._lacking)()
            except Refused as refused:
                await self.close(code=refused.code)
                return
            if found is not None:
                self.have = found.version
                await self.send(text_data=found.html)
            elif answer:
                await self.send(text_data=json.dumps({"version": self.have}))

    # ------------------------------------------------------------------ on a thread, with the database

    def _seen(self) -> Any:
        user = signed_in(self.scope)
        if user is None:
            raise Refused(SIGNED_OUT)
        try:
            return encounter_or_404(user, self.encounter_id)
        except Http404:
            raise Refused(NOT_YOURS if self.audience else NOT_FOUND) from None

    def _who(self) -> tuple[str, str]:
        seen = self._seen()
        return seen.audience, seen.encounter.chronicle_id

    def _lacking(self) -> Frame | None:
        seen = self._seen()
        if seen.audience != self.audience:
            # What the page shows is another's view: it has to be loaded anew.
            raise Refused(NOT_YOURS)
        return frame(seen.encounter, seen.audience, self.have)


class WallConsumer(EncounterConsumer):
    """The socket of a screen on the wall: its link is all it has, and it shows whichever fight is the newest."""

    def _seen(self) -> Any:
        seen = walls.behind(self.scope["url_route"]["kwargs"]["token"])
        if seen is None:
            raise Refused(NOT_YOURS if self.audience else NOT_FOUND)
        if seen.encounter is None or seen.encounter.pk != self.encounter_id:
            raise Refused(NOT_YOURS)
        return seen


def _asked_for(scope: Any, audience: str) -> int | None:
    """The version that the page says it has, if it is a page of this audience."""
    asked = parse_qs(scope.get("query_string", b"").decode("latin1"))
    have = asked.get("have", [""])[0]
    counts = have.isascii() and have.isdigit() and len(have) < 10
    return int(have) if counts and asked.get("audience") == [audience] else None


def _heartbeat(text: str | None) -> int | None:
    """The version in a heartbeat; None for everything else that can be sent."""
    if text is None or len(text) > LONGEST:
        return None
    try:
        said = json.loads(text)
    except (ValueError, RecursionError):
        return None
    have = said.get("have") if isinstance(said, dict) and set(said) == {"have"} else None
    return have if isinstance(have, int) and not isinstance(have, bool) and 0 <= have < 2**31 else None
