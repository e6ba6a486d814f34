"""Actors in the shapes that Foundry exports, and chronicles of the rulesets that take them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from campaigns.models import Chronicle, Membership
from characters.incoming.arrival import Arrival, Asking
from characters.incoming.readers import read

HERE = Path(__file__).parent
FILES = {"vampire": "masquerade", "werewolf": "apocalypse", "pc": "masquerade", "mta": "chronicles"}
"""The test files, invented from the keys in the systems' sources, and the ruleset that each suits."""


def content(name: str) -> bytes:
    return (HERE / f"{name}.json").read_bytes()


def actor(name: str) -> Any:
    return json.loads(content(name))


def packed(made: Any) -> bytes:
    return json.dumps(made).encode()


def playing(chronicle: Chronicle, ruleset: str, user: Any) -> Asking:
    """Somebody who asks in this chronicle, as it plays a ruleset."""
    Chronicle.objects.filter(pk=chronicle.pk).update(ruleset=ruleset)
    return Asking(Membership.objects.select_related("chronicle", "user").get(chronicle=chronicle, user=user))


@pytest.fixture
def bring(shipped: None, chronicle: Chronicle, storyteller: Any) -> Callable[..., Arrival]:
    """bring(actor or bytes, ruleset) -> what it brings, for a Storyteller unless somebody else is named."""

    def read_it(made: Any, ruleset: str = "masquerade", user: Any = None) -> Arrival:
        given = made if isinstance(made, bytes) else packed(made)
        return read(given, playing(chronicle, ruleset, user or storyteller))

    return read_it
