"""A chronicle whose ruleset is missing: it can be read, nothing is lost, and other chronicles play on."""

from __future__ import annotations

import json

import pytest
from django.db.models import QuerySet
from django.urls import reverse

from campaigns import rulesets
from campaigns.models import Chronicle, Membership, Page, Passage
from campaigns.rulesets import why_missing
from characters.models import Character
from combat.commands.deadlines import settle
from combat.live.frames import view_of
from combat.live.warmup import warm_up
from combat.models import Encounter, LogRow
from combat.secrecy.access import seen_with
from rules.systems.registry import Rejected
from tests.combat.conftest import characters, draft, fight
from tests.combat.sockets import session_of
from tests.test_permissions import world
from tests.world import addresses, places

__all__ = ["characters", "draft", "fight", "world"]  # fixtures

pytestmark = pytest.mark.django_db

MISSING = "This chronicle is read-only: its ruleset “gone” is not installed."
READ = {
    "campaigns:bin",
    "campaigns:calendar",
    "campaigns:chronicle",
    "campaigns:feed",
    "campaigns:page",
    "campaigns:pages",
    "campaigns:picture",
    "campaigns:session-calendar",
    "characters:sheet",
    "characters:picture",
    "characters:cast",
    "characters:cast-print",
    "characters:face",
    "characters:ties",
    "characters:ledgers-export",
    "combat:encounter",
    "combat:log",
    "story:search",
    "combat:shown",
    "story:timeline",
    "story:sessions",
    "story:session",
    "story:export",
    "story:transfer-file",
    "story:transfer",
}
"""Pages that members can still read."""
LETS_OUT = {"campaigns:delete", "campaigns:leave", "campaigns:remove-member", "campaigns:revoke", "combat:wall-close"}
LETS_OUT |= {"story:have-read", "story:export", "story:transfer-part", "story:transfer-cancel"}
LETS_OUT |= {"story:transfer", "campaigns:calendar-close"}
"""Actions that still work: removing people, revoking links, deleting the chronicle, taking it away, and noting what one
has read."""


@pytest.fixture
def gone(world):
    Chronicle.objects.filter(pk=world.chronicle.pk).update(ruleset="gone")
    return world


def everything(world):
    """Everything stored about the chronicle."""
    models = (Chronicle, Membership, Page, Passage, Character, Encounter, LogRow)
    return [list(model.objects.order_by("pk").values()) for model in models]


def concerned(world):
    """The URLs of everything in the chronicle."""
    elsewhere = ("campaigns:rulebook", "campaigns:rule", "campaigns:password-reset-confirm")
    for route, address in addresses(world):
        if places(world)[route] != [()] and route not in elsewhere:
            yield route, address


@pytest.mark.parametrize("who", ["storyteller", "player", "observer"])
def test_what_can_be_read_is_and_all_else_says_why_it_cannot(gone, who):
    client = gone.client(who)
    opened = set()
    for route, address in concerned(gone):
        answer = client.get(address)
        assert answer.status_code in (200, 204, 302, 403, 404, 405), (route, address)
        if answer.status_code == 200:
            opened.add(route)
        if who == "storyteller" and answer.status_code == 403:
            assert MISSING in answer.content.decode(), route
    assert opened <= READ | LETS_OUT | {"campaigns:join"}
    theirs = {"campaigns:bin", "combat:log", "characters:ledgers-export"}
    theirs |= {"story:export", "story:transfer", "story:transfer-file"}
    hidden = {"storyteller": set(), "player": theirs}
    hidden["observer"] = hidden["player"] | {"characters:sheet"}
    assert opened >= READ - hidden[who]


@pytest.mark.parametrize("who", ["storyteller", "player"])
def test_posts_are_refused_with_one_sentence_and_change_nothing(gone, who):
    client, before = gone.client(who), everything(gone)
    for route, address in concerned(gone):
        if route in LETS_OUT or route.startswith("campaigns:join"):
            continue
        answer = client.post(address, {"key": "a" * 32, "version": 1})
        assert answer.status_code in (403, 404, 405), (route, answer.status_code)
        if answer.status_code == 403 and who == "storyteller":
            assert MISSING in answer.content.decode(), route
    assert everything(gone) == before


def test_nobody_joins_it(gone):
    answer = gone.client("stranger").post(reverse("campaigns:join", args=[gone.ids["token"]]))
    assert (answer.status_code, MISSING in answer.content.decode()) == (403, True)


def test_strangers_learn_nothing_of_it(gone):
    for who in ("stranger", "removed", "elsewhere"):
        answer = gone.client(who).post(reverse("campaigns:edit", args=[gone.chronicle.pk]))
        assert (answer.status_code, "read-only" in answer.content.decode()) == (404, False)


def test_a_wall_says_why_it_is_dark(gone):
    for address in (
        reverse("combat:wall", args=[gone.ids["wall"]]),
        f"/wall/{gone.ids['wall']}/{gone.fight.encounter_id}/since/0",
    ):
        answer = gone.client("guest").get(address)
        assert (answer.status_code, MISSING in answer.content.decode()) == (403, True)


