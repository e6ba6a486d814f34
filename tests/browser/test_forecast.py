"""A Storyteller forecasts the demo's draft: numbers and plots appear by themselves, it stops, an example opens."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from campaigns import workers
from combat.desk.forecast import runs
from tests.browser.table import DESK, PHONE, Demo
from tests.browser.test_axe import findings

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _kept_here(settings: Any, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path


@pytest.mark.parametrize("screen", [DESK, PHONE], ids=["desk", "phone"])
def test_a_forecast_is_started_watched_stopped_and_read(
    demo: Demo, page_for: Callable[..., Any], screen: dict[str, Any]
) -> None:
    page: Page = page_for(demo.people["storyteller"], demo.path, **screen)
    page.get_by_role("link", name="Forecast").click()
    page.get_by_label("One more of").select_option(label="Tam")
    page.get_by_label("Seed").fill("4711")
    page.get_by_role("button", name="Start").last.click()
    expect(page.get_by_role("progressbar")).to_be_visible()
    expect(page.get_by_role("heading", name="How it ends")).to_be_visible()
    expect(page.get_by_role("img", name=re.compile("Turns, in per cent"))).to_be_visible()
    expect(page.get_by_text("What if: One more Tam")).to_be_visible()
    assert not page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
    played = page.locator("#forecast-said")
    before = played.inner_text()
    expect(played).not_to_have_text(before)
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_text("You stopped it.")).to_be_visible()
    expect(page.get_by_role("progressbar")).to_have_count(0)
    assert not workers.is_alive(runs.folder_of(demo.encounter_id))
    assert findings(page, page.url) == []
    page.get_by_role("region", name="How it ends").get_by_role("link").first.click()
    expect(page.get_by_role("heading", name="How it ended")).to_be_visible()
    expect(page.get_by_role("heading", name="Turn 1")).to_be_visible()
    assert findings(page, page.url) == []
    assert not page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
