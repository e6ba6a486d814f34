"""A table with people at it, created in a server's database."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bench.harness.server import ROOT, Vesper


@dataclass(frozen=True, slots=True)
class Person:
    """A signed-in user: `session` is their session cookie, `audience` the view they get."""

    name: str
    user: int
    audience: str
    session: str


@dataclass(frozen=True, slots=True)
class Table:
    """A chronicle with a running fight, with `rows` in its log.

    `people` by name: "storyteller 1", "player 1", "observer 1" and so on. `combatants` are ids by name: "Player 1" is
    played by player 1, then "Thug 1" and so on; `characters` are sheet ids by name. `wall` is the token of the
    chronicle's wall screen.
    """

    chronicle: str
    encounter: str
    rows: int
    wall: str
    combatants: Mapping[str, str]
    characters: Mapping[str, str]
    people: Mapping[str, Person]

    def named(self, role: str) -> list[Person]:
        """The people with a role ("storyteller", "player", "observer"), in order."""
        return [person for name, person in self.people.items() if name.startswith(role)]


def set_table(
    server: Vesper,
    *,
    players: int = 8,
    observers: int = 1,
    storytellers: int = 2,
    thugs: int = 4,
    bystanders: int = 0,
) -> Table:
    """Create a table in the server's database, by the ORM in a separate process. The server may be down."""
    wanted = {"players": players, "observers": observers, "storytellers": storytellers, "thugs": thugs}
    return _made(server, 1, {**wanted, "bystanders": bystanders})[0]


def set_tables(server: Vesper, count: int, *, players: int, observers: int, thugs: int) -> list[Table]:
    """Create so many tables, each with one Storyteller, as :func:`set_table` does."""
    wanted = {"players": players, "observers": observers, "storytellers": 1, "thugs": thugs, "bystanders": 0}
    return _made(server, count, wanted)


def _made(server: Vesper, count: int, wanted: Mapping[str, int]) -> list[Table]:
    # By path: the server may run another checkout, and then the code that is imported is that one's.
    lines = server.manage(str(ROOT / "bench" / "set_table.py"), json.dumps(wanted), str(count)).splitlines()
    return [_told(json.loads(line)) for line in lines[-count:]]


def _told(made: dict[str, Any]) -> Table:
    people = {name: Person(**person) for name, person in made.pop("people").items()}
    return Table(**made, people=people)
