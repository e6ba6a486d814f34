"""Pages stay live: by the socket, after a server crash, by polling if no socket opens; and a press counts once."""

from __future__ import annotations

import resource
import signal
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from playwright.sync_api import APIResponse, Page, Route, expect

from bench.faults.proxy import Proxy
from combat.history.log import ENTRIES
from rules.model.gear import Damage
from rules.topics import commands
from tests.browser.table import go_on
from tests.combat.conftest import SECRET, TRUE_NAME, Table

pytestmark = pytest.mark.django_db(transaction=True)


def path(table: Table) -> str:
    return f"/encounters/{table.encounter_id}/"


def live(page: Page) -> Page:
    expect(page.locator("#live")).to_have_attribute("data-state", "live")
    return page


def rolled(table: Table) -> int:
    """How often initiative was rolled. Counted in Python: in PostgreSQL, commands are opaque text."""
    return [row.command["is"] for row in table.encounter.rows.all()].count("RollInitiative")


@pytest.mark.servers
def test_what_one_does_the_others_see(
    fight: Table, page_for: Callable[..., Any], player: Any, storyteller: Any
) -> None:
    storytellers, players = live(page_for(storyteller, path(fight))), live(page_for(player, path(fight)))
    storytellers.get_by_role("button", name="Roll initiative").first.click()
    expect(players.locator("#pane-log")).to_contain_text("Initiative:")
    expect(storytellers.locator("#pane-log")).to_contain_text(SECRET)
    for planted in (SECRET, fight[SECRET], TRUE_NAME):
        assert planted not in players.content()


PRESS = """async ([path, fields]) => {
  const headers = {...JSON.parse(document.body.getAttribute("hx-headers")), "HX-Request": "true"};
  const key = crypto.randomUUID().replaceAll("-", "");
  const answer = await fetch(path, {method: "POST", headers, body: new URLSearchParams({...fields, key, why: ""})});
  if (!answer.ok) throw new Error(await answer.text());
}"""
"""A command that the page itself hears of by its socket alone."""


def test_only_what_changed_is_touched_and_a_page_that_lacks_something_gets_all(
    fight: Table, page_for: Callable[..., Any], storyteller: Any
) -> None:
    """Rows and entries that stay the same keep what a script set on them; a whole pane would lose it."""
    page = live(page_for(storyteller, path(fight)))
    ilya, entries = page.locator(f"#row-{fight['Ilya']}"), page.locator("#log-entries article")

    def harm(command: str = "damage", **fields: str) -> None:
        version = page.locator("#version").get_attribute("data-version")
        said = {"amount": "1", "type": "bashing", **fields, "who": fight["Ilya"], "reason": "", "version": version}
        page.evaluate(PRESS, [f"{path(fight)}do/{command}", said])
        page.wait_for_function("was => document.getElementById('version').dataset.version !== was", arg=version)

    harm()
    page.locator("#pane-order").evaluate(
        "pane => pane.querySelectorAll('li').forEach(each => each.dataset.probe = '1')"
    )
    before = entries.count()
    harm()
    assert ilya.get_attribute("data-probe") is None
    assert page.locator("#pane-order li[data-probe]").count() == page.locator("#pane-order li").count() - 1
    assert entries.count() == before + 1
    expect(entries.first).to_contain_text("bashing")
    while entries.count() < ENTRIES:
        harm()
    oldest = entries.last.get_attribute("id")
    harm()
    assert entries.count() == ENTRIES
    assert entries.last.get_attribute("id") != oldest
    # This can't happen; but if it does, the page notices with the next frame, and asks for everything.
    ilya.evaluate("each => each.remove()")
    harm("boxes", bashing="0", lethal="0", aggravated="0")
    expect(ilya).to_be_visible(timeout=LONG)
    expect(entries).to_have_count(ENTRIES)
    shown = [page.locator(pane).inner_text() for pane in ("#pane-order", "#log-entries")]
    live(page).reload()
    assert [page.locator(pane).inner_text() for pane in ("#pane-order", "#log-entries")] == shown


