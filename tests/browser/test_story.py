"""A whole fight at one table: the Storyteller's desk, three phones and the wall screen, all at once.

It is played twice: by mouse and touch, and by keyboard alone. Every frame and response that anybody receives is
recorded, and searched for what players must not learn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Locator, Page, Route, expect

from combat.commands import drafts, revising
from tests.browser.hands import Hand, Keyboard, Pointer, row_of
from tests.browser.table import DESK, HIDDEN, PHONE, TO_READ, TRUE_NAME, Demo, expected_refusals, live

pytestmark = pytest.mark.django_db(transaction=True)

SLOWEST, FASTER, FASTEST = "Old Bertrand", "Marguerite", "Ilya Voss"
ORDER = {TRUE_NAME: 1, HIDDEN: 2, "Tam": 3, "Thug 1": 3, "Thug 2": 3, "Thug 3": 3, FASTEST: 4, FASTER: 5, SLOWEST: 6}
NOTE = "CANARY: the tall man flees at Wounded."
SECRET_ROLL = "CANARY listens for a heartbeat"
NEVER = {
    "a name behind a mask": TRUE_NAME,
    "the hidden one's notes": "Falls on whoever bleeds first.",
    "the hidden one's concept": "CANARY drowned verger",
    "the hidden one's weapon": "CANARY hook",
    "a Storyteller's note on the desk": NOTE,
    "a Storyteller's note in the chronicle": "It used to be two vergers.",
    "what a secret roll was for": SECRET_ROLL,
}
"""What no player may receive, from the first page to the report; plus the hidden combatant's name and id."""


@dataclass
class Heard:
    """Records everything a browser receives: socket frames, and responses with headers, except for static files."""

    texts: list[str] = field(default_factory=list)

    def listen(self, page: Page) -> None:
        page.on("websocket", lambda socket: socket.on("framereceived", lambda text: self.texts.append(str(text))))
        page.context.grant_permissions(
            ["local-network-access"]
        )  # otherwise the response's connection may already be gone
        page.context.route(lambda address: "/static/" not in address, self._pass_on)

    def _pass_on(self, route: Route) -> None:
        answer = route.fetch(max_redirects=0)
        self.texts.append(f"{answer.headers_array}\n{answer.text()}")
        route.fulfill(response=answer)

    def found(self, secrets: dict[str, str], since: int = 0) -> dict[str, str]:
        """Which of these secrets were received, each with where."""
        everything = "\n".join(self.texts[since:])
        places = {name: everything.find(secret) for name, secret in secrets.items()}
        return {name: everything[max(0, at - 200) : at + 80] for name, at in places.items() if at >= 0}


@dataclass
class Seats:
    """Everybody at the table: who uses which page, and what each received."""

    desk: Hand
    ilya: Hand
    marguerite: Hand
    observer: Page
    wall: Page
    heard: dict[str, Heard]

    @property
    def others(self) -> tuple[Page, ...]:
        """The screens of everybody but the Storyteller."""
        return self.ilya.page, self.marguerite.page, self.observer, self.wall

    def players_heard(self, secrets: dict[str, str]) -> dict[str, dict[str, str]]:
        heard = {name: each.found(secrets) for name, each in self.heard.items() if name != "desk"}
        return {name: found for name, found in heard.items() if found}


@pytest.fixture
def planted(demo: Demo) -> Demo:
    """The demo with more secrets, and a second character for one of the players."""
    from characters.models import CarriedWeapon, Character, Weapon
    from combat.models import Encounter

    encounter = Encounter.objects.get(pk=demo.encounter_id)
    thing = Character.objects.get(name=HIDDEN)
    thing.concept = NEVER["the hidden one's concept"]
    thing.save()
    hook = Weapon.objects.create(
        ruleset="masquerade", chronicle=encounter.chronicle, name=NEVER["the hidden one's weapon"], mode="melee"
    )
    CarriedWeapon.objects.create(character=thing, weapon=hook)
    revising.revise_sheets(encounter_id=demo.encounter_id, characters=[thing.pk])
    common = {"encounter_id": demo.encounter_id, "actor": demo.people["storyteller"]}
    valet = Character.objects.create(
        chronicle=encounter.chronicle, name=SLOWEST, owner=demo.people["ilya"], kind="mortal", traits={"wits": 2}
    )
    drafts.add_character(**common, character=valet)
    return demo


