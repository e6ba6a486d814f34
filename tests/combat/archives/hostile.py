"""Archives that somebody made by hand: every seal and digest is right, and anything else may be wrong."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from random import Random
from typing import Any

from tests.combat.archives.moving import Files, sealed

PARTS = ("command", "events", "cast")
PLAIN = ("token", "kind", "target", "actor_name", "created")


def _deep(levels: int) -> Any:
    """A phrase in a phrase in a phrase, each twice as long as the one in it."""
    value: Any = "x"
    for _level in range(levels):
        value = {"text": "enter-numbers-from-1-to-write-10", "with": {"sides": value}}
    return value


def values(random: Random, ids: list[str]) -> Iterator[Any]:
    """Values that don't belong where they are put."""
    yield from (None, True, False, -1, 0, 1, 7, 11, 99, 101, 10**6, 10**9, 10**30, 1.5, -0.0)
    yield from ("", "x", "1", "-3", "nan", "ä" * 50, "x" * 30_000, "{x}", "<b>", "\u202e", "draft", "brawl", "dead")
    yield from ([], {}, [[]], [{}], [1, 2], ["x"] * 3000, {"x": "y"}, {"is": "Begin"}, {"is": "Nothing"})
    yield {"typed": random.choice(ids)}
    yield {"typed": ["x"]}
    yield {"typed": "Somebody", "of": [1]}
    yield {"typed": "Somebody", "of": random.choice(ids)}
    yield {"text": "nothing-known", "with": {}}
    yield {"text": "{x:>999999999}", "with": {"x": 1}}
    yield {"text": "{x.__class__}", "with": {"x": 1}}
    yield {"text": "and", "with": {"first": "a"}}
    yield {"text": "and", "with": {"first": 1, "last": "b"}, "number": 10**12}
    yield {"says": 5, "with": []}
    yield _deep(18)
    yield _deep(300)
    yield random.choice(ids)


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every place in a JSON value: what holds it, and its key."""
    if isinstance(value, dict | list):
        for key, each in value.items() if isinstance(value, dict) else enumerate(value):
            yield value, key
            yield from places(each)


def changed(files: Files, random: Random, ids: list[str]) -> tuple[Files, str]:
    """The files with one or two changes somewhere, sealed again; and what was changed, in words."""
    files = deepcopy(files)
    logs = [name for name, content in files.items() if name.endswith(".jsonl") and len(content) > 1]
    told = []
    for _change in range(random.choice((1, 1, 2))):
        name = random.choice(logs)
        told.append(f"{name}: {_change_log(files[name], random, ids)}")
        sealed(files[name])
    if random.random() < 0.2:
        name = random.choice([name for name in files if name.endswith("encounter.json")])
        told.append(f"{name}: {_change_in(files[name], random, ids)}")
    return files, "; ".join(told)


def _change_log(log: list[Any], random: Random, ids: list[str]) -> str:
    place = random.randrange(1, len(log))
    what = random.random()
    if what < 0.05:
        del log[place]
        return f"without row {place}"
    if what < 0.1:
        log.insert(random.randrange(1, len(log)), deepcopy(log[place]) | {"token": "bcdfghjkmn"})
        return f"row {place} twice"
    if what < 0.15:
        other = random.randrange(1, len(log))
        log[place], log[other] = log[other], log[place]
        return f"rows {place} and {other} swapped"
    if what < 0.25:
        key = random.choice(PLAIN)
        log[place][key] = random.choice(list(values(random, ids)))
        return f"row {place}: {key} = {str(log[place][key])[:60]}"
    return f"row {place}: {_change_in(log[place][random.choice(PARTS)], random, ids)}"


def _change_in(value: Any, random: Random, ids: list[str]) -> str:
    found = list(places(value))
    if not found:
        return "nothing"
    holder, key = random.choice(found)
    what = random.random()
    if what < 0.1:
        gone = holder.pop(key)
        return f"without {key} ({str(gone)[:60]})"
    if what < 0.3:
        other, there = random.choice(found)
        holder[key] = deepcopy(other[there])
    elif what < 0.4 and isinstance(holder[key], list):
        holder[key] = holder[key] * random.choice((2, 50))
    elif what < 0.5 and type(holder[key]) is int:
        holder[key] += random.choice((-20, -3, -1, 1, 3, 60, 900))
    else:
        holder[key] = random.choice(list(values(random, ids)))
    return f"{key} = {str(holder[key])[:60]}"
