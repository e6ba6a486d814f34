"""URLs of fights, of rolls outside fights, and of the wall screen."""

from __future__ import annotations

from django.urls import path

from combat.web.views import (
    commands,
    desk,
    dice,
    encounter,
    forecast,
    log,
    portraits,
    reinforcements,
    report,
    rolls,
    showing,
    suggestions,
    time,
    wall,
)

app_name = "combat"
urlpatterns = [
    # First, since these are asked for most, and a path is compared with all before its own.
    path("encounters/<str:encounter_id>/do/<slug:name>", commands.do, name="do"),
    path("encounters/<str:encounter_id>/since/<int:have>", commands.since, name="since"),
    path("chronicles/<str:chronicle_id>/encounters/new/", encounter.create, name="create"),
    path("chronicles/<str:chronicle_id>/rolls/", rolls.page, name="rolls"),
    path("chronicles/<str:chronicle_id>/time/", time.page, name="time"),
    path("encounters/<str:encounter_id>/", encounter.encounter, name="encounter"),
    path("encounters/<str:encounter_id>/form/<slug:name>/", encounter.form, name="form"),
    path("encounters/<str:encounter_id>/edit/", encounter.edit, name="edit"),
    path("encounters/<str:encounter_id>/move/", encounter.move, name="move"),
    path("encounters/<str:encounter_id>/copy/", encounter.copy, name="copy"),
    path("encounters/<str:encounter_id>/discard/", encounter.discard, name="discard"),
    path("encounters/<str:encounter_id>/cast/", encounter.cast, name="cast"),
    path("encounters/<str:encounter_id>/reinforcements/", reinforcements.prepare, name="prepare"),
    path("encounters/<str:encounter_id>/reinforcements/<str:row_id>/", reinforcements.revise, name="revise"),
    path("encounters/<str:encounter_id>/keys/", desk.keys, name="keys"),
    path("encounters/<str:encounter_id>/notes/", desk.notes, name="notes"),
    path("encounters/<str:encounter_id>/forecast/", forecast.page, name="forecast"),
    path("encounters/<str:encounter_id>/forecast/results/", forecast.results, name="forecast-results"),
    path("encounters/<str:encounter_id>/forecast/stop/", forecast.stop, name="forecast-stop"),
    path(
        "encounters/<str:encounter_id>/forecast/<str:run>/<slug:which>/<int:number>/",
        forecast.fight,
        name="forecast-fight",
    ),
    path("encounters/<str:encounter_id>/suggestions/", suggestions.suggestions, name="suggestions"),
    path("encounters/<str:encounter_id>/somebody/<str:who>/", encounter.somebody, name="somebody"),
    path("encounters/<str:encounter_id>/portraits/<str:portrait_id>/", portraits.portrait, name="portrait"),
    path("encounters/<str:encounter_id>/entries/", log.entries, name="entries"),
    path("encounters/<str:encounter_id>/report/", report.page, name="report"),
    path("encounters/<str:encounter_id>/report.md", report.markdown, name="report-markdown"),
    path("encounters/<str:encounter_id>/log.jsonl", report.log, name="log"),
    path("chronicles/<str:chronicle_id>/dice/", dice.page, name="dice"),
    path("chronicles/<str:chronicle_id>/wall/", wall.link, name="wall-link"),
    path("chronicles/<str:chronicle_id>/wall/close/", wall.close, name="wall-close"),
    path("chronicles/<str:chronicle_id>/wall/clear/", showing.clear, name="wall-clear"),
    path("chronicles/<str:chronicle_id>/passages/<str:passage_id>/show/", showing.show, name="show"),
    path("chronicles/<str:chronicle_id>/passages/<str:passage_id>/shown/", showing.shown, name="shown"),
    path("wall/<str:token>/", wall.wall, name="wall"),
    path("wall/<str:token>/shown/", showing.on_wall, name="wall-shown"),
    path("wall/<str:token>/pictures/<str:picture_id>/", showing.wall_picture, name="wall-picture"),
    path("wall/<str:token>/portraits/<str:portrait_id>/", portraits.on_wall, name="wall-portrait"),
    path("wall/<str:token>/<str:encounter_id>/since/<int:have>", wall.since, name="wall-since"),
    path("encounters/<str:encounter_id>/attack/", encounter.attack, name="attack"),
    path("encounters/<str:encounter_id>/attack/plan/", encounter.attack_plan, name="attack-plan"),
]
