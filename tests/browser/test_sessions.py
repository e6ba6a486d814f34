"""Every person's page has a browser of its own, and none logs an error."""

import re

from playwright.sync_api import expect

from tests.browser.table import DESK, HIDDEN, TRUE_NAME, live


def test_each_sees_their_own(page_for, storyteller, player):
    first, second, nobody = page_for(storyteller), page_for(player), page_for(None, "/account/")
    expect(nobody).to_have_url(re.compile("/account/sign-in/"))
    for page, user in ((first, storyteller), (second, player)):
        page.goto("/account/")
        expect(page.locator("body")).to_contain_text(user.username)
        assert "sign-in" not in page.url


def test_inline_scripts_and_foreign_files_do_not_run(page_for):
    page = page_for(None, "/account/sign-in/")
    page.evaluate(
        """() => {
            const script = document.createElement("script");
            script.textContent = "window.ran = true";
            document.body.append(script);
            const image = document.createElement("img");
            image.src = "http://192.0.2.1/beacon.png";
            document.body.append(image);
        }"""
    )
    assert page.evaluate("window.ran") is None
    expect(page.locator("img[src*=beacon]")).to_be_attached()
    assert len([problem for problem in page.problems if "Content Security Policy" in problem]) == 2
    page.problems.clear()


def test_after_signing_out_nothing_of_the_desk_is_left_in_the_browser(demo, page_for):
    """For the next person at a shared machine: no data left by scripts, and no way back to the page."""
    desk = live(page_for(demo.people["storyteller"], demo.path, **DESK))
    for secret in (HIDDEN, TRUE_NAME):
        assert secret in desk.content()
    desk.locator(".bar-account [popovertarget]").first.click()
    desk.locator(".bar-account").get_by_role("button", name="Sign out").click()
    expect(desk).to_have_url(re.compile(r":\d+/$"))
    kept = desk.evaluate(
        """async () => JSON.stringify([
            {...localStorage}, {...sessionStorage}, await caches.keys(), await indexedDB.databases(), document.cookie,
        ])"""
    )
    desk.go_back()
    expect(desk).to_have_url(re.compile("/account/sign-in/"))
    for secret in (HIDDEN, TRUE_NAME, demo.hidden_id):
        assert secret not in kept
        assert secret not in desk.content()
