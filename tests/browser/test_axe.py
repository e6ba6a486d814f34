"""axe finds nothing on any page, in both themes, on a laptop and on a phone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT
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
    "combat:suggestions",
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


def pages(world: World, who: str, part: int, parts: int) -> Iterator[str]:
    """A URL for each route that shows this reader a page, of every so many routes; for fights, the draft's too."""
    client, seen = world.client(who), Counter[str]()
    routes = [route for route in dict.fromkeys(route for route, _address in addresses(world)) if route not in NO_PAGES]
    for route, address in addresses(world):
        wanted = 2 if route == "combat:encounter" else 1
        mine = route in routes[part::parts]
        if mine and seen[route] < wanted and client.get(address).status_code == 200:
            seen[route] += 1
            yield address


def findings(page: Page, address: str) -> list[str]:
    """axe's findings on the current page, one per line; in the other theme only about colours, which differ."""
    page.goto(address)
    page.evaluate(AXE_SCRIPT)
    violations = _violations(page)
    page.evaluate("document.documentElement.dataset.theme = 'light'")
    violations += _violations(page, runOnly=["color-contrast"])
    return [
        f"{address}: {each['id']}: {node['target']} {node['html'][:160]}"
        for each in violations
        for node in each["nodes"]
    ]


def _violations(page: Page, **options: Any) -> list[Any]:
    """Without what passed: to send that here takes longer than to find it."""
    options |= {"resultTypes": ["violations"]}
    found: list[Any] = page.evaluate("options => axe.run(options).then(found => found.violations)", options)
    return found


@pytest.mark.parametrize(
    ("who", "size", "part", "parts"),
    [
        *(("storyteller", DESK, part, 3) for part in range(3)),
        *(("player", PHONE, part, 2) for part in range(2)),
        ("guest", PHONE, 0, 1),
    ],
)
def test_axe_finds_nothing(
    world: World, page_for: Callable[..., Any], who: str, size: dict[str, Any], part: int, parts: int
) -> None:
    page = page_for(world.people[who], path=None, color_scheme="dark", reduced_motion="reduce", **size)
    found = [line for address in pages(world, who, part, parts) for line in findings(page, address)]
    page.problems.clear()
    assert not found, "\n".join(found)


@pytest.mark.parametrize("part", range(2))
def test_axe_finds_nothing_in_the_drawers(world: World, page_for: Callable[..., Any], part: int) -> None:
    """The Storyteller's forms that open beside a fight."""
    page = page_for(world.people["storyteller"], path=None, color_scheme="dark", reduced_motion="reduce", **DESK)
    client, found = world.client("storyteller"), []
    for number, (route, address) in enumerate(addresses(world)):
        if route == "combat:form" and number % 2 == part and client.get(address).status_code == 200:
            found += findings(page, f"{address}?who={world.fight['Ilya']}")
    assert not found, "\n".join(found)
