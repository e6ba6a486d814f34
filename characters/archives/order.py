"""The characters that an archive holds, in an order that doesn't depend on their ids."""

from __future__ import annotations

import json
from typing import Any

from campaigns.archives.moving import Going
from characters import sheets
from characters.models import Character


def cast_of(going: Going) -> list[Character]:
    """The characters that go, in an order that doesn't depend on their ids."""
    there = sheets.with_gear(Character.objects.filter(chronicle=going.chronicle))
    if going.only:
        there = there.filter(pk__in=going.only)
    return sorted(there, key=_place)


def _place(one: Character) -> tuple[Any, ...]:
    return (one.name, one.kind, one.concept, json.dumps([one.traits, one.details]), one.notes, one.version)
