"""Times in the reader's zone: the account's, else the browser's, else UTC, which is then shown."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation

from campaigns import page_services
from campaigns.models import Membership, Passage
from campaigns.templatetags.moments import clock, moment
from campaigns.zones import COOKIE

pytestmark = pytest.mark.django_db

SUMMER_COMES = datetime(2026, 3, 29, 0, 59, tzinfo=UTC), datetime(2026, 3, 29, 1, 1, tzinfo=UTC)
WINTER_COMES = datetime(2026, 10, 25, 0, 30, tzinfo=UTC), datetime(2026, 10, 25, 1, 30, tzinfo=UTC)


def told(when: datetime | None) -> str:
    return re.sub(r"<[^>]+>", "", str(moment(when)))


def test_the_clocks_change() -> None:
    with timezone.override(ZoneInfo("Europe/Berlin")):
        assert [told(when) for when in SUMMER_COMES] == ["29 March 2026, 01:59", "29 March 2026, 03:01"]
        # The hour that occurs twice.
        assert [told(when) for when in WINTER_COMES] == ["25 October 2026, 02:30", "25 October 2026, 02:30"]
        assert 'datetime="2026-10-25T00:30:00+00:00"' in str(moment(WINTER_COMES[0]))
        assert "02:30" in str(clock(WINTER_COMES[1]))


def test_a_zone_with_another_day() -> None:
    with timezone.override(ZoneInfo("Pacific/Auckland")):
        assert told(datetime(2026, 11, 20, 23, 15, tzinfo=UTC)) == "21 November 2026, 12:15"


def test_utc_is_named() -> None:
    assert told(SUMMER_COMES[0]) == "29 March 2026, 00:59 UTC"
    assert told(None) == ""


@pytest.fixture
def note(chronicle: Any, storyteller: Any) -> str:
    """The URL of a note written while the clocks changed."""
    by = Membership.objects.get(chronicle=chronicle, user=storyteller)
    made = page_services.create_page(by=by, title="Rain", text="It rains.", audience="everyone")
    Passage.objects.filter(page=made).update(written=SUMMER_COMES[1], opened=SUMMER_COMES[1])
    return reverse("campaigns:page", args=[chronicle.pk, made.pk])


def read(address: str, user: Any, cookie: str | None = None) -> str:
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    if cookie is not None:
        client.cookies[COOKIE] = cookie
    answer = client.get(address)
    assert answer.status_code == 200
    return str(answer.content.decode())


def test_the_browser_says_it_by_a_cookie(note: str, player: Any) -> None:
    assert "29 March 2026, 03:01<" in read(note, player, "Europe/Berlin")
    assert "28 March 2026, 21:01<" in read(note, player, "America/New_York")
    assert "29 March 2026, 01:01 UTC<" in read(note, player)


@pytest.mark.parametrize("cookie", ["", "Mars/Olympus", "../../etc/passwd", "x" * 4000, "Europe/Berlin\x00", "é"])
def test_a_nonsensical_cookie_is_ignored(note: str, player: Any, cookie: str) -> None:
    assert "29 March 2026, 01:01 UTC<" in read(note, player, cookie)


def test_the_account_overrides_the_browser(note: str, player: Any) -> None:
    client = Client()
    client.force_login(player, backend="django.contrib.auth.backends.ModelBackend")
    address = reverse("campaigns:account")
    said = {"first_name": "", "email": "", "time_zone": "Asia/Tokyo"}
    assert client.post(address, said).status_code == 302
    player.refresh_from_db()
    assert player.time_zone == "Asia/Tokyo"
    assert "29 March 2026, 10:01<" in read(note, player, "Europe/Berlin")
    assert client.post(address, {**said, "time_zone": "Mars/Olympus"}).status_code == 422
    player.refresh_from_db()
    assert player.time_zone == "Asia/Tokyo"


def test_an_accounts_zone_that_is_no_more_gives_way(note: str, player: Any) -> None:
    player.time_zone = "Atlantis/Capital"
    player.save()
    assert "29 March 2026, 03:01<" in read(note, player, "Europe/Berlin")


def test_one_readers_zone_is_not_the_nexts(note: str, player: Any, other_player: Any) -> None:
    assert "03:01<" in read(note, player, "Europe/Berlin")
    assert "01:01 UTC<" in read(note, other_player)


def test_days_are_written_as_the_readers_language_writes_them() -> None:
    with translation.override("de"):
        assert told(SUMMER_COMES[0]) == "29. März 2026, 00:59 UTC"
    assert told(SUMMER_COMES[0]) == "29 March 2026, 00:59 UTC"
