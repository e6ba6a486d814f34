"""Pages outside fights follow changes that make a difference to their reader."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest
from asgiref.sync import async_to_sync, sync_to_async
from django.db import connection, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from campaigns import page_services, session_services
from campaigns import services as campaigns
from campaigns.live import token
from campaigns.models import Membership, Role
from characters.models import Weapon
from combat.commands import drafts
from combat.live import page_hints, rooms
from combat.live.consumers import NOT_FOUND, NOT_YOURS, SIGNED_OUT, PageConsumer
from combat.live.hub import hub
from combat.live.pages import PAGES, shown
from rules.model.gear import Damage
from rules.topics import commands
from tests.combat.conftest import TRUE_NAME, Table
from tests.combat.sockets import cookies_of, session_of
from tests.communicator import Communicator

pytestmark = [pytest.mark.django_db, pytest.mark.servers]


class Page(Communicator):
    """The socket of a page outside fights."""

    def __init__(self, user: Any, name: str, key: str, have: str = "") -> None:
        super().__init__(PageConsumer.as_asgi(), f"/ws/pages/{name}/{key}/?have={have}")
        self.scope["cookies"] = cookies_of(user and session_of(user))
        self.scope["url_route"] = {"args": (), "kwargs": {"name": name, "key": key}}


async def opened(user: Any, name: str, key: str) -> Page:
    """The socket of a page that is up to date."""
    now = await sync_to_async(lambda: token(shown(user, name, key).value))()
    page = await sync_to_async(Page)(user, name, key, now)
    await page.connect()
    return page


def told(page: tuple[Any, str, str], write: Callable[[], Any], *, committed: Any, within: float = 10) -> str:
    """What an open page is told after a change: its new token, or "" for nothing within this many seconds."""

    async def scenario() -> str:
        socket = await opened(*page)

        def act() -> None:
            connection.run_on_commit.clear()  # nothing is committed here, and hints that wait are not sent twice
            with committed(execute=True):
                write()

        await sync_to_async(act)()
        heard = "" if await socket.receive_nothing(within) else json.loads(await socket.receive_from())["version"]
        await socket.disconnect()
        return str(heard)

    return async_to_sync(scenario)()


def test_each_page_says_what_it_is_drawn_from(
    fight: Table, characters: dict[str, Any], storyteller: Any, player: Any
) -> None:
    """A page's token must match what its socket compares, or it would reload forever."""
    chronicle = fight.encounter.chronicle
    by = Membership.objects.get(chronicle=chronicle, user=storyteller)
    note = page_services.create_page(by=by, title="Rain", text="It rains.", audience="everyone")
    passage = note.passages.get().pk
    ilya, other = characters["Ilya"].pk, characters["Marguerite"].pk
    evening = session_services.announce(by=by, title="The long night").pk
    addresses = [
        (player, "home", "me", reverse("campaigns:home")),
        (player, "chronicle", chronicle.pk, reverse("campaigns:chronicle", args=[chronicle.pk])),
        (storyteller, "chronicle", chronicle.pk, reverse("campaigns:chronicle", args=[chronicle.pk])),
        (storyteller, "settings", chronicle.pk, reverse("campaigns:edit", args=[chronicle.pk])),
        (storyteller, "settings", chronicle.pk, reverse("campaigns:house-rules", args=[chronicle.pk])),
        (storyteller, "kinds", chronicle.pk, reverse("campaigns:kinds", args=[chronicle.pk])),
        (storyteller, "traits", chronicle.pk, reverse("campaigns:traits", args=[chronicle.pk])),
        (storyteller, "powers", chronicle.pk, reverse("campaigns:powers", args=[chronicle.pk])),
        (storyteller, "webhook", chronicle.pk, reverse("campaigns:webhook", args=[chronicle.pk])),
        (storyteller, "bin", chronicle.pk, reverse("campaigns:bin", args=[chronicle.pk])),
        (player, "page", note.pk, reverse("campaigns:page", args=[chronicle.pk, note.pk])),
        (player, "pages", chronicle.pk, reverse("campaigns:pages", args=[chronicle.pk])),
        (storyteller, "page-form", note.pk, reverse("campaigns:edit-page", args=[chronicle.pk, note.pk])),
        (storyteller, "passage-form", passage, reverse("campaigns:edit-passage", args=[chronicle.pk, passage])),
        (storyteller, "gear", chronicle.pk, reverse("characters:gear", args=[chronicle.pk])),
        (player, "sheet", ilya, reverse("characters:sheet", args=[ilya])),
        (player, "sheet", other, reverse("characters:sheet", args=[other])),
        (player, "experience", ilya, reverse("characters:experience", args=[ilya])),
        (storyteller, "ledgers", chronicle.pk, reverse("characters:ledgers", args=[chronicle.pk])),
        (storyteller, "sheet-form", ilya, reverse("characters:edit", args=[ilya])),
        (player, "cast", chronicle.pk, reverse("characters:cast", args=[chronicle.pk])),
        (storyteller, "face", other, reverse("characters:face", args=[chronicle.pk, other])),
        (player, "ties", chronicle.pk, reverse("characters:ties", args=[chronicle.pk])),
        (player, "sessions", chronicle.pk, reverse("story:sessions", args=[chronicle.pk])),
        (player, "session", evening, reverse("story:session", args=[evening])),
        (storyteller, "session", evening, reverse("story:session", args=[evening])),
        (storyteller, "session-form", evening, reverse("story:edit-session", args=[evening])),
        (storyteller, "desk-notes", fight.encounter_id, reverse("combat:encounter", args=[fight.encounter_id])),
    ]
    assert {name for _user, name, _key, _address in addresses} == set(PAGES)
    for user, name, key, address in addresses:
        client = Client()
        client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
        text = client.get(address).content.decode()
        assert f'data-socket="/ws/pages/{name}/{key}/"' in text, address
        assert f'data-token="{token(shown(user, name, key).value)}"' in text, address


