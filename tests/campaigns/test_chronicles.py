"""A chronicle’s page, creating and editing it, and its notes."""

from __future__ import annotations

import re
import time
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from campaigns import page_services, services
from campaigns.errors import EditConflict
from campaigns.models import Attendance, Chronicle, Page, Role, Session
from characters.models import Character
from combat.models import Encounter
from tests.campaigns.conftest import page_of
from tests.kept import kept

SECRETS = (
    "Planted note title",
    "Planted note body",
    "Planted antagonist",
    "Planted lair",
    "Planted ambush",
    "Planted label",
)


def fetched(note: Page) -> dict[str, Any]:
    """The URLs that a list of titles fetches when a note is opened."""
    return {
        "path": reverse("campaigns:page", args=[note.chronicle_id, note.pk]),
        "headers": {"HX-Request": "true"},
    }


def text_of(client: Any, note: Page) -> str:
    response = client.get(**fetched(note))
    assert response.status_code == 200
    text = response.content.decode()
    assert "<html" not in text
    return str(text)


@pytest.fixture
@kept
def full_table(chronicle: Any, member: Any, storyteller: Any, player: Any) -> Any:
    """The chronicle with visible and hidden content in every part of its page."""
    from django.utils import timezone

    by = member(storyteller)
    page_services.create_page(by=by, title="Open letter", text="For *all*", audience="everyone")
    page_services.create_page(by=by, title=SECRETS[0], text=SECRETS[1], audience="storytellers")
    services.invite(
        by=by, role="player", expires=timezone.now() + timezone.timedelta(days=1), max_uses=2, label=SECRETS[5]
    )
    Character.objects.create(chronicle=chronicle, name="Ilya Voss", concept="Duellist", owner=player)
    Character.objects.create(pk="hidden-one", chronicle=chronicle, name=SECRETS[2], concept=SECRETS[3])
    Encounter.objects.create(pk="drafted-one", chronicle=chronicle, name=SECRETS[4])
    Encounter.objects.create(chronicle=chronicle, name="Church", status="running")
    Encounter.objects.create(chronicle=chronicle, name="Bridge", status="ended")
    return chronicle


@pytest.mark.servers
def test_the_storyteller_sees_all_of_it(full_table: Any, storyteller: Any, client_of: Any) -> None:
    page = page_of(client_of(storyteller), full_table)
    for words in (SECRETS[0], *SECRETS[2:], "Ilya Voss", "Open letter", "Church", "Bridge", "Invite"):
        assert words in page
    assert SECRETS[1] in text_of(client_of(storyteller), Page.objects.get(title=SECRETS[0]))


@pytest.mark.parametrize("role", ["player", "other_player", "observer"])
def test_the_others_see_theirs_and_no_secret(role: str, full_table: Any, client_of: Any, request: Any) -> None:
    client = client_of(request.getfixturevalue(role))
    page = page_of(client, full_table)
    for words in ("Ilya Voss", "Duellist", "Open letter", "Church", "Bridge", "observer"):
        assert words in page
    assert "For <em>all</em>" in text_of(client, Page.objects.get(title="Open letter"))
    assert client.get(**fetched(Page.objects.get(title=SECRETS[0]))).status_code == 404
    home = client.get("/").content.decode()
    assert "Church" in home
    for secret in (*SECRETS, ">draft<", "/invitations/", "/edit/", "/remove/", "hidden-one", "drafted-one"):
        assert secret not in page
        assert secret not in home


def test_what_is_hidden_leaves_no_trace(
    chronicle: Any, member: Any, storyteller: Any, player: Any, client_of: Any
) -> None:
    """The page is identical with and without hidden things, except for its CSRF token."""
    client = client_of(player)

    def bare() -> str:
        return re.sub(r"[A-Za-z0-9]{64}", "", page_of(client, chronicle))

    before = bare()
    page_services.create_page(by=member(storyteller), title="T", text="B", audience="storytellers")
    Character.objects.create(chronicle=chronicle, name="X")
    Encounter.objects.create(chronicle=chronicle, name="Y")
    assert bare() == before


