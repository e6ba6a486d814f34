"""What production refuses, and that the settings are written down."""

import os
import re
import subprocess
import sys

import pytest
from django.conf import settings

PRODUCTION = {
    "VESPER_PRODUCTION": "1",
    "SECRET_KEY": "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "ALLOWED_HOSTS": "vesper.example.org",
    "VESPER_ORIGINS": "https://vesper.example.org",
    "EMAIL_URL": "smtp+tls://vesper:password@mail.example.org:587",
}


def manage(tmp_path, *arguments, **environment):
    """Run manage.py with nothing in the environment but what is given, and a fresh data folder."""
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=settings.BASE_DIR,
        env={"PATH": os.environ["PATH"], "VESPER_DATA": str(tmp_path), **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_production_passes_djangos_own_checks(tmp_path):
    done = manage(tmp_path, "check", "--deploy", "--fail-level", "WARNING", **PRODUCTION)
    assert done.returncode == 0, done.stderr


def test_embedded_needs_nothing(tmp_path):
    done = manage(tmp_path, "check", "--fail-level", "WARNING")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "secret_key").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"SECRET_KEY": ""}, "SECRET_KEY is not set"),
        ({"SECRET_KEY": "---"}, "SECRET_KEY is too weak"),
        ({"SECRET_KEY": "django-insecure-" + PRODUCTION["SECRET_KEY"]}, "SECRET_KEY is too weak"),
        ({"ALLOWED_HOSTS": ""}, "ALLOWED_HOSTS is not set"),
        ({"ALLOWED_HOSTS": "*"}, "ALLOWED_HOSTS is '*'"),
        ({"VESPER_ORIGINS": ""}, "VESPER_ORIGINS is not set"),
        ({"VESPER_ORIGINS": "http://vesper.example.org"}, "VESPER_ORIGINS holds an http:// address"),
        ({"VESPER_DEBUG": "1"}, "VESPER_DEBUG=1 shows secrets"),
        ({"EMAIL_URL": ""}, "EMAIL_URL is not set"),
        ({"DATABASE_URL": "nonsense"}, "DATABASE_URL cannot be read"),
        ({"VESPER_SIGN_UP": "sometimes"}, "VESPER_SIGN_UP is 'sometimes'"),
    ],
)
def test_production_refuses_in_a_sentence(tmp_path, change, says):
    done = manage(tmp_path, "check", **{**PRODUCTION, **change})
    assert done.returncode != 0
    if "VESPER_DEBUG" not in change:  # with it Django's traceback is wanted
        assert done.stderr.startswith("Vesper cannot start: ")
        assert len(done.stderr.splitlines()) == 1
    assert says in done.stderr


def test_cookies_and_transport_in_production(tmp_path):
    asked = (
        "from django.conf import settings as s; print(s.SESSION_COOKIE_NAME, s.SESSION_COOKIE_SECURE,"
        " s.CSRF_COOKIE_SECURE, s.SECURE_HSTS_SECONDS > 0, s.SECURE_SSL_REDIRECT, s.STORAGES['staticfiles']['BACKEND'])"
    )
    done = manage(tmp_path, "shell", "--no-imports", "-c", asked, **PRODUCTION)
    assert done.stdout.split() == [
        "__Host-vesper-session",
        *["True"] * 4,
        "whitenoise.storage.CompressedManifestStaticFilesStorage",
    ]


@pytest.mark.django_db
def test_sqlite_waits_its_turn_and_keeps_what_it_took():
    from django.db import connection

    if connection.vendor != "sqlite":
        pytest.skip("another database")
    with connection.cursor() as cursor:
        answers = {name: cursor.execute(f"PRAGMA {name}").fetchone()[0] for name in PRAGMAS}
    assert answers == PRAGMAS
    assert connection.settings_dict["OPTIONS"]["transaction_mode"] == "IMMEDIATE"


PRAGMAS = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": 20_000}


def test_every_variable_is_in_the_documentation_and_the_other_way_round():
    source = (settings.BASE_DIR / "config" / "settings.py").read_text()
    read = set(re.findall(r'env\.\w+\(\s*"([A-Z_]+)"', source))
    described = set(re.findall(r"^\| `([A-Z_]+)` \|", (settings.BASE_DIR / "docs" / "settings.md").read_text(), re.M))
    assert read
    assert described == read