def test_links_and_members_can_be_let_go_and_the_chronicle_deleted(gone):
    client, pk = gone.client("storyteller"), gone.chronicle.pk
    client.post(reverse("campaigns:revoke", args=[pk, gone.ids["invitation"]]))
    client.post(reverse("combat:wall-close", args=[pk]))
    client.post(reverse("campaigns:remove-member", args=[pk, gone.ids["member"]]))
    gone.client("player").post(reverse("campaigns:leave", args=[pk]))
    chronicle = Chronicle.objects.get(pk=pk)
    assert chronicle.invitations.filter(revoked_at=None).count() == 0
    assert not hasattr(chronicle, "wall")
    assert not Membership.objects.active().filter(chronicle=pk, user=gone.people["player"]).exists()
    Encounter.objects.filter(chronicle=pk).update(status="ended")
    client.post(reverse("campaigns:delete", args=[pk]), {"typed_name": chronicle.name})
    assert not Chronicle.objects.filter(pk=pk).exists()


def test_the_chronicle_page_says_why_and_offers_no_forms(gone):
    page = gone.client("storyteller").get(reverse("campaigns:chronicle", args=[gone.chronicle.pk])).content.decode()
    assert MISSING in page
    for name in ("edit", "house-rules", "kinds", "traits", "powers", "invite", "write-page"):
        assert reverse(f"campaigns:{name}", args=[gone.chronicle.pk]) not in page
    for name in ("characters:create", "characters:gear", "combat:create", "combat:rolls", "combat:time", "combat:dice"):
        assert reverse(name, args=[gone.chronicle.pk]) not in page
    assert "/role/" not in page
    assert "Open" in page  # a note's title
    assert gone.fight.encounter.name in page


def test_a_sheet_shows_what_is_stored(gone):
    address = reverse("characters:sheet", args=[gone.ids["character"]])
    page = gone.client("player").get(address).content.decode()
    assert MISSING in page
    assert "<dt>Dexterity</dt>" in page
    assert "/edit/" not in page
    assert gone.client("other_player").get(address).status_code == 403


def test_a_fight_shows_its_stored_log_to_the_storyteller_alone(gone):
    # A kind that came with a package that is no longer installed.
    QuerySet(LogRow).filter(encounter=gone.fight.encounter_id, seq=2).update(command={"is": "BreatheIn"})
    address = reverse("combat:encounter", args=[gone.fight.encounter_id])
    hers, theirs = (gone.client(who).get(address).content.decode() for who in ("storyteller", "player"))
    assert MISSING in hers
    assert MISSING in theirs
    assert "breathe in" in hers
    assert "breathe in" not in theirs
    log = b"".join(gone.client("storyteller").get(reverse("combat:log", args=[gone.fight.encounter_id])))
    assert json.loads(log.splitlines()[0])["ruleset"] == "gone"
    assert gone.client("player").get(reverse("combat:encounter", args=[gone.ids["draft"]])).status_code == 404


def test_home_lists_it_beside_the_others(gone):
    page = gone.client("storyteller").get(reverse("campaigns:home")).content.decode()
    assert gone.chronicle.name in page
    assert "gone" in page


def test_nobody_s_socket_is_served_and_nothing_else_stumbles_over_it(gone, caplog):
    key = session_of(gone.people["storyteller"]).session_key
    assert seen_with([key], gone.fight.encounter_id) == {key: None}
    Encounter.objects.filter(pk=gone.fight.encounter_id).update(clocks={"some question": 1.0})
    warm_up()
    assert settle(now=1000.0) > 0
    assert caplog.text == ""


def test_when_the_ruleset_is_back_everything_works_again(gone):
    address = reverse("combat:encounter", args=[gone.fight.encounter_id])
    assert gone.client("storyteller").get(address).context["read_only"]
    Chronicle.objects.filter(pk=gone.chronicle.pk).update(ruleset="masquerade")
    assert "view" in gone.client("storyteller").get(address).context
    assert view_of(Encounter.objects.get(pk=gone.fight.encounter_id), "storyteller")
    assert gone.client("player").get(reverse("characters:edit", args=[gone.ids["character"]])).status_code in (200, 302)


def test_a_rejected_ruleset_is_named_with_its_package_and_the_reason(gone, monkeypatch):
    found = Rejected("gone", "gone-rules 2.0", "its rulebook has no rule GO-1.")
    monkeypatch.setattr(rulesets, "REJECTED", (found,))
    assert why_missing("gone").endswith(
        "was rejected when Vesper started (gone-rules 2.0: its rulebook has no rule GO-1.)."
    )
    page = gone.client("player").get(reverse("campaigns:chronicle", args=[gone.chronicle.pk])).content.decode()
    assert "gone-rules 2.0" in page
    assert why_missing("masquerade") == ""