# ------------------------------------------------------------------ long lists and texts


@pytest.mark.servers
def test_maximal_texts_weigh_nothing_until_they_are_opened(
    chronicle: Any, member: Any, storyteller: Any, player: Any, client_of: Any
) -> None:
    bare = len(page_of(client_of(player), chronicle))
    for number in range(20):
        page_services.create_page(
            by=member(storyteller), title=f"Note {number}", text="[a](x) " * 2857, audience="everyone"
        )
    page = page_of(client_of(player), chronicle)
    assert len(page) < bare + 20 * 2000
    assert "nofollow" not in page
    assert text_of(client_of(player), Page.objects.get(title="Note 7")).count("nofollow") == 2857


@pytest.mark.servers
def test_what_a_page_follows_needs_no_texts(chronicle: Any, member: Any, storyteller: Any, player: Any) -> None:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    from campaigns.live import token
    from combat.live.pages import shown

    note = page_services.create_page(by=member(storyteller), title="T", text="B", audience="everyone")
    with CaptureQueriesContext(connection) as asked:
        before = token(shown(player, "chronicle", chronicle.pk).value)
    assert not any('"campaigns_passage"."text"' in each["sql"] for each in asked)
    passage = note.passages.get()
    page_services.edit_passage(
        by=member(storyteller), passage=passage, text="Other words", audience="everyone", version=1
    )
    assert token(shown(player, "chronicle", chronicle.pk).value) != before


@pytest.mark.servers
def test_long_lists_are_shown_a_part_at_a_time(chronicle: Any, member: Any, storyteller: Any, client_of: Any) -> None:
    by = member(storyteller)
    for number in range(65):
        page_services.create_page(by=by, title=f"Note {number:02}", text="B", audience="everyone")
        Encounter.objects.create(chronicle=chronicle, name=f"Fight {number:02}", status="ended")
        Character.objects.create(chronicle=chronicle, name=f"Somebody {number:02}")
    client, address = client_of(storyteller), reverse("campaigns:chronicle", args=[chronicle.pk])

    def shown(query: str) -> tuple[set[str], set[str], set[str]]:
        page = client.get(address + query).content.decode()
        return tuple(set(re.findall(rf">({word} \d\d)<", page)) for word in ("Note", "Fight", "Somebody"))  # type: ignore[return-value]

    first, second, third = shown(""), shown("?members=2"), shown("?members=3&encounters=3")
    # The newest pages only; the others are on their own list.
    assert [len(each) for each in first] == [8, 30, 30]
    assert first[0] == {f"Note {number:02}" for number in range(57, 65)}
    assert (second[1], second[2]) == (first[1], first[2])
    assert len(third[1]) == 5
    page = client.get(f"{address}?storytellers_characters=2&encounters=3&else=x").content.decode()
    assert 'href="?storytellers_characters=3&amp;encounters=3#storytellers-cast"' in page
    assert 'href="?storytellers_characters=2&amp;encounters=2#encounters"' in page


@pytest.mark.parametrize("asked", ["0", "-1", "99", "x", "", "9" * 5000, "1.5"])
def test_a_part_that_is_not_there_is_another(full_table: Any, storyteller: Any, client_of: Any, asked: str) -> None:
    address = reverse("campaigns:chronicle", args=[full_table.pk])
    response = client_of(storyteller).get(address, {"encounters": asked, "members": asked})
    assert "Open letter" in response.content.decode()


def test_a_hidden_note_is_as_absent_as_none(full_table: Any, player: Any, storyteller: Any, client_of: Any) -> None:
    secret = Page.objects.get(title=SECRETS[0])
    there = reverse("campaigns:page", args=[full_table.pk, secret.pk])
    absent = reverse("campaigns:page", args=[full_table.pk, "bcdfghjkmn"])
    client = client_of(player)
    assert client.get(there).status_code == client.get(absent).status_code == 404
    assert SECRETS[1] in client_of(storyteller).get(there).content.decode()


