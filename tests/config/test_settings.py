"""Settings that production refuses; and every setting is documented."""

import io
import os
import re
import subprocess
import sys
import threading

import pytest
from django.conf import settings
from django.urls import URLResolver, get_resolver
from django.utils.module_loading import import_string

from config import lock
from config.management.commands import prepare

PRODUCTION = {
    "VESPER_PRODUCTION": "1",
    "SECRET_KEY": "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "ALLOWED_HOSTS": "vesper.example.org",
    "VESPER_ORIGINS": "https://vesper.example.org",
    "EMAIL_URL": "smtp+tls://vesper:password@mail.example.org:587",
}


def manage(tmp_path, *arguments, **environment):
    """Run manage.py with only the given environment and a fresh data folder."""
    return process(tmp_path, "manage.py", *arguments, **environment)


def process(tmp_path, *arguments, **environment):
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=settings.BASE_DIR,
        env={"PATH": os.environ["PATH"], "VESPER_DATA": str(tmp_path), **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def told(tmp_path, asked, **environment):
    """The words that a program prints which asks for settings alone: loading the apps would take much longer."""
    done = process(tmp_path, "-c", asked, DJANGO_SETTINGS_MODULE="config.settings", **environment)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_production_passes_djangos_own_checks(tmp_path):
    done = manage(tmp_path, "check", "--deploy", "--fail-level", "WARNING", **PRODUCTION)
    assert done.returncode == 0, done.stderr


def test_embedded_needs_nothing(tmp_path):
    done = manage(tmp_path, "check", "--fail-level", "WARNING")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "secret_key").stat().st_mode & 0o077 == 0


REFUSED = [
    ({"SECRET_KEY": ""}, "SECRET_KEY is not set"),
    ({"SECRET_KEY": "---"}, "SECRET_KEY is too weak"),
    ({"SECRET_KEY": "django-insecure-" + PRODUCTION["SECRET_KEY"]}, "SECRET_KEY is too weak"),
    ({"ALLOWED_HOSTS": ""}, "ALLOWED_HOSTS is not set"),
    ({"ALLOWED_HOSTS": "*"}, "ALLOWED_HOSTS is '*'"),
    ({"VESPER_ORIGINS": ""}, "VESPER_ORIGINS is not set"),
    ({"VESPER_ORIGINS": "http://vesper.example.org"}, "VESPER_ORIGINS contains an http:// address"),
    ({"VESPER_DEBUG": "1"}, "VESPER_DEBUG=1 shows secrets"),
    ({"EMAIL_URL": ""}, "EMAIL_URL is not set"),
    ({"VESPER_WEBHOOKS": "maybe"}, "VESPER_WEBHOOKS is 'maybe': write 1 for yes or 0 for no."),
    ({"DATABASE_URL": "nonsense"}, "DATABASE_URL is not a database URL"),
    ({"DATABASE_URL": "mysql://u:p@db/vesper"}, "DATABASE_URL is not a database URL"),
    ({"DATABASE_URL": "postgres://u:p@db/vesper", "VESPER_DATABASE_POOL": "0"}, "VESPER_DATABASE_POOL is 0"),
    ({"REDIS_URL": "nonsense"}, "REDIS_URL is not a Redis URL"),
    ({"ALLOWED_HOSTS": "https://vesper.example.org"}, "ALLOWED_HOSTS contains 'https://vesper.example.org'"),
    ({"ALLOWED_HOSTS": "other.example.org"}, "ALLOWED_HOSTS does not name its host"),
    ({"VESPER_ADMIN": "rules"}, "VESPER_ADMIN is 'rules', which Vesper uses for its own pages"),
    ({"VESPER_ADMIN": "back/stage"}, "VESPER_ADMIN is 'back/stage': write 3 to 64 letters"),
    ({"VESPER_ORIGINS": "vesper.example.org"}, "VESPER_ORIGINS contains 'vesper.example.org': write origins"),
    ({"EMAIL_URL": "nonsense"}, "EMAIL_URL is not an e-mail URL"),
    ({"EMAIL_URL": "consolemail://"}, "EMAIL_URL is not an SMTP server"),
    ({"EMAIL_URL": "smtp+tls://"}, "EMAIL_URL is not an SMTP server"),
    ({"VESPER_MAIL_FROM": "the storyteller"}, "VESPER_MAIL_FROM is 'the storyteller'"),
    ({"SECRET_KEY_FALLBACKS": "short"}, "SECRET_KEY_FALLBACKS is too weak"),
    ({"VESPER_DATA": "/dev/null/vesper"}, "VESPER_DATA: the folder /dev/null/vesper cannot be created"),
    ({"VESPER_DEMO": "perhaps"}, "VESPER_DEMO is 'perhaps'"),
    ({"VESPER_PROXIES": "0"}, "VESPER_PROXIES is 0: write a number of at least 1"),
    ({"VESPER_PROXIES": "several"}, "VESPER_PROXIES is 'several'"),
    ({"VESPER_PRODUCTION": "maybe"}, "VESPER_PRODUCTION is 'maybe'"),
    ({"VESPER_LOG": "loud"}, "VESPER_LOG is 'loud'"),
    ({"VESPER_SIGN_UP": "sometimes"}, "VESPER_SIGN_UP is 'sometimes'"),
]


