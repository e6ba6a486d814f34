"""Story 11 with a Storyteller's laptop and two phones: whom they met in a fight, and who owes whom what."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from campaigns.models import Session
from characters.models import Character
from combat.models import Encounter
from rules.topics.commands import Begin
from tests.browser.table import DESK, MASK, PHONE, TRUE_NAME, Demo

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.servers
def test_who_owes_whom_what_since_when_and_when_it_was_paid(demo: Demo, page_for: Callable[..., Any]) -> None:
    chronicle = Encounter.objects.get(pk=demo.encounter_id).chronicle
    Session.objects.create(chronicle=chronicle, number=7, progress="playing")
    masked = Character.objects.get(chronicle=chronicle, name=TRUE_NAME)
    demo.do(Begin())
    here = f"/chronicles/{chronicle.pk}"
    desk = page_for(demo.people["storyteller"], f"{here}/cast/", **DESK)
    phone = page_for(demo.people["marguerite"], f"{here}/cast/", **PHONE)
    other = page_for(demo.people["ilya"], f"{here}/ties/", **PHONE)
    expect(phone.get_by_role("main")).not_to_contain_text("Deacon")

    # Those who were seen in the fight are proposed under their masks; the phone shows them once they are accepted.
    proposals = desk.get_by_role("region", name="Met in fights")
    expect(proposals).to_contain_text(TRUE_NAME)
    phone.wait_for_timeout(600)
    proposals.get_by_role("button", name="Accept").click()
    expect(desk.get_by_role("region", name="Met in fights")).to_have_count(0)
    met = phone.get_by_role("region", name="Met so far")
    expect(met).to_contain_text(MASK)
    expect(met).not_to_contain_text("Deacon")
    met.get_by_role("link", name=MASK).click()
    expect(phone.get_by_role("heading", level=1)).to_have_text(MASK)

    # A boon that these two alone may read.
    desk.goto(f"{here}/ties/new/?first={masked.pk}")
    desk.get_by_label("Kind").select_option("boon")
    desk.get_by_label("To whom").select_option(label="Marguerite")
    desk.get_by_label("What it is to the second").fill("Saved him from the sun")
    desk.get_by_label("Size of the boon").select_option("life")
    desk.get_by_label("Since").select_option(index=1)
    desk.get_by_label("Chosen readers", exact=True).check()
    desk.get_by_label("Marguerite’s player").check()
    desk.get_by_role("button", name="Save").click()
    ties = phone.get_by_role("region", name="Ties")
    expect(ties).to_contain_text("Saved him from the sun")
    expect(ties).to_contain_text("since session 7")
    expect(other.get_by_role("main")).not_to_contain_text("Saved him from the sun")
    desk.get_by_role("button", name="Paid").click()
    expect(ties).to_contain_text("until session 7")
    expect(desk.locator(".tie-ring .node")).to_have_count(2)

    # The name, in one press; the drawing fits into its card, and the page doesn't scroll sideways.
    desk.goto(f"{here}/cast/{masked.pk}/")
    desk.get_by_role("button", name="Tell the name").nth(1).click()
    expect(desk.get_by_role("button", name="Tell the name")).to_have_count(1)
    expect(phone.get_by_role("heading", level=1)).to_have_text(TRUE_NAME)
    phone.goto(f"{here}/ties/")
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
