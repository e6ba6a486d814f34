"""Since you last looked: each reader's own news, the mark that visits move, and what must not move it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from campaigns import services as campaigns
from campaigns.live import token
from campaigns.models import (
    Chronicle,
    Membership,
    Page,
    PageKind,
    Passage,
    PassageAudience,
    Preparation,
    Progress,
    Readership,
    Reveal,
    Role,
    Session,
)
from campaigns.viewing import view_as_url
from characters import experience
from characters.models import Character, Meeting, Tie
from combat.live.pages import shown
from combat.models import Encounter
from story import looking
from story.models import Looked
from tests.kept import kept
from tests.world import plain

pytestmark = [pytest.mark.django_db, pytest.mark.servers]

ROLES = {"ana": Role.PLAYER, "ben": Role.PLAYER, "olga": Role.OBSERVER}
HOUR = timedelta(hours=1)


class Table:
    """A chronicle whose members last looked an hour ago, and the hand that writes into it."""

    def __init__(self, person: Any) -> None:
        self.chronicle = campaigns.create_chronicle(user=person("teller"), name="Vigil", ruleset="masquerade")
        for name, role in ROLES.items():
            campaigns.add_member(chronicle=self.chronicle, user=person(name), role=role)
        members = self.chronicle.memberships.select_related("user", "chronicle")
        self.members = {each.user.username: each for each in members}
        self.now = timezone.now()
        for name, each in self.members.items():
            Looked.objects.create(membership=each, since=self.now - HOUR, seen=self.now)
            setattr(self, name, each)
        self.mine = self.character("Mira", "ana")

    def client(self, name: str) -> Client:
        client = Client()
        client.force_login(self.members[name].user, backend="django.contrib.auth.backends.ModelBackend")
        return client

    def look(self, name: str, **headers: str) -> str:
        answer = self.client(name).get(self.url, headers=headers)
        assert answer.status_code == 200
        return answer.content.decode()

    @property
    def url(self) -> str:
        return reverse("campaigns:chronicle", args=[self.chronicle.pk])

    def news(self, name: str) -> list[tuple[str, str]]:
        return [(line.what, line.text) for line in looking.news_for(self.members[name]).lines]

    def character(self, name: str, owner: str = "") -> Character:
        user = self.members[owner].user if owner else None
        return Character.objects.create(chronicle=self.chronicle, name=name, owner=user)

    def passage(self, title: str, audience: str, *, author: str = "teller", **more: Any) -> Passage:
        kind = more.pop("kind", PageKind.HANDOUT)
        page, _made = Page.objects.get_or_create(
            chronicle=self.chronicle, title=title, defaults={"folded": title.casefold(), "kind": kind}
        )
        more = {"written": self.now, "text": "Cold ashes.", **more}
        return Passage.objects.create(page=page, audience=audience, author=self.members[author].user, **more)

    def hide(self) -> None:
        """What Ana may not know of: passages, a reveal, a draft, a preparation, an award, a meeting, ties."""
        self.passage("The Prince lies", PassageAudience.STORYTELLERS)
        self.passage("Ben's diary", PassageAudience.AUTHOR, author="ben", kind=PageKind.JOURNAL)
        told_ben = self.passage("The letter", PassageAudience.CHOSEN)
        Readership.objects.create(passage=told_ben, membership=self.members["ben"], since=self.now)
        reveal = Reveal.objects.create(passage=told_ben, at=self.now)
        reveal.to.add(self.members["ben"])
        Encounter.objects.create(chronicle=self.chronicle, name="The ambush")
        Preparation.objects.create(chronicle=self.chronicle, text="The trap")
        prince, his = self.character("The Prince"), self.character("Bela", "ben")
        Meeting.objects.create(character=prince, by=his, at=self.now)
        ends = {"from_character": self.mine, "to_character": prince, "written": self.now, "opened": self.now}
        Tie.objects.create(chronicle=self.chronicle, audience=PassageAudience.EVERYONE, **ends)
        ends |= {"to_character": his}
        Tie.objects.create(chronicle=self.chronicle, audience=PassageAudience.STORYTELLERS, **ends)
        experience.award(by=self.members["teller"], to=[his.pk], amount=3, reason="Alone")


@pytest.fixture
@kept
def table(person: Any) -> Table:
    return Table(person)


@contextmanager
def at(monkeypatch: pytest.MonkeyPatch, moment: datetime) -> Iterator[None]:
    with monkeypatch.context() as patch:
        patch.setattr(looking.timezone, "now", lambda: moment)
        yield


def mark(member: Membership) -> tuple[datetime | None, datetime]:
    row = Looked.objects.get(membership=member)
    return row.since, row.seen


def test_who_missed_two_sessions_reads_what_changed(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Story 10."""
    monkeypatch.setattr(looking, "MOST_LINES", 50)
    by, now = table.members["teller"], table.now
    for number in (7, 8):
        past = {"progress": Progress.PLAYED, "told": now, "created": now - 9 * HOUR}
        made = Session.objects.create(chronicle=table.chronicle, number=number, title=f"Night {number}", **past)
        Session.objects.filter(pk=made.pk).update(created=now - 9 * HOUR)
    Session.objects.create(chronicle=table.chronicle, number=9)
    Encounter.objects.create(
        chronicle=table.chronicle, name="The mill", status="ended", begun=now - HOUR / 2, ended=now
    )
    old = {"written": now - 2 * HOUR, "opened": now - 2 * HOUR}
    table.passage("Elysium", PassageAudience.EVERYONE, kind=PageKind.PLACE, **old)
    table.passage("Elysium", PassageAudience.EVERYONE, kind=PageKind.PLACE, opened=now)
    letter = table.passage("The letter", PassageAudience.CHOSEN, written=now - 9 * HOUR)
    Readership.objects.create(passage=letter, membership=table.members["ana"], since=now)
    Reveal.objects.create(passage=letter, at=now).to.add(table.members["ana"])
    table.passage("Ana's own", PassageAudience.EVERYONE, author="ana", opened=now)
    table.passage("Ben's journal", PassageAudience.EVERYONE, author="ben", kind=PageKind.JOURNAL, opened=now)
    experience.award(by=by, to=[table.mine.pk], amount=3, reason="Session played")
    prince = table.character("The Prince")
    Meeting.objects.create(character=prince, known_as="The man in grey", at=now)
    tie = {"from_character": table.mine, "to_character": prince, "written": now, "opened": now}
    Tie.objects.create(chronicle=table.chronicle, kind="boon", audience=PassageAudience.EVERYONE, **tie)
    everybodys = {
        ("Recap", "Session 7: Night 7"),
        ("Recap", "Session 8: Night 8"),
        ("Session announced", "Session 9"),
        ("Fight, over", "The mill"),
        ("Place, changed", "Elysium"),
        ("Journal, new", "Ben's journal"),
        ("Met", "The man in grey"),
        ("Boon", "Mira → The man in grey"),
    }
    anas = {("Handout, shown to you", "The letter"), ("Experience", "Mira: Session played (+3 points)")}
    assert set(table.news("ana")) == everybodys | anas
    assert set(table.news("olga")) == everybodys | {("Handout, new", "Ana's own")}
    assert set(table.news("ben")) == set(table.news("olga")) - {("Journal, new", "Ben's journal")}
    # Nobody is told what they did themselves.
    assert set(table.news("teller")) == {
        ("Handout, new", "Ana's own"),
        ("Journal, new", "Ben's journal"),
        ("Boon", "Mira → The Prince"),
    }
    # The page shows it, and "I've read this" empties it at once, for this reader alone.
    page = table.look("ana")
    assert "Session 7: Night 7" in page
    assert "shown to you" in page
    until = looking.news_for(table.members["ana"]).until
    client, read = table.client("ana"), reverse("story:have-read", args=[table.chronicle.pk])
    assert client.post(read, {"until": until}).headers["Location"] == table.url
    assert table.news("ana") == []
    assert table.news("ben")
    assert "Nothing new since" in table.look("ana")


