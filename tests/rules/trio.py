"""Three combatants who act one after another."""

from __future__ import annotations

from rules.model.state import Stage
from rules.topics.commands import Act, Declare
from tests.rules.table import KNIFE, Table, mortal


def trio(**first):
    """Ann acts first, then Bob, then Cy; initiative is rolled."""
    table = Table(
        ann=mortal(dexterity=3, brawl=3, dodge=2, melee=1, weapons=(KNIFE,), resources={"willpower": 3}, **first),
        bob=mortal(dexterity=2, brawl=2, dodge=2),
        cy=mortal(dexterity=2, brawl=2),
    )
    table.initiative(ann=10, bob=5, cy=1)
    return table


def declared(table, actions=(), **said):
    """Everybody declares, Ann with what is given."""
    table.does(Declare("cy"))
    table.does(Declare("bob"))
    return table.does(Declare("ann", actions=tuple(actions), **said))


def places(table):
    """The combatants visited until the turn's end, if all do nothing."""
    visited = []
    while table.state.stage is not Stage.RESOLUTION:
        table.does(Act())
        visited.append("".join(table.state.acting))
    return visited[:-1]
