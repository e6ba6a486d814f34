"""A session on the screen, in its states, and what only Storytellers see there."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from campaigns import session_services as services
from campaigns.live import token
from campaigns.models import (
    Attendance,
    Membership,
    Page,
    Passage,
    Preparation,
    Progress,
    Reveal,
    Session,
)
from characters.models import ExperienceEntry
from combat.commands import drafts
from combat.live.pages import shown
from combat.models import Encounter
from rules.model.gear import Damage
from rules.topics import commands
from story import evening
from tests import planted
from tests.combat.conftest import FixedDice, Table, characters, draft, log
from tests.kept import kept
from tests.world import plain

__all__ = ["characters", "draft", "log"]  # fixtures

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 11, 27, 19, 30, tzinfo=UTC)


@pytest.fixture
def by(chronicle: Any, storyteller: Any) -> Membership:
    return Membership.objects.select_related("chronicle", "user").get(chronicle=chronicle, user=storyteller)


@pytest.fixture
@kept
def session(by: Membership) -> Session:
    return services.announce(by=by, title="Ashes", starts=NOW, place="at Ana’s")


def url(name: str, *arguments: Any) -> str:
    return reverse(f"story:{name}", args=arguments)


def text(client: Any, session: Session) -> str:
    answer = client.get(url("session", session.pk))
    assert answer.status_code == 200
    return answer.content.decode()


def test_a_session_is_announced_in_the_readers_zone_and_answered_by_all_who_play(
    chronicle: Any, by: Membership, player: Any, observer: Any, client_of: Callable[[Any], Any]
) -> None:
    by.user.time_zone = "Europe/Berlin"
    by.user.save()
    desk, phone, watcher = client_of(by.user), client_of(player), client_of(observer)
    form = {"title": "Ashes", "starts": "2026-11-27T20:30", "place": "at Ana’s"}
    made = desk.post(url("announce", chronicle.pk), form)
    session = Session.objects.get()
    assert made["Location"] == url("session", session.pk)
    assert (session.number, session.starts) == (1, NOW)
    assert "20:30" in text(desk, session)
    assert "19:30 UTC" in text(phone, session)
    home = phone.get(reverse("campaigns:chronicle", args=[chronicle.pk])).content.decode()
    assert "Session 1: Ashes" in home
    press = url("answer", session.pk)
    given = phone.post(press, {"answer": "yes", "word": "with cake", "back": "chronicle"})
    assert given["Location"].startswith(reverse("campaigns:chronicle", args=[chronicle.pk]))
    assert phone.post(press, {"answer": "maybe", "word": "late"}, headers={"HX-Request": "true"}).status_code == 200
    assert watcher.post(press, {"answer": "yes"}).status_code == 403
    assert phone.post(press, {"answer": "sure"}).status_code == 302
    assert list(Attendance.objects.values_list("answer", "word")) == [("maybe", "late")]
    assert "“late”" in text(watcher, session)
    assert 'name="answer"' not in text(watcher, session)
    listed = watcher.get(url("sessions", chronicle.pk)).content.decode()
    assert "Session 1: Ashes" in listed
    assert url("announce", chronicle.pk) not in listed


def test_preparation_and_drafts_are_the_storytellers_alone(
    session: Session, by: Membership, player: Any, observer: Any, client_of: Callable[[Any], Any]
) -> None:
    """Twins: the same session before and after it is prepared."""

    def seen() -> list[Any]:
        answers = [text(client_of(user), session) for user in (player, observer)]
        tokens = [token(shown(user, "session", session.pk).value) for user in (player, observer)]
        home = [token(shown(user, "chronicle", session.chronicle_id).value) for user in (player, observer)]
        return [[plain(each) for each in answers], tokens, home]

    before = seen()
    hers = token(shown(by.user, "session", session.pk).value)
    desk = client_of(by.user)
    fight = drafts.create_encounter(by=by, name="CANARY ambush")
    page = Page.objects.create(chronicle=by.chronicle, title="CANARY mill", folded="canary mill", session=session)
    secret = Passage.objects.create(page=page, text="CANARY", author=by.user, written=NOW)
    reveal = Reveal.objects.create(passage=secret, session=session, by=by.user, at=NOW)
    assert reveal
    for form in ({"text": "CANARY scene"}, {"fight": fight.pk}, {"text": "A letter"}):
        assert desk.post(url("prepare", session.pk), form).status_code == 302
    assert desk.post(url("prepare", session.pk), {"text": ""}).status_code == 422
    scene, ambush, letter = Preparation.objects.all()
    assert (ambush.text, ambush.fight) == ("CANARY ambush", fight.pk)
    for item, form in ((scene, {"used": "1"}), (letter, {"before": ambush.pk}), (scene, {"before": "nothing"})):
        assert desk.post(url("item", session.pk, item.pk), form).status_code == 302
    assert "CANARY scene" in text(desk, session)
    assert token(shown(by.user, "session", session.pk).value) != hers
    assert seen() == before
    for user in (player, observer):
        assert client_of(user).post(url("prepare", session.pk), {"text": "x"}).status_code == 403
        assert client_of(user).post(url("item", session.pk, scene.pk), {"used": ""}).status_code == 403
    desk.post(url("item", session.pk, scene.pk), {"delete": "1"})
    assert not Preparation.objects.filter(pk=scene.pk).exists()


@pytest.fixture
@kept
def played(session: Session, by: Membership, draft: Any, characters: Any, player: Any) -> tuple[Session, Table]:
    """A session with a fight in which Ilya is hurt, which the Storyteller narrates, and which is over."""
    planted.awards_for_botches(by.chronicle)
    Preparation.objects.create(chronicle=by.chronicle, session=session, text="The fight", fight=draft.encounter_id)
    services.begin(by=by, session=session, now=timezone.now())
    session.refresh_from_db()
    table = draft.begin()
    table.do(commands.Harm(table["Ilya"], 1, Damage.LETHAL))
    return session, table


def test_a_fight_that_begins_belongs_to_the_session_and_is_ticked(
    played: tuple[Session, Table], client_of: Callable[[Any], Any], player: Any, observer: Any
) -> None:
    session, table = played
    assert table.encounter.session == session
    item = Preparation.objects.get()
    assert (item.used is not None, item.used_in) == (True, session)
    for user in (player, observer):
        answer = text(client_of(user), session)
        assert table.encounter.name in answer
        assert "Ilya is the first to be hurt." in answer


def test_the_end_is_proposed_from_the_log_and_written_by_the_storyteller(
    played: tuple[Session, Table],
    by: Membership,
    player: Any,
    other_player: Any,
    observer: Any,
    log: Table,
    client_of: Callable[[Any], Any],
) -> None:
    session, table = played
    odd = Membership.objects.get(chronicle=by.chronicle, user=other_player)
    page = Page.objects.create(chronicle=by.chronicle, title="*The* mill", folded="*the* mill")
    passage = Passage.objects.create(
        page=page, text="Ashes.", author=by.user, written=NOW, opened=NOW, audience="everyone"
    )
    hidden_page = Page.objects.create(chronicle=by.chronicle, title="CANARY", folded="canary")
    hidden = Passage.objects.create(page=hidden_page, text="CANARY", author=by.user, written=NOW, audience="chosen")
    Reveal.objects.create(passage=passage, session=session, by=by.user, at=NOW, everyone=True)
    chosen = Reveal.objects.create(passage=hidden, session=session, by=by.user, at=NOW)
    assert evening.acted(session) == {by.user_id}
    chosen.to.add(odd)
    assert evening.acted(session) == {by.user_id, other_player.pk}
    log.do(commands.RollTraits(log["Ilya"], ("wits",), label="Listening"), dice=FixedDice(1))
    assert evening.acted(session) == {by.user_id, other_player.pk, player.pk}
    desk = client_of(by.user)
    there = url("end-session", session.pk)
    form = desk.get(there).context["form"]
    draft = form.initial["recap"]
    assert "Ilya is the first to be hurt." in draft
    assert r"- \*The\* mill" in draft
    assert "CANARY" not in draft
    assert set(form.initial["came"]) == {by.user_id, other_player.pk, player.pk}
    for user in (player, observer):
        assert client_of(user).get(there).status_code == 403
    given = {"version": session.version, "recap": "It **burned**.", "came": [by.user_id, player.pk]}
    assert desk.post(there, given).status_code == 302
    session.refresh_from_db()
    assert session.progress == Progress.PLAYED
    assert dict(session.attendance.values_list("user", "came")) == {
        by.user_id: True,
        player.pk: True,
        other_player.pk: False,
    }
    for user in (player, observer):
        answer = text(client_of(user), session)
        assert "It <strong>burned</strong>." in answer
        assert reverse("combat:report", args=[table.encounter_id]) in answer
        assert "Proposed awards" not in answer
    assert "Proposed awards" in text(desk, session)
    proposed = [each.key for each in desk.get(url("session", session.pk)).context["page"].prepared.proposals]
    assert len(proposed) == 1
    assert desk.post(url("awards", session.pk), {"proposal": proposed, "grant": "1"}).status_code == 302
    assert ExperienceEntry.objects.get().character.name == "Ilya"
    assert "Proposed awards" not in text(desk, session)
    late = desk.post(there, given | {"recap": "Mine."})
    assert (late.status_code, "It **burned**." in late.content.decode(), "Mine." in late.content.decode()) == (
        422,
        True,
        True,
    )
    assert desk.post(url("stage", session.pk), {"to": "reopen"}).status_code == 302
    assert "It burned" not in text(client_of(player), session)


def test_a_long_evening_takes_no_more_statements_than_a_short_one(
    session: Session, by: Membership, player: Any, client_of: Callable[[Any], Any]
) -> None:
    def statements() -> list[int]:
        found = []
        for user in (by.user, player):
            client = client_of(user)
            text(client, session)  # reports are remembered
            with CaptureQueriesContext(connection) as asked:
                text(client, session)
            found.append(len(asked))
        return found

    def more(number: int) -> None:
        fight = drafts.create_encounter(by=by, name=f"Fight {number}")
        services.prepare(by=by, session=session, text=f"Item {number}", fight=fight.pk)
        Encounter.objects.filter(pk=fight.pk).update(session=session, status="ended", begun=NOW, ended=NOW)
        page = Page.objects.create(chronicle=by.chronicle, title=f"P{number}", folded=f"p{number}", session=session)
        passage = Passage.objects.create(
            page=page, text="x", author=by.user, written=NOW, opened=NOW, audience="everyone"
        )
        Reveal.objects.create(passage=passage, session=session, by=by.user, at=NOW, everyone=True)

    services.begin(by=by, session=session, now=NOW)
    more(1)
    few = statements()
    for number in range(2, 8):
        more(number)
    assert statements() == few
    assert max(few) <= 45