@pytest.mark.servers
def test_home_shows_my_tables_with_their_fight_first(full_table: Any, player: Any, client_of: Any) -> None:
    response = client_of(player).get("/")
    (card,) = response.context["cards"]
    assert (card.name, card.role, card.players) == ("Ash and Amber", "player", 2)
    assert [fight.name for fight in card.fights] == ["Church"]
    assert "A fight is running" in response.content.decode()


def test_home_says_when_the_next_session_is_and_what_waits(
    full_table: Any, player: Any, observer: Any, storyteller: Any, client_of: Any
) -> None:
    """Only players and Storytellers are asked, until they have answered."""
    plan = partial(Session.objects.create, chronicle=full_table)
    plan(number=1, starts=timezone.now() + timedelta(days=9), place="The far hall")
    coming = plan(number=2, starts=timezone.now() + timedelta(days=2), place="At Ana’s")
    plan(number=3, place="No date")
    question = "Will you be there?"
    for who in (player, observer, storyteller):
        home = client_of(who).get("/").content.decode()
        assert "At Ana’s" in home
        assert "The far hall" not in home
        assert (question in home) is (who is not observer)
    Attendance.objects.create(session=coming, user=player, answer="no")
    assert question not in client_of(player).get("/").content.decode()
    coming.progress = "playing"
    coming.save()
    home = client_of(storyteller).get("/").content.decode()
    assert "A session is being played" in home
    assert question not in home


@pytest.mark.servers
def test_many_tables_and_many_storytellers_cost_no_more_queries_than_one(
    full_table: Any, storyteller: Any, person: Any, client_of: Any
) -> None:
    client = client_of(storyteller)
    addresses = ["/", reverse("campaigns:account"), reverse("campaigns:chronicle", args=[full_table.pk])]

    def asked() -> list[int]:
        counts = []
        for address in addresses:
            with CaptureQueriesContext(connection) as queries:
                assert client.get(address).status_code == 200
            counts.append(len(queries))
        return counts

    asked()
    before = asked()
    for number in range(10):
        other = services.create_chronicle(user=storyteller, name=f"Other {number}", ruleset="masquerade")
        Encounter.objects.create(chronicle=other, name=f"Fight {number}", status="paused")
        services.add_member(chronicle=full_table, user=person(f"teller{number}"), role=Role.STORYTELLER)
    assert asked() == before


def test_a_table_with_several_storytellers_holds_none_of_them(
    full_table: Any, storyteller: Any, player: Any, client_of: Any
) -> None:
    last = "The only Storyteller. To change this role, make somebody else a Storyteller first."
    assert page_of(client_of(storyteller), full_table).count(last) == 1
    assert last not in page_of(client_of(player), full_table)
    services.add_member(chronicle=full_table, user=player, role=Role.STORYTELLER)
    assert last not in page_of(client_of(storyteller), full_table)


def test_home_of_somebody_new_says_what_to_do(stranger: Any, client_of: Any) -> None:
    page = client_of(stranger).get("/").content.decode()
    assert "No chronicles yet" in page
    assert "I have an invitation" in page


@pytest.mark.servers
def test_making_one_makes_its_storyteller(stranger: Any, client_of: Any) -> None:
    data = {"name": "Salt", "ruleset": "masquerade", "description": "By the sea", "role": "x", "id": "chosen"}
    response = client_of(stranger).post(reverse("campaigns:create"), data)
    made = Chronicle.objects.get(name="Salt")
    assert response["Location"] == reverse("campaigns:chronicle", args=[made.pk])
    assert made.pk != "chosen"
    assert made.memberships.get().is_storyteller
    assert made.memberships.get().user == stranger


@pytest.mark.parametrize(
    ("bad", "field"),
    [
        ({"name": ""}, "name"),
        ({"name": "x" * 81}, "name"),
        ({"name": "\x00"}, "name"),
        ({"ruleset": "none"}, "ruleset"),
        ({"description": "x" * 20_001}, "description"),
    ],
)
def test_bad_input_comes_back_with_a_sentence_and_all_that_was_typed(
    bad: Any, field: str, stranger: Any, client_of: Any
) -> None:
    data = {"name": "Salt", "ruleset": "masquerade", "description": "By the sea", **bad}
    response = client_of(stranger).post(reverse("campaigns:create"), data)
    assert response.status_code == 422
    form = response.context["form"]
    assert list(form.errors) == [field]
    assert {name: form[name].value() for name in data} == data
    assert not Chronicle.objects.exists()


