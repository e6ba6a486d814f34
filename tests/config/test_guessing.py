"""Guessing passwords is throttled, and nobody else is locked out by it."""

import logging
import re
from datetime import timedelta

import pytest
from axes.handlers.database import AxesDatabaseHandler
from axes.models import AccessAttempt
from django.conf import settings
from django.contrib.auth import hashers
from django.utils import timezone
from django.utils.module_loading import import_string

pytestmark = pytest.mark.django_db

SIGN_IN = "/account/sign-in/"
TABLE = "192.0.2.10"
ELSEWHERE = "192.0.2.99"


def sign_in(client, name, password, address=TABLE, **headers):
    return client.post(SIGN_IN, {"username": name, "password": password}, REMOTE_ADDR=address, headers=headers)


def guess(client, name, times=settings.AXES_FAILURE_LIMIT, address=TABLE):
    for _ in range(times):
        response = sign_in(client, name, "wrong", address)
    return response


def signed_in(client):
    return "_auth_user_id" in client.session


@pytest.mark.servers
def test_too_many_guesses_are_refused_and_so_is_the_right_password_then(client, player):
    assert guess(client, "player").status_code == 429
    assert sign_in(client, "player", "player's password").status_code == 429
    assert not signed_in(client)


def test_one_guess_less_is_forgiven(client, player):
    guess(client, "player", settings.AXES_FAILURE_LIMIT - 1)
    sign_in(client, "player", "player's password")
    assert signed_in(client)


@pytest.mark.servers
def test_signing_in_forgets_what_was_mistyped(client, player):
    for _ in range(2):
        guess(client, "player", settings.AXES_FAILURE_LIMIT - 1)
        sign_in(client, "player", "player's password")
        assert signed_in(client)
        client.logout()


def test_the_others_behind_the_same_router_are_not_locked_out(client, player, other_player):
    guess(client, "player")
    sign_in(client, "other_player", "other_player's password")
    assert signed_in(client)


def test_the_owner_elsewhere_is_not_locked_out(client, player):
    guess(client, "player")
    sign_in(client, "player", "player's password", ELSEWHERE)
    assert signed_in(client)


def test_a_forged_header_does_not_restart_the_count(client, player):
    for number in range(settings.AXES_FAILURE_LIMIT):
        response = sign_in(client, "player", "wrong", **{"x-forwarded-for": f"198.51.100.{number}"})
    assert response.status_code == 429


@pytest.mark.servers
def test_neither_do_other_letters(client, player):
    for number in range(settings.AXES_FAILURE_LIMIT):
        response = sign_in(client, "Player" if number % 2 else " PLAYER", "wrong")
    assert response.status_code == 429


def test_behind_a_proxy_people_are_told_apart(client, player, settings):
    settings.VESPER_PROXIES = 1
    for _ in range(settings.AXES_FAILURE_LIMIT):
        sign_in(client, "player", "wrong", **{"x-forwarded-for": ELSEWHERE})
    sign_in(client, "player", "player's password", **{"x-forwarded-for": TABLE})
    assert signed_in(client)


def test_the_log_holds_neither_the_name_that_was_tried_nor_the_password(client, player, caplog, monkeypatch):
    """People easily type a password into the name's field."""
    monkeypatch.setattr(logging.getLogger("axes"), "propagate", True)
    for _ in range(settings.AXES_FAILURE_LIMIT + 1):
        sign_in(client, "PLANTED-name", "PLANTED-password")
    said = [record.getMessage() for record in caplog.records if record.name.startswith("axes")]
    assert any("Locking out" in line for line in said)
    assert "planted" not in caplog.text.lower()


def test_an_unknown_name_takes_as_long_as_a_wrong_password(client, player, monkeypatch):
    """One hash each: without it, the response for an unknown name would be faster."""
    hashed = []
    hasher = type(hashers.get_hasher())
    encode = hasher.encode
    monkeypatch.setattr(hasher, "encode", lambda *given: hashed.append(1) or encode(*given))
    counts = []
    for name in ("player", "nobody"):
        before = len(hashed)
        sign_in(client, name, "wrong")
        counts.append(len(hashed) - before)
    assert counts == [1, 1]


@pytest.mark.servers
def test_the_counts_are_kept_where_every_process_finds_them(client, player):
    """In the database, where a newly started process finds them too."""
    guess(client, "player", 3)
    assert AccessAttempt.objects.get().failures_since_start == 3
    assert issubclass(import_string(settings.AXES_HANDLER), AxesDatabaseHandler)


@pytest.mark.servers
def test_many_names_from_one_address_end_as_well(client, player):
    """Neither the count nor the response depends on whether an account exists."""
    limit = settings.VESPER_FAILURES_OF_AN_ADDRESS
    answers = [sign_in(client, f"name-{number}", "wrong").status_code for number in range(limit)]
    assert answers == [422] * limit
    refused = [sign_in(client, name, "wrong") for name in ("one-more", "player")]
    assert [answer.status_code for answer in refused] == [429, 429]
    bodies = [re.sub(r"\w{64}", "", answer.content.decode()) for answer in refused]  # without tokens
    assert bodies[0] == bodies[1]
    assert sign_in(client, "player", "player's password").status_code == 429
    sign_in(client, "player", "player's password", ELSEWHERE)
    assert signed_in(client)


def test_a_refused_address_has_nothing_hashed_for_it(client, player, monkeypatch):
    for number in range(settings.VESPER_FAILURES_OF_AN_ADDRESS):
        sign_in(client, f"name-{number}", "wrong")
    monkeypatch.setattr(type(hashers.get_hasher()), "encode", lambda *_given: pytest.fail("a password was hashed"))
    assert sign_in(client, "player", "player's password").status_code == 429


@pytest.mark.servers
def test_an_address_is_let_in_again_after_a_quarter_of_an_hour(client, player):
    for number in range(settings.VESPER_FAILURES_OF_AN_ADDRESS):
        sign_in(client, f"name-{number}", "wrong")
    AccessAttempt.objects.update(attempt_time=timezone.now() - timedelta(minutes=14))
    assert sign_in(client, "player", "player's password").status_code == 429
    AccessAttempt.objects.update(attempt_time=timezone.now() - timedelta(minutes=16))
    sign_in(client, "player", "player's password")
    assert signed_in(client)


@pytest.mark.servers
def test_ones_own_account_does_not_clear_the_address(client, player):
    for number in range(settings.VESPER_FAILURES_OF_AN_ADDRESS):
        if number % 10 == 9:
            sign_in(client, "player", "player's password")
            assert signed_in(client)
            client.logout()
        sign_in(client, f"name-{number}", "wrong")
    assert sign_in(client, "player", "player's password").status_code == 429


def test_a_club_of_forty_who_mistype_twice_is_not_locked_out(client, person):
    """Signing in clears earlier failures."""
    for number in range(40):
        name = f"member-{number}"
        person(name)
        guess(client, name, 2)
        sign_in(client, name, f"{name}'s password")
        assert signed_in(client)
        client.logout()


@pytest.mark.servers
def test_a_network_of_ipv6_addresses_is_one_address(client, player):
    for number in range(settings.AXES_FAILURE_LIMIT):
        response = sign_in(client, "player", "wrong", f"2a00:1450:4001:82b::{number:x}")
    assert response.status_code == 429
    sign_in(client, "player", "player's password", "2a00:1450:4001:82c::1")
    assert signed_in(client)
