"""Show: a passage is on the chosen screens within a second, and on nobody else's, now or later."""

from __future__ import annotations

import asyncio
import json
from datetime import timedelta
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.core.cache import cache
from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.urls import reverse
from django.utils import timezone

from campaigns import showing as service
from campaigns.errors import Refused
from campaigns.models import Membership, Page, Passage, PassageAudience, Picture, Progress, Readership, Reveal, Session
from campaigns.readable import pages_for, passages_for
from combat.live import showing, wall
from combat.live.consumers import WallConsumer
from combat.models import Wall
from tests.combat.conftest import Table
from tests.combat.live.test_pages import opened as opened_page
from tests.combat.sockets import opened as opened_fight
from tests.combat.sockets import play
from tests.communicator import Communicator

pytestmark = [pytest.mark.django_db, pytest.mark.servers]

WORDS = "The CANARY sang of the mill."
SECOND = 1


@pytest.fixture(autouse=True)
def nothing_tried_yet() -> None:
    cache.clear()


@pytest.fixture
def table(fight: Table) -> dict[str, Membership]:
    return {
        each.user.username: each for each in fight.encounter.chronicle.memberships.select_related("user", "chronicle")
    }


@pytest.fixture
def passage(table: dict[str, Membership]) -> Passage:
    return written(table)


def written(table: dict[str, Membership], **more: Any) -> Passage:
    page = Page.objects.create(chronicle=table["player"].chronicle, title="The mill", folded="the mill")
    return Passage.objects.create(page=page, **{"text": WORDS, "written": timezone.now(), **more})


def readers(table: dict[str, Membership], passage: Passage) -> set[str]:
    found = {name for name, member in table.items() if passages_for(member).filter(pk=passage.pk).exists()}
    # No list has the page for anybody else.
    assert {name for name, member in table.items() if pages_for(member).filter(pk=passage.page_id).exists()} == found
    return found


# ------------------------------------------------------------------ the service


def test_showing_opens_a_passage_to_those_who_were_chosen(table: dict[str, Membership], passage: Passage) -> None:
    by, hers = table["storyteller"], table["player"]
    evening = Session.objects.create(chronicle=by.chronicle, number=1, progress=Progress.PLAYING)
    reveal = service.show(by=by, passage_id=passage.pk, everyone=False, to=[hers.pk, table["observer"].pk])
    assert readers(table, passage) == {"storyteller", "player"}  # an observer is never a chosen reader
    assert (reveal.session, reveal.by, reveal.everyone, list(reveal.to.all())) == (evening, by.user, False, [hers])
    since = Readership.objects.get(passage=passage).since
    assert since == reveal.at
    # Again, to another one: the first keeps it, since when they know it too.
    service.show(by=by, passage_id=passage.pk, everyone=False, to=[table["other_player"].pk])
    assert readers(table, passage) == {"storyteller", "player", "other_player"}
    assert Readership.objects.get(passage=passage, membership=hers).since == since
    service.show(by=by, passage_id=passage.pk, everyone=True)
    assert readers(table, passage) == set(table)
    passage.refresh_from_db()
    opened = passage.opened
    assert opened is not None
    # To one of them: it doesn't narrow, nor is it news to the others.
    service.show(by=by, passage_id=passage.pk, everyone=False, to=[hers.pk])
    passage.refresh_from_db()
    assert (passage.audience, passage.opened) == (PassageAudience.EVERYONE, opened)
    assert Reveal.objects.count() == 4


def test_readers_of_an_earlier_time_dont_come_back(table: dict[str, Membership], passage: Passage) -> None:
    Readership.objects.create(passage=passage, membership=table["other_player"], since=timezone.now())
    service.show(by=table["storyteller"], passage_id=passage.pk, everyone=False, to=[table["player"].pk])
    assert readers(table, passage) == {"storyteller", "player"}


