"""Calendar addresses and what calendars read there: parsed by the library, for everybody who may and may not."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.core.cache import cache
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation
from hypothesis import given
from hypothesis import strategies as st
from icalendar import Calendar

from campaigns import calendar_files, calendars, page_services, services, session_services
from campaigns.calendar_files import EVENING
from campaigns.models import CalendarFeed, Chronicle, Membership, Role, Session, User
from campaigns.models.chronicles import NAME_LENGTH

pytestmark = pytest.mark.django_db

FRIDAY = datetime(2026, 11, 27, 19, 30, tzinfo=UTC)
BEGUN = {"SUMMARY", "DTSTART", "DTEND", "DTSTAMP", "UID", "SEQUENCE", "CREATED", "LAST-MODIFIED", "STATUS", "TRANSP"}


@pytest.fixture
def by(member: Callable[[Any], Membership], storyteller: Any) -> Membership:
    return member(storyteller)


@pytest.fixture
def theirs(member: Callable[[Any], Membership], player: Any) -> Membership:
    return member(player)


@pytest.fixture
def token(theirs: Membership) -> str:
    return calendars.open_feed(by=theirs)


@pytest.fixture
def session(by: Membership) -> Session:
    return session_services.announce(by=by, title="Ashes", starts=FRIDAY, place="at Ana’s")


def read(token: str, **headers: str) -> Any:
    """As a calendar does it: no cookies, no sign-in."""
    return Client().get(reverse("campaigns:feed", args=[token]), headers=headers)


def events(token: str) -> list[Any]:
    answer = read(token)
    assert answer.status_code == 200
    return Calendar.from_ical(answer.content).events


def event(token: str) -> Any:
    (one,) = events(token)
    return one


def test_it_holds_time_title_and_place_and_no_more(token: str, session: Session, chronicle: Chronicle) -> None:
    found = Calendar.from_ical(read(token).content)
    (one,) = found.events
    assert set(one) == BEGUN | {"LOCATION"}
    assert (one.start, one.end) == (FRIDAY, FRIDAY + EVENING)
    assert str(one["SUMMARY"]) == f"Session 1: Ashes · {chronicle.name}"
    assert (str(one["LOCATION"]), str(one["STATUS"])) == ("at Ana’s", "CONFIRMED")
    assert (str(found["NAME"]), str(found["X-WR-CALNAME"])) == (chronicle.name, chronicle.name)
    assert found["REFRESH-INTERVAL"].dt == timedelta(hours=1)
    assert one["DTSTAMP"].dt == one["LAST-MODIFIED"].dt == session.created.replace(microsecond=0)
    assert b"DTSTART:20261127T193000Z" in read(token).content
    assert session.pk not in read(token).content.decode()


def test_a_session_that_moves_is_updated(token: str, session: Session, by: Membership) -> None:
    before, etag = event(token), read(token)["ETag"]
    later = FRIDAY + timedelta(days=7)
    session_services.edit(
        by=by, session=session, version=session.version, title="Ashes", starts=later, place="at Ben’s"
    )
    Session.objects.update(changed=timezone.now() + timedelta(hours=1))
    after = event(token)
    assert after["UID"] == before["UID"]
    assert after["SEQUENCE"] > before["SEQUENCE"]
    assert after["LAST-MODIFIED"].dt > before["LAST-MODIFIED"].dt
    assert (after.start, str(after["LOCATION"])) == (later, "at Ben’s")
    assert read(token)["ETag"] != etag


def test_each_state_of_a_session(token: str, session: Session, by: Membership) -> None:
    session_services.cancel(by=by, session=session)
    off = event(token)
    assert (str(off["STATUS"]), str(off["TRANSP"])) == ("CANCELLED", "TRANSPARENT")
    assert str(off["SUMMARY"]).startswith("Cancelled: Session 1: Ashes")
    session_services.restore(by=by, session=session)
    session_services.begin(by=by, session=session, now=FRIDAY + timedelta(minutes=20))
    assert (event(token).start, event(token).end, str(event(token)["STATUS"])) == (
        FRIDAY,
        FRIDAY + EVENING,
        "CONFIRMED",
    )
    session.refresh_from_db()
    over = FRIDAY + timedelta(hours=5, minutes=10)
    session_services.end(by=by, session=session, version=session.version, recap="They fell.", came={}, now=over)
    assert event(token).end == over
    assert b"fell" not in read(token).content


@pytest.mark.parametrize("ended", [FRIDAY - timedelta(hours=1), FRIDAY, FRIDAY + timedelta(days=2)])
def test_an_end_that_cannot_be_right_is_not_believed(token: str, session: Session, ended: datetime) -> None:
    """The Storyteller forgot to end it, or wrote it down another day."""
    Session.objects.update(progress="played", begun=ended, ended=ended)
    assert event(token).end == FRIDAY + EVENING


def test_sessions_without_a_time_are_left_out_until_they_begin(token: str, by: Membership) -> None:
    loose = session_services.announce(by=by, title="Some day")
    assert events(token) == []
    session_services.begin(by=by, session=loose, now=FRIDAY)
    assert event(token).start == FRIDAY


@pytest.mark.parametrize("night", ["2026-03-28", "2026-10-24"])
def test_the_clock_may_change_during_a_session(token: str, by: Membership, night: str) -> None:
    berlin = ZoneInfo("Europe/Berlin")
    begins = datetime.fromisoformat(f"{night}T23:30").replace(tzinfo=berlin)
    session_services.announce(by=by, starts=begins)
    one = event(token)
    assert one.start.astimezone(berlin).strftime("%H:%M") == "23:30"
    assert one.end - one.start == EVENING


@pytest.mark.parametrize("starts", [datetime.max.replace(tzinfo=UTC), datetime.min.replace(tzinfo=UTC)])
def test_the_first_and_the_last_evening_there_can_be(token: str, by: Membership, starts: datetime) -> None:
    session_services.announce(by=by, starts=starts)
    assert event(token).start == starts.replace(microsecond=0)


AWKWARD = st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=NAME_LENGTH)
ODD = ["a\r\nBEGIN:VEVENT", "a\rX", 'a;b,c\\d:e"f', "🧛🏽" * 40, "ä" * 80, "\u2028\x0b\x1c\x85", "\\n", "\\N"]
AWKWARD |= st.sampled_from(ODD)


@given(title=AWKWARD, place=AWKWARD, name=AWKWARD)
def test_names_of_any_letters_stay_in_their_line(title: str, place: str, name: str) -> None:
    """Names as they may be stored: those of old databases weren't cleaned."""
    chronicle = Chronicle(pk="abc", name=name)
    session = Session(pk="def", chronicle=chronicle, number=3, title=title, place=place, starts=FRIDAY, created=FRIDAY)
    made = calendar_files.session_file(session)
    assert made is not None
    lines = made.decode().removesuffix("\r\n").split("\r\n")
    assert all(len(line.encode()) <= 75 for line in lines)
    unfolded = made.decode().replace("\r\n ", "")
    assert unfolded.count("\n") == unfolded.count("\r") == unfolded.count("\r\n")
    assert sum(line.startswith("BEGIN:") for line in unfolded.splitlines()) == 2
    (one,) = Calendar.from_ical(made).events
    assert set(one) <= BEGUN | {"LOCATION"}
    assert one.start == FRIDAY