@pytest.fixture(params=[pytest.param("pointer", marks=pytest.mark.servers), "keyboard"])
def seats(request: pytest.FixtureRequest, planted: Demo, page_for: Callable[..., Any]) -> Iterator[Seats]:
    """Everybody on their page, and the wall screen by the link from the Storyteller's page."""
    from characters.models import Character

    by_keyboard = request.param == "keyboard"
    phone: dict[str, Any] = {"viewport": PHONE["viewport"]} if by_keyboard else PHONE
    heard: dict[str, Heard] = {}

    def seat(name: str, path: str | None, **options: Any) -> Any:
        page = page_for(planted.people.get(name), None, **options)
        heard[name] = Heard()
        heard[name].listen(page)
        page.goto(path)
        return page

    def hand(page: Page, *, touch: bool = False) -> Hand:
        return Keyboard(page) if by_keyboard else Pointer(page, touch=touch)

    desk = hand(seat("storyteller", planted.path, **DESK))
    chronicle = desk.page.locator("a.bar-place").get_attribute("href")
    desk.page.goto(f"{chronicle}wall/")
    desk.press(desk.page.get_by_role("button", name="Create a link"))
    link = desk.page.get_by_role("link", name="Open here").get_attribute("href")
    desk.page.goto(reverse("characters:sheet", args=[Character.objects.get(name=HIDDEN).pk]))
    desk.page.goto(planted.path)
    desk.act("next")
    expect(desk.page.locator("#attack-form")).to_be_visible()
    heard["desk"] = heard.pop("storyteller")
    phones = [hand(seat(name, planted.path, **phone), touch=True) for name in ("ilya", "marguerite")]
    observer = seat("observer", planted.path, **phone)
    yield Seats(desk, *phones, observer, seat("wall", link, **DESK), heard)
    for page in (desk.page, *(each.page for each in phones), observer):
        page.context.unroute_all(behavior="ignoreErrors")


# ------------------------------------------------------------------ what is done


def type_dice(hand: Hand, fallen: dict[str, str]) -> None:
    """Enter throws until no more are requested: `fallen` by purpose, repeated to the throw's length."""
    desk = hand.page
    for _throws in range(4):
        expect(desk.locator(".throw.wanted").first).to_be_visible()
        for throw in desk.locator(".throw.wanted").all():
            faces = throw.locator(".face").all()
            digits = fallen[throw.locator("b").inner_text().lower()]
            hand.dice(faces, "".join(digits[die % len(digits)] for die in range(len(faces))))
        with desk.expect_response(lambda answer: "/do/" in answer.url) as answer:
            hand.press(desk.get_by_role("button", name="Use these dice"))
        if answer.value.status == 200:
            expect(desk.locator("#drawer")).not_to_be_visible()
            expected_refusals(desk)
            return
    raise AssertionError("more dice were wanted than there are throws")


def declare(hand: Hand, who: str, words: str) -> None:
    phone = hand.page
    mine = phone.locator(".mine", has=phone.get_by_role("heading", name=who))
    hand.press(mine.get_by_role("link", name="Declare"))
    hand.write(phone.locator("#drawer").get_by_label("In your own words"), words)
    hand.press(phone.locator("#drawer").get_by_role("button", name="Declare"))
    expect(phone.locator("#drawer")).not_to_be_visible()
    expect(mine).to_contain_text(words)


def announce(hand: Hand, who: str, weapon: str, at: str) -> None:
    """Announce an attack from the phone, with real dice."""
    phone = hand.page
    hand.press(phone.locator(".mine", has_text=who).locator(".me-do").get_by_role("link", name=weapon))
    form = phone.locator("#drawer .attack-form")
    hand.choose(form.locator("[name=at]"), at)
    hand.tick(form.get_by_label("I’ll roll my own dice"))
    hand.press(phone.locator("#drawer .attack-foot .primary"))
    expect(phone.locator("#drawer")).not_to_be_visible()
    expect(phone.locator("#pane-asks")).to_contain_text("Waiting for the Storyteller’s approval.")