@pytest.mark.parametrize(("change", "says"), REFUSED)
def test_production_refuses_in_a_sentence(tmp_path, change, says):
    done = manage(tmp_path, "check", **{**PRODUCTION, **change})
    assert done.returncode != 0
    if "VESPER_DEBUG" not in change:  # with it Django's traceback is wanted
        assert done.stderr.startswith("Vesper cannot start: ")
        assert len(done.stderr.splitlines()) == 1
    assert says in done.stderr


def test_every_variable_is_refused_when_it_is_wrong():
    refused = {name for change, _says in REFUSED for name in change}
    assert described_variables() - refused == set()


def test_mail_comes_from_the_host_that_is_served(tmp_path):
    asked = "from django.conf import settings as s; print(s.DEFAULT_FROM_EMAIL)"
    assert told(tmp_path, asked, **PRODUCTION) == ["Vesper", "<vesper@vesper.example.org>"]


def test_cookies_and_transport_in_production(tmp_path):
    asked = (
        "from django.conf import settings as s; print(s.SESSION_COOKIE_NAME, s.SESSION_COOKIE_SECURE,"
        " s.CSRF_COOKIE_SECURE, s.SECURE_HSTS_SECONDS > 0, s.SECURE_SSL_REDIRECT, s.STORAGES['staticfiles']['BACKEND'])"
    )
    assert told(tmp_path, asked, **PRODUCTION) == [
        "__Host-vesper-session",
        *["True"] * 4,
        "config.assets.CollectedStorage",
    ]


def test_what_an_address_of_postgresql_asks_for_is_kept(tmp_path):
    asked = (
        "from django.conf import settings as s; d = s.DATABASES['default']; o = d['OPTIONS'];"
        "print(o['sslmode'], o['pool']['max_size'], d['CONN_MAX_AGE'], d['CONN_HEALTH_CHECKS'])"
    )
    url = "postgres://u:p@db/vesper?sslmode=verify-full"
    assert told(tmp_path, asked, DATABASE_URL=url, VESPER_DATABASE_POOL="7") == ["verify-full", "7", "0", "True"]


PRAGMAS = {"journal_mode": "wal", "synchronous": "2", "foreign_keys": "1", "busy_timeout": "20000"}


def test_sqlite_waits_its_turn_and_keeps_what_it_took(tmp_path):
    asked = (
        "from django.db import connection as c; print(c.settings_dict['OPTIONS']['transaction_mode']);"
        f"k = c.cursor(); [print(k.execute('PRAGMA ' + name).fetchone()[0]) for name in {list(PRAGMAS)}]"
    )
    assert told(tmp_path, asked) == ["IMMEDIATE", *PRAGMAS.values()]


def described_variables():
    return set(re.findall(r"^\| `([A-Z_]+)` \|", (settings.BASE_DIR / "docs" / "settings.md").read_text(), re.M))


