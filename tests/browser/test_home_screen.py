"""On a phone's home screen: the browser would install it, and no bar is covered."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import CDPSession, Page, expect

from tests.browser.table import PHONE, Demo, live

pytestmark = pytest.mark.django_db(transaction=True)

HOME_INDICATOR, STATUS_BAR = 34, 47
"""Pixels that a current iPhone covers below and above."""


def devtools(page: Page) -> CDPSession:
    return page.context.new_cdp_session(page)


@pytest.mark.parametrize("path", ["/", "/about/", "/rules/masquerade/"])
def test_the_browser_would_install_it(player: Any, page_for: Callable[..., Any], path: str) -> None:
    page = page_for(player, path, **PHONE)
    tools = devtools(page)
    found: dict[str, Any] = tools.send("Page.getAppManifest")
    assert found["errors"] == []
    assert found["url"].endswith("/manifest.webmanifest")
    told = json.loads(found["data"])
    for icon in told["icons"]:
        assert page.request.get(icon["src"]).headers["content-type"] == "image/png"
    errors = tools.send("Page.getInstallabilityErrors")["installabilityErrors"]
    # A browser without a window or a profile installs nothing; it says so first.
    assert [each["errorId"] for each in errors if each["errorId"] not in ("in-incognito", "not-in-main-frame")] == []


def test_a_chosen_theme_colours_the_window_at_once(player: Any, page_for: Callable[..., Any]) -> None:
    page = page_for(player, "/", **PHONE, color_scheme="dark")
    shown = "[...document.querySelectorAll('meta[name=theme-color]')].find((m) => matchMedia(m.media).matches).content"
    assert page.evaluate(shown) == "#131115"
    choose = "document.querySelector('[data-theme-switch] input[value={}]').click()"
    page.evaluate(choose.format("light"))
    assert page.evaluate(shown) == "#f5efe3"
    page.reload()
    assert page.evaluate(shown) == "#f5efe3"
    page.evaluate(choose.format("auto"))
    assert page.evaluate(shown) == "#131115"


def test_no_bar_is_under_the_home_indicator(demo: Demo, desk: Page, page_for: Callable[..., Any]) -> None:
    phone = live(page_for(demo.people["ilya"], demo.path, **PHONE))
    insets = {"top": STATUS_BAR, "bottom": HOME_INDICATOR}
    devtools(phone).send("Emulation.setSafeAreaInsetsOverride", {"insets": insets})
    tabs = phone.locator(".seat-tabs a")
    expect(tabs.first).to_be_visible()
    height = phone.viewport_size["height"]
    for tab in tabs.all():
        box = tab.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= height - HOME_INDICATOR
    mark = phone.locator(".bar .mark").bounding_box()
    assert mark is not None
    assert mark["y"] >= STATUS_BAR
    # The last line of the page can be scrolled above the tabs.
    phone.evaluate("window.scrollTo(0, document.body.scrollHeight)")
    last = phone.locator("main").evaluate(
        "(main) => main.getBoundingClientRect().bottom - parseFloat(getComputedStyle(main).paddingBottom)"
    )
    assert last <= phone.locator(".seat-tabs").bounding_box()["y"] + 1
