"""No page has an id twice, even with any form open in its drawer: labels and errors would lead to the wrong field."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import pytest

from rules.model.attack import Attack
from rules.topics.commands import ProposeAttack
from tests.combat.conftest import Table, characters, draft, fight
from tests.kept import kept
from tests.world import HTMX, World, addresses, build

__all__ = ["characters", "draft", "fight"]  # fixtures

pytestmark = pytest.mark.django_db

OPENED = (
    "combat:form",
    "combat:attack",
    "combat:cast",
    "combat:somebody",
    "combat:notes",
    "combat:keys",
    "combat:edit",
)
"""Routes that open over a fight's page."""
ON_THE_DESK = ("/form/add/",)
"""Forms that are part of the desk, and only a page of their own without scripts."""


@pytest.fixture
@kept
def world(request: Any, fight: Table, characters: dict[str, Any], person: Any) -> World:
    names = ("storyteller", "player", "other_player", "observer", "stranger", "admin")
    people = {name: request.getfixturevalue(name) for name in names}
    people |= {"removed": person("removed"), "elsewhere": person("elsewhere"), "guest": None}
    built = build(fight, characters, people)
    fight.turn()
    waive = ["MQ-MULTI-1", "MQ-ORDER-1", "MQ-DECL-1"]
    for exchange, approval in (("ask", False), ("mine", True)):
        attack = Attack(fight["Ilya" if approval else "Thug 2"], (fight["Thug 1" if approval else "Ilya"],))
        fight.do(ProposeAttack(exchange, attack, approval=approval), waive=waive)
    return built


def ids(page: bytes) -> Counter[str]:
    """The ids in this HTML, each with its number."""
    return Counter(re.findall(r'<[^>]*?\sid="([^"]+)"', page.decode()))


def is_page(answer: Any) -> bool:
    return answer.status_code == 200 and answer.get("Content-Type", "").startswith("text/html")


@pytest.mark.parametrize("who", ["storyteller", "player", "guest"])
def test_no_page_has_an_id_twice(world: World, who: str) -> None:
    client, twice, pages = world.client(who), {}, 0
    for _route, address in addresses(world):
        answer = client.get(address)
        if not is_page(answer):
            continue
        pages += 1
        if found := [name for name, times in ids(answer.content).items() if times > 1]:
            twice[address] = found
    assert pages > 3
    assert not twice


@pytest.mark.parametrize("who", ["storyteller", "player"])
def test_nothing_that_opens_over_a_fight_has_an_id_of_its_page(world: World, who: str) -> None:
    client = world.client(who)
    here_already = (*ON_THE_DESK, "/attack/") if who == "storyteller" else ()
    page, twice, opened = ids(client.get(f"/encounters/{world.fight.encounter_id}/").content), {}, 0
    for route, address in addresses(world):
        if route not in OPENED or any(address.endswith(end) for end in here_already):
            continue
        for query in ("", f"?who={world.fight['Ilya']}"):
            answer = client.get(address + query, headers=HTMX)
            if not is_page(answer):
                continue
            opened += 1
            here = ids(answer.content)
            if found := [name for name, times in here.items() if times > 1 or name in page]:
                twice[address + query] = found
    assert opened > 5
    assert not twice
