"""Liveness and readiness probes for proxies, containers and monitoring.

A middleware and not views: probes ask by IP address, over plain HTTP and without a session, so ALLOWED_HOSTS and the
redirect to `https://` must not apply. The answers contain nothing secret.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponseNotAllowed, JsonResponse
from django.http.response import HttpResponseBase

LIVE = "/health/live"
READY = "/health/ready"
SECONDS_FOR_THE_LAYER = 2

_up_to_date: set[str] = set()
"""Databases known to have every migration; that cannot change while the process runs."""


class NoProbes(logging.Filter):
    """Leaves probes out of the log: one arrives every few seconds."""

    def filter(self, record: logging.LogRecord) -> bool:
        return getattr(getattr(record, "request", None), "path_info", "") not in (LIVE, READY)


def probes(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    """Answers the two paths, and passes all others on."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        if request.path_info not in (LIVE, READY):
            return get_response(request)
        if request.method not in ("GET", "HEAD"):
            return HttpResponseNotAllowed(["GET", "HEAD"])
        return JsonResponse({"live": True}) if request.path_info == LIVE else _ready()

    return answer


def _ready() -> HttpResponseBase:
    """Readiness.

    A missing channel layer is reported, but doesn't fail the probe: the process still serves, only more slowly.
    """
    told = {"database": _database(), "migrations": "unknown", "layer": _layer()}
    if told["database"] == "ok":
        told["migrations"] = _migrations()
    ready = told["database"] == told["migrations"] == "ok"
    return JsonResponse({"ready": ready, **told}, status=200 if ready else 503)


def _database() -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except Exception:
        return "unreachable"
    return "ok"


def _migrations() -> str:
    name = str(connection.settings_dict["NAME"])
    if name not in _up_to_date:
        executor = MigrationExecutor(connection)
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            return "behind"
        _up_to_date.add(name)
    return "ok"


def _layer() -> str:
    async def send() -> None:
        async with asyncio.timeout(SECONDS_FOR_THE_LAYER):
            layer = get_channel_layer()
            assert layer is not None  # the settings name one
            await layer.group_send("health", {"type": "health"})

    try:
        async_to_sync(send)()
    except Exception:
        return "unreachable"
    return "ok"
