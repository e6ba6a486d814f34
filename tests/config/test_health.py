"""Probes for proxies and containers: liveness and readiness."""

import logging

import pytest
from channels.layers import InMemoryChannelLayer
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import RequestFactory, override_settings

from config import health

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _asks_anew(monkeypatch):
    monkeypatch.setattr(health, "_up_to_date", set())


@pytest.fixture
def broken_database(monkeypatch):
    def cursor():
        raise ConnectionError("postgres://vesper:secret@db is away")

    monkeypatch.setattr(connection, "cursor", cursor)


@pytest.fixture
def broken_layer(monkeypatch):
    class Broken(InMemoryChannelLayer):
        async def group_send(self, group, message):
            raise ConnectionError("redis://:secret@redis is away")

    monkeypatch.setattr("config.health.get_channel_layer", Broken)


def test_a_process_that_answers_lives(client, broken_database, broken_layer):
    response = client.get("/health/live")
    assert (response.status_code, response.json()) == (200, {"live": True})


@pytest.mark.servers
def test_a_process_with_everything_it_needs_is_ready(client):
    response = client.get("/health/ready")
    assert response.status_code == 200
    assert response.json() == {"ready": True, "database": "ok", "migrations": "ok", "layer": "ok"}


@pytest.mark.servers
def test_without_its_database_it_is_not(client, broken_database):
    response = client.get("/health/ready")
    assert response.status_code == 503
    assert response.json() == {"ready": False, "database": "unreachable", "migrations": "unknown", "layer": "ok"}


@pytest.mark.servers
def test_before_its_migrations_it_is_not(client):
    last = MigrationRecorder.Migration.objects.filter(app="combat").latest("id")
    last.delete()
    response = client.get("/health/ready")
    assert response.status_code == 503
    assert response.json()["migrations"] == "behind"
    MigrationRecorder(connection).record_applied(last.app, last.name)
    assert client.get("/health/ready").status_code == 200


@pytest.mark.servers
def test_without_its_layer_it_serves_on_and_says_so(client, broken_layer):
    """Play goes on by heartbeats; if the probe failed, the proxy would remove every process."""
    response = client.get("/health/ready")
    assert response.status_code == 200
    assert response.json() == {"ready": True, "database": "ok", "migrations": "ok", "layer": "unreachable"}


@pytest.mark.parametrize("path", [health.LIVE, health.READY])
def test_anybody_may_ask_by_any_name_and_nobody_keeps_the_answer(client, path):
    with override_settings(SECURE_SSL_REDIRECT=True):
        response = client.get(path, headers={"host": "10.0.0.7:8000"})
    assert response.status_code == 200
    assert response.headers["Cache-Control"] == "no-store"
    assert "Content-Security-Policy" in response.headers
    assert not response.cookies


@pytest.mark.parametrize("path", [health.LIVE, health.READY])
def test_there_is_nothing_to_send_there(client, path):
    assert client.post(path).status_code == 405
    assert client.head(path).status_code == 200


@pytest.mark.parametrize("path", ["/health/", "/health/live/", "/health/ready/x", "/HEALTH/live"])
def test_what_is_only_like_it_is_no_page(client, path):
    assert client.get(path).status_code == 404


def test_trouble_is_told_to_the_asker_and_not_to_the_log(client, broken_database, caplog, monkeypatch):
    logger = logging.getLogger("django.request")
    monkeypatch.setattr(logger, "propagate", True)
    assert client.get("/health/ready").status_code == 503
    assert "/health/" not in caplog.text
    logger.error("Service Unavailable: /rules/", extra={"request": RequestFactory().get("/rules/")})
    assert "/rules/" in caplog.text


def test_the_answer_has_no_secret(client, broken_database, broken_layer):
    assert "secret" not in client.get("/health/ready").content.decode()
