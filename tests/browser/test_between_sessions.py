"""Between two sessions, with a Storyteller's laptop and two players' phones: an ambush is drafted, players write notes
and a journal, and somebody who missed two evenings reads what is new."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from campaigns import page_services, session_services
from campaigns.models import Membership
from characters.models import Character
from characters.tables import load
from combat.commands import drafts, perform
from combat.models import Encounter
from rules.topics import commands
from story.models import Looked
from tests.browser.table import DESK, PHONE, live

pytestmark = pytest.mark.django_db(transaction=True)


def test_between_two_sessions(
    chronicle: Any, storyteller: Any, player: Any, other_player: Any, page_for: Callable[..., Any]
) -> None:
    load()
    by = Membership.objects.select_related("chronicle", "user").get(chronicle=chronicle, user=storyteller)
    ambush = drafts.create_encounter(by=by, name="The ambush at the mill")
    ana = Character.objects.create(chronicle=chronicle, name="Ana", owner=player)
    drafts.add_character(encounter_id=ambush.pk, actor=storyteller, character=ana)
    for command in (commands.Begin(), commands.End()):
        perform.perform(encounter_id=ambush.pk, actor=storyteller, command=command)
    # The second player was away for two evenings.
    long_ago = timezone.now() - timedelta(weeks=3)
    absent = Membership.objects.get(chronicle=chronicle, user=other_player)
    Looked.objects.create(membership=absent, since=long_ago, seen=long_ago)
    for recap in ("The bells rang.", "The mill burned."):
        session = session_services.announce(by=by, title="The mill")
        session_services.begin(by=by, session=session, now=timezone.now())
        session.refresh_from_db()
        session_services.end(by=by, session=session, version=session.version, recap=recap, came={}, now=timezone.now())
    page_services.create_page(by=by, title="A clue in the ashes", kind="clue", text="A ring.", audience="everyone")
    page_services.create_page(by=by, title="What nobody knows", kind="plot", text="She set the fire.")

    home = f"/chronicles/{chronicle.pk}/"
    desk = page_for(storyteller, f"/encounters/{ambush.pk}/copy/", **DESK)
    phone, other = page_for(player, home, **PHONE), page_for(other_player, home, **PHONE)

    # Story 3: last month's ambush as a new draft, with five more from a template of pools.
    desk.get_by_role("button", name="Create draft").click()
    live(desk)
    desk.locator("#id_words").fill("5 gunmen")
    desk.locator("#quick-add").get_by_role("button", name="Add").click()
    expect(desk.locator("#pane-order").get_by_role("link", name="Gunman 5")).to_be_visible()
    assert Encounter.objects.get(status="draft").name.startswith("The ambush at the mill")

    # Story 10: what is new, of what they may know, until they have read it.
    news = other.locator(".news")
    for text in ("The mill", "A clue in the ashes"):
        expect(news).to_contain_text(text)
    expect(other.locator("body")).not_to_contain_text("What nobody knows")
    news.get_by_role("button", name="I’ve read this").click()
    expect(news).to_contain_text("Nothing new since")

    # Story 6: a note that only its player and the Storyteller read, and a journal for all.
    for title, path, everyone in (("My suspicion", "new/?kind=note", False), ("My nights", "new/?kind=journal", True)):
        phone.goto(f"{home}pages/{path}")
        phone.get_by_label("Title").fill(title)
        phone.locator("[name=text]").fill(f"{title}: it was *her*.")
        expect(phone.locator(".passage-preview em")).to_have_text("her")
        expect(phone.get_by_label("Only me and the Storytellers")).to_be_checked()
        if everyone:
            phone.get_by_label("Everyone at the table").check()
        assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
        phone.get_by_role("button", name="Save").click()
        expect(phone.get_by_role("heading", name=title)).to_be_visible()
    other.goto(f"{home}pages/")
    expect(other.get_by_role("link", name="My nights")).to_be_visible()
    expect(other.locator("body")).not_to_contain_text("My suspicion")
    desk.goto(f"{home}pages/")
    expect(desk.get_by_role("link", name="My suspicion")).to_be_visible()
    desk.get_by_role("link", name="My nights").click()
    expect(desk.locator("main")).to_contain_text("it was her")
