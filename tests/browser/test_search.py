"""The search by keyboard, on a phone: `/` leads there, and results appear as one types."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from campaigns.models import Chronicle
from tests.browser.table import PHONE, Demo

pytestmark = pytest.mark.django_db(transaction=True)


def test_results_appear_while_typing(demo: Demo, page_for: Callable[..., Any]) -> None:
    chronicle = Chronicle.objects.get()
    page = page_for(demo.people["storyteller"], reverse("campaigns:chronicle", args=[chronicle.pk]), **PHONE)
    page.keyboard.press("/")
    field = page.locator("#q")
    expect(field).to_be_focused()
    page.keyboard.type("ilya/")
    expect(page.locator("#found")).to_contain_text("No results for “ilya/”.")
    page.keyboard.press("Backspace")
    expect(page.locator("#found a").first).to_have_text("Ilya Voss")
    expect(page.locator("#found-count")).to_contain_text("result")
    assert page.url.endswith("?q=ilya")
    page.locator("h1").click()
    page.keyboard.press("/")
    expect(field).to_be_focused()
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]
