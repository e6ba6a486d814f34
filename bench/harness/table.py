"""A table with people at it, made in a server's database."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from bench.harness.server import Vesper


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody with an account, signed in: the `session` is the cookie's value, `audience` whose view they get."""

    name: str
    user: int
    audience: str
    session: str


@dataclass(frozen=True, slots=True)
class Table:
    """A chronicle with a running fight, whose log has so many `rows`.

    `people` by name: "storyteller 1", "player 1", "observer 1" and so on. `combatants` are ids by name: "Player 1",
    whom that player plays, and "Thug 1" and so on; `characters` are ids of sheets by name. `wall` is the token of the
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
        """The people of a role ("storyteller", "player", "observer"), in order."""
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
    """Make one in the server's database, straight by the ORM in a process of its own. The server may be down."""
    wanted = {"players": players, "observers": observers, "storytellers": storytellers, "thugs": thugs}
    wanted["bystanders"] = bystanders
    made = json.loads(server.manage("bench/set_table.py", json.dumps(wanted)).splitlines()[-1])
    people = {name: Person(**told) for name, told in made.pop("people").items()}
    return Table(**made, people=people)
