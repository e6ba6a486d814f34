"""Recap, cast and rulebook on paper: on A4 and Letter, in both themes, nothing cut off, and each reader's own version.

Chromium makes the pages. What is on them is measured in the page itself, drawn for print at the paper's width.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from io import BytesIO
from typing import Any

import pytest
from django.urls import reverse
from PIL import Image
from playwright.sync_api import Page, expect

from campaigns import rulesets, session_services
from campaigns.models import Attendance, Membership, Session
from characters import face_services, tie_services
from characters.models import Character, Portrait, TieKind
from characters.tie_services import TieData
from rules.systems import RULESETS
from tests.browser.table import DESK
from tests.browser.test_printing import PAGE

pytestmark = pytest.mark.django_db(transaction=True)

FRIDAY = datetime(2026, 11, 27, 19, 30, tzinfo=UTC)
LONG = "Donaudampfschifffahrtsgesellschaftskapitänskajütenschlüsselanhänger" * 2
WIDTH = {"A4": 688, "Letter": 710}
"""The paper’s width between its margins, in CSS pixels."""
PRESSED = ".bar, .crumb, button, .button, nav, form, [data-print]"
BLACK, WHITE = "rgb(0, 0, 0)", "rgb(255, 255, 255)"


@pytest.fixture
def by(chronicle: Any, storyteller: Any) -> Membership:
    return Membership.objects.select_related("chronicle", "user").get(chronicle=chronicle, user=storyteller)


@pytest.fixture
def played(by: Membership, player: Any) -> Session:
    """A session with a long recap, a long word in it, and an item of the preparation that was used."""
    session = session_services.announce(by=by, title="Ashes", starts=FRIDAY, place="at Ana’s")
    session_services.prepare(by=by, session=session, text="CANARY ambush")
    session_services.begin(by=by, session=session, now=FRIDAY)
    item = session.prepared.get()
    session_services.tick(by=by, session=session, item=item.pk, now=FRIDAY)
    session.refresh_from_db()
    paragraphs = [f"## At the mill\n\n{'They waited for the ferryman. ' * 40}"] * 8
    recap = "\n\n".join([*paragraphs, LONG, "| a | b |\n|---|---|\n| 1 | 2 |"])
    over = FRIDAY + timedelta(hours=4)
    session_services.end(by=by, session=session, version=session.version, recap=recap, came={player.pk: True}, now=over)
    assert Attendance.objects.filter(session=session, came=True).count() == 1
    return session


@pytest.fixture
def cast(chronicle: Any, by: Membership, player: Any) -> dict[str, Character]:
    """The player's Ilya, somebody met under another name, and somebody unknown, tied to each other."""
    made = {"Ilya": Character.objects.create(chronicle=chronicle, name="Ilya", owner=player, concept=LONG[:80])}
    for name in ("Konstantin", "CANARY"):
        made[name] = Character.objects.create(chronicle=chronicle, name=name)
    with BytesIO() as drawn:
        Image.new("RGB", (256, 256), "#705060").save(drawn, "WEBP")
        Portrait.objects.create(character=made["Ilya"], picture=drawn.getvalue())
    face_services.save_face(
        by=by,
        character_id=made["Konstantin"].pk,
        text=f"He smells of **cold ashes**. {LONG}",
        with_portrait=False,
        met={made["Ilya"].pk: "The man in grey"},
        seen=face_services.face_mark(made["Konstantin"].pk),
    )
    for who, words, audience in (("Konstantin", "An old friend", "everyone"), ("CANARY", "trusted", "storytellers")):
        data = TieData(TieKind.RELATION, made["Ilya"].pk, made[who].pk, text=words, audience=audience)
        tie_services.write_tie(by=by, data=data)
    return made


def on_paper(page: Page, paper: str) -> str:
    """Print the page in memory and check what all prints have in common. Returns the words on it."""
    page.set_viewport_size({"width": WIDTH[paper], "height": 1000})
    page.emulate_media(media="print")
    expect(page.locator(PRESSED).locator("visible=true")).to_have_count(0)
    outside = page.evaluate(
        """() => [...document.querySelectorAll("main *")].filter((each) => {
            const box = each.getBoundingClientRect();
            return box.width && getComputedStyle(each).clipPath === "none" && box.right > innerWidth + 1;
        }).map((each) => each.outerHTML.slice(0, 120))"""
    )
    assert outside == []
    colours = page.evaluate("['backgroundColor', 'color'].map((name) => getComputedStyle(document.body)[name])")
    ground = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    assert colours[1] == BLACK
    assert {colours[0], ground} <= {WHITE, "rgba(0, 0, 0, 0)"}
    return page.locator("main").inner_text()