def test_a_megabyte_of_name_is_answered(stranger: Any, client_of: Any) -> None:
    started = time.monotonic()
    data = {"name": "x" * 1_000_000, "ruleset": "masquerade", "description": "By the sea"}
    response = client_of(stranger).post(reverse("campaigns:create"), data)
    assert response.status_code == 422
    page = response.content.decode()
    assert "at most 80 characters" in page
    assert "By the sea" in page
    assert len(page) < 300_000
    assert time.monotonic() - started < 10


def test_names_are_text(chronicle: Any, member: Any, storyteller: Any, player: Any, client_of: Any) -> None:
    name = "<img src=x onerror=alert(1)>\"'"
    services.edit_chronicle(by=member(storyteller), name=name, description=name, version=1)
    page_services.create_page(by=member(storyteller), title=name, text=name, audience="everyone")
    client = client_of(player)
    for page in (page_of(client, chronicle), client.get("/").content.decode()):
        assert "<img" not in page
        assert "&lt;img" in page


@pytest.mark.servers
def test_a_second_edit_does_not_bury_the_first(chronicle: Any, member: Any, storyteller: Any, client_of: Any) -> None:
    services.edit_chronicle(by=member(storyteller), name="First", description="theirs", version=1)
    address = reverse("campaigns:edit", args=[chronicle.pk])
    response = client_of(storyteller).post(address, {"name": "Second", "description": "mine", "version": "1"})
    assert response.status_code == 422
    page = response.content.decode()
    assert "Somebody else saved this" in page
    assert "theirs" in page
    assert "mine" in page
    chronicle.refresh_from_db()
    assert (chronicle.name, chronicle.version) == ("First", 2)
    again = {"name": "Second", "description": "mine", "version": response.context["form"]["version"].value()}
    assert client_of(storyteller).post(address, again).status_code == 302
    chronicle.refresh_from_db()
    assert chronicle.name == "Second"


def test_an_edit_that_is_refused_leaves_the_head_of_the_page_alone(
    chronicle: Any, storyteller: Any, client_of: Any
) -> None:
    data = {"name": "Unsaved", "description": "x" * 20_001, "version": "1"}
    page = client_of(storyteller).post(reverse("campaigns:edit", args=[chronicle.pk]), data).content.decode()
    assert "<title>Edit Ash and Amber" in page
    assert page.count("Unsaved") == 1


@pytest.mark.servers
def test_deleting_asks_for_the_name(chronicle: Any, storyteller: Any, client_of: Any) -> None:
    address = reverse("campaigns:delete", args=[chronicle.pk])
    response = client_of(storyteller).post(address, {"typed_name": "Ash"})
    assert response.status_code == 422
    assert "The name doesn’t match" in response.content.decode()
    assert Chronicle.objects.exists()
    response = client_of(storyteller).post(address, {"typed_name": " Ash and Amber "}, follow=True)
    assert "Ash and Amber has been deleted." in response.content.decode()
    assert not Chronicle.objects.exists()


def test_its_name_is_typed_as_the_page_shows_it(chronicle: Any, storyteller: Any, client_of: Any) -> None:
    Chronicle.objects.update(name="The  Fall")
    address = reverse("campaigns:delete", args=[chronicle.pk])
    assert client_of(storyteller).post(address, {"typed_name": "TheFall"}).status_code == 422
    assert client_of(storyteller).post(address, {"typed_name": " The Fall "}).status_code == 302


