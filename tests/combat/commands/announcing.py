"""An attack announced by a player, and how those involved read and answer it."""

from __future__ import annotations

from typing import Any

from django.urls import reverse

from rules.model.attack import Attack
from rules.topics.commands import ProposeAttack
from tests.combat.conftest import Table

HTMX = {"HTTP_HX_REQUEST": "true"}


def page(table: Table, name: str = "attack") -> str:
    return reverse(f"combat:{name}", args=[table.encounter_id])


def post(table: Table, client: Any, name: str, **said: Any) -> Any:
    url = reverse("combat:do", args=[table.encounter_id, name])
    return client.post(url, {"key": f"key {name} {len(repr(said))}"} | said, **HTMX)


def announced(table: Table, player: Any, *, at: str = "Marguerite", weapon: str = "Test sword", **more: Any) -> str:
    """The id of a player's attack that waits for the Storyteller."""
    weapons = {each.name: each.key for each in table.state.combatants[table["Ilya"]].sheet.weapons}
    reference = weapons.get(weapon) or weapon
    table.do(ProposeAttack("mine", Attack(table["Ilya"], (table[at],), reference, **more)), by=player)
    return "mine"


def sentences(table: Table, audience: Any) -> list[str]:
    entries = table.view(audience).log.entries
    return ["".join(span.text for span in line) for entry in entries for line in entry.lines]
