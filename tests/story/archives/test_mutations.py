"""Archives that were damaged or forged are refused with a sentence, whole, and without a traceback."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.db import transaction
from django.urls import reverse

from campaigns.archives.box import BadArchive, Reader
from campaigns.models import Chronicle, User
from tests.story.archives.contents import brought_in, packed_again, taken_out
from tests.world import World

pytestmark = pytest.mark.django_db

DAMAGED = 10_000
FORGED = int(os.environ.get("VESPER_FORGED", "12"))
"""How many forged archives are tried: each is read, replayed and drawn."""


@pytest.fixture
def small(chronicle: Chronicle, tmp_path: Path) -> bytes:
    return taken_out(chronicle, tmp_path / "small.zip").read_bytes()


def _damaged(data: bytes, random: Random) -> bytes:
    """The bytes with one changed, some removed, some added, or some swapped."""
    place, length = random.randrange(len(data)), random.randrange(1, 40)
    match random.randrange(6):
        case 0:
            return data[:place]
        case 1:
            return data[:place] + data[place + length :]
        case 2:
            return data[:place] + random.randbytes(length) + data[place:]
        case 3:
            return data[:place] + data[place : place + length] * 2 + data[place + length :]
        case _:
            wrong = (data[place] + random.randrange(1, 256)) % 256
            return data[:place] + bytes([wrong]) + data[place + 1 :]


def test_ten_thousand_damaged_archives_are_refused(small: bytes, storyteller: User, tmp_path: Path) -> None:
    path, random, reasons = tmp_path / "damaged.zip", Random(2026), set()
    before = Chronicle.objects.count()
    for _each in range(DAMAGED):
        data = _damaged(small, random)
        if data == small:
            continue
        path.write_bytes(data)
        with pytest.raises(BadArchive) as caught:
            brought_in(path, storyteller)
        reasons.add(str(caught.value))
    assert Chronicle.objects.count() == before
    assert all(reason and "Traceback" not in reason and len(reason) < 400 for reason in reasons)


# ------------------------------------------------------------------ forged: the digests and seals fit


ODD: list[Any] = [
    *(None, True, -1, 0, 10**9, 10**40, 1.5, "", "x", "x" * 100_000, "\u202e", "[[x]]", "<script>", [], [[]], {}),
    *({"typed": "x"}, ["x"] * 2000, "bcdfghjkmn", "9999-12-31T23:59:59+00:00", "1-1-1", "everyone", "storyteller"),
]


def _places(value: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield way
    if isinstance(value, dict):
        for key, each in value.items():
            yield from _places(each, (*way, key))
    elif isinstance(value, list):
        for number, each in enumerate(value[:20]):
            yield from _places(each, (*way, number))


def _forged(value: Any, random: Random) -> Any:
    """A JSON value with one place changed, removed, repeated, or exchanged for another."""
    value = json.loads(json.dumps(value))
    ways = [way for way in _places(value) if way]
    *to, last = random.choice(ways)
    parent = value
    for step in to:
        parent = parent[step]
    match random.randrange(5):
        case 0:
            del parent[last]
        case 1 if isinstance(parent, list):
            parent.insert(random.randrange(len(parent) + 1), parent[last])
        case 2 if isinstance(parent, dict):
            parent[random.choice(["x", "id", "kind", *parent])] = parent[last]
        case 3:
            other = value
            for step in random.choice(ways):
                other = other[step]
            parent[last] = json.loads(json.dumps(other))
        case _:
            parent[last] = random.choice(ODD)
    return value


def _pages(chronicle: Chronicle) -> Iterator[str]:
    for name in ("campaigns:chronicle", "campaigns:pages", "characters:cast", "characters:ties", "story:timeline"):
        yield reverse(name, args=[chronicle.pk])
    for name in ("story:sessions", "story:statistics", "characters:gear", "characters:templates", "characters:ledgers"):
        yield reverse(name, args=[chronicle.pk])
    for character in chronicle.characters.all():
        for name in ("sheet", "edit", "history", "experience"):
            yield reverse(f"characters:{name}", args=[character.pk])
    for page in chronicle.pages.all():
        yield reverse("campaigns:page", args=[chronicle.pk, page.pk])
    for session in chronicle.sessions.all():
        yield reverse("story:session", args=[session.pk])
    for encounter in chronicle.encounters.fights():
        for name in ("encounter", "report"):
            yield reverse(f"combat:{name}", args=[encounter.pk])
    yield reverse("combat:rolls", args=[chronicle.pk])


def test_a_forged_archive_is_refused_or_all_its_pages_are_drawn(world: World, tmp_path: Path) -> None:
    """The manifest fits: only what is in the files is odd."""
    path, forged = taken_out(world.chronicle, tmp_path / "archive.zip"), tmp_path / "forged.zip"
    random, by, taken = Random(2027), world.people["storyteller"], 0
    client = world.client("storyteller")
    with Reader(path) as box:
        files = {name: box.read(name) for name in box.names() if name.endswith(".json")}
    for number in range(FORGED):
        name = random.choice(sorted(files))
        value = _forged(json.loads(files[name]), random)
        data = (json.dumps(value, ensure_ascii=False) + "\n").encode("utf-8", "surrogatepass")
        packed_again(path, {name: data}, forged)
        with transaction.atomic():
            with suppress(BadArchive):
                made = brought_in(forged, by)
                taken += 1
                for address in _pages(made):
                    answer = client.get(address)
                    assert answer.status_code == 200, (number, name, address)
            transaction.set_rollback(True)
    assert 0 < taken < FORGED