@pytest.mark.servers
def test_a_chronicle_with_a_running_fight_stays(chronicle: Any, storyteller: Any, client_of: Any) -> None:
    Encounter.objects.create(chronicle=chronicle, name="Church", status="running")
    address = reverse("campaigns:delete", args=[chronicle.pk])
    response = client_of(storyteller).post(address, {"typed_name": chronicle.name})
    assert "A fight is running in this chronicle. End it first." in response.content.decode()
    assert Chronicle.objects.filter(pk=chronicle.pk).exists()


# Pages ----------------------------------------------------------------------------------------------------------


@pytest.mark.servers
def test_a_page_is_written_changed_and_torn_out(chronicle: Any, storyteller: Any, player: Any, client_of: Any) -> None:
    client = client_of(storyteller)
    data = {"title": "Rumours", "kind": "note", "text": "The **Prince**", "audience": "everyone"}
    client.post(reverse("campaigns:write-page", args=[chronicle.pk]), data)
    page = Page.objects.get()
    passage = page.passages.get()
    assert (page.author, passage.audience) == (storyteller, "everyone")
    assert "Rumours" in page_of(client_of(player), chronicle)
    assert "The <strong>Prince</strong>" in text_of(client_of(player), page)
    edit = reverse("campaigns:edit-passage", args=[chronicle.pk, passage.pk])
    assert client.post(edit, {**data, "audience": "storytellers", "version": "1"}).status_code == 302
    assert "Rumours" not in page_of(client_of(player), chronicle)
    assert client.post(edit, {**data, "version": "1"}).status_code == 422
    client.post(reverse("campaigns:delete-page", args=[chronicle.pk, page.pk]))
    assert not Page.objects.exists()


@pytest.mark.servers
def test_the_service_refuses_a_stale_page(member: Any, storyteller: Any) -> None:
    by = member(storyteller)
    page = page_services.create_page(by=by, title="T", text="", audience="everyone")
    change = {"by": by, "page": page, "kind": "plot", "session": None, "version": 1}
    page_services.edit_page(**change, title="U")
    with pytest.raises(EditConflict):
        page_services.edit_page(**change, title="V")
    assert Page.objects.get().title == "U"


@pytest.mark.parametrize(
    "bad", [{"title": ""}, {"title": "x" * 81}, {"text": "x" * 20_001}, {"audience": "nobody"}, {"audience": ""}]
)
def test_a_bad_page_comes_back(bad: dict[str, str], chronicle: Any, storyteller: Any, client_of: Any) -> None:
    data = {"title": "Rumours", "kind": "note", "text": "B", "audience": "everyone", **bad}
    response = client_of(storyteller).post(reverse("campaigns:write-page", args=[chronicle.pk]), data)
    assert response.status_code == 422
    assert set(response.context["form"].errors) == set(bad)
    assert not Page.objects.exists()


def test_a_page_is_written_in_a_drawer_and_is_the_storytellers_at_first(
    chronicle: Any, storyteller: Any, client_of: Any
) -> None:
    """A page that must not be left, such as a fight, opens the form over itself and closes it once it is saved."""
    client, address = client_of(storyteller), reverse("campaigns:write-page", args=[chronicle.pk])
    shown = client.get(address, headers={"HX-Request": "true"}).content.decode()
    assert "<html" not in shown
    assert f'hx-post="{address}"' in shown
    assert re.search(r'value="storytellers"[^>]* checked', shown)
    data = {"title": "The deacon’s plan", "kind": "plot", "text": "He lies.", "audience": "storytellers"}
    refused = client.post(address, data | {"title": ""}, headers={"HX-Request": "true"})
    assert (refused.status_code, "<html" in refused.content.decode()) == (422, False)
    done = client.post(address, data, headers={"HX-Request": "true"})
    assert (done.status_code, done["HX-Trigger"]) == (200, "vesper:done")
    (page,) = Page.objects.filter(chronicle=chronicle)
    edit = reverse("campaigns:edit-passage", args=[chronicle.pk, page.passages.get().pk])
    changed = client.post(edit, data | {"text": "He dies.", "version": 0}, headers={"HX-Request": "true"})
    assert (changed.status_code, "He lies." in changed.content.decode()) == (422, True)
    assert "He dies." in changed.content.decode()
