"""What can be broken in a server, to see whether the harness notices. Nothing of it is in the product.

- `lossy`: hints go through a channel layer that loses, doubles and delays them (`bench/faults/lossy.py`), those of the
  process itself too. The product has to stand this; the others it must not stand:
- `keyless`: presses have no keys, so that one which is sent again is done again;
- `pushed`: what changed is pushed itself, in place of the hint that something did, and no number is compared;
- `early`: a press is acknowledged before it is done;
- `crowded`: passwords are hashed as Django does it, all at once;
- `untold`: a sheet is saved, and its fight is not told;
- `boundless`: bodies are read however long they are, and pictures drawn however many come.
"""

from __future__ import annotations

import asyncio
import contextlib
import queue
import sys
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.apps import AppConfig
from django.conf import settings

SECONDS_LATE = 0.2


class Sabotage(AppConfig):
    """Breaks what `VESPER_FAULTS` names as soon as all else is ready."""

    name = "bench.faults"
    label = "faults"
    path = str(Path(__file__).parent)

    def ready(self) -> None:
        if "serve" not in sys.argv:
            return  # what sets the table, and what looks into the database afterwards, is not broken
        for fault in settings.VESPER_FAULTS:
            FAULTS[fault]()


def lossy() -> None:
    """All hints go through the layer."""
    from combat.live import hub

    hub._tell_here = lambda _groups: None


def keyless() -> None:
    """Forget what was pressed."""
    from combat.commands import perform as services

    new_row = services.new_row

    def without_key(encounter: Any, asked: Any, **fields: Any) -> Any:
        return new_row(encounter, replace(asked, key="", sent=""), **fields)

    services.new_row = without_key


def pushed() -> None:
    """Send each audience what changed last, whatever its pages have, and compare no numbers by heartbeat either."""
    from combat.live import hub
    from combat.live.consumers import EncounterConsumer
    from combat.live.frames import frame
    from combat.live.rooms import Together
    from combat.models import Encounter
    from combat.panes import versions

    def push(encounter_id: str, *audiences: str) -> None:
        encounter = Encounter.objects.select_related("chronicle").get(pk=encounter_id)
        for audience in audiences:
            found = frame(encounter, audience, versions.version_of(encounter, audience) - 1)
            assert found is not None, "its version just went up"
            message = {"type": "hint", "encounter": encounter_id, "audience": audience, "html": found.html}
            async_to_sync(get_channel_layer().group_send)(hub.group_of(encounter_id, audience), message)

    under_way = set[asyncio.Future[None]]()

    def hinted(self: Any, message: Mapping[str, Any]) -> None:
        for socket in list(self._sockets):
            if "html" in message and socket.audience == message["audience"]:
                sending = asyncio.ensure_future(socket.send(text_data=message["html"]))
                under_way.add(sending)
                sending.add_done_callback(under_way.discard)

    async def receive(self: Any, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        await self.send(text_data="{}")

    hub.hint = push  # type: ignore[assignment]
    Together.hinted = hinted  # type: ignore[method-assign]
    EncounterConsumer.receive = receive  # type: ignore[method-assign]


def early() -> None:
    """Say that it is done, and do it some time later."""
    from combat.commands import perform as services
    from combat.commands.writing import Performed

    perform, waiting = services.perform, queue.SimpleQueue[dict[str, Any]]()

    def work() -> None:
        while True:
            asked = waiting.get()
            time.sleep(SECONDS_LATE)
            with contextlib.suppress(Exception):  # turned down: it was called done long since
                perform(**asked)

    def say_done(**asked: Any) -> Any:
        waiting.put(asked)
        return Performed(0, ())

    threading.Thread(target=work, daemon=True).start()
    services.perform = say_done


def crowded() -> None:
    """Let every request hash its password right away, with Django's parameters."""
    from django.contrib.auth.hashers import Argon2PasswordHasher

    from campaigns import hashing
    from config import password_queue

    password_queue.hashes_a_password = lambda _scope: False
    hashing.Argon2 = Argon2PasswordHasher  # type: ignore[assignment,misc]


def untold() -> None:
    """Save sheets alone."""
    from combat.live import receivers

    receivers._revise = lambda *_fights: None


def boundless() -> None:
    """Read everything, and draw everything."""
    from characters import portraits
    from characters.views import portraits as views
    from config import daphne_internals

    daphne_internals.BoundedRequest.most = 2**40
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 2**40
    portraits.MOST_MEMORY, views.A_MINUTE = 2**40, 2**40
    portraits.redraw_in_turn = portraits.redraw


FAULTS: dict[str, Callable[[], None]] = {
    "lossy": lossy,
    "keyless": keyless,
    "pushed": pushed,
    "early": early,
    "crowded": crowded,
    "untold": untold,
    "boundless": boundless,
}
