"""Deliberate faults in a server, to check that the harness detects them. None of this is in the product.

- `lossy`: hints, including the process's own, go through a channel layer that loses, duplicates and delays them
  (`bench/faults/lossy.py`). The product must withstand this one; the others must be detected:
- `keyless`: presses have no idempotency keys, so a resent one is done twice;
- `pushed`: changes themselves are pushed, not hints of them, and no versions are compared;
- `early`: a press is acknowledged before it is done;
- `crowded`: passwords are hashed as in plain Django, all at once;
- `untold`: a sheet is saved without updating its fight;
- `boundless`: bodies of any length are read, and any number of pictures is processed.
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
    """Installs the faults in `VESPER_FAULTS` once everything else is ready."""

    name = "bench.faults"
    label = "faults"
    path = str(Path(__file__).parent)

    def ready(self) -> None:
        if "serve" not in sys.argv:
            return  # the processes that set the table and check the database stay intact
        for fault in settings.VESPER_FAULTS:
            FAULTS[fault]()


def lossy() -> None:
    """Send all hints through the layer."""
    from combat.live import hub

    hub._tell_here = lambda _groups: None


def keyless() -> None:
    """Ignore idempotency keys."""
    from combat.commands import perform as services

    new_row = services.new_row

    def without_key(encounter: Any, asked: Any, **fields: Any) -> Any:
        return new_row(encounter, replace(asked, key="", sent=""), **fields)

    services.new_row = without_key


def pushed() -> None:
    """Push each audience the last change, regardless of what its pages have, and don't compare versions on
    heartbeats."""
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
    """Acknowledge first, and perform some time later."""
    from combat.commands import perform as services
    from combat.commands.writing import Performed

    perform, waiting = services.perform, queue.SimpleQueue[dict[str, Any]]()

    def work() -> None:
        while True:
            asked = waiting.get()
            time.sleep(SECONDS_LATE)
            with contextlib.suppress(Exception):  # refused, although it was acknowledged long ago
                perform(**asked)

    def say_done(**asked: Any) -> Any:
        waiting.put(asked)
        return Performed(0, ())

    threading.Thread(target=work, daemon=True).start()
    services.perform = say_done


def crowded() -> None:
    """Let every request hash its password immediately, with Django's parameters."""
    from django.contrib.auth.hashers import Argon2PasswordHasher

    from campaigns import hashing
    from config import password_queue

    password_queue.hashes_a_password = lambda _scope: False
    hashing.Argon2 = Argon2PasswordHasher  # type: ignore[assignment,misc]


def untold() -> None:
    """Save sheets without telling their fights."""
    from combat.live import receivers

    receivers._revise = lambda *_fights, **_how: None


def boundless() -> None:
    """Read every body, and process every picture."""
    from campaigns import pictures
    from characters.views import portraits as views
    from config import daphne_internals

    daphne_internals.BoundedRequest.most = 2**40
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 2**40
    pictures.MOST_MEMORY, views.A_MINUTE = 2**40, 2**40
    pictures.redraw_in_turn = pictures.redraw


FAULTS: dict[str, Callable[[], None]] = {
    "lossy": lossy,
    "keyless": keyless,
    "pushed": pushed,
    "early": early,
    "crowded": crowded,
    "untold": untold,
    "boundless": boundless,
}