def test_a_fight_that_begins_shows_on_the_players_pages(
    draft: Table, player: Any, django_capture_on_commit_callbacks: Any
) -> None:
    chronicle = draft.encounter.chronicle_id
    for page in ((player, "chronicle", chronicle), (player, "home", "me")):
        assert told(page, lambda: None, committed=django_capture_on_commit_callbacks, within=0.3) == ""
    heard = told(
        (player, "chronicle", chronicle),
        lambda: draft.do(commands.Begin()),
        committed=django_capture_on_commit_callbacks,
    )
    assert heard == token(shown(player, "chronicle", chronicle).value)
    home = (player, "home", "me")
    assert told(home, lambda: draft.do(commands.Pause()), committed=django_capture_on_commit_callbacks)


def test_a_blow_shows_on_the_sheet(
    fight: Table, characters: dict[str, Any], player: Any, django_capture_on_commit_callbacks: Any
) -> None:
    page = (player, "sheet", characters["Ilya"].pk)
    heard = told(
        page,
        lambda: fight.do(commands.Harm(fight["Ilya"], 1, Damage.LETHAL)),
        committed=django_capture_on_commit_callbacks,
    )
    assert heard


def test_a_weapon_that_the_admin_edits_shows_on_sheets_and_tables(
    fight: Table, characters: dict[str, Any], player: Any, storyteller: Any, django_capture_on_commit_callbacks: Any
) -> None:
    def edit(damage: int) -> None:
        sword = Weapon.objects.get(name="Test sword")
        sword.damage = damage
        sword.save()

    for page in ((player, "sheet", characters["Ilya"].pk), (storyteller, "gear", fight.encounter.chronicle_id)):
        more = Weapon.objects.get(name="Test sword").damage + 1
        assert told(page, lambda more=more: edit(more), committed=django_capture_on_commit_callbacks), page


def test_what_a_reader_may_not_know_of_sends_them_nothing(
    fight: Table, characters: dict[str, Any], player: Any, storyteller: Any, django_capture_on_commit_callbacks: Any
) -> None:
    """Not even that something changed: a page that isn't told fetches nothing."""
    chronicle = fight.encounter.chronicle
    by = Membership.objects.get(chronicle=chronicle, user=storyteller)
    npc = characters[TRUE_NAME]

    def in_the_dark() -> None:
        page_services.create_page(by=by, title="Plans", text="CANARY", audience="storytellers")
        made = drafts.create_encounter(by=by, name="CANARY mill", scene="")
        mill = drafts.create_encounter(by=by, name="CANARY mill", scene="")
        assert drafts.move_draft(by=by, encounter=made, before=mill.pk)
        fight.do(commands.Harm(fight[TRUE_NAME], 1, Damage.LETHAL))
        npc.storyteller_notes = "CANARY"
        npc.save()

    places = [(player, "home", "me"), (player, "chronicle", chronicle.pk), (player, "sheet", characters["Ilya"].pk)]
    for page in places:
        assert told(page, in_the_dark, committed=django_capture_on_commit_callbacks, within=0.3) == "", page
    assert told((storyteller, "chronicle", chronicle.pk), in_the_dark, committed=django_capture_on_commit_callbacks)


def test_a_note_that_is_shared_and_an_invitation_that_is_revoked(
    fight: Table, player: Any, storyteller: Any, django_capture_on_commit_callbacks: Any
) -> None:
    chronicle = fight.encounter.chronicle
    by = Membership.objects.get(chronicle=chronicle, user=storyteller)
    expires = timezone.now() + timezone.timedelta(days=1)
    invitation, _token = campaigns.invite(by=by, role=Role.PLAYER, expires=expires, max_uses=1)
    assert told(
        (player, "chronicle", chronicle.pk),
        lambda: page_services.create_page(by=by, title="Rain", text="It rains.", audience="everyone"),
        committed=django_capture_on_commit_callbacks,
    )
    assert told(
        (storyteller, "chronicle", chronicle.pk),
        lambda: campaigns.revoke_invitation(by=by, invitation=invitation, now=timezone.now()),
        committed=django_capture_on_commit_callbacks,
    )


