"""The leanest Django app that does the same for its users: a session, a row, and a frame to everybody.

    python bench/live/lean.py PORT DATABASE SESSION

Django, channels and daphne in one process, on SQLite with the same settings as Vesper's. `POST /act` needs a session's
cookie: it reads the session and its user, commits a row durably, sends the frames to all sockets, and answers.
`POST /frames/KIND` sets what is sent to the sockets opened at `/KIND`. Nothing else is checked or computed: no rules,
no rights, no versions. SESSION is the key of a session that is created at the start.
"""

# ruff: noqa: E402 (Django must be set up before imports)

from __future__ import annotations

import sys
from collections import defaultdict
from datetime import timedelta
from typing import Any

import django
from django.conf import settings

settings.configure(
    ALLOWED_HOSTS=["127.0.0.1"],
    SECRET_KEY="only on this machine",  # noqa: S106
    INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions", "channels"],
    MIDDLEWARE=[
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
    ],
    ROOT_URLCONF=__name__,
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    DATABASES={
        "default": {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": sys.argv[2],
            "CONN_MAX_AGE": None,
            "OPTIONS": {
                "transaction_mode": "IMMEDIATE",
                "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
            },
        }
    },
)
django.setup()

import daphne.server
from asgiref.sync import sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer
from channels.routing import ProtocolTypeRouter
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.core.asgi import get_asgi_application
from django.core.management import call_command
from django.db import connection, models, transaction
from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.utils import timezone


class Row(models.Model):
    """What an action leaves behind."""

    user = models.ForeignKey(User, on_delete=models.PROTECT)
    said = models.TextField()

    class Meta:
        app_label = "lean"

    def __str__(self) -> str:
        return self.said


frames: dict[str, str] = {}
sockets: dict[str, set[Screen]] = defaultdict(set)


class Screen(AsyncWebsocketConsumer):  # type: ignore[misc]  # channels has no types for it
    """A socket, which gets the frames of its path."""

    name = ""

    async def connect(self) -> None:
        await self.accept()
        self.name = self.scope["path"].strip("/")
        sockets[self.name].add(self)
        await self.send(text_data=frames[self.name])

    async def disconnect(self, _code: int) -> None:
        sockets[self.name].discard(self)


def _committed(request: HttpRequest) -> bool:
    """Whether somebody is signed in, whose row is then durable."""
    if not request.user.is_authenticated:
        return False
    with transaction.atomic():
        Row.objects.create(user=request.user, said=request.body.decode())
    return True


async def act(request: HttpRequest) -> HttpResponse:
    if not await sync_to_async(_committed)(request):
        return HttpResponse(status=403)
    for name, screens in sockets.items():
        for screen in list(screens):
            await screen.send(text_data=frames[name])
    return HttpResponse()


async def keep(request: HttpRequest, name: str) -> HttpResponse:
    frames[name] = request.body.decode()
    return HttpResponse()


urlpatterns = [path("act", act), path("frames/<str:name>", keep)]
application: Any = ProtocolTypeRouter({"http": get_asgi_application(), "websocket": Screen.as_asgi()})


def main(port: int, session_key: str) -> None:
    call_command("migrate", verbosity=0)
    with connection.schema_editor() as editor:
        editor.create_model(Row)
    user = User.objects.create(username="storyteller")
    signed_in = {
        SESSION_KEY: str(user.pk),
        BACKEND_SESSION_KEY: "django.contrib.auth.backends.ModelBackend",
        HASH_SESSION_KEY: user.get_session_auth_hash(),
    }
    Session.objects.save(session_key, signed_in, timezone.now() + timedelta(days=1))
    connection.close()
    daphne.server.Server(application, [f"tcp:port={port}:interface=127.0.0.1"]).run()


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[3])
