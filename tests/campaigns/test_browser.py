"""What only a browser can test: no violations of the content security policy, and small conveniences."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from campaigns import page_services
from campaigns.models import Membership, Page
from tests.campaigns.test_markdown import HOSTILE

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def fits(page: Any) -> bool:
    """Whether nothing overflows sideways."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"))


@pytest.mark.parametrize("options", [{}, PHONE], ids=["desktop", "phone"])
def test_an_invitation_from_the_table_to_the_newcomer(
    page_for: Any, chronicle: Any, storyteller: Any, options: Any
) -> None:
    host = page_for(storyteller, f"/chronicles/{chronicle.pk}/", **options)
    host.click("text=Invite")
    host.click("text=Create the link")
    link = host.input_value("#invitation-link")
    code = host.locator("svg.qr").bounding_box()
    assert code["width"] > 280
    assert code["y"] + code["height"] <= host.viewport_size["height"] + (0 if not options else 200)
    assert fits(host)
    guest = page_for(None, link, **options)
    guest.click("text=Create an account and join")
    guest.fill("[name=username]", "newcomer")
    guest.fill("[name=password]", "a long enough phrase")
    guest.click("text=Create the account")
    guest.click("text=Join the table")
    assert guest.locator("h1").inner_text() == chronicle.name
    assert fits(guest)
    assert Membership.objects.get(user__username="newcomer").role == "player"


def test_a_role_is_changed_from_the_members_menu(
    page_for: Any, chronicle: Any, storyteller: Any, observer: Any
) -> None:
    page = page_for(storyteller, f"/chronicles/{chronicle.pk}/")
    row = page.locator(".members li:has(b:text-is('observer'))")
    row.locator("[popovertarget]").click()
    row.get_by_text("Make player").click()
    page.get_by_text("New role for observer: Player.").wait_for()
    assert Membership.objects.get(user=observer).role == "player"


def test_hostile_notes_do_nothing_in_a_browser(page_for: Any, chronicle: Any, storyteller: Any, player: Any) -> None:
    by = Membership.objects.get(chronicle=chronicle, user=storyteller)
    for text in HOSTILE:
        page_services.create_page(
            by=by, title=text.replace("\x00", "")[:80], text=text.replace("\x00", ""), audience="everyone"
        )
    page = page_for(player, None)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("dialog", lambda dialog: pytest.fail(f"a script spoke: {dialog.message}"))
    ours = "script[src^='/static/']"
    hostile = page.locator(f"main :is(script:not({ours}), iframe, object, embed, style, img, form[action*=evil])")
    for written in Page.objects.filter(chronicle=chronicle):
        page.goto(f"/chronicles/{chronicle.pk}/pages/{written.pk}/")
        expect(page.locator(".passage")).to_have_count(1)
        assert hostile.count() == 0
        assert fits(page)
    assert all("/static/" in url or f"/chronicles/{chronicle.pk}/" in url for url in asked)


def test_a_journal_on_the_phone(page_for: Any, chronicle: Any, storyteller: Any, player: Any) -> None:
    """Two presses and the words; the preview follows the typing, and who has the page open sees the entry."""
    by = Membership.objects.get(chronicle=chronicle, user=storyteller)
    page_services.create_page(by=by, title="The mill", text="Burnt.", audience="everyone")
    page_services.create_page(by=by, title="The Prince", text="Lies.")
    desk = page_for(storyteller, f"/chronicles/{chronicle.pk}/pages/")
    phone = page_for(player, f"/chronicles/{chronicle.pk}/", **PHONE)
    phone.get_by_role("link", name="My journal").tap()
    phone.get_by_label("Text").fill("We *burnt* [[the mill]] for [[The Prince]].")
    preview = phone.locator(".passage-preview")
    expect(preview.locator("em")).to_have_text("burnt")
    expect(preview.get_by_role("link")).to_have_text(["the mill"])
    expect(phone.get_by_label("Only me and the Storytellers")).to_be_checked()
    expect(phone.locator(".for-chosen")).to_be_hidden()
    assert fits(phone)
    phone.get_by_role("button", name="Save").tap()
    expect(phone.locator(".passage")).to_have_count(1)
    assert fits(phone)
    entry = desk.get_by_role("link", name="Journal of")
    expect(entry).to_be_visible()
    entry.click()
    expect(desk.locator(".passage-foot")).to_contain_text("and the Storytellers")
    expect(desk.get_by_role("link", name="The Prince")).to_be_visible()


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_every_page_fits_a_phone(page_for: Any, chronicle: Any, storyteller: Any, scheme: str) -> None:
    page = page_for(storyteller, None, color_scheme=scheme, **PHONE)
    at = f"/chronicles/{chronicle.pk}/"
    pages = ["/", "/account/", "/account/password/", "/account/forgotten/", "/chronicles/new/", at]
    pages += [
        at + tail for tail in ("edit/", "house-rules/", "delete/", "leave/", "invitations/new/", "pages/new/", "pages/")
    ]
    for path in pages:
        page.goto(path)
        assert fits(page), path
        small = page.locator("main :is(button, .button):visible").evaluate_all(
            "all => all.filter(one => one.getBoundingClientRect().height < 44).map(one => one.outerHTML)"
        )
        assert small == [], path