def test_drafts_in_another_order_show_to_other_storytellers(
    fight: Table, storyteller: Any, django_capture_on_commit_callbacks: Any
) -> None:
    chronicle = fight.encounter.chronicle
    by = Membership.objects.get(chronicle=chronicle, user=storyteller)
    mill, pier = (drafts.create_encounter(by=by, name=name) for name in ("Mill", "Pier"))
    assert told(
        (storyteller, "chronicle", chronicle.pk),
        lambda: drafts.move_draft(by=by, encounter=mill, before=pier.pk),
        committed=django_capture_on_commit_callbacks,
    )


def code_of(user: Any, name: str, key: str) -> int:
    async def scenario() -> int:
        socket = await sync_to_async(Page)(user, name, key)
        await socket.connect()
        closed = await socket.receive_output()
        return int(closed["code"])

    return async_to_sync(scenario)()


def test_pages_that_are_not_theirs_are_closed(
    fight: Table, characters: dict[str, Any], player: Any, stranger: Any
) -> None:
    chronicle = fight.encounter.chronicle_id
    assert code_of(None, "chronicle", chronicle) == SIGNED_OUT
    for user, name, key in (
        (stranger, "chronicle", chronicle),
        (stranger, "sheet", characters["Ilya"].pk),
        (player, "sheet", characters[TRUE_NAME].pk),
        (player, "gear", chronicle),
        (player, "settings", chronicle),
        (player, "kinds", chronicle),
        (player, "bin", chronicle),
        (player, "page", "none"),
        (player, "page-form", "none"),
        (player, "passage-form", "none"),
        (player, "sheet-form", characters["Marguerite"].pk),
        (player, "home", "somebody-else"),
        (player, "nonsense", chronicle),
    ):
        assert code_of(user, name, key) == NOT_FOUND, (name, key)


def test_who_leaves_the_table_loses_its_pages(fight: Table, player: Any, storyteller: Any) -> None:
    chronicle = fight.encounter.chronicle

    async def scenario() -> int:
        socket = await opened(player, "chronicle", chronicle.pk)
        await sync_to_async(Membership.objects.filter(chronicle=chronicle, user=player).update)(
            removed_at=timezone.now()
        )
        await socket.send_to(json.dumps({"have": ""}))
        code = int((await socket.receive_output())["code"])
        await socket.disconnect()
        return code

    assert async_to_sync(scenario)() == NOT_YOURS


def test_a_heartbeat_brings_what_a_lost_hint_did_not(
    fight: Table, characters: dict[str, Any], player: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_hints, "hint", lambda *_: None)
    page = (player, "sheet", characters["Ilya"].pk)

    async def scenario() -> tuple[str, str]:
        socket = await opened(*page)
        before = await sync_to_async(lambda: token(shown(*page).value))()
        await socket.send_to(json.dumps({"have": before}))
        first = json.loads(await socket.receive_from())["version"]
        assert first == before
        await sync_to_async(fight.do)(commands.Harm(fight["Ilya"], 1, Damage.LETHAL))
        await socket.send_to(json.dumps({"have": before}))
        second = json.loads(await socket.receive_from())["version"]
        await socket.disconnect()
        return before, second

    before, after = async_to_sync(scenario)()
    assert before != after


def test_a_save_hints_once_for_all_that_it_writes(
    fight: Table, characters: dict[str, Any], monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    sent: list[tuple[str, str]] = []
    transaction.get_connection().run_on_commit.clear()  # the fixtures' data is never committed here
    monkeypatch.setattr(page_hints, "hint", lambda place, audience: sent.append((place, audience)))
    with django_capture_on_commit_callbacks(execute=True):
        for _time in range(3):
            characters["Ilya"].save()
    assert len(sent) == 1
    with django_capture_on_commit_callbacks(execute=True):
        fight.encounter.save()
    assert len(sent) == 1, "a continuing fight changes no list"


def test_a_page_whose_reader_signed_out_is_waited_for_no_more(chronicle: Any, player: Any) -> None:
    session = session_of(player)

    async def scenario() -> None:
        page = await sync_to_async(Page)(player, "chronicle", chronicle.pk)
        page.scope["cookies"] = cookies_of(session)
        await page.connect()
        await page.receive_from()
        assert rooms._all[asyncio.get_running_loop()]
        await sync_to_async(session.delete)(session.session_key)
        await page.send_to(json.dumps({"have": ""}))
        assert (await page.receive_output())["code"] == SIGNED_OUT
        await page.disconnect()
        assert not rooms._all[asyncio.get_running_loop()]
        assert not hub()._listeners

    async_to_sync(scenario)()