def go_on_from(desk: Hand, acting: str) -> None:
    """Press "next" and, if it asks, again, until others act. It asks again whenever the screen changes."""
    bar = desk.page.locator("#pane-bar")
    for _press in range(4):
        desk.act("next")
        desk.page.wait_for_timeout(TO_READ)
        if bar.get_attribute("data-acting") != acting:
            return
    raise AssertionError(f"“next” stays with {acting}")


def until(desk: Hand, who: str) -> None:
    """Press "next" until it is somebody's turn, again where it asks before it leaves somebody out."""
    for _turn in range(12):
        acting = desk.page.locator("#pane-bar").get_attribute("data-acting") or ""
        if who in acting:
            expect(row_of(desk.page, who).and_(desk.page.locator(".now"))).to_be_attached()
            return
        go_on_from(desk, acting)
    raise AssertionError(f"it was never the turn of {who}")


def newest(page: Page) -> Locator:
    return page.locator("#pane-log .entry").first


def in_log(page: Page, words: str) -> None:
    """Check the log, on any tab."""
    expect(page.locator("#pane-log .entry", has_text=words).first).to_be_attached()


def stays(page: Page) -> None:
    """From here on, everything must arrive without a reload: see `stayed`."""
    live(page)
    page.evaluate("window.notReloaded = true")


def stayed(*pages: Page) -> None:
    assert [page.url for page in pages if not page.evaluate("Boolean(window.notReloaded)")] == []


# ------------------------------------------------------------------ the story


def test_a_whole_fight_keeps_its_secrets(planted: Demo, seats: Seats, tmp_path: Path) -> None:
    hidden = {"the hidden one's name": HIDDEN, "the hidden one's id": planted.hidden_id}
    _it_begins(seats)
    _they_declare(seats)
    _an_npc_attacks(seats)
    _behind_the_screen(seats)
    _players_attack(seats)
    stayed(seats.desk.page, seats.marguerite.page, seats.observer, seats.wall)
    for page in seats.others:
        page.reload()
        stays(page)
        assert [secret for secret in (NEVER | hidden).values() if secret in page.content()] == []
    assert seats.players_heard(NEVER | hidden) == {}
    _the_hidden_one_shows(seats)
    _back_to_before(seats)
    _it_ends(seats, tmp_path)
    assert seats.players_heard(NEVER) == {}
    # The secrets were really sent: the Storyteller's page received all of them.
    assert seats.heard["desk"].found(NEVER | hidden).keys() == (NEVER | hidden).keys()
    for name, heard in seats.heard.items():
        assert len(heard.texts) > 10, name
        assert any(FASTEST in text for text in heard.texts), name


def _it_begins(seats: Seats) -> None:
    desk = seats.desk
    for page in (desk.page, *seats.others):
        stays(page)
    desk.act("next")
    expect(newest(desk.page)).to_contain_text("Initiative:")
    desk.press(desk.page.get_by_label("More about this fight"))
    desk.press(desk.page.get_by_role("link", name="Change the turn order"))
    for who, place in ORDER.items():
        desk.write(desk.page.locator("#drawer").get_by_label(who, exact=True), str(place))
    desk.press(desk.page.get_by_role("button", name="Apply"))
    expect(desk.page.locator("#drawer")).not_to_be_visible()
    desk.write(desk.page.locator("#notes_text"), NOTE)
    expect(desk.page.locator("#notes-state")).to_contain_text("Saved")


def _they_declare(seats: Seats) -> None:
    """Slowest first: faster ones read it at once, slower ones only when the first person acts."""
    marguerite, ilya = seats.marguerite.page, seats.ilya.page
    expect(ilya.locator("#pane-bar")).to_contain_text("Declare now")
    declare(seats.ilya, SLOWEST, "I hold the door.")
    expect(marguerite.locator("#pane-order")).to_contain_text("I hold the door.")
    expect(marguerite.locator("#pane-bar")).to_contain_text("Declare now")
    declare(seats.marguerite, FASTER, "I shoot the nearest of them.")
    expect(ilya.locator("#pane-order")).to_contain_text("I shoot the nearest of them.")
    declare(seats.ilya, FASTEST, "CANARY: I cut the lamp down.")
    early = {"a declaration": "I cut the lamp down."}
    for page in (marguerite, seats.wall, seats.observer):
        expect(row_of(page, FASTEST)).to_contain_text("has declared")
    for name in ("marguerite", "observer", "wall"):
        assert seats.heard[name].found(early) == {}, name
    expect(seats.desk.page.locator("#pane-order")).to_contain_text("I cut the lamp down.")
    until(seats.desk, TRUE_NAME)
    for page in (marguerite, seats.wall, seats.observer):
        expect(row_of(page, FASTEST)).to_contain_text("I cut the lamp down.")