def test_every_variable_is_in_the_documentation_and_the_other_way_round():
    source = (settings.BASE_DIR / "config" / "settings.py").read_text()
    read = set(re.findall(r'env\.\w+\(\s*"([A-Z_]+)"', source))
    assert read
    assert described_variables() == read


def test_a_database_that_is_away_is_said_in_a_sentence(tmp_path):
    url = "postgres://vesper:secret-thing@127.0.0.1:1/vesper"
    done = manage(tmp_path, "prepare", DATABASE_URL=url, VESPER_LOG="ERROR")
    assert done.returncode == 1
    assert "CommandError: The database cannot be reached" in done.stderr
    assert "Traceback" not in done.stderr
    assert "secret-thing" not in done.stderr


def test_prepare_can_be_done_again(tmp_path):
    first, second = [manage(tmp_path, "prepare", **PRODUCTION) for _ in range(2)]
    assert first.returncode == second.returncode == 0, first.stderr + second.stderr
    assert "Bringing the database up to date" in first.stdout
    assert "Bringing the database up to date" not in second.stdout
    assert (tmp_path / "static" / "staticfiles.json").exists()


def test_the_administration_is_where_the_settings_say(tmp_path):
    asked = (
        "from django.urls import NoReverseMatch, reverse\n"
        "try: print(reverse('admin:index'))\nexcept NoReverseMatch: print('nowhere')"
    )
    for changed, expected in ((PRODUCTION, "nowhere"), ({"VESPER_ADMIN": "backstage"}, "/backstage/")):
        done = manage(tmp_path, "shell", "--no-imports", "-c", asked, **changed)
        assert done.stdout.strip() == expected, done.stderr


def test_webhooks_are_the_operators_to_allow(tmp_path):
    asked = "from django.conf import settings; print(settings.VESPER_WEBHOOKS)"
    for changed, expected in (
        ({}, "True"),
        ({"VESPER_WEBHOOKS": "0"}, "False"),
        (PRODUCTION, "False"),
        (PRODUCTION | {"VESPER_WEBHOOKS": "1"}, "True"),
    ):
        assert told(tmp_path, asked, **changed) == [expected]


def test_the_administration_stands_in_the_way_of_no_page():
    """New top-level path segments must be added to the reserved ones."""
    from combat.live.routing import websocket_urlpatterns
    from config.health import LIVE, READY

    ours = {address.split("/")[0] for address in patterns(get_resolver().url_patterns)}
    ours |= {str(each.pattern).split("/")[0] for each in websocket_urlpatterns}
    ours |= {path.strip("/").split("/")[0] for path in (LIVE, READY, settings.STATIC_URL)}
    assert ours - {"", settings.VESPER_ADMIN} <= set(settings.TAKEN)


def patterns(found, before=""):
    for each in found:
        if isinstance(each, URLResolver):
            yield from patterns(each.url_patterns, before + str(each.pattern))
        else:
            yield before + str(each.pattern)


def test_the_files_are_collected_by_one_process_at_a_time(tmp_path, monkeypatch, settings):
    settings.STATIC_ROOT = tmp_path / "static"
    collected = []

    def collect(command, **_options):
        with pytest.raises(lock.Taken), lock.held(settings.STATIC_ROOT, alone=True):
            pass
        collected.append(command)

    monkeypatch.setattr(prepare.preparing, "bring_up_to_date", lambda say: None)
    monkeypatch.setattr(prepare, "call_command", collect)
    second = threading.Thread(target=prepare.Command(stdout=io.StringIO()).handle)
    with lock.held(settings.STATIC_ROOT, alone=True):
        second.start()
        second.join(0.2)
        assert collected == []
    second.join(30)
    assert collected == ["collectstatic"]


def test_passwords_are_hashed_by_what_takes_time_and_memory(db):
    first = next(each for each in settings.PASSWORD_HASHERS if "MD5" not in each)  # which is the tests' own
    _kind, variant, _version, cost, *_rest = import_string(first)().encode("x", "salt" * 4).split("$")
    memory, rounds, _lanes = (int(each.partition("=")[2]) for each in cost.split(","))
    assert variant == "argon2id"
    assert memory >= 19 * 1024
    assert rounds >= 2