def test_the_answer_is_one_that_calendars_keep_and_ask_for_again(token: str, session: Session) -> None:
    first = read(token)
    assert first["Content-Type"] == "text/calendar; charset=utf-8"
    assert first["Cache-Control"] == "private, no-cache"
    assert first["Referrer-Policy"] == "same-origin"
    assert not first.cookies
    again = read(token, if_none_match=first["ETag"])
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])
    assert not again.cookies
    assert read(token).content == first.content
    # GZip makes the tag a weak one, which holds too.
    packed = read(token, accept_encoding="gzip", if_none_match=f"W/{first['ETag']}")
    assert packed.status_code == 304
    head = Client().head(reverse("campaigns:feed", args=[token]))
    assert (head.status_code, head.content, head["ETag"]) == (200, b"", first["ETag"])
    assert Client().post(reverse("campaigns:feed", args=[token])).status_code == 405


def test_who_reads_along_changes_nothing(token: str, session: Session, storyteller: Any, client_of: Any) -> None:
    assert client_of(storyteller).get(reverse("campaigns:feed", args=[token])).content == read(token).content


def test_it_speaks_the_members_language(theirs: Membership, session: Session, by: Membership) -> None:
    session_services.cancel(by=by, session=session)
    with translation.override("de"):
        token = calendars.open_feed(by=theirs)
    german = str(event(token)["SUMMARY"])
    assert german.startswith("Abgesagt: Spielabend 1: Ashes")
    assert read(token, accept_language="en").content == read(token, accept_language="de").content
    services.choose_language(user=theirs.user, language="en-gb")
    assert str(event(token)["SUMMARY"]).startswith("Cancelled: Session 1")


