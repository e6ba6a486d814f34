"""A Storyteller shows a passage: it lies over the chosen players' pages at once, and over nobody else's."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import expect

from campaigns import page_services
from campaigns.models import Membership, Passage
from combat.live import wall as walls
from combat.models import Encounter
from rules.topics.commands import Begin
from tests.browser.table import DESK, PHONE, Demo, Heard, live

pytestmark = pytest.mark.django_db(transaction=True)

LETTER = "Be at the mill **alone**. If I see the others, the boy dies.\n\nBring what your sire gave you."


def picture() -> bytes:
    drawn = BytesIO()
    Image.new("RGB", (640, 400), (70, 52, 38)).save(drawn, "WEBP")
    return drawn.getvalue()


def test_a_letter_is_shown_to_one_player_and_then_to_all(demo: Demo, page_for: Callable[..., Any]) -> None:
    chronicle = Encounter.objects.get(pk=demo.encounter_id).chronicle
    by = Membership.objects.get(chronicle=chronicle, user=demo.people["storyteller"])
    letter = page_services.create_page(
        by=by,
        title="A letter, sealed with black wax",
        kind="handout",
        text=LETTER,
        audience="storytellers",
        picture=page_services.NewPicture(picture(), "The mill at night"),
    )
    player = Membership.objects.get(chronicle=chronicle, user=demo.people["marguerite"])
    page_services.create_page(by=player, title="My journal", kind="journal", text="", audience="author")
    hers = Passage.objects.get(author=player.user)
    demo.do(Begin())
    typing = page_for(demo.people["marguerite"], f"/chronicles/{chronicle.pk}/passages/{hers.pk}/edit/", **PHONE)
    fighting = page_for(demo.people["ilya"], None, **PHONE)
    heard = Heard()
    heard.listen(fighting)
    fighting.goto(demo.path)
    live(fighting)
    wall = page_for(None, f"/wall/{walls.open_wall(by=by)}/", viewport={"width": 1366, "height": 768})
    live(wall)
    words = typing.locator("[name=text]")
    words.fill("Half a thou")

    desk = page_for(demo.people["storyteller"], f"/chronicles/{chronicle.pk}/pages/{letter.pk}/", **DESK)
    desk.get_by_role("link", name="Show").click()
    desk.get_by_label("Chosen players").check()
    desk.get_by_label("Marguerite’s player").check()
    desk.get_by_role("button", name="Show").click()
    expect(desk.locator(".note.success")).to_contain_text("Shown.")
    sheet = typing.locator("#shown")
    expect(sheet).to_contain_text("the boy dies", timeout=3000)
    expect(typing.locator("#announce")).to_contain_text("The Storyteller shows you: A letter")
    # It takes nothing from somebody who is typing.
    expect(words).to_be_focused()
    typing.keyboard.type("ght")
    expect(words).to_have_value("Half a thought")
    sheet.get_by_role("button", name="Close").tap()
    expect(sheet).to_be_hidden()
    # Closed stays closed, on the next page too, although its socket names the passage again.
    typing.goto(f"/chronicles/{chronicle.pk}/")
    expect(typing.locator("#page-live")).to_be_attached()
    heard.catch_up(fighting)
    expect(fighting.locator("#shown")).to_be_hidden()
    expect(sheet).to_be_hidden()
    assert not [frame for frame in heard.frames if "shown" in frame]
    expect(wall.locator("#wall-shown")).to_be_hidden()

    desk.get_by_label("Everyone at the table").check()
    desk.get_by_label("On the wall screen too").check()
    desk.get_by_role("button", name="Show").click()
    for phone in (typing, fighting):
        expect(phone.locator("#shown")).to_contain_text("the boy dies", timeout=3000)
        expect(phone.locator("#shown img")).to_be_visible()
    expect(wall.locator("#wall-shown")).to_contain_text("the boy dies", timeout=4000)
    desk.get_by_role("button", name="Show").click()  # once more: not a second time on the same sheet
    expect(fighting.locator("#shown article")).to_have_count(1)
    fighting.keyboard.press("Escape")
    expect(fighting.locator("#shown")).to_be_hidden()
    desk.get_by_role("button", name="Take it off the wall").click()
    expect(wall.locator("#wall-shown")).to_be_hidden(timeout=4000)