def pages(page: Page, paper: str) -> int:
    return len(PAGE.findall(page.pdf(format=paper)))


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_a_recap(played: Session, player: Any, page_for: Callable[..., Any], theme: str) -> None:
    page = page_for(player, f"/sessions/{played.pk}/", **DESK, color_scheme=theme)
    page.evaluate("window.print = () => { window.printed = true; }")
    page.get_by_role("button", name="Print").click()
    assert page.evaluate("window.printed")
    for paper in WIDTH:
        words = on_paper(page, paper)
        for each in ("Ash and Amber", "Session 1: Ashes", "at Ana’s", "27 November 2026", "They waited", LONG):
            assert each in words
        assert re.search(r"Who was there:\s+player\b", words)
        assert 2 <= pages(page, paper) <= 4


def test_a_storytellers_recap_is_one_to_hand_out(played: Session, storyteller: Any, page_for: Any) -> None:
    page = page_for(storyteller, f"/sessions/{played.pk}/", **DESK)
    assert "CANARY" in page.locator("main").inner_text()
    assert "CANARY" not in on_paper(page, "A4")


def test_only_what_is_over_is_printed(by: Membership, player: Any, page_for: Callable[..., Any]) -> None:
    session = session_services.announce(by=by, starts=FRIDAY)
    page = page_for(player, f"/sessions/{session.pk}/", **DESK)
    expect(page.locator("[data-print]")).to_have_count(0)


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_the_cast_as_a_player_knows_it(
    chronicle: Any, cast: dict[str, Character], player: Any, page_for: Callable[..., Any], theme: str
) -> None:
    page = page_for(player, f"/chronicles/{chronicle.pk}/cast/", **DESK, color_scheme=theme)
    page.get_by_role("link", name="Print").click()
    # Not `wait_for_function`, which evaluates a string where the page's policy forbids it.
    for image in page.locator("img").all():
        expect(image).to_have_js_property("complete", True)
    assert page.locator("img.portrait").count() == 1
    for paper in WIDTH:
        words = on_paper(page, paper)
        for each in ("Ilya", "The man in grey", "cold ashes", "An old friend"):
            assert each in words
        assert "Konstantin" not in page.content()
        assert "CANARY" not in page.content()
        assert pages(page, paper) == 1


def test_the_cast_of_storytellers_says_whom_it_is_for(
    chronicle: Any, cast: dict[str, Character], storyteller: Any, observer: Any, page_for: Callable[..., Any]
) -> None:
    address = f"/chronicles/{chronicle.pk}/cast/print/"
    words = on_paper(page_for(storyteller, address, **DESK), "A4")
    assert "For Storytellers" in words
    for each in ("Konstantin", "CANARY", "trusted"):
        assert each in words
    seen = on_paper(page_for(observer, address, **DESK), "A4")
    assert "Ilya" in seen
    for each in ("For Storytellers", "Konstantin", "grey", "CANARY", "friend"):
        assert each not in seen


def test_a_large_cast_takes_many_pages(chronicle: Any, by: Membership, player: Any, page_for: Any) -> None:
    """All of it: the page of the cast shows it in parts."""
    people = [Character(chronicle=chronicle, name=f"Guest {number:03}", owner=player) for number in range(80)]
    Character.objects.bulk_create(people)
    page = page_for(player, reverse("characters:cast-print", args=[chronicle.pk]), **DESK)
    words = on_paper(page, "A4")
    assert [f"Guest {number:03}" in words for number in range(80)] == [True] * 80
    assert pages(page, "A4") > 2


@pytest.mark.parametrize("language", ["en-gb", "de"])
@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_rulebook(player: Any, page_for: Callable[..., Any], ruleset: str, language: str) -> None:
    player.language = language
    player.save()
    page = page_for(player, f"/rules/{ruleset}/", **DESK)
    rules = page.locator(".rule-text")
    ids = [rule.get_attribute("id") for rule in rules.all()]
    assert ids == list(rulesets.book(ruleset).rules)
    on_paper(page, "A4")
    # Each is in the contents too, which link to it in the PDF.
    links = page.locator(".rule-contents a")
    assert [link.get_attribute("href") for link in links.all()] == [f"#{each}" for each in ids]
    expect(links.first).to_be_visible()
    uncut = "(rules) => rules.every((rule) => getComputedStyle(rule).breakInside === 'avoid')"
    assert rules.evaluate_all(uncut)
    for paper in WIDTH:
        assert len(ids) / 15 <= pages(page, paper) <= len(ids)


def test_a_search_in_the_rules_prints_what_it_found(player: Any, page_for: Callable[..., Any]) -> None:
    page = page_for(player, "/rules/masquerade/?q=frenzy", **DESK)
    words = on_paper(page, "A4")
    assert "frenzy" in words.casefold()
    expect(page.locator(".rule-contents")).to_have_count(0)
    assert pages(page, "A4") <= 3
