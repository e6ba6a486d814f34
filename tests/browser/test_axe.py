"""axe finds nothing on any page, in both themes, on a laptop and on a phone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from rules.model.attack import Attack
from rules.model.gear import Damage
from rules.topics import commands
from rules.topics.commands import ProposeAttack
from tests.combat.conftest import Table, characters, draft, fight
from tests.world import World, addresses, build

__all__ = ["characters", "draft", "fight"]  # fixtures

pytestmark = pytest.mark.django_db(transaction=True)

DESK = {"viewport": {"width": 1366, "height": 768}}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}

# Endpoints for scripts, files and redirects. The plan is part of the attack’s page. Scripts don't run in a picture’s
# sandbox, so axe would never finish there.
NO_PAGES = (
    "combat:since",
    "combat:wall-since",
    "combat:wall-shown",
    "combat:wall-picture",
    "combat:shown",
    "combat:wall-clear",
    "combat:attack-plan",
    "combat:report-markdown",
    "campaigns:export-powers",
    "story:transfer-file",
    "campaigns:picture",
    "campaigns:manifest",
    "campaigns:feed",
    "campaigns:session-calendar",
    "characters:gear-export",
    "characters:take-out-file",
    "characters:take-out-own",
    "characters:ledgers-export",
    "characters:withdraw",
    "characters:answer",
    "characters:proposals",
    "combat:log",
    "combat:do",
    "combat:move",
    "combat:form",
    "characters:picture",
    "combat:portrait",
    "combat:wall-portrait",
    "campaigns:sign-out",
    "campaigns:end-sign-in",
)


@pytest.fixture
def world(request: Any, transactional_db: None, fight: Table, characters: dict[str, Any], person: Any) -> World:
    """A fight in progress: somebody hurt, a question open, a roll in the log."""
    names = ("storyteller", "player", "other_player", "observer", "stranger", "admin")
    people = {name: request.getfixturevalue(name) for name in names}
    built = build(
        fight, characters, people | {"removed": person("removed"), "elsewhere": person("elsewhere"), "guest": None}
    )
    fight.turn()
    fight.do(commands.Harm(fight["Ilya"], 2, Damage.LETHAL))
    waive = ["MQ-MULTI-1", "MQ-ORDER-1", "MQ-DECL-1"]
    fight.do(Attack(fight["Marguerite"], (fight["Thug 1"],)), waive=waive)
    fight.do(ProposeAttack("ask", Attack(fight["Thug 2"], (fight["Ilya"],))), waive=waive)
    return built


def pages(world: World, who: str) -> Iterator[str]:
    """A URL for each route that shows this reader a page; for fights, the draft's too."""
    client, seen = world.client(who), Counter[str]()
    for route, address in addresses(world):
        wanted = 2 if route == "combat:encounter" else 1
        if route not in NO_PAGES and seen[route] < wanted and client.get(address).status_code == 200:
            seen[route] += 1
            yield address


def findings(page: Page, address: str) -> list[str]:
    """axe's findings on the current page, one per line; in the other theme only about colours, which differ."""
    page.goto(address)
    violations = Axe().run(page).response["violations"]
    page.evaluate("document.documentElement.dataset.theme = 'light'")
    violations += Axe().run(page, options={"runOnly": ["color-contrast"]}).response["violations"]
    return [
        f"{address}: {each['id']}: {node['target']} {node['html'][:160]}"
        for each in violations
        for node in each["nodes"]
    ]


@pytest.mark.parametrize(("who", "size"), [("storyteller", DESK), ("player", PHONE), ("guest", PHONE)])
def test_axe_finds_nothing(world: World, page_for: Callable[..., Any], who: str, size: dict[str, Any]) -> None:
    page = page_for(world.people[who], path=None, color_scheme="dark", reduced_motion="reduce", **size)
    found = [line for address in pages(world, who) for line in findings(page, address)]
    page.problems.clear()
    assert not found, "\n".join(found)


def test_axe_finds_nothing_in_the_drawers(world: World, page_for: Callable[..., Any]) -> None:
    """The Storyteller's forms that open beside a fight."""
    page = page_for(world.people["storyteller"], path=None, color_scheme="dark", reduced_motion="reduce", **DESK)
    client, found = world.client("storyteller"), []
    for route, address in addresses(world):
        if route == "combat:form" and client.get(address).status_code == 200:
            found += findings(page, f"{address}?who={world.fight['Ilya']}")
    assert not found, "\n".join(found)
