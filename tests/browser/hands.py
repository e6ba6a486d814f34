"""Two ways to operate a page: by mouse or touch, and by keyboard alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from playwright.sync_api import Locator, Page, expect

from combat.desk.keys import ACTIONS

KEYS = {action.name: action.key for action in ACTIONS}
MOST_TABS = 300

WHERE = """(wanted) => {
    const now = document.activeElement;
    if (now === wanted) return "here";
    return wanted.compareDocumentPosition(now) & Node.DOCUMENT_POSITION_FOLLOWING ? "after" : "before";
}"""

UNSEEN = """() => {
    const now = document.activeElement, box = now.getBoundingClientRect();
    const ring = (each) => {
        const style = getComputedStyle(each);
        return style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 1;
    };
    if (now === document.body) return "nothing has the focus";
    if (!box.width || box.bottom <= 0 || box.top >= innerHeight) return `off the screen: ${now.outerHTML}`;
    return [now, ...(now.labels || [])].some(ring) ? "" : `no ring: ${now.outerHTML}`;
}"""
"""Why the focus is not visible; empty if it is."""


class Hand(Protocol):
    """A way to operate a page."""

    page: Page

    def press(self, wanted: Locator) -> None:
        """Press a link or a button."""

    def write(self, field: Locator, text: str) -> None:
        """Replace a field's content."""

    def tick(self, box: Locator) -> None:
        """Tick an unticked checkbox."""

    def choose(self, select: Locator, label: str) -> None:
        """Choose an option in the attack's form, and wait for the server's response."""

    def dice(self, faces: Sequence[Locator], fallen: str) -> None:
        """Enter a throw's faces, one digit per die."""

    def act(self, name: str) -> None:
        """Do something that the desk has a key for (`combat.desk.keys`)."""

    def act_on(self, who: str, name: str) -> None:
        """Do such a thing to somebody in the turn order."""


def row_of(page: Page, who: str) -> Locator:
    return page.locator("#pane-order .order-row", has=page.locator(".name", has_text=who))


def is_chosen(select: Locator, label: str) -> bool:
    return select.locator("option:checked").inner_text().strip() == label


class Pointer:
    """A mouse, or a finger on a phone's page."""

    def __init__(self, page: Page, *, touch: bool = False) -> None:
        self.page, self.touch = page, touch

    def press(self, wanted: Locator) -> None:
        if self.touch:
            wanted.tap()
        else:
            wanted.click()

    def write(self, field: Locator, text: str) -> None:
        self.press(field)
        field.fill(text)

    def tick(self, box: Locator) -> None:
        self.press(box.locator("xpath=ancestor::label"))
        expect(box).to_be_checked()

    def choose(self, select: Locator, label: str) -> None:
        if not is_chosen(select, label):
            with self.page.expect_response(lambda answer: "/attack/" in answer.url):
                select.select_option(label=label)
        expect(select.locator("option:checked")).to_have_text(label)

    def dice(self, faces: Sequence[Locator], fallen: str) -> None:
        for face, digit in zip(faces, fallen, strict=True):
            face.fill(digit)

    def act(self, name: str) -> None:
        self.press(self.page.locator(f"[data-do={name}]:visible").first)

    def act_on(self, who: str, name: str) -> None:
        row = row_of(self.page, who)
        if row.locator(f".quick [data-do={name}]").count():
            self.press(row.locator(".quick-open"))
        self.press(row.locator(f"[data-do={name}]"))


class Keyboard:
    """Keyboard only: Tab, arrows, Enter, Space and the desk's keys. Every element reached must show its focus."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def reach(self, wanted: Locator) -> None:
        """Tab forwards or backwards until the element has the focus. Fails if the focus is not visible."""
        expect(wanted).to_be_visible()
        for _tab in range(MOST_TABS):
            where = wanted.evaluate(WHERE)
            if where == "here":
                break
            self.page.keyboard.press("Shift+Tab" if where == "after" else "Tab")
        expect(wanted).to_be_focused()
        assert self.page.evaluate(UNSEEN) == ""

    def press(self, wanted: Locator) -> None:
        self.reach(wanted)
        self.page.keyboard.press("Enter")

    def write(self, field: Locator, text: str) -> None:
        self.reach(field)
        self.page.keyboard.press("ControlOrMeta+a")
        self.page.keyboard.type(text)

    def tick(self, box: Locator) -> None:
        self.reach(box)
        self.page.keyboard.press("Space")
        expect(box).to_be_checked()

    def choose(self, select: Locator, label: str) -> None:
        self.reach(select)
        labels = [each.strip() for each in select.locator("option").all_inner_texts()]
        while not is_chosen(select, label):
            now = labels.index(select.locator("option:checked").inner_text().strip())
            down = labels.index(label) > now
            select.evaluate("select => select.setAttribute('data-before', '')")
            with self.page.expect_response(lambda answer: "/attack/" in answer.url):
                self.page.keyboard.press("ArrowDown" if down else "ArrowUp")
            if select.locator("xpath=ancestor::*[contains(@class, 'attack-line')]").count():
                expect(select).not_to_have_attribute("data-before", "")  # the form after that choice
            expect(select.locator("option:checked")).to_have_text(labels[now + (1 if down else -1)])
            expect(select).to_be_focused()

    def dice(self, faces: Sequence[Locator], fallen: str) -> None:
        self.reach(faces[0])
        self.page.keyboard.type(fallen)

    def act(self, name: str) -> None:
        if self.page.evaluate("document.activeElement.matches('input, textarea, select')"):
            self.page.keyboard.press("Escape")
        self.page.keyboard.press(KEYS[name])

    def act_on(self, who: str, name: str) -> None:
        rows = self.page.locator("#pane-order .order-row")
        while self.page.locator(".order-row.picked").count():
            self.page.keyboard.press("Escape")  # leave the focused field first, if any
        self.act("down")  # selects who is acting: from here on a row has the focus
        expect(self.page.locator(".order-row.picked .order-who .name:focus")).to_have_count(1)
        ids = rows.evaluate_all("rows => rows.map((row) => row.dataset.who)")
        now = ids.index(self.page.locator(".order-row.picked").get_attribute("data-who"))
        wanted = ids.index(row_of(self.page, who).get_attribute("data-who"))
        while now != wanted:
            self.act("down" if now < wanted else "up")
            now += 1 if now < wanted else -1
            expect(rows.nth(now).locator(".order-who .name")).to_be_focused()
        assert self.page.evaluate(UNSEEN) == ""
        self.act(name)