def test_of_the_address_only_a_hash_is_kept_and_a_new_one_ends_it(theirs: Membership, token: str) -> None:
    assert token not in str(list(CalendarFeed.objects.values()))
    other = calendars.open_feed(by=theirs)
    assert CalendarFeed.objects.count() == 1
    assert (read(token).status_code, read(other).status_code) == (404, 200)


def test_two_members_have_their_own(theirs: Membership, by: Membership, token: str) -> None:
    other = calendars.open_feed(by=by)
    calendars.close_feed(by=theirs)
    assert (read(token).status_code, read(other).status_code) == (404, 200)
    calendars.close_feed(by=theirs)  # pressed twice
    assert CalendarFeed.objects.count() == 1


def test_it_ends_with_the_membership(
    theirs: Membership, by: Membership, token: str, member: Callable[[Any], Membership], observer: Any
) -> None:
    services.remove_member(by=by, member=theirs, now=timezone.now())
    assert read(token).status_code == 404
    # Restored, a member makes a new one: the old may be in other hands.
    services.restore_member(by=by, member=theirs)
    assert read(token).status_code == 404
    leaving = calendars.open_feed(by=member(observer))
    services.leave(member=member(observer))
    assert read(leaving).status_code == 404
    assert not CalendarFeed.objects.exists()


def test_it_ends_with_the_account_and_the_chronicle(token: str, player: Any, by: Membership) -> None:
    User.objects.filter(pk=player.pk).update(is_active=False)
    assert read(token).status_code == 404
    User.objects.filter(pk=player.pk).update(is_active=True)
    assert read(token).status_code == 200
    services.delete_chronicle(by=by)
    assert read(token).status_code == 404


def test_those_who_are_no_members_make_none(theirs: Membership, by: Membership, player: Any) -> None:
    services.remove_member(by=by, member=theirs, now=timezone.now())
    with pytest.raises(PermissionDenied):
        calendars.open_feed(by=theirs)
    services.restore_member(by=by, member=theirs)
    User.objects.filter(pk=player.pk).update(is_active=False)
    with pytest.raises(PermissionDenied):
        calendars.open_feed(by=theirs)
    assert not CalendarFeed.objects.exists()


def test_an_address_that_ended_looks_like_one_that_never_was(theirs: Membership, by: Membership, token: str) -> None:
    calendars.close_feed(by=theirs)
    removed = calendars.open_feed(by=theirs)
    services.remove_member(by=by, member=theirs, now=timezone.now())
    answers = [read(each) for each in (token, removed, "x" * 43, "0", "ä😀", theirs.chronicle_id)]
    assert {each.status_code for each in answers} == {404}
    assert len({(each.content, str(sorted(each.headers.items()))) for each in answers}) == 1
    assert not answers[0].cookies