def _an_npc_attacks(seats: Seats) -> None:
    """A player's second character is attacked: they are asked, reload and answer; real dice are typed in."""
    desk, ilya = seats.desk, seats.ilya.page
    form = desk.page.locator("#attack-form")
    expect(form.locator("[name=who] option:checked")).to_have_text(TRUE_NAME)
    desk.choose(form.locator("[name=at]"), SLOWEST)
    desk.choose(form.locator("[name=weapon]"), "Verger’s axe")
    asked = form.locator("[name=defence] option[value=ask]").inner_text()
    desk.choose(form.locator("[name=defence]"), asked)
    desk.press(desk.page.locator(".attack-foot [data-do=type-dice]"))
    question = ilya.locator("#pane-asks .ask")
    expect(question).to_contain_text(f"A tall man attacks {SLOWEST}")
    ilya.reload()
    live(ilya)
    expect(question).to_contain_text(f"A tall man attacks {SLOWEST}")
    seats.ilya.press(question.get_by_role("button", name="Dodge"))
    expect(question).to_have_count(0)
    desk.press(desk.page.get_by_role("link", name="Type dice"))
    type_dice(desk, {"attack": "8" + "3" * 20, "defence": "3", "damage": "88" + "3" * 20, "soak": "3"})
    expect(ilya.locator(".mine", has_text=SLOWEST).locator(".me-health .box.lethal")).to_have_count(2)
    for page in (seats.wall, seats.observer, seats.marguerite.page):
        in_log(page, f"A tall man attacks {SLOWEST}")


def _behind_the_screen(seats: Seats) -> None:
    """The hidden combatant's turn, and a roll that leaves no trace on any other screen."""
    desk = seats.desk
    until(desk, HIDDEN)
    drawer = desk.page.locator("#drawer")
    desk.act_on(HIDDEN, "somebody")
    expect(drawer).to_contain_text(HIDDEN)
    desk.press(drawer.get_by_role("button", name="Close"))
    desk.press(desk.page.get_by_role("link", name="The chronicle’s pages"))
    desk.press(drawer.locator(".chronicle-note > summary").first)
    expect(drawer).to_contain_text(NEVER["a Storyteller's note in the chronicle"])
    desk.press(drawer.get_by_role("button", name="Close"))
    desk.act_on(HIDDEN, "roll")
    desk.write(drawer.get_by_label("Purpose"), SECRET_ROLL)
    secret = drawer.locator("#id_secret")
    expect(drawer.locator(".roll-foot .primary")).to_be_enabled()
    if not secret.is_checked():
        desk.tick(secret)
    desk.press(drawer.locator(".roll-foot .primary"))
    expect(drawer).not_to_be_visible()
    expect(newest(desk.page)).to_contain_text(SECRET_ROLL)