def test_a_browser_lets_it_be_packed(fight: Table, page_for: Callable[..., Any], player: Any) -> None:
    page = live(page_for(player, path(fight)))
    asked = "new Promise(told => { const s = new WebSocket('/ws/none/'); s.onopen = () => told(s.extensions); })"
    assert "permessage-deflate" in page.evaluate(asked)


@pytest.mark.servers
def test_it_heals_when_the_server_comes_back(
    fight: Table, daphne: Callable[..., Any], page_for: Callable[..., Any], player: Any
) -> None:
    server = daphne()
    page = live(page_for(player, path(fight), server=server))
    server.end(signal.SIGKILL)
    expect(page.locator("#live")).to_have_attribute("data-state", "offline")
    # No hints were sent for what happened in between.
    fight.do(commands.Harm(fight["Ilya"], 2, Damage.LETHAL))
    daphne(server.port)
    live(page)
    expect(page.locator("#pane-log")).to_contain_text("2 lethal")
    page.problems.clear()  # the browser's errors about an unreachable server
    server.returncode = 0


LONG = 60_000
HALF = "two more th"


@pytest.mark.servers
def test_a_network_that_swallows_everything_is_told_and_a_press_in_it_counts_once(
    fight: Table, daphne: Callable[..., Any], page_for: Callable[..., Any], storyteller: Any
) -> None:
    with Proxy(daphne().port) as way:
        page = live(page_for(storyteller, path(fight), server=way))
        page.locator("#id_words").fill(HALF)
        way.cut()
        page.get_by_role("button", name="Roll initiative").first.click()
        expect(page.locator("#messages")).to_contain_text("keeps retrying your last action", timeout=LONG)
        expect(page.locator("#live")).not_to_have_attribute("data-state", "live", timeout=LONG)
        way.mend()
        expect(page.locator("#pane-log .entry", has_text="Initiative:")).to_have_count(1, timeout=LONG)
        expect(page.locator("#live")).to_have_attribute("data-state", "live", timeout=LONG)
        expect(page.locator("#messages")).to_be_empty(timeout=LONG)
        assert rolled(fight) == 1
        assert page.locator("#id_words").input_value() == HALF
        page.problems.clear()  # the browser's errors about failed sockets
        page.goto("about:blank")


@pytest.mark.skipif(connection.vendor != "sqlite", reason="its disk is not the server's own")
def test_a_full_disk_is_told_and_what_was_pressed_is_done_once_there_is_room(
    fight: Table, daphne: Callable[..., Any], page_for: Callable[..., Any], storyteller: Any
) -> None:
    server = daphne()
    page = live(page_for(storyteller, path(fight), server=server))
    before = resource.prlimit(server.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (0, before[1]))
    page.get_by_role("button", name="Roll initiative").first.click()
    expect(page.locator("#messages")).to_contain_text("The server’s disk is full", timeout=LONG)
    # Saved data is readable.
    assert page.request.get(path(fight)).status == 200
    assert rolled(fight) == 0
    resource.prlimit(server.pid, resource.RLIMIT_FSIZE, before)
    expect(page.locator("#pane-log .entry", has_text="Initiative:")).to_have_count(1, timeout=LONG)
    live(page)
    assert rolled(fight) == 1
    page.problems.clear()  # the browser's errors about failed requests
    page.goto("about:blank")


@pytest.mark.parametrize("who", ["player", "storyteller"])
def test_it_asks_while_no_socket_opens(
    fight: Table, page_for: Callable[..., Any], request: pytest.FixtureRequest, who: str
) -> None:
    page = page_for(request.getfixturevalue(who), None)
    page.route_web_socket("**/ws/**", lambda socket: socket.close(code=1006))
    page.goto(path(fight))
    expect(page.locator("#live")).to_have_attribute("data-state", "catching-up")
    fight.do(commands.Harm(fight["Ilya"], 2, Damage.LETHAL))
    expect(page.locator("#pane-log")).to_contain_text("2 lethal")


@pytest.mark.servers
def test_a_lost_hint_is_made_up_for(fight: Table, page_for: Callable[..., Any], player: Any) -> None:
    """This process is not the server, so its hints reach no socket there."""
    page = live(page_for(player, path(fight)))
    fight.do(commands.Harm(fight["Ilya"], 2, Damage.LETHAL))
    expect(page.locator("#pane-log")).to_contain_text("2 lethal")


