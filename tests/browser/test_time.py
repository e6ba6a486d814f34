"""Between sessions: nine nights pass, with somebody in hospital, on a laptop and on a phone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from characters.models import Character
from tests.browser.hands import Pointer
from tests.browser.table import DESK, PHONE

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize(("screen", "touch"), [(DESK, False), (PHONE, True)], ids=["desk", "phone"])
def test_nine_nights_pass_with_marek_in_hospital(
    chronicle: Any, storyteller: Any, player: Any, page_for: Callable[..., Any], screen: dict[str, Any], touch: bool
) -> None:
    chronicle.ruleset = "chronicles"
    chronicle.save()
    hurt = {"chronicle": chronicle, "owner": player, "kind": "mortal", "traits": {"stamina": 2}}
    marek = Character.objects.create(name="Marek", marks=["lethal"] * 3, **hurt)
    ana = Character.objects.create(name="Ana", marks=["lethal"], **hurt)
    page = page_for(storyteller, f"/chronicles/{chronicle.pk}/", **screen)
    hand = Pointer(page, touch=touch)
    hand.press(page.get_by_role("link", name="Let time pass"))
    hand.write(page.get_by_label("How long"), "9")
    page.get_by_label("Care for Marek").select_option(label="hospital")
    preview = page.locator("#time-preview")
    expect(preview.get_by_role("img", name="before: 3 lethal, 4 empty")).to_be_visible()
    expect(preview.get_by_role("img", name="after: 7 empty")).to_be_visible()
    expect(preview).to_contain_text("1 sheet stays the same")
    hand.press(page.get_by_role("button", name="Let this time pass"))
    entry = page.locator("#pane-log .entry").first
    expect(entry).to_be_visible()
    expect(entry).to_contain_text("9 nights pass for")
    expect(entry).to_contain_text("Marek heals 3 lethal.")
    assert [Character.objects.get(pk=each.pk).marks for each in (marek, ana)] == [[], ["lethal"]]
    hand.press(page.get_by_role("button", name="Undo").first)
    expect(page.locator("#pane-log .entry.undone")).to_have_count(1)
    marek.refresh_from_db()
    assert marek.marks == ["lethal"] * 3