def _players_attack(seats: Seats) -> None:
    """One attack is approved, one is changed; the second is overridden after the roll."""
    desk, page = seats.desk, seats.desk.page
    until(desk, FASTEST)
    expect(seats.ilya.page.locator("#pane-bar")).to_contain_text("Your turn")
    announce(seats.ilya, FASTEST, "Sabre", "Thug 1")
    expect(page.locator("#pane-asks .pending")).to_contain_text(f"{FASTEST} wants to attack Thug 1")
    desk.act("approve")
    _roll_undefended(seats, {"attack": "88" + "3" * 20, "damage": "888" + "3" * 20, "soak": "3"})
    for each in (page, *seats.others):
        in_log(each, f"{FASTEST} attacks Thug 1")

    until(desk, FASTER)
    announce(seats.marguerite, FASTER, "knife", "Thug 1")
    desk.press(page.locator("#pane-asks .pending").get_by_role("link", name="Change"))
    expect(page.locator("#attack")).to_contain_text("Changing an attack")
    desk.choose(page.locator("#attack-form [name=at]"), "Thug 2")
    desk.press(page.locator(".attack-foot [data-do=roll-attack]"))
    expect(page.locator("#attack")).not_to_contain_text("Changing an attack")
    in_log(seats.marguerite.page, "target: Thug 2 (was Thug 1)")
    _roll_undefended(seats, {"attack": "888" + "3" * 20, "damage": "8" + "3" * 20, "soak": "3"})
    hurt = row_of(seats.wall, "Thug 2")
    expect(hurt).not_to_contain_text("unhurt")

    desk.press(
        page.locator("#pane-log .entry", has_text=f"{FASTER} attacks Thug 2").get_by_role("link", name="Override")
    )
    desk.write(page.locator("#drawer").get_by_label("Final damage"), "4")
    desk.press(page.locator("#drawer").get_by_role("button", name="Apply"))
    expect(page.locator("#drawer")).not_to_be_visible()
    expect(row_of(page, "Thug 2").locator(".box.lethal")).to_have_count(4)
    for each in seats.others:
        in_log(each, "Overridden by the Storyteller")


def _roll_undefended(seats: Seats, fallen: dict[str, str]) -> None:
    page = seats.desk.page
    seats.desk.press(page.locator("#pane-asks").get_by_role("button", name="No defence"))
    seats.desk.press(page.locator("#pane-asks").get_by_role("link", name="Type dice"))
    type_dice(seats.desk, fallen)
    expect(page.locator("#pane-asks .ask")).to_have_count(0)


def _the_hidden_one_shows(seats: Seats) -> None:
    seats.desk.act_on(HIDDEN, "hide")
    for page in seats.others:
        expect(row_of(page, HIDDEN)).to_be_attached()


def _back_to_before(seats: Seats) -> None:
    """Everything after a blow is listed and undone on every screen; then the hidden combatant is revealed."""
    desk, page = seats.desk, seats.desk.page
    blow = page.locator("#pane-log .entry", has_text=f"{FASTER} attacks Thug 2").last
    desk.press(blow.locator(".back-to"))
    listed = page.locator("#drawer .back-list li")
    expect(listed).to_have_count(2)
    expect(page.locator("#drawer .back-list")).to_contain_text("Overridden")
    desk.press(page.locator("#drawer button.danger"))
    expect(page.locator("#drawer")).not_to_be_visible()
    expect(page.locator("#pane-log .undone")).to_have_count(2)
    expect(row_of(page, "Thug 2").locator(".box.lethal")).not_to_have_count(4)
    for each in seats.others:
        expect(row_of(each, HIDDEN)).to_have_count(0)
    desk.act_on(HIDDEN, "hide")
    for each in seats.others:
        expect(row_of(each, HIDDEN)).to_be_attached()


def _it_ends(seats: Seats, tmp_path: Path) -> None:
    desk = seats.desk
    stayed(desk.page, *seats.others)
    desk.press(desk.page.get_by_label("More about this fight"))
    desk.press(desk.page.get_by_role("button", name="End the fight"))
    expect(desk.page.get_by_role("heading", name="The fight is over")).to_be_visible()
    expect(seats.wall.locator("#pane-bar")).to_contain_text("The fight is over")
    for hand in (seats.ilya, seats.marguerite):
        hand.press(hand.page.get_by_role("link", name="Read the report"))
        _reads_report(hand, tmp_path / f"{hand.page.url.count('/')}.md")
    desk.press(desk.page.get_by_role("link", name="Read the report"))
    expect(desk.page.locator("main")).to_contain_text(TRUE_NAME)
    expect(desk.page.get_by_role("link", name="For the table")).to_be_visible()


def _reads_report(hand: Hand, into: Path) -> None:
    page = hand.page
    deeds = page.locator("table.deeds")
    expect(deeds.locator("tr", has_text=FASTEST)).to_contain_text("1 of 1")
    expect(page.locator("main")).to_contain_text(f"{FASTER} attacks Thug 2")
    with page.expect_download() as download:
        hand.press(page.get_by_role("link", name="Download as Markdown"))
    download.value.save_as(into)
    written = into.read_text(encoding="utf-8")
    assert f"{FASTER} attacks Thug 2" in written
    assert [secret for secret in NEVER.values() if secret in written] == []