def test_wrong_addresses_cannot_be_tried_for_ever(token: str, session: Session) -> None:
    for number in range(30):
        assert read(f"wrong{number}").status_code == 404
    refused = read(token)
    assert (refused.status_code, refused["Retry-After"]) == (429, "60")
    assert not refused.cookies
    # Those who guess invitations and walls are counted together with them.
    assert Client().get(reverse("campaigns:join", args=["wrong"])).status_code == 429
    cache.clear()
    assert read(token).status_code == 200


def test_what_is_hidden_changes_no_byte(token: str, session: Session, by: Membership, player: Any) -> None:
    before = read(token).content
    page = page_services.create_page(by=by, title="CANARY", text="CANARY", audience="storytellers")
    page_services.create_page(by=by, title="Open", text="For all", audience="everyone")
    item = session_services.prepare(by=by, session=session, text="CANARY", page=page)
    assert item is not None
    session_services.tick(by=by, session=session, item=item.pk, now=timezone.now())
    session_services.answer(by=by, session=session, answer="no", word="CANARY", now=timezone.now())
    services.edit_chronicle(by=by, name=by.chronicle.name, description="CANARY", version=by.chronicle.version)
    loose = session_services.announce(by=by, title="No time yet", place="Nowhere")
    assert read(token).content == before
    session_services.remove(by=by, session=loose, item="none")
    assert read(token).content == before


def test_another_chronicles_sessions_are_not_in_it(token: str, session: Session, stranger: Any) -> None:
    before = read(token).content
    own = services.create_chronicle(user=stranger, name="Elsewhere", ruleset="masquerade")
    elsewhere = Membership.objects.get(chronicle=own)
    session_services.announce(by=elsewhere, title="Elsewhere", starts=FRIDAY)
    assert read(token).content == before


def test_the_address_is_shown_once_and_can_be_revoked(chronicle: Chronicle, player: Any, client_of: Any) -> None:
    client, page = client_of(player), reverse("campaigns:calendar", args=[chronicle.pk])
    assert page in client.get(reverse("story:sessions", args=[chronicle.pk])).content.decode()
    assert "Make a calendar address" in client.get(page).content.decode()
    made = client.post(page).content.decode()
    token = made.partition('value="http://testserver/calendar/')[2].partition(".ics")[0]
    assert read(token).status_code == 200
    assert f'href="webcal://testserver/calendar/{token}.ics"' in made
    later = client.get(page).content.decode()
    assert token not in later
    assert "Vesper can’t show it again" in later
    secure = client.post(page, secure=True).content.decode()
    assert 'href="webcals://testserver/calendar/' in secure  # or an app would ask without encryption
    done = client.post(reverse("campaigns:calendar-close", args=[chronicle.pk]), follow=True).content.decode()
    assert "has been revoked" in done
    assert "Make a calendar address" in done
    assert not CalendarFeed.objects.exists()


def test_one_session_as_a_file(chronicle: Chronicle, session: Session, player: Any, client_of: Any, token: str) -> None:
    client, address = client_of(player), reverse("campaigns:session-calendar", args=[session.pk])
    page = reverse("story:session", args=[session.pk])
    assert f'href="{address}"' in client.get(page).content.decode()
    answer = client.get(address)
    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    assert answer["Content-Disposition"] == 'attachment; filename="session-1.ics"'
    (one,) = Calendar.from_ical(answer.content).events
    assert one == event(token)
    Session.objects.update(starts=None)
    assert client.get(address).status_code == 404
    assert address not in client.get(page).content.decode()


def test_roles_change_nothing(theirs: Membership, by: Membership, token: str, session: Session) -> None:
    before = read(token).content
    services.change_role(by=by, member=theirs, role=Role.OBSERVER)
    assert read(token).content == before
