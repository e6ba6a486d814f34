"""An evening with a Storyteller's laptop and two players' phones: announced, answered, prepared, played and ended."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from campaigns.models import Attendance, Membership, Session
from characters.models import Character, ExperienceEntry
from combat.commands import drafts, perform
from combat.models import Encounter
from rules.model.gear import Damage
from rules.topics import commands
from tests import planted
from tests.browser.table import DESK, PHONE

pytestmark = pytest.mark.django_db(transaction=True)


def in_place(page: Page, words: str) -> None:
    """The page shows the words by itself, and is no wider than the screen."""
    expect(page.locator("main")).to_contain_text(words)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), page.url


def test_an_evening(
    chronicle: Any, storyteller: Any, player: Any, other_player: Any, page_for: Callable[..., Any]
) -> None:
    by = Membership.objects.select_related("chronicle", "user").get(chronicle=chronicle, user=storyteller)
    planted.awards_for_botches(chronicle)
    ana = Character.objects.create(chronicle=chronicle, name="Ana", owner=player, kind="vampire", traits={"wits": 2})
    fight = drafts.create_encounter(by=by, name="The chapel")
    drafts.add_character(encounter_id=fight.pk, actor=storyteller, character=ana)
    home = f"/chronicles/{chronicle.pk}/"
    desk = page_for(storyteller, home, **DESK)
    phone, other = page_for(player, home, **PHONE), page_for(other_player, home, **PHONE)
    # She announces it: it is on the chronicle's page of everyone, who answer there.
    desk.get_by_role("link", name="Announce a session").click()
    desk.get_by_label("Title").fill("The bells of Saint-Anselm ring")
    desk.get_by_label("Date and time").fill("2031-02-07T19:30")
    desk.get_by_label("Place").fill("at Ana’s")
    desk.get_by_role("button", name="Announce").click()
    in_place(desk, "No answer yet: ")
    session = Session.objects.get()
    path = f"/sessions/{session.pk}/"
    for page in (phone, other):
        in_place(page, "Session 1: The bells of Saint-Anselm ring")
    phone.get_by_label("A word to the others").fill("with cake")
    phone.get_by_role("button", name="Yes").click()
    expect(phone.get_by_role("button", name="Yes")).to_have_attribute("aria-pressed", "true")
    other.get_by_role("link", name="Session 1").click()
    other.get_by_role("button", name="Maybe").click()
    other.get_by_role("button", name="No", exact=True).click()
    expect(other.get_by_role("button", name="No", exact=True)).to_have_attribute("aria-pressed", "true")
    in_place(desk, "“with cake”")
    assert sorted(Attendance.objects.values_list("answer", flat=True)) == ["no", "yes"]
    # She prepares by one line and Enter, with a draft; the phones show nothing.
    for text in ("The mill at midnight", "A letter"):
        desk.get_by_label("New item").fill(text)
        desk.keyboard.press("Enter")
        in_place(desk, text)
        expect(desk.get_by_label("New item")).to_be_focused()
    desk.get_by_text("With a page or a draft").click()
    desk.get_by_label("Draft").select_option(label="The chapel")
    desk.get_by_role("button", name="Add").click()
    expect(desk.locator(".prepared > li")).to_have_count(3)
    desk.get_by_role("button", name="Move A letter up").click()
    expect(desk.locator(".prepared > li").first).to_contain_text("A letter")
    desk.get_by_role("button", name="The mill at midnight", exact=False).first.click()
    expect(desk.locator(".prepared .used")).to_have_count(1)
    # It is played: the fight is under it, ticked by itself.
    phone.goto(path)
    desk.get_by_role("button", name="Begin the session").click()
    in_place(phone, "Playing")
    dice = planted.Botch()
    for command in (
        commands.Begin(),
        commands.Harm(next(iter(who(fight.pk))), 1, Damage.LETHAL),
        commands.RollTraits(next(iter(who(fight.pk))), ("wits",), label="Listening"),
    ):
        perform.perform(encounter_id=fight.pk, actor=storyteller, command=command, dice=dice)
    in_place(phone, "The chapel")
    expect(desk.locator(".prepared .used")).to_have_count(2)
    perform.perform(encounter_id=fight.pk, actor=storyteller, command=commands.End())
    # The end is proposed; she corrects it, and grants the award.
    desk.get_by_role("link", name="End the session").click()
    expect(desk.get_by_label("player (Yes)")).to_be_checked()
    expect(desk.get_by_label("other_player")).not_to_be_checked()
    recap = desk.get_by_label("Recap")
    expect(recap).to_have_value("## The chapel\n\n- Ana is the first to be hurt.")
    recap.fill("The bells rang, and Ana bled.")
    desk.get_by_role("button", name="End the session").click()
    in_place(phone, "The bells rang, and Ana bled.")
    expect(phone.locator("body")).not_to_contain_text("Proposed awards")
    desk.get_by_role("button", name="Award").click()
    expect(desk.locator("#awards")).to_have_count(0)
    assert ExperienceEntry.objects.get().character == ana
    # What wasn't used is on the next list.
    desk.goto(f"/chronicles/{chronicle.pk}/sessions/new/")
    desk.get_by_role("button", name="Announce").click()
    in_place(desk, "left over from session 1")
    expect(desk.locator(".prepared > li")).to_have_count(1)
    other.goto(f"/chronicles/{chronicle.pk}/sessions/")
    in_place(other, "Session 2")
    for page in (phone, other):
        expect(page.locator("body")).not_to_contain_text("A letter")


def who(encounter: str) -> Any:
    from combat.log.rows import state_now

    return state_now(Encounter.objects.get(pk=encounter)).combatants