@pytest.mark.servers
def test_an_unsure_press_is_sent_again_and_counts_once(
    fight: Table, page_for: Callable[..., Any], storyteller: Any
) -> None:
    page = live(page_for(storyteller, path(fight)))
    tries: list[str] = []

    def lose_the_answer(route: Route) -> None:
        tries.append(str(route.request.post_data))
        if len(tries) < 3:
            route.fetch()  # it reaches the server, but the response is lost
            route.abort()
        else:
            route.continue_()

    page.route("**/do/initiative", lose_the_answer)
    page.get_by_role("button", name="Roll initiative").first.click()
    expect(page.locator("#pane-order")).to_be_visible()
    for _tenth in range(300):
        if len(tries) == 3:
            break
        page.wait_for_timeout(100)
    expect(page.locator("#pane-log .entry", has_text="Initiative:")).to_have_count(1)
    assert len(tries) == 3
    assert rolled(fight) == 1
    page.problems.clear()


@pytest.mark.servers
def test_who_is_removed_is_shown_out(fight: Table, page_for: Callable[..., Any], player: Any, storyteller: Any) -> None:
    page = live(page_for(player, path(fight)))
    fight.encounter.chronicle.memberships.get(user=player).delete()
    expect(page.locator("#pane-log")).to_have_count(0)
    assert "Ilya" not in page.content()
    page.problems.clear()  # the 404 of the page they may no longer see


def overheard(page: Page, address: str) -> list[str]:
    """The panes that a page's sockets receive, for a URL."""
    frames: list[str] = []

    def heard(message: Any) -> None:
        if 'id="version"' in message:
            frames.append(message)

    page.on("websocket", lambda socket: socket.on("framereceived", heard))
    page.goto(address)
    live(page)
    return frames


def version(page: Page) -> str:
    return str(page.locator("#version").get_attribute("data-version"))


def press_next(page: Page) -> None:
    """Press the next button, and wait until the result is shown."""
    before = version(page)
    go_on(page)
    expect(page.locator("#version")).not_to_have_attribute("data-version", before)


@pytest.mark.servers
def test_a_press_brings_its_panes_once(fight: Table, page_for: Callable[..., Any], storyteller: Any) -> None:
    page, other = page_for(storyteller, None), page_for(storyteller, None)
    shown, also_shown = overheard(page, path(fight)), overheard(other, path(fight))
    for _time in range(3):
        press_next(page)
        expect(other.locator("#version")).to_have_attribute("data-version", version(page))
    assert len(also_shown) == 3
    assert shown == []


@pytest.mark.parametrize("arrives", [pytest.param(True, marks=pytest.mark.servers), False])
def test_what_happens_before_a_press_is_answered_is_shown_after_it(
    fight: Table, page_for: Callable[..., Any], storyteller: Any, arrives: bool
) -> None:
    page, other = page_for(storyteller, None), page_for(storyteller, None)
    shown, _also_shown = overheard(page, path(fight)), overheard(other, path(fight))
    before, answers = version(page), list[tuple[Route, APIResponse]]()

    def keep(route: Route) -> None:
        if answers:
            route.continue_()
        else:
            answers.append((route, route.fetch()))

    page.route("**/do/initiative", keep)
    page.locator("#pane-bar .next").click()
    expect(other.locator("#version")).not_to_have_attribute("data-version", before)
    press_next(other)
    for _tenth in range(50):
        if shown:
            break
        page.wait_for_timeout(100)
    (route, answer) = answers[0]
    if arrives:
        assert version(page) == before, "what happened in between is lacking"
        route.fulfill(response=answer)
    else:
        route.abort()
    expect(page.locator("#version")).to_have_attribute("data-version", version(other))
    expect(page.locator("#pane-log .entry", has_text="Initiative:")).to_have_count(1)
    assert page.locator("#pane-log .entry").count() == other.locator("#pane-log .entry").count()
    assert rolled(fight) == 1
    page.problems.clear()  # the browser's error about the lost response
