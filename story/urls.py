"""URLs of what reads everything."""

from __future__ import annotations

from django.urls import path

from story.views import looking, looking_back

app_name = "story"

urlpatterns = [
    path("chronicles/<str:chronicle_id>/timeline/", looking_back.timeline, name="timeline"),
    path("chronicles/<str:chronicle_id>/statistics/", looking_back.statistics, name="statistics"),
    path("chronicles/<str:chronicle_id>/read/", looking.have_read, name="have-read"),
]
