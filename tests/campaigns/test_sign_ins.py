"""Sessions: listed, and ended from elsewhere."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth import HASH_SESSION_KEY, get_user
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from campaigns.authentication import AuthenticationMiddleware
from campaigns.models import SignIn, User
from campaigns.session_store import SessionStore
from config import preparing

pytestmark = [pytest.mark.django_db, pytest.mark.servers]

FIREFOX = "Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0"
CHROME = (
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36"
)
SAFARI = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Safari/604.1"
PASSWORD = "a quite long passphrase"


@pytest.fixture
def signed_in(player: Any) -> Any:
    """A browser in which the player has signed in with the form."""
    player.set_password(PASSWORD)
    player.save()

    def browser(agent: str) -> Client:
        client = Client(headers={"user-agent": agent})
        answer = client.post(reverse("campaigns:sign-in"), {"username": player.username, "password": PASSWORD})
        assert answer.status_code == 302
        return client

    return browser


def account(client: Client) -> str:
    return client.get(reverse("campaigns:account")).content.decode()


def reference_on(page: str) -> str:
    return page.split('name="reference" value="')[1].split('"', maxsplit=1)[0]


def test_each_device_is_named_and_the_present_one_marked(signed_in):
    phone = signed_in(FIREFOX)
    signed_in(CHROME)
    signed_in(SAFARI)
    page = account(phone)
    for name in ("Firefox on Android", "Chrome on Windows", "Safari on iPhone"):
        assert name in page
    assert page.index("Firefox on Android") < page.index("this device") < page.index("Chrome on Windows")


def test_one_is_ended_from_another_and_only_that(signed_in):
    phone, laptop = signed_in(FIREFOX), signed_in(CHROME)
    ended = phone.post(reverse("campaigns:end-sign-in"), {"reference": reference_on(account(phone))}, follow=True)
    assert "That device has been signed out." in ended.content.decode()
    assert laptop.get(reverse("campaigns:account")).status_code == 302
    assert phone.get(reverse("campaigns:account")).status_code == 200


def test_all_others_are_ended_at_once(signed_in):
    phone, laptop, tablet = signed_in(FIREFOX), signed_in(CHROME), signed_in(SAFARI)
    phone.post(reverse("campaigns:end-sign-in"), {"others": "1"})
    assert [each.get(reverse("campaigns:account")).status_code for each in (phone, laptop, tablet)] == [200, 302, 302]


def test_a_changed_password_ends_the_others_at_once(signed_in):
    phone = signed_in(FIREFOX)
    signed_in(CHROME)
    new = {"new_password1": "another long phrase 9", "new_password2": "another long phrase 9"}
    phone.post(reverse("campaigns:password-change"), {"old_password": PASSWORD, **new})
    page = account(phone)
    assert ("Firefox on Android" in page, "Chrome on Windows" in page) == (True, False)


def test_a_reset_password_ends_them_all(signed_in, player, client, mailoutbox):
    phone = signed_in(FIREFOX)
    signed_in(CHROME)
    phone.post(reverse("campaigns:password-reset"), {"email": player.email})
    (link,) = re.findall(r"http://testserver(/account/reset/\S+)", mailoutbox[0].body)
    new = {"new_password1": "another long phrase 9", "new_password2": "another long phrase 9"}
    form_at = phone.get(link, follow=True).redirect_chain[-1][0]
    assert phone.post(form_at, new)["Location"] == reverse("campaigns:sign-in")
    assert [row.device for row in SignIn.objects.filter(user=player)] == ["Firefox/Android"]
    assert phone.get(reverse("campaigns:account")).status_code == 302
    assert not SignIn.objects.filter(user=player).exists()
    client.post(reverse("campaigns:sign-in"), {"username": "player", "password": "another long phrase 9"})
    assert client.get(reverse("campaigns:account")).status_code == 200


def given_by_an_administrator(admin, player):
    office = Client()
    office.force_login(admin)
    new = {"usable_password": "true", "password1": "another long phrase 9", "password2": "another long phrase 9"}
    return office, office.post(reverse("admin:auth_user_password_change", args=[player.pk]), new)


def typed_on_the_server(admin, player):
    player.set_password("another long phrase 9")
    player.save()
    return None, None


@pytest.mark.parametrize("given", [given_by_an_administrator, typed_on_the_server], ids=lambda each: each.__name__)
def test_what_a_password_given_by_others_ended_is_not_listed(signed_in, admin, player, client, given):
    phone = signed_in(FIREFOX)
    signed_in(CHROME)
    office, answer = given(admin, player)
    assert answer is None or answer.status_code == 302
    client.post(reverse("campaigns:sign-in"), {"username": "player", "password": "another long phrase 9"})
    page = account(client)
    assert "this device" in page
    for name in ("Firefox on Android", "Chrome on Windows"):
        assert name not in page
    assert phone.get(reverse("campaigns:account")).status_code == 302
    assert office is None or office.get(reverse("campaigns:account")).status_code == 200


def test_an_administrator_who_gives_herself_a_password_stays_here_alone(admin):
    here, there = Client(), Client()
    for each in (here, there):
        each.force_login(admin)
    new = {"usable_password": "true", "password1": "another long phrase 9", "password2": "another long phrase 9"}
    assert here.post(reverse("admin:auth_user_password_change", args=[admin.pk]), new).status_code == 302
    assert "this device" in account(here)
    assert 'name="reference"' not in account(here)
    assert there.get(reverse("campaigns:account")).status_code == 302


def test_the_page_holds_no_key_that_signs_in(signed_in):
    phone = signed_in(FIREFOX)
    signed_in(CHROME)
    page = account(phone)
    for row in SignIn.objects.all():
        assert row.session_key not in page


def test_nobody_ends_what_is_anothers(signed_in, other_player):
    phone = signed_in(FIREFOX)
    signed_in(CHROME)
    reference = reference_on(account(phone))
    stranger = Client()
    stranger.force_login(other_player)
    said = stranger.post(reverse("campaigns:end-sign-in"), {"reference": reference}, follow=True).content.decode()
    assert "That device is already signed out." in said
    stranger.post(reverse("campaigns:end-sign-in"), {"others": "1"})
    assert (
        SignIn.objects.filter(user__username="player").count() == 2
        or SignIn.objects.exclude(user=other_player).count() == 2
    )


def test_what_has_run_out_is_not_listed(signed_in):
    phone = signed_in(FIREFOX)
    signed_in(CHROME)
    SignIn.objects.filter(device__startswith="Chrome").update(expire_date=timezone.now() - timedelta(seconds=1))
    assert "Chrome on Windows" not in account(phone)


def test_the_day_it_was_last_used_is_written_once_a_day(signed_in):
    phone = signed_in(FIREFOX)
    row = SignIn.objects.get()
    session = phone.session
    session["seen"] = "2026-01-02"
    session.save()
    assert str(SignIn.objects.get(pk=row.pk).seen) == "2026-01-02"
    account(phone)
    assert SignIn.objects.get(pk=row.pk).seen == timezone.now().date()
    written = SignIn.objects.get(pk=row.pk).session_data
    account(phone)
    assert SignIn.objects.get(pk=row.pk).session_data == written


def test_a_browser_that_says_nothing_of_itself_is_listed_all_the_same(signed_in):
    assert "Unknown browser on an unknown system" in account(signed_in(""))


def test_somebody_signed_in_through_a_visit_gets_no_session_without_need(client):
    client.get(reverse("campaigns:sign-in"))
    assert not SignIn.objects.exists()


def test_what_has_run_out_is_struck_when_a_server_starts(signed_in):
    signed_in(FIREFOX)
    signed_in(CHROME)
    SignIn.objects.filter(device__startswith="Chrome").update(expire_date=timezone.now() - timedelta(seconds=1))
    preparing.bring_up_to_date(lambda _text: None)
    assert [each.device for each in SignIn.objects.all()] == ["Firefox/Android"]


class TestTheAccountComesWithTheSession:
    """In one statement, and it is whom Django finds: nobody, after a change that ends the session."""

    @pytest.fixture
    def key(self, signed_in: Any) -> str:
        found: str = signed_in(FIREFOX).session.session_key
        return found

    def request(self, rf: Any, key: str) -> Any:
        request = rf.get("/")
        request.session = SessionStore(key)
        AuthenticationMiddleware(lambda _request: HttpResponse()).process_request(request)
        return request

    def same(self, rf: Any, key: str) -> Any:
        """The user of a request with this session, which must be the one Django finds."""
        ours, djangos = self.request(rf, key).user, rf.get("/")
        djangos.session = SessionStore(key)
        theirs = get_user(djangos)
        assert type(theirs) in (User, AnonymousUser)
        assert (ours.is_authenticated, ours.pk) == (theirs.is_authenticated, theirs.pk)
        return ours

    def test_in_one_statement(self, rf: Any, key: str, player: Any) -> None:
        with CaptureQueriesContext(connection) as queries:
            request = self.request(rf, key)
            assert request.user == player
            assert request.user.username == player.username
            assert (request.user.is_authenticated, request._cached_user.pk) == (True, player.pk)
        assert len(queries) == 1
        assert self.same(rf, key) == player

    def test_each_request_reads_it_again(self, rf: Any, key: str, player: Any) -> None:
        assert self.request(rf, key).user.first_name == player.first_name
        User.objects.filter(pk=player.pk).update(first_name="Renamed")
        assert self.request(rf, key).user.first_name == "Renamed"

    def test_a_new_password_ends_it(self, rf: Any, key: str, player: Any) -> None:
        player.set_password("another long phrase 9")
        player.save()
        assert self.request(rf, key).user.is_anonymous
        assert not SignIn.objects.filter(session_key=key).exists()
        assert self.same(rf, key).is_anonymous

    def test_an_earlier_secret_still_counts(self, rf: Any, key: str, player: Any, settings: Any) -> None:
        settings.SECRET_KEY_FALLBACKS, settings.SECRET_KEY = [settings.SECRET_KEY], "another secret"
        request = self.request(rf, key)
        assert request.user == player
        assert request.session[HASH_SESSION_KEY] == player.get_session_auth_hash()
        assert request.session.session_key != key

    def test_a_disabled_account(self, rf: Any, key: str, player: Any) -> None:
        User.objects.filter(pk=player.pk).update(is_active=False)
        assert self.same(rf, key).is_anonymous

    def test_another_account_in_the_row(self, rf: Any, key: str, player: Any, stranger: Any) -> None:
        SignIn.objects.filter(session_key=key).update(user=stranger)
        assert self.same(rf, key) == player
        SignIn.objects.filter(session_key=key).update(user=None)
        assert self.same(rf, key) == player

    def test_another_backend(self, rf: Any, key: str, settings: Any) -> None:
        settings.AUTHENTICATION_BACKENDS = ["axes.backends.AxesStandaloneBackend"]
        assert self.same(rf, key).is_anonymous

    def test_an_expired_or_unknown_session(self, rf: Any, key: str) -> None:
        assert self.same(rf, "unknown0").is_anonymous
        SignIn.objects.filter(session_key=key).update(expire_date=timezone.now())
        request = self.request(rf, key)
        assert request.user.is_anonymous
        assert request.session.session_key is None

    def test_after_signing_out(self, rf: Any, key: str) -> None:
        request = self.request(rf, key)
        assert request.session.get(HASH_SESSION_KEY)
        request.session.flush()
        assert request.user.is_anonymous