@pytest.mark.parametrize("until", ["", "2026-02-31T00:00:00+00:00", "2026-02-03", "x" * 999, "9999-01-01T00:00:00"])
def test_reading_takes_no_time_that_is_none(table: Table, until: str) -> None:
    before = mark(table.members["ana"])
    read = reverse("story:have-read", args=[table.chronicle.pk])
    assert table.client("ana").post(read, {"until": until}).status_code == 302
    assert mark(table.members["ana"]) == before


def test_what_is_hidden_changes_no_byte_of_the_page(table: Table) -> None:
    table.passage("Elysium", PassageAudience.EVERYONE, opened=table.now)
    names = ("ana", "olga")
    users = {name: table.members[name].user for name in names}

    def seen() -> list[tuple[str, str]]:
        tokens = [token(shown(users[name], "chronicle", table.chronicle.pk).value) for name in names]
        return [(mark, plain(table.look(name))) for name, mark in zip(names, tokens, strict=True)]

    ben = Character.objects.create(chronicle=table.chronicle, name="Bela", owner=table.members["ben"].user)
    before = seen()
    table.character = lambda name, owner="": (  # type: ignore[method-assign]  # Ben's character is there before
        ben if owner else Character.objects.create(chronicle=table.chronicle, name=name)
    )
    table.hide()
    assert seen() == before
    assert table.news("ben") != table.news("ana")


