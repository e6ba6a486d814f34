"""URLs of what reads everything."""

from __future__ import annotations

from django.urls import URLPattern

app_name = "story"

urlpatterns: list[URLPattern] = []
