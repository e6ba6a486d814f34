"""URLs of the sockets."""

from __future__ import annotations

from typing import Any

from django.urls import path

from combat.live.consumers import EncounterConsumer, PageConsumer, WallConsumer

# Django's types expect a view behind every path.
websocket_urlpatterns: list[Any] = [
    path("ws/encounters/<slug:encounter_id>/", EncounterConsumer.as_asgi()),  # type: ignore[arg-type]
    path("ws/pages/<slug:name>/<slug:key>/", PageConsumer.as_asgi()),  # type: ignore[arg-type]
    path("ws/wall/<slug:token>/<slug:encounter_id>/", WallConsumer.as_asgi()),  # type: ignore[arg-type]
]
