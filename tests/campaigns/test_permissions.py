"""Every route against every role, in one table. A route missing from it fails."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.urls import reverse
from django.utils import timezone

from campaigns import access, bins, calendars, open_places, page_services, services, session_services, urls
from campaigns.models import (
    CalendarFeed,
    Chronicle,
    Delivery,
    Invitation,
    Membership,
    Page,
    Passage,
    Picture,
    Role,
    Webhook,
)
from tests.kept import kept

ROLES = ("storyteller", "player", "observer", "stranger", "removed", "admin", "guest")
SIGN_IN = 302
# What each role gets. Strangers, removed members and the site's administrator all get 404.
OUTSIDE = {"stranger": 404, "removed": 404, "admin": 404, "guest": SIGN_IN}
MEMBERS = {"storyteller": 200, "player": 200, "observer": 200, **OUTSIDE}
STORYTELLER = {"storyteller": 200, "player": 403, "observer": 403, **OUTSIDE}
STORYTELLER_POST = {**STORYTELLER, "storyteller": 302}
WRITERS = {**MEMBERS, "observer": 403}
WRITERS_POST = {**WRITERS, "storyteller": 302, "player": 302}
PAGES = ("note", "page", "edit-page", "page-done", "delete-page", "write-passage")
PASSAGES = ("edit-passage", "move-passage", "delete-passage")
PLACES = ("invite-to-place", "give-place")
SIGNED_IN = {**dict.fromkeys(ROLES, 200), "guest": SIGN_IN}
ANYBODY = dict.fromkeys(ROLES, 200)
NOT_ALLOWED = {**dict.fromkeys(ROLES, 405), "guest": 302}

KIND = {"label": "Revenant", "felled": "torpor", "version": "1"}
TRAIT = {"label": "Sailing", "sort": "ability", "place": "abilities/1", "most": "5", "version": "1"}
POWER = {
    "label": "Iron skin",
    "source": "merit",
    "timing": "action",
    "lasts": "scene",
    "reach": "self",
    "notice": "seen",
    "version": "1",
    "effects-TOTAL_FORMS": "1",
    "effects-INITIAL_FORMS": "0",
    "effects-0-does": "dice",
    "effects-0-amount": "2",
    "effects-0-pools": "soak",
}
HOOK = {"address": "https://hooks.example.org/a", "announced": "on", "language": "de", "version": "1"}
NOTE = {"title": "T", "kind": "note", "text": "B", "audience": "everyone", "version": "1"}
# For each route: what a GET gives, what a POST gives, what is posted.
TABLE: dict[str, tuple[dict[str, int] | None, dict[str, int] | None, dict[str, str]]] = {
    "home": (ANYBODY, None, {}),
    "about": (ANYBODY, None, {}),
    "manifest": (ANYBODY, None, {}),
    "account": (SIGNED_IN, {**dict.fromkeys(ROLES, 302)}, {"first_name": "A", "email": ""}),
    "delete-account": (SIGNED_IN, {**dict.fromkeys(ROLES, 422), "guest": 302}, {"password": "wrong"}),
    "sign-up": ({**dict.fromkeys(ROLES, 302), "guest": 200}, None, {}),
    "sign-in": ({**dict.fromkeys(ROLES, 302), "guest": 200}, None, {}),
    "sign-out": ({**dict.fromkeys(ROLES, 405)}, dict.fromkeys(ROLES, 302), {}),
    "end-sign-in": ({**dict.fromkeys(ROLES, 405), "guest": 302}, dict.fromkeys(ROLES, 302), {"reference": "nobody"}),
    "language": (dict.fromkeys(ROLES, 405), dict.fromkeys(ROLES, 302), {"language": "en-gb"}),
    "password-change": (SIGNED_IN, {**dict.fromkeys(ROLES, 422), "guest": 302}, {"old_password": "wrong"}),
    "password-reset": (ANYBODY, dict.fromkeys(ROLES, 302), {"email": "nobody@example.org"}),
    "password-reset-sent": (ANYBODY, None, {}),
    "password-reset-confirm": (ANYBODY, None, {}),
    "rulebooks": (ANYBODY, None, {}),
    "rulebook": (ANYBODY, None, {}),
    "rule": (dict.fromkeys(ROLES, 301), None, {}),
    "join": (
        {
            "storyteller": 302,
            "player": 302,
            "observer": 302,
            "stranger": 200,
            "removed": 404,
            "admin": 200,
            "guest": 200,
        },
        {
            "storyteller": 302,
            "player": 302,
            "observer": 302,
            "stranger": 302,
            "removed": 404,
            "admin": 302,
            "guest": 200,
        },
        {},
    ),
    "feed": (ANYBODY, None, {}),
    "calendar": (MEMBERS, MEMBERS, {}),
    "calendar-close": (NOT_ALLOWED, {**MEMBERS, "storyteller": 302, "player": 302, "observer": 302}, {}),
    "session-calendar": (MEMBERS, None, {}),
    "create": (SIGNED_IN, dict.fromkeys(ROLES, 302), {"name": "New", "ruleset": "masquerade"}),
    "chronicle": (MEMBERS, None, {}),
    "edit": (STORYTELLER, STORYTELLER_POST, {"name": "Other", "description": "", "version": "1"}),
    "house-rules": (STORYTELLER, None, {}),
    "kinds": (STORYTELLER, None, {}),
    "write-kind": (STORYTELLER, STORYTELLER_POST, KIND),
    "edit-kind": (STORYTELLER, STORYTELLER_POST, KIND),
    "delete-kind": (STORYTELLER, STORYTELLER_POST, {}),
    "traits": (STORYTELLER, None, {}),
    "write-trait": (STORYTELLER, STORYTELLER_POST, TRAIT),
    "edit-trait": (STORYTELLER, STORYTELLER_POST, TRAIT | {"label": "Terror"}),
    "delete-trait": (STORYTELLER, STORYTELLER_POST, {}),
    "powers": (STORYTELLER, None, {}),
    "write-power": (STORYTELLER, STORYTELLER_POST, POWER),
    "edit-power": (STORYTELLER, STORYTELLER_POST, POWER | {"label": "Stone skin"}),
    "delete-power": (STORYTELLER, STORYTELLER_POST, {}),
    "import-powers": (STORYTELLER, {**STORYTELLER, "storyteller": 422}, {}),
    "export-powers": (STORYTELLER, None, {}),
    "webhook": (STORYTELLER, None, {}),
    "edit-webhook": (STORYTELLER, STORYTELLER_POST, HOOK),
    "test-webhook": (NOT_ALLOWED, STORYTELLER_POST, {}),
    "remove-webhook": (NOT_ALLOWED, STORYTELLER_POST, {}),
    "delete": (STORYTELLER, STORYTELLER_POST, {"typed_name": "Ash and Amber"}),
    "leave": (MEMBERS, {**MEMBERS, "storyteller": 302, "player": 302, "observer": 302}, {}),
    "change-role": (NOT_ALLOWED, STORYTELLER_POST, {"role": "observer"}),
    "remove-member": (STORYTELLER, STORYTELLER_POST, {}),
    "restore-member": (NOT_ALLOWED, STORYTELLER_POST, {}),
    "invite-to-place": (STORYTELLER, STORYTELLER, {"lifetime": "24"}),
    "give-place": (STORYTELLER, {**STORYTELLER, "storyteller": 422}, {"member": "x"}),
    "invite": (STORYTELLER, STORYTELLER, {"role": "player", "max_uses": "1", "lifetime": "24"}),
    "revoke": (NOT_ALLOWED, STORYTELLER_POST, {}),
    "write-page": (WRITERS, WRITERS_POST, NOTE),
    "pages": (MEMBERS, None, {}),
    "preview": (NOT_ALLOWED, {**WRITERS_POST, "storyteller": 200, "player": 200}, {"text": "[[Open]]"}),
    "journal": ({**WRITERS, "storyteller": 302, "player": 302}, None, {}),
    "note": ({**MEMBERS, "storyteller": 302, "player": 302, "observer": 302}, None, {}),
    "page": (MEMBERS, None, {}),
    "edit-page": (STORYTELLER, STORYTELLER_POST, NOTE),
    "page-done": (NOT_ALLOWED, STORYTELLER_POST, {}),
    "delete-page": (STORYTELLER, STORYTELLER_POST, {}),
    "write-passage": (STORYTELLER, STORYTELLER_POST, NOTE),
    "edit-passage": (STORYTELLER, STORYTELLER_POST, NOTE),
    "move-passage": (NOT_ALLOWED, STORYTELLER_POST, {}),
    "delete-passage": (STORYTELLER, STORYTELLER_POST, {}),
    "picture": (MEMBERS, None, {}),
    "bin": (STORYTELLER, None, {}),
    "restore": (NOT_ALLOWED, STORYTELLER_POST, {}),
}
GET_ONLY_ROUTES_REFUSE_POST = {
    *(
        "about",
        "bin",
        "feed",
        "home",
        "chronicle",
        "journal",
        "kinds",
        "manifest",
        "note",
        "page",
        "pages",
        "picture",
        "rule",
        "rulebook",
        "rulebooks",
        "traits",
    ),
    *("powers", "export-powers", "webhook", "session-calendar"),
}


@pytest.fixture
@kept
def cast(request: pytest.FixtureRequest, chronicle: Any, person: Any) -> dict[str, Any]:
    users = {role: request.getfixturevalue(role) for role in ("storyteller", "player", "observer", "stranger", "admin")}
    removed = person("removed")
    Membership.objects.create(chronicle=chronicle, user=removed, role=Role.PLAYER, removed_at=timezone.now())
    return {**users, "removed": removed, "guest": None}


@pytest.fixture
@kept
def arguments(chronicle: Any, cast: dict[str, Any], other_player: Any, member: Any) -> dict[str, list[Any]]:
    """For each route that has any, the arguments of its URL for this chronicle and its contents."""
    by = member(cast["storyteller"])
    note = page_services.create_page(by=by, title="Open", text="", audience="everyone")
    binned = page_services.create_page(by=by, title="Binned", text="", audience="everyone")
    bins.put_in(binned)
    passage = note.passages.get()
    page_services.add_passage(by=by, page=note, text="More", audience="everyone")
    picture = Picture.objects.create(passage=passage, picture=b"RIFF")
    expires = timezone.now() + timezone.timedelta(days=1)
    invitation, token = services.invite(by=by, role=Role.PLAYER, expires=expires, max_uses=5)
    removed = Membership.objects.get(user=cast["removed"])
    ana = open_places.account_for(chronicle, "Ana")
    ana.save()
    place = Membership.objects.create(chronicle=chronicle, user=ana, role=Role.PLAYER)
    Webhook.objects.create(chronicle=chronicle, address="https://hooks.example.org/b", language="en-gb")
    calendar = calendars.open_feed(by=member(cast["player"]))
    session = session_services.announce(by=by, starts=timezone.now())
    dread = {"label": "Dread", "sort": "alone", "section": "Night"}
    might = {"label": "Might", "effects": [{"does": "dice", "amount": 1, "pools": ["attack"]}]}
    Chronicle.objects.update(
        own_kinds={"own-ghost": {"label": "Ghost", "like": "mortal"}},
        own_traits={"own_dread": dread},
        own_powers={"own_might": might},
    )

    return {
        "join": [token],
        "feed": [calendar],
        "session-calendar": [session.pk],
        "password-reset-confirm": ["MQ", "none"],
        "rulebook": ["masquerade"],
        "rule": ["masquerade", "MQ-DMG-1"],
        "change-role": [chronicle.pk, member(other_player).pk],
        "remove-member": [chronicle.pk, member(other_player).pk],
        "restore-member": [chronicle.pk, removed.pk],
        **{route: [chronicle.pk, place.pk] for route in PLACES},
        "revoke": [chronicle.pk, invitation.pk],
        "restore": [chronicle.pk, "page", binned.pk],
        **{route: [chronicle.pk, "own-ghost"] for route in ("edit-kind", "delete-kind")},
        **{route: [chronicle.pk, "own_dread"] for route in ("edit-trait", "delete-trait")},
        **{route: [chronicle.pk, "own_might"] for route in ("edit-power", "delete-power")},
        **{route: [chronicle.pk, note.pk] for route in PAGES},
        **{route: [chronicle.pk, passage.pk] for route in PASSAGES},
        "picture": [chronicle.pk, picture.pk],
        **{
            r: [chronicle.pk]
            for r in (
                *("chronicle", "edit", "house-rules", "delete", "leave", "invite", "write-page"),
                *("pages", "preview", "journal", "calendar", "calendar-close"),
                *("kinds", "write-kind", "traits", "write-trait", "bin"),
                *("powers", "write-power", "import-powers", "export-powers"),
                *("webhook", "edit-webhook", "test-webhook", "remove-webhook"),
            )
        },
    }


@pytest.fixture
def address(arguments: dict[str, list[Any]]) -> Callable[[str], str]:
    """address(route) -> its URL."""
    return lambda route: reverse(f"campaigns:{route}", args=arguments.get(route, []))


def rows() -> dict[str, Any]:
    """All rows in this app's tables, to check that a refused request changes nothing."""
    return {
        model.__name__: list(model.objects.order_by("pk").values())
        for model in (CalendarFeed, Chronicle, Membership, Page, Passage, Invitation, Webhook, Delivery)
    }


