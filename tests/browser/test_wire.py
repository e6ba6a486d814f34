"""What pages take over the wire, with an empty cache and with a full one."""

from __future__ import annotations

from typing import Any

import pytest

from campaigns.models import User
from combat.commands import perform
from combat.demo import make_demo
from combat.models import Encounter
from rules.topics import commands

pytestmark = pytest.mark.django_db(transaction=True)

MOST = 100 * 1024
"""Bytes of a first page, with headers, fonts and icons."""


@pytest.fixture
def demo(transactional_db: None) -> Encounter:
    """The demo's fight, with its initiative rolled."""
    make_demo()
    fight = Encounter.objects.fights().get()
    for command in (commands.Begin(), commands.RollInitiative()):
        perform.perform(encounter_id=fight.pk, actor=User.objects.get(username="storyteller"), command=command)
    return fight


def transferred(page: Any, path: str) -> dict[str, int]:
    """The bytes on the wire by address, headers included, of all that a page loads. Cached files are left out.

    So is what its scripts fetch: on a busy machine, a page polls until its socket is open.
    """
    wire = page.context.new_cdp_session(page)
    addresses: dict[str, str] = {}
    sizes: dict[str, int] = {}

    def finished(told: dict[str, Any]) -> None:
        if address := addresses.get(told["requestId"]):
            sizes[address] = sizes.get(address, 0) + int(told["encodedDataLength"])

    def asked(told: dict[str, Any]) -> None:
        if told["type"] not in ("Fetch", "XHR"):
            addresses[told["requestId"]] = told["request"]["url"]

    wire.on("Network.requestWillBeSent", asked)
    wire.on("Network.requestServedFromCache", lambda told: addresses.pop(told["requestId"], None))
    wire.on("Network.loadingFinished", finished)
    wire.send("Network.enable")
    page.goto(path)
    page.wait_for_load_state("networkidle")
    page.evaluate("document.fonts.ready.then(() => true)")
    wire.detach()
    return {address: size for address, size in sizes.items() if size}


@pytest.mark.parametrize("name", [None, "storyteller", "ilya"], ids=["sign-in", "storyteller", "player"])
def test_a_first_page_is_small_and_the_next_takes_only_its_html(
    page_for: Any, demo: Encounter, name: str | None
) -> None:
    path = f"/encounters/{demo.pk}/" if name else "/account/sign-in/"
    page = page_for(name and User.objects.get(username=name), None)
    first = transferred(page, path)
    icons = page.locator("link[rel~=icon]").evaluate_all("links => links.map(link => link.href)")
    first |= {icon: len(page.request.get(icon).body()) for icon in icons}
    told = "\n".join(f"{size:7} {address}" for address, size in first.items())
    assert sum(".css" in address for address in first) == 1, told
    assert sum(".js" in address for address in first) == (2 if name else 1), told
    assert sum(".woff2" in address for address in first) == 2, told
    assert sum(first.values()) < MOST, told
    assert list(transferred(page, path)) == [page.url]
