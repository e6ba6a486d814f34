"""What browser tests play with: the demo's fight, its people and their screens, and common actions."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Locator, Page, expect

from combat.commands import perform

HIDDEN = "Thing in the rafters"
TRUE_NAME = "The Deacon"
MASK = "A tall man"
"""The Deacon's name for players."""
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
DESK = {"viewport": {"width": 1366, "height": 768}}


@dataclass
class Demo:
    """The demo's fight, with its people by name."""

    encounter_id: str
    people: dict[str, Any]
    hidden_id: str

    @property
    def path(self) -> str:
        return f"/encounters/{self.encounter_id}/"

    def do(self, command: Any, **more: Any) -> None:
        """Perform commands as the Storyteller without a notification: pages notice at their next heartbeat."""
        storyteller = self.people["storyteller"]
        perform.perform(encounter_id=self.encounter_id, actor=storyteller, command=command, **more)


@dataclass
class Heard:
    """Records every frame that a page's socket receives."""

    frames: list[str] = field(default_factory=list)

    def listen(self, page: Page) -> None:
        page.on("websocket", lambda socket: socket.on("framereceived", lambda text: self.frames.append(str(text))))

    def catch_up(self, page: Page) -> None:
        """Make the page send a heartbeat now, and wait until it is up to date."""
        before = len(self.frames)
        page.evaluate("window.dispatchEvent(new Event('online'))")
        for _tenth in range(300):
            if any(frame.startswith("{") for frame in self.frames[before:]):
                return
            page.wait_for_timeout(100)
        raise AssertionError(f"the heartbeat got no answer, only {self.frames[before:]}")


def live(page: Page) -> Page:
    expect(page.locator("#live")).to_have_attribute("data-state", "live")
    return page


def begin(desk: Page) -> None:
    desk.locator("button.next", has_text="Begin").click()
    expect(desk.locator("#attack-form")).to_be_visible()
    live(desk)


def expected_refusals(page: Page) -> None:
    """Missing dice are answered with 422, which the browser logs: ignore that."""
    page.problems[:] = [problem for problem in page.problems if "status of 422" not in problem]  # type: ignore[attr-defined]


def choose(page: Page, select: Locator, label: str) -> None:
    """Choose an option in the attack's form, and wait for the response."""
    if select.locator("option:checked").inner_text() != label:
        with page.expect_response(lambda answer: "/attack/" in answer.url):
            select.select_option(label=label)
        settled(page)


def settled(page: Page) -> None:
    """Wait until the response is on the page: a press before that would hit a button about to be replaced."""
    expect(page.locator(".htmx-request, .htmx-swapping, .htmx-settling, .htmx-added")).to_have_count(0)


@contextmanager
def holding(page: Page, address: str) -> Iterator[list[Any]]:
    """Intercepts this URL: its requests wait in the list until they are answered by hand."""
    held: list[Any] = []

    def keep(route: Any) -> None:
        if held:
            route.continue_()
        else:
            held.append(route)

    page.route(address, keep)
    yield held
    for _tenth in range(300):
        if held:
            return
        page.wait_for_timeout(100)
    raise AssertionError(f"nobody asked for {address}")


def pick(desk: Page, attacker: str, target: str, weapon: str, defence: str) -> None:
    """Fill in the attack's form, and wait for its plan."""
    for name, label in (("who", attacker), ("at", target), ("weapon", weapon)):
        choose(desk, desk.locator(f"#attack-form [name={name}]"), label)
        expect(desk.locator(f"#attack-form [name={name}] option:checked")).to_have_text(label)
    desk.locator("#attack-form [name=defence]").select_option(defence)
    expect(desk.locator("#plan .breakdown").first).to_be_visible()


def type_dice(desk: Page, faces: dict[str, str]) -> None:
    """Enter throws until no more are requested: `faces` by purpose, repeated to the throw's length."""
    drawer = desk.locator("#drawer")
    for _throws in range(4):
        asked = desk.locator(".throw.wanted")
        expect(asked.first).to_be_visible()
        for index in range(asked.count()):
            purpose = (asked.nth(index).locator("b").inner_text()).lower()
            fields = asked.nth(index).locator(".face")
            for die in range(fields.count()):
                fields.nth(die).fill(faces[purpose][die % len(faces[purpose])])
        with desk.expect_response(lambda answer: "/do/" in answer.url) as answer:
            desk.get_by_role("button", name="Use these dice").click()
        if answer.value.status == 200:
            expect(drawer).not_to_be_visible()
            return
    raise AssertionError("more dice were wanted than there are throws")


CONFLICT = 409

TO_READ = 650
"""Milliseconds after which “next” takes a second press for an answer."""


def go_on(desk: Page) -> None:
    """Press “next”, and again if it asks about those whom it would leave out."""
    button = desk.locator("#do-next")
    with desk.expect_response(lambda answer: "/do/" in answer.url):
        asks = button.get_attribute("data-asks")
        button.click()
        if asks:
            expect(button).to_have_attribute("data-asked", "")
            desk.wait_for_timeout(TO_READ)
            button.click()


def to_the_end_of_the_turn(desk: Page) -> None:
    """End the turn, even if some have yet to act."""
    desk.get_by_label("More about this fight").click()
    with desk.expect_response(lambda answer: "/do/end-turn" in answer.url):
        desk.get_by_role("button", name="End the turn now").click()


def marked(boxes: Locator) -> int:
    return boxes.locator(".box:is(.bashing, .lethal, .aggravated)").count()