def test_what_is_refused(table: dict[str, Membership], passage: Passage, person: Any) -> None:
    by, hers = table["storyteller"], table["player"]
    for member in (hers, table["observer"]):
        with pytest.raises(PermissionDenied):
            service.show(by=member, passage_id=passage.pk, everyone=True)
    with pytest.raises(Refused):
        service.show(by=by, passage_id=passage.pk, everyone=False, to=[table["observer"].pk])
    with pytest.raises(Http404):
        service.show(by=by, passage_id="nowhere", everyone=True)
    # What a player keeps for themselves or for some isn't the Storyteller's to open.
    for audience in (PassageAudience.AUTHOR, PassageAudience.CHOSEN):
        own = written(table, audience=audience, author=hers.user)
        with pytest.raises(Refused):
            service.show(by=by, passage_id=own.pk, everyone=True)
        assert readers(table, own) == {"storyteller", "player"}
    thrown_away = written(table)
    Page.objects.filter(pk=thrown_away.page_id).update(binned=timezone.now())
    with pytest.raises(Http404):
        service.show(by=by, passage_id=thrown_away.pk, everyone=True)
    assert not Reveal.objects.exists()


def test_what_is_fresh(table: dict[str, Membership], passage: Passage) -> None:
    by, hers, chronicle = table["storyteller"], table["player"], table["player"].chronicle_id
    reveal = service.show(by=by, passage_id=passage.pk, everyone=False, to=[hers.pk])
    now = timezone.now()
    fresh = {name for name, each in table.items() if service.fresh_for(each.user_id, [chronicle], now)}
    assert fresh == {"player"}
    assert service.fresh_for(hers.user_id, [chronicle], now) == service.Fresh(reveal.pk, chronicle, passage.pk)
    assert service.fresh_for(hers.user_id, [], now) is None
    assert service.fresh_for(hers.user_id, [chronicle], now + timedelta(minutes=2)) is None
    # Narrowed again, or the reader left: it isn't opened on a screen any more.
    Readership.objects.all().delete()
    assert service.fresh_for(hers.user_id, [chronicle], now) is None
    service.show(by=by, passage_id=passage.pk, everyone=True)
    hers.removed_at = now
    hers.save()
    assert service.fresh_for(hers.user_id, [chronicle], timezone.now()) is None
    assert service.fresh_for(table["observer"].user_id, [chronicle], timezone.now()) is not None


# ------------------------------------------------------------------ open screens


class WallSocket(Communicator):
    def __init__(self, token: str, encounter_id: str) -> None:
        super().__init__(WallConsumer.as_asgi(), f"/ws/wall/{token}/{encounter_id}/")
        self.scope["url_route"] = {"args": (), "kwargs": {"token": token, "encounter_id": encounter_id}}


async def screens(table: dict[str, Membership], fight: Table, token: str) -> dict[str, Any]:
    """A page and a fight of everybody, and the wall, all up to date."""
    chronicle = table["player"].chronicle_id
    found: dict[str, Any] = {}
    for name, member in table.items():
        found[f"{name}'s page"] = await opened_page(member.user, "chronicle", chronicle)
        found[f"{name}'s fight"] = await opened_fight(member.user, fight.encounter_id)
    found["home"] = await opened_page(table["player"].user, "home", "me")
    found["wall"] = WallSocket(token, fight.encounter_id)
    await found["wall"].connect()
    for name, socket in found.items():
        if name == "wall" or name.endswith("fight"):
            await socket.receive_from()
    return found


async def heard(found: dict[str, Any]) -> dict[str, Any]:
    """What each screen gets within a second: nothing at all, or what was shown."""
    told: dict[str, Any] = {}
    deadline = asyncio.get_running_loop().time() + SECOND
    for name, socket in found.items():
        left = max(0.01, deadline - asyncio.get_running_loop().time())
        if not await socket.receive_nothing(left):
            said = json.loads(await socket.receive_from())
            assert set(said) == {"shown"}, (name, said)
            told[name] = said["shown"]
            assert await socket.receive_nothing(0.01), name
    return told


def test_the_chosen_get_it_within_a_second_and_others_get_nothing(
    fight: Table, table: dict[str, Membership], passage: Passage, django_capture_on_commit_callbacks: Any
) -> None:
    by = table["storyteller"]
    token = wall.open_wall(by=by)

    def act(**how: Any) -> Any:
        with django_capture_on_commit_callbacks(execute=True):
            return showing.show(by=by, passage_id=passage.pk, **how)

    async def scenario() -> None:
        found = await screens(table, fight, token)
        reveal = await sync_to_async(act)(everyone=False, to=[table["player"].pk], wall=True)
        url = f"/chronicles/{by.chronicle_id}/passages/{passage.pk}/shown/"
        expected = {"reveal": reveal.pk, "passage": passage.pk, "url": url}
        # The wall is for what everyone reads, however it was asked.
        assert await heard(found) == dict.fromkeys(("player's page", "player's fight", "home"), expected)
        # A page that is opened in the next minute is told as well; nobody else's is.
        late = await opened_page(table["player"].user, "chronicle", by.chronicle_id)
        other = await opened_page(table["other_player"].user, "chronicle", by.chronicle_id)
        assert await heard({"late": late, "other": other}) == {"late": expected}
        reveal = await sync_to_async(act)(everyone=True, wall=True)
        told = await heard({**found, "late": late, "other": other})
        assert told.pop("wall") == {}
        assert set(told) == {name for name in (*found, "late", "other") if not name.startswith(("storyteller", "wall"))}
        assert {each["reveal"] for each in told.values()} == {reveal.pk}
        for socket in (*found.values(), late, other):
            await socket.disconnect()

    play(scenario)