def test_every_route_is_in_the_table() -> None:
    assert {pattern.name for pattern in urls.urlpatterns} == set(TABLE)


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("route", TABLE)
def test_get(route: str, role: str, address: Any, cast: dict[str, Any], client_of: Any) -> None:
    expected, _post, _data = TABLE[route]
    before = rows()
    response = client_of(cast[role]).get(address(route))
    assert expected is not None
    assert response.status_code == expected[role]
    assert rows() == before
    if role == "guest" and response.status_code == SIGN_IN:
        assert response["Location"].startswith(reverse("campaigns:sign-in") + "?next=")


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("route", [route for route, (_get, post, _data) in TABLE.items() if post])
def test_post(route: str, role: str, address: Any, cast: dict[str, Any], client_of: Any) -> None:
    _get, expected, data = TABLE[route]
    before = rows()
    response = client_of(cast[role]).post(address(route), data)
    assert expected is not None
    assert response.status_code == expected[role]
    if expected[role] in (403, 404) or role == "guest":
        assert rows() == before


@pytest.mark.parametrize("route", sorted(GET_ONLY_ROUTES_REFUSE_POST))
def test_pages_that_only_show_take_no_post(route: str, address: Any, cast: dict[str, Any], client_of: Any) -> None:
    assert client_of(cast["storyteller"]).post(address(route)).status_code == 405


