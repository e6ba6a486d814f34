from __future__ import annotations

from django.urls import path

from combat.views import commands, encounter

app_name = "combat"
urlpatterns = [
    path("encounters/<str:encounter_id>/", encounter.encounter, name="encounter"),
    path("encounters/<str:encounter_id>/since/<int:have>", commands.since, name="since"),
    path("encounters/<str:encounter_id>/do/<slug:name>", commands.do, name="do"),
]
