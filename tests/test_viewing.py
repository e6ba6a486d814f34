"""“View as”: a Storyteller gets what the member gets, byte for byte, and can change nothing."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.urls import get_script_prefix, reverse

from campaigns.models import Chronicle, Membership, Role
from campaigns.viewing import viewing
from config.viewing import READ
from tests.combat.conftest import characters, draft, fight
from tests.test_leaks import world
from tests.test_permissions import rows
from tests.unzipped import numbered, text_of
from tests.world import World, addresses, plain

__all__ = ["characters", "draft", "fight", "world"]  # fixtures

pytestmark = pytest.mark.django_db

ONLY_THERE = (
    re.compile(r'<aside class="viewing-as".*?</aside>', re.DOTALL),
    re.compile(r'<div class="bar-account">.*?</div>\s*</div>\s*</div>', re.DOTALL),
    re.compile(r'<div id="(?:page-live|socket)"[^>]*></div>'),
    re.compile(r'<div class="note warning" id="page-changed".*?</div></div>', re.DOTALL),
    re.compile(r"(?<=/static/bundles/)[0-9a-f]{16}|(?<=\+)reveal\+"),
    re.compile(r'<section id="shown".*?</section>', re.DOTALL),
    re.compile(r'<span class="live".*?</span></span>', re.DOTALL),
    re.compile(r"\s+"),
)
"""What differs on purpose: banner, account menu, sockets and their scripts."""


def content(answer: Any, prefix: str = "") -> str:
    sent = b"".join(answer).decode() if answer.streaming else text_of(answer)
    if answer.get("Content-Type") == "application/zip":
        sent = numbered(sent)  # it says when it was made
    where = answer.headers.get("Location", "")
    text = (
        plain(f"{answer.status_code} {where} {sent}").replace(prefix, "/")
        if prefix
        else plain(f"{answer.status_code} {where} {sent}")
    )
    text = re.sub(r'id="fight-as\d+', 'id="fight-', text)  # made of an address
    text = re.sub(r'(<body[^>]* class="[^"]*?) viewing"', r'\1"', text)
    for each in ONLY_THERE:
        text = each.sub("", text)
    return text


def of(world: World, who: str) -> str:
    member = Membership.objects.get(chronicle=world.chronicle, user=world.people[who])
    return f"/as/{member.pk}/"


def kept() -> dict[str, Any]:
    """All that the product keeps, except caches."""
    return {name: found for name, found in rows().items() if name != "StoredDigest"}


@pytest.mark.parametrize("who", ["player", "observer"])
def test_a_storyteller_gets_what_the_member_gets(world: World, who: str) -> None:
    prefix = of(world, who)
    storyteller, member = world.client("storyteller"), world.client(who)
    for one in (storyteller, member):
        one.get(reverse("combat:rolls", args=[world.chronicle.pk]))  # opens the log of rolls, as any first visit does
    before, compared = kept(), 0
    read = [address for _route, address in addresses(world) if address.split("/")[1] in READ]
    # Viewed first, so that nothing rendered for this view could be kept for the member.
    viewed = {address: storyteller.get(prefix + address[1:]) for address in read}
    assert kept() == before
    for address, there in viewed.items():
        own = member.get(address)
        found, expected = content(there, prefix), content(own)
        # Where they part; the whole page is no help.
        assert found == expected, (
            address,
            [pair for pair in zip(found.split("<"), expected.split("<"), strict=False) if pair[0] != pair[1]][:2],
        )
        assert b"/as/" not in (b"" if own.streaming else own.content), address
        if there.status_code == 200 and b"<body" in (b"" if there.streaming else there.content):
            assert b"viewing-as" in there.content, address
            assert b"data-socket" not in there.content, address
            compared += 1
    assert compared > 10
    assert get_script_prefix() == "/"
    assert viewing() is None
    assert prefix.encode() in storyteller.get(reverse("campaigns:chronicle", args=[world.chronicle.pk])).content


def test_who_may_view_as_whom(world: World, caplog: pytest.LogCaptureFixture) -> None:
    page = f"chronicles/{world.chronicle.pk}/"
    everybody = {who: world.client(who) for who in world.people}
    for who, client in everybody.items():
        expected = {"storyteller": 200, "guest": 302}.get(who, 404)
        assert client.get(of(world, "player") + page).status_code == expected, who
        assert client.get(of(world, "player")).status_code == {"storyteller": 302}.get(who, expected), who
    by = everybody["storyteller"]
    own = Membership.objects.get(chronicle=world.ids["elsewhere"])
    for nobody in (of(world, "storyteller"), of(world, "removed"), f"/as/{own.pk}/", "/as/0/", f"/as/{10**14}/"):
        assert by.get(nobody + page).status_code == 404, nobody
    # Of another chronicle of hers, this view knows nothing, even where the Storyteller is a member.
    other = Chronicle.objects.create(name="Another", ruleset="masquerade")
    for user, role in ((world.people["player"], Role.PLAYER), (world.people["storyteller"], Role.STORYTELLER)):
        Membership.objects.create(chronicle=other, user=user, role=role)
    assert by.get(f"/chronicles/{other.pk}/").status_code == 200
    assert by.get(f"{of(world, 'player')}chronicles/{other.pk}/").status_code == 404
    # Neither her account nor what isn't read.
    for path in (
        "account/",
        "admin/",
        "join/x/",
        "about/",
        "language/",
        "static/js/site.js",
        "as/1/chronicles/",
        "/evil.example/",
        "wall/x/",
    ):
        assert by.get(of(world, "player") + path).status_code == 404, path
    # A guest comes back to the view after signing in.
    assert (
        everybody["guest"]
        .get(of(world, "player") + page)
        .headers["Location"]
        .endswith(f"next={of(world, 'player')}{page}")
    )
    # No longer once she has left, or become a Storyteller.
    hers = Membership.objects.get(chronicle=world.chronicle, user=world.people["player"])
    hers.role = Role.STORYTELLER
    hers.save()
    assert by.get(of(world, "player") + page).status_code == 404


def test_nothing_changes_there(world: World) -> None:
    client, before = world.client("storyteller"), rows()
    for _route, address in addresses(world):
        if address.split("/")[1] in READ:
            answer = client.post(of(world, "player") + address[1:], {"key": "k", "name": "x", "version": 1})
            assert answer.status_code == 403, address
    assert "You can’t change anything here." in answer.content.decode()
    assert client.delete(of(world, "player") + "chronicles/").status_code == 403
    assert rows() == before


def test_the_banner_says_who_and_leads_back(world: World) -> None:
    page = world.client("storyteller").get(of(world, "player"), follow=True).content.decode()
    name = world.people["player"].display_name
    assert f"You are viewing the chronicle as {name}." in page
    assert f'href="/chronicles/{world.chronicle.pk}/"' in page  # the way back, the only link that leaves


def test_its_refusals_are_the_storytellers_in_the_security_log(world: World, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("INFO", "vesper.security"):
        world.client("storyteller").get(f"{of(world, 'player')}characters/nobody/")
    told = [each.getMessage() for each in caplog.records if "not-found" in each.getMessage()]
    assert [f"user={world.people['storyteller'].pk} " in each for each in told] == [True]