@pytest.mark.parametrize(
    "route", ["change-role", "remove-member", "restore-member", "revoke", *PLACES, *PAGES, *PASSAGES]
)
def test_ids_of_another_chronicle_are_not_found(
    route: str, address: Any, chronicle: Any, stranger: Any, client_of: Any
) -> None:
    """A Storyteller elsewhere reaches nothing by using foreign ids under their own chronicle."""
    own = services.create_chronicle(user=stranger, name="Elsewhere", ruleset="masquerade")
    foreign = address(route).replace(chronicle.pk, own.pk)
    before = rows()
    assert client_of(stranger).post(foreign, {"role": "player", **NOTE}).status_code in (404, 405)
    assert client_of(stranger).get(foreign).status_code in (404, 405)
    assert rows() == before


@pytest.mark.parametrize("route", [route for route, (_get, post, _data) in TABLE.items() if post])
def test_posts_need_the_token_of_the_page(route: str, address: Any, cast: dict[str, Any]) -> None:
    from django.test import Client

    client = Client(enforce_csrf_checks=True)
    client.force_login(cast["storyteller"], backend="django.contrib.auth.backends.ModelBackend")
    assert client.post(address(route), TABLE[route][2]).status_code == 403


def test_a_disabled_account_is_out_at_once(chronicle: Any, player: Any, client_of: Any) -> None:
    client = client_of(player)
    player.is_active = False
    player.save()
    assert client.get(reverse("campaigns:chronicle", args=[chronicle.pk])).status_code == SIGN_IN


def test_who_may_not_reads_why(chronicle: Any, player: Any, client_of: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    edit = reverse("campaigns:edit", args=[chronicle.pk])
    said = client_of(player).get(edit).content.decode()
    assert "Only a Storyteller of this chronicle can do that." in said
    assert "You’re at this table" not in said

    def refuse(*_asked: Any) -> None:
        raise PermissionDenied

    monkeypatch.setattr(access, "storyteller_or_403", refuse)
    assert "You’re at this table" in client_of(player).get(edit).content.decode()