def test_a_first_visit_is_welcomed_and_a_pause_ends_a_visit(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    member, now = table.members["ana"], table.now
    Looked.objects.all().delete()
    table.passage("Elysium", PassageAudience.EVERYONE, opened=now)
    with at(monkeypatch, now):
        first = table.look("ana")
    assert "Welcome." in first
    assert "I’ve read this" not in first
    assert mark(member) == (None, now)
    moments = [(2, 0), (20, 20), (49, 49)]  # minutes, and where the mark of the visit is then
    for minutes, seen in moments:
        with at(monkeypatch, now + timedelta(minutes=minutes)):
            table.look("ana")
        assert mark(member) == (None, now + timedelta(minutes=seen))
    with at(monkeypatch, now + 3 * HOUR):
        table.look("ana")
    assert mark(member) == (now + timedelta(minutes=49), now + 3 * HOUR)


@pytest.mark.parametrize("header", [{"HX-Request": "true"}, {"Vesper-Update": "1"}, {"Sec-Purpose": "prefetch"}])
def test_only_a_visit_moves_the_mark(table: Table, monkeypatch: pytest.MonkeyPatch, header: dict[str, str]) -> None:
    before = mark(table.members["ana"])
    with at(monkeypatch, table.now + 2 * HOUR):
        table.look("ana", **header)
        shown(table.members["ana"].user, "chronicle", table.chronicle.pk)
        table.client("ana").head(table.url)
        as_ana = view_as_url(table.members["ana"]) + table.url.removeprefix("/")
        assert table.client("teller").get(as_ana).status_code == 200
    assert mark(table.members["ana"]) == before


def test_time_alone_changes_no_token(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    table.passage("Elysium", PassageAudience.EVERYONE, opened=table.now)

    def mark_of_page() -> str:
        return token(shown(table.members["ana"].user, "chronicle", table.chronicle.pk).value)

    before = mark_of_page()
    with at(monkeypatch, table.now + timedelta(days=3)):
        assert mark_of_page() == before


def test_more_news_cost_no_more_queries(table: Table) -> None:
    client = table.client("ana")

    def ask() -> int:
        with CaptureQueriesContext(connection) as asked:
            assert client.get(table.url).status_code == 200
        return len(asked)

    def happen(number: int) -> None:
        table.passage(f"Page {number}", PassageAudience.EVERYONE, opened=table.now)
        Session.objects.create(chronicle=table.chronicle, number=number)
        npc = table.character(f"NPC {number}")
        Meeting.objects.create(character=npc, at=table.now)
        tie = {"from_character": table.mine, "to_character": npc, "written": table.now, "opened": table.now}
        Tie.objects.create(chronicle=table.chronicle, audience=PassageAudience.EVERYONE, **tie)
        experience.award(by=table.members["teller"], to=[table.mine.pk], amount=1, reason=f"Why {number}")
        Encounter.objects.create(chronicle=table.chronicle, name=f"Fight {number}", status="ended", ended=table.now)

    ask()
    happen(1)
    few = ask()
    for number in range(2, 12):
        happen(number)
    assert ask() <= few
    assert looking.news_for(table.members["ana"]).more


def test_a_chronicle_without_its_ruleset_still_tells_news(table: Table) -> None:
    table.passage("Elysium", PassageAudience.EVERYONE, opened=table.now)
    experience.award(by=table.members["teller"], to=[table.mine.pk], amount=1, reason="Session played")
    Chronicle.objects.update(ruleset="gone")
    table.members["ana"].chronicle.refresh_from_db()
    assert table.news("ana") == [("Handout, new", "Elysium")]
