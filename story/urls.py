"""URLs of what reads everything."""

from __future__ import annotations

from django.urls import path

from story.views import accounts, archives, looking, looking_back, sessions

app_name = "story"

urlpatterns = [
    path("account/data/", accounts.data, name="account-data"),
    path("account/data/file/", accounts.file, name="account-data-file"),
    path("chronicles/<str:chronicle_id>/timeline/", looking_back.timeline, name="timeline"),
    path("chronicles/<str:chronicle_id>/export/", archives.take_out, name="export"),
    path("archives/import/", archives.bring_in, name="import"),
    path("archives/<str:transfer_id>/", archives.transfer, name="transfer"),
    path("archives/<str:transfer_id>/part/", archives.part, name="transfer-part"),
    path("archives/<str:transfer_id>/cancel/", archives.cancel, name="transfer-cancel"),
    path("archives/<str:transfer_id>/file/", archives.download, name="transfer-file"),
    path("chronicles/<str:chronicle_id>/search/", looking_back.search, name="search"),
    path("chronicles/<str:chronicle_id>/statistics/", looking_back.statistics, name="statistics"),
    path("chronicles/<str:chronicle_id>/read/", looking.have_read, name="have-read"),
    path("chronicles/<str:chronicle_id>/sessions/", sessions.index, name="sessions"),
    path("chronicles/<str:chronicle_id>/sessions/new/", sessions.announce, name="announce"),
    path("sessions/<str:session_id>/", sessions.session, name="session"),
    path("sessions/<str:session_id>/edit/", sessions.edit, name="edit-session"),
    path("sessions/<str:session_id>/stage/", sessions.stage, name="stage"),
    path("sessions/<str:session_id>/answer/", sessions.answer, name="answer"),
    path("sessions/<str:session_id>/end/", sessions.end, name="end-session"),
    path("sessions/<str:session_id>/awards/", sessions.awards, name="awards"),
    path("sessions/<str:session_id>/preparation/", sessions.prepare, name="prepare"),
    path("sessions/<str:session_id>/preparation/<str:item_id>/", sessions.item, name="item"),
]
