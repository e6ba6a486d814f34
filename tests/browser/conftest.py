"""What all browser tests have at hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from campaigns.models import User
from combat.log import codec
from combat.models import Encounter
from tests.browser.prepared import put_demo
from tests.browser.table import DESK, HIDDEN, Demo, begin, live


@pytest.fixture
def demo(transactional_db: None) -> Demo:
    put_demo()
    encounter = Encounter.objects.fights().get()
    state = codec.load_state(encounter.state)
    hidden = next(who for who, each in state.combatants.items() if each.sheet.name == HIDDEN)
    return Demo(encounter.pk, {user.username: user for user in User.objects.all()}, hidden)


@pytest.fixture
def desk(demo: Demo, page_for: Callable[..., Any]) -> Page:
    """The Storyteller's, once initiative was rolled."""
    page = live(page_for(demo.people["storyteller"], demo.path, **DESK))
    begin(page)
    page.locator("button.next", has_text="Roll initiative").click()
    expect(page.locator("#pane-log")).to_contain_text("Initiative:")
    return page
