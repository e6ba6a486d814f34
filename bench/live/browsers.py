"""Two browsers: from the Storyteller's click until a player's phone has painted the change."""

from __future__ import annotations

import statistics
from typing import Any

from bench.harness import Vesper
from bench.live.table import Reader, Table
from script import chromium

# Both pages read the same clock. The change is painted one frame after the one in which it was observed.
WATCH = """() => {
  window.painted = null;
  const now = () => { window.painted = performance.timeOrigin + performance.now(); };
  const seen = new MutationObserver(() => {
    seen.disconnect();
    requestAnimationFrame(() => requestAnimationFrame(now));
  });
  const order = document.getElementById("pane-order").parentElement;
  seen.observe(order, { childList: true, subtree: true });
}"""
CLICK = """(button) => {
  const at = performance.timeOrigin + performance.now();
  button.click();
  return at;
}"""


def measure(fight: Table, server: Vesper, actions: int) -> str:
    """Median and 95th percentile of this many clicks, as a sentence."""
    from playwright.sync_api import sync_playwright

    found = {"executable_path": chromium.path(), "args": chromium.QUIETLY}
    with sync_playwright() as playwright:
        browsers = [playwright.chromium.launch(**found) for _ in range(2)]
        player = next(each for each in fight.readers if each.audience.startswith("player"))
        desk, phone = (
            _page(browser, server, fight, reader)
            for browser, reader in zip(browsers, (fight.storyteller, player), strict=True)
        )
        taken = sorted([_until_painted(desk, phone, fight.target, turn) for turn in range(actions)][2:])
        for browser in browsers:
            browser.close()
    p95 = taken[int(0.95 * len(taken))]
    return f"click to paint in another browser: p50 {statistics.median(taken):.0f} ms, p95 {p95:.0f} ms"


def _page(browser: Any, server: Vesper, fight: Table, reader: Reader) -> Any:
    context = browser.new_context(base_url=server.url)
    cookies = (pair.split("=", 1) for pair in reader.cookie.split("; "))
    context.add_cookies([{"name": name, "value": value, "url": server.url} for name, value in cookies])
    page = context.new_page()
    page.goto(f"/encounters/{fight.encounter}/")
    page.locator('#live[data-state="live"]').wait_for(state="attached")
    return page


def _until_painted(desk: Any, phone: Any, target: str, turn: int) -> float:
    """Milliseconds from a click that alternately removes and restores somebody's health until it is painted."""
    show = ("word", "boxes")[turn % 2]
    button = desk.locator(f'button[value="{target} {show}"]')
    phone.evaluate(WATCH)
    clicked = button.evaluate(CLICK)
    painted = None
    while painted is None:
        painted = phone.evaluate("() => window.painted")
        desk.wait_for_timeout(20)
    return float(painted - clicked)
