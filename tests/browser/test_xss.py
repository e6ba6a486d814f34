"""A table full of hostile texts in real browsers: none has any effect, on any page or by any frame."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.urls import reverse
from playwright.sync_api import Dialog, Page, expect

from rules.model.gear import Damage
from rules.model.roll import RollTraits
from rules.topics.commands import Harm
from tests.browser.table import DESK, PHONE, live
from tests.combat.conftest import FixedDice, draft, fight
from tests.test_xss import characters, hostile, mark, plain_characters, world
from tests.world import World

__all__ = ["characters", "draft", "fight", "plain_characters", "world"]  # fixtures


def watched(page: Page, deeds: list[str]) -> Page:
    """The page, and a list of every effect that a payload could have on it from now on."""

    def spoke(dialog: Dialog) -> None:
        deeds.append(dialog.message)
        dialog.dismiss()

    page.on("request", lambda asked: deeds.append(asked.url) if "pwned" in asked.url else None)
    page.on("dialog", spoke)
    page.on("popup", lambda other: deeds.append(other.url))
    return page


def ran(page: Page) -> bool:
    return bool(page.evaluate("'pwned' in window"))


def test_nothing_comes_to_life_in_a_browser(page_for: Callable[..., Any], transactional_db: None, world: World) -> None:
    deeds: list[str] = []
    fight, chronicle, ids = world.fight, world.chronicle.pk, world.ids
    encounter = (fight.encounter_id,)
    desk = watched(page_for(world.people["storyteller"], None, **DESK), deeds)
    seat = watched(page_for(world.people["player"], None, **PHONE), deeds)
    wall = watched(page_for(None, None, **DESK), deeds)
    office = watched(page_for(world.people["admin"], None, **DESK), deeds)
    for page, paths in (
        (
            desk,
            (
                *("/", "/account/", *(reverse(f"campaigns:{name}", args=[chronicle]) for name in OF_A_CHRONICLE)),
                reverse("campaigns:page", args=[chronicle, ids["open note"]]),
                *(reverse(f"characters:{name}", args=[ids["character"]]) for name in ("sheet", "edit", "delete")),
                *(reverse("characters:sheet", args=[ids[f"sheet {name}"]]) for name in OTHER_RULESETS),
                reverse("characters:gear", args=[chronicle]),
                *(reverse(f"combat:{name}", args=[chronicle]) for name in ("rolls", "dice", "wall-link")),
                *(reverse(f"combat:{name}", args=encounter) for name in ("report", "cast", "notes", "encounter")),
            ),
        ),
        (seat, (reverse("characters:sheet", args=[ids["character"]]), reverse("combat:encounter", args=encounter))),
        (wall, (reverse("campaigns:join", args=[ids["token"]]), reverse("combat:wall", args=[ids["wall"]]))),
        (office, ("/admin/", "/admin/campaigns/user/", "/admin/characters/weapon/", "/admin/characters/armor/")),
    ):
        for path in paths:
            page.goto(path)
            assert not ran(page), path
    for page in (desk, seat, wall):
        live(page)
    # Now by socket, which swaps panes into open pages.
    fight.do(RollTraits(fight["Ilya"], ("wits",), label=hostile("by-socket")), dice=FixedDice(8))
    fight.do(Harm(fight["Ilya"], 1, Damage.BASHING))
    for page in (desk, seat, wall):
        expect(page.locator("#pane-log, #pane-rolls").filter(has_text=mark("by-socket")).first).to_be_attached()
        assert not ran(page)
    desk.locator("#order-rows a.name").first.click()
    expect(desk.locator("#drawer")).to_contain_text(mark("Character.name"))
    assert not ran(desk)
    assert deeds == []
    # And would the test have noticed?
    with desk.expect_request("**/pwned"):
        desk.evaluate("() => { window.pwned = 1; void fetch('/pwned') }")
    assert ran(desk)
    assert len(deeds) == 1
    desk.problems[:] = [each for each in desk.problems if "status of 404" not in each]  # type: ignore[attr-defined]


OF_A_CHRONICLE = ("chronicle", "edit", "kinds", "delete", "invite", "leave")
OTHER_RULESETS = ("apocalypse", "darkness", "chronicles", "wounds")