def test_the_wall_shows_it_until_it_is_taken_off(
    client: Any, fight: Table, table: dict[str, Membership], passage: Passage, django_capture_on_commit_callbacks: Any
) -> None:
    by = table["storyteller"]
    token = wall.open_wall(by=by)
    address = reverse("combat:wall-shown", args=[token])
    picture = Picture.objects.create(passage=passage, picture=b"RIFF", caption="Wheels")
    face = reverse("combat:wall-picture", args=[token, picture.pk])
    assert client.get(address).status_code == 204
    assert client.get(face).status_code == 404
    showing.show(by=by, passage_id=passage.pk, everyone=True, wall=True)
    shown = client.get(address).content.decode()
    assert WORDS in shown
    assert face in shown
    assert client.get(face).content == b"RIFF"
    assert client.get(reverse("combat:wall-shown", args=["wrong"])).status_code == 404
    # Narrowed by an edit: at once it is there no longer, and the screen is told to look.
    told: list[Any] = []
    passage.refresh_from_db()
    passage.audience = PassageAudience.STORYTELLERS
    with pytest.MonkeyPatch.context() as patch, django_capture_on_commit_callbacks(execute=True):
        patch.setattr("combat.live.showing.hint", lambda *args: told.append(args))
        passage.save()
    assert len(told) == 1
    assert client.get(address).status_code == 204
    assert client.get(face).status_code == 404
    showing.show(by=by, passage_id=passage.pk, everyone=True, wall=True)
    with pytest.raises(PermissionDenied):
        showing.take_off_wall(by=table["player"])
    showing.take_off_wall(by=by)
    assert Wall.objects.get().passage is None
    assert client.get(address).status_code == 204


# ------------------------------------------------------------------ the page


def test_the_storyteller_chooses_who_sees_it(table: dict[str, Membership], passage: Passage, client: Any) -> None:
    by = table["storyteller"]
    wall.open_wall(by=by)
    client.force_login(by.user, backend="django.contrib.auth.backends.ModelBackend")
    address = reverse("combat:show", args=[by.chronicle_id, passage.pk])
    leading = reverse("campaigns:page", args=[by.chronicle_id, passage.page_id])
    assert address in client.get(leading).content.decode()
    page = client.get(address).content.decode()
    assert table["player"].user.display_name in page
    assert table["observer"].user.display_name not in page.partition("<main")[2].partition("</form>")[0]
    for said in ({"who": "chosen"}, {"who": "chosen", "to": [table["player"].pk], "wall": "on"}, {"who": "nobody"}):
        assert client.post(address, said).status_code == 422, said
    assert not Reveal.objects.exists()
    answer = client.post(address, {"who": "chosen", "to": [table["player"].pk]}, follow=True)
    assert answer.status_code == 200
    assert readers(table, passage) == {"storyteller", "player"}
    shown = reverse("combat:shown", args=[by.chronicle_id, passage.pk])
    for name, member in table.items():
        client.force_login(member.user, backend="django.contrib.auth.backends.ModelBackend")
        answer = client.get(shown)
        assert answer.status_code == (200 if name in ("storyteller", "player") else 404), name
        assert (WORDS in answer.content.decode()) == (answer.status_code == 200)
    client.force_login(by.user, backend="django.contrib.auth.backends.ModelBackend")
    client.post(address, {"who": "everyone", "wall": "on"})
    assert "Take it off the wall" in client.get(address).content.decode()
    client.post(reverse("combat:wall-clear", args=[by.chronicle_id]))
    assert Wall.objects.get().passage is None
