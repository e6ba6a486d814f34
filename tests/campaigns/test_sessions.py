"""Sessions: announcing, answering, preparing, playing and ending."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied

from campaigns import services as campaigns
from campaigns import session_services as services
from campaigns import sessions
from campaigns.errors import EditConflict, Refused
from campaigns.models import Answer, Attendance, Membership, Progress, Role, Session
from tests.kept import kept

pytestmark = [pytest.mark.django_db, pytest.mark.servers]

NOW = datetime(2026, 11, 27, 19, 30, tzinfo=UTC)


@pytest.fixture
@kept
def table(person: Any) -> dict[str, Membership]:
    made = campaigns.create_chronicle(user=person("storyteller"), name="Vigil", ruleset="masquerade")
    campaigns.add_member(chronicle=made, user=person("player"), role=Role.PLAYER)
    campaigns.add_member(chronicle=made, user=person("observer"), role=Role.OBSERVER)
    return {each.user.username: each for each in made.memberships.select_related("user", "chronicle")}


@pytest.fixture
def by(table: dict[str, Membership]) -> Membership:
    return table["storyteller"]


def listed(session: Session) -> list[str]:
    session.refresh_from_db()
    return [each.text for each in sessions.prepared_for(session)]


def ended(by: Membership, session: Session, **more: Any) -> None:
    session.refresh_from_db()
    given = {"recap": "", "came": {}, "now": NOW, "version": session.version, **more}
    services.end(by=by, session=session, **given)


def test_sessions_are_numbered_and_played_one_at_a_time(by: Membership) -> None:
    first, second = services.announce(by=by, title="Ashes"), services.announce(by=by, starts=NOW)
    assert (first.number, second.number) == (1, 2)
    assert sessions.upcoming(by.chronicle_id) == second, "one with a date comes first"
    services.begin(by=by, session=first, now=NOW)
    services.begin(by=by, session=first, now=NOW + timedelta(hours=1))
    first.refresh_from_db()
    assert (first.progress, first.begun, first.version) == (Progress.PLAYING, NOW, 2)
    with pytest.raises(Refused, match="Session 1"):
        services.begin(by=by, session=second, now=NOW)
    with pytest.raises(Refused):
        services.cancel(by=by, session=first)
    services.take_back(by=by, session=first)
    services.cancel(by=by, session=first)
    with pytest.raises(Refused):
        ended(by, first)
    services.restore(by=by, session=first)
    services.begin(by=by, session=second, now=NOW)
    ended(by, second)
    services.begin(by=by, session=first, now=NOW)
    with pytest.raises(Refused):
        services.reopen(by=by, session=second)
    ended(by, first)
    services.reopen(by=by, session=second)
    assert sessions.playing(by.chronicle_id) == second


def test_the_latest_answer_counts_and_observers_give_none(table: dict[str, Membership], by: Membership) -> None:
    session = services.announce(by=by)
    player = table["player"]
    for each, word in ((Answer.YES, ""), (Answer.MAYBE, "late"), (Answer.MAYBE, "late")):
        services.answer(by=player, session=session, answer=each, word=word, now=NOW)
    given = Attendance.objects.get()
    assert (given.user, given.answer, given.word, given.came) == (player.user, Answer.MAYBE, "late", None)
    with pytest.raises(PermissionDenied):
        services.answer(by=table["observer"], session=session, answer=Answer.YES, now=NOW)
    services.cancel(by=by, session=session)
    with pytest.raises(Refused):
        services.answer(by=player, session=session, answer=Answer.NO, now=NOW)


def test_only_storytellers_write_and_a_stale_version_changes_nothing(
    table: dict[str, Membership], by: Membership
) -> None:
    session = services.announce(by=by)
    for work in (services.cancel, services.restore, services.reopen, services.take_back):
        with pytest.raises(PermissionDenied):
            work(by=table["player"], session=session)
    with pytest.raises(PermissionDenied):
        services.prepare(by=table["player"], session=session, text="A trap")
    services.edit(by=by, session=session, version=1, title="Ashes", starts=NOW, place="at Ana’s")
    with pytest.raises(EditConflict):
        services.edit(by=by, session=session, version=1, title="Embers", starts=None, place="")
    session.refresh_from_db()
    assert (session.title, session.starts, session.place, session.version) == ("Ashes", NOW, "at Ana’s", 2)


def test_what_was_not_used_is_on_the_next_list_by_itself(by: Membership) -> None:
    first, second = services.announce(by=by, starts=NOW), services.announce(by=by, starts=NOW + timedelta(days=7))
    mill = services.prepare(by=by, session=first, text="The mill")
    assert mill is not None
    assert services.prepare(by=by, session=first, text="The mill") is None, "pressed twice"
    services.prepare(by=by, session=first, text="A letter")
    services.prepare(by=by, session=second, text="The feast")
    services.begin(by=by, session=first, now=NOW)
    services.tick(by=by, session=first, item=mill.pk, now=NOW)
    services.tick(by=by, session=first, item=mill.pk, now=NOW + timedelta(hours=1))
    assert (listed(first), listed(second)) == (["The mill", "A letter"], ["The feast"])
    ended(by, first)
    assert (listed(first), listed(second)) == (["The mill"], ["A letter", "The feast"])
    services.reopen(by=by, session=first)
    assert (listed(first), listed(second)) == (["The mill", "A letter"], ["The feast"])


def test_the_list_is_ordered_and_shortened(by: Membership) -> None:
    session = services.announce(by=by)
    items = {text: services.prepare(by=by, session=session, text=text).pk for text in "abc"}
    assert services.move(by=by, session=session, item=items["c"], before=items["b"])
    assert services.move(by=by, session=session, item=items["c"], before=items["b"])
    assert listed(session) == ["a", "c", "b"]
    assert services.move(by=by, session=session, item=items["a"], after=items["c"])
    assert not services.move(by=by, session=session, item=items["c"], after=items["b"])
    assert listed(session) == ["c", "a", "b"]
    services.remove(by=by, session=session, item=items["a"])
    services.remove(by=by, session=session, item=items["a"])
    assert listed(session) == ["c", "b"]
    with pytest.raises(Refused):
        services.tick(by=by, session=session, item=items["a"], now=NOW)


def test_who_came_and_the_recap_are_kept_and_can_be_changed(table: dict[str, Membership], by: Membership) -> None:
    session, player = services.announce(by=by), table["player"].user_id
    services.begin(by=by, session=session, now=NOW)
    ended(by, session, recap="The mill burned.", came={player: True, by.user_id: True, 999999: True})
    session.refresh_from_db()
    assert (session.progress, session.recap, session.told, session.ended) == ("played", "The mill burned.", NOW, NOW)
    assert dict(session.attendance.values_list("user_id", "came")) == {player: True, by.user_id: True}
    later = NOW + timedelta(days=1)
    ended(by, session, recap="The mill burned down.", came={player: False}, now=later)
    session.refresh_from_db()
    assert (session.ended, session.told) == (NOW, later)
    assert dict(session.attendance.values_list("user_id", "came")) == {player: False, by.user_id: True}
    with pytest.raises(EditConflict):
        services.end(by=by, session=session, version=1, recap="", came={}, now=later)
