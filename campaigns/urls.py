"""Addresses of people and chronicles."""

from django.contrib.auth.views import LogoutView
from django.urls import path

from campaigns.views import (
    about,
    accounts,
    bins,
    chronicles,
    home,
    invitations,
    kinds,
    language,
    members,
    notes,
    rulebook,
)

app_name = "campaigns"

urlpatterns = [
    path("", home.home, name="home"),
    path("about/", about.about, name="about"),
    path("language/", language.choose, name="language"),
    path("account/", accounts.account, name="account"),
    path("account/sign-up/", accounts.sign_up, name="sign-up"),
    path("account/sign-in/", accounts.SignIn.as_view(), name="sign-in"),
    path("account/sign-out/", LogoutView.as_view(next_page="campaigns:home"), name="sign-out"),
    path("account/sign-ins/end/", accounts.end_sign_in, name="end-sign-in"),
    path("account/password/", accounts.PasswordChange.as_view(), name="password-change"),
    path("account/forgotten/", accounts.PasswordReset.as_view(), name="password-reset"),
    path("account/forgotten/sent/", accounts.PasswordResetSent.as_view(), name="password-reset-sent"),
    path("account/reset/<uidb64>/<token>/", accounts.PasswordResetConfirm.as_view(), name="password-reset-confirm"),
    path("rules/", rulebook.rulebooks, name="rulebooks"),
    path("rules/<slug:ruleset>/", rulebook.rulebook, name="rulebook"),
    path("rules/<slug:ruleset>/<slug:rule_id>/", rulebook.rule, name="rule"),
    path("join/<str:token>/", invitations.join, name="join"),
    path("chronicles/new/", chronicles.create, name="create"),
    path("chronicles/<str:chronicle_id>/", chronicles.chronicle, name="chronicle"),
    path("chronicles/<str:chronicle_id>/edit/", chronicles.edit, name="edit"),
    path("chronicles/<str:chronicle_id>/house-rules/", chronicles.house_rules, name="house-rules"),
    path("chronicles/<str:chronicle_id>/kinds/", kinds.index, name="kinds"),
    path("chronicles/<str:chronicle_id>/kinds/new/", kinds.create, name="write-kind"),
    path("chronicles/<str:chronicle_id>/kinds/<str:kind>/", kinds.edit, name="edit-kind"),
    path("chronicles/<str:chronicle_id>/kinds/<str:kind>/delete/", kinds.delete, name="delete-kind"),
    path("chronicles/<str:chronicle_id>/bin/", bins.index, name="bin"),
    path("chronicles/<str:chronicle_id>/bin/<slug:what>/<str:row_id>/restore/", bins.restore, name="restore"),
    path("chronicles/<str:chronicle_id>/delete/", chronicles.delete, name="delete"),
    path("chronicles/<str:chronicle_id>/leave/", members.leave, name="leave"),
    path("chronicles/<str:chronicle_id>/members/<int:membership_id>/role/", members.change_role, name="change-role"),
    path("chronicles/<str:chronicle_id>/members/<int:membership_id>/remove/", members.remove, name="remove-member"),
    path("chronicles/<str:chronicle_id>/members/<int:membership_id>/restore/", members.restore, name="restore-member"),
    path("chronicles/<str:chronicle_id>/invitations/new/", invitations.create, name="invite"),
    path("chronicles/<str:chronicle_id>/invitations/<int:invitation_id>/revoke/", invitations.revoke, name="revoke"),
    path("chronicles/<str:chronicle_id>/notes/new/", notes.create, name="write-note"),
    path("chronicles/<str:chronicle_id>/notes/<str:note_id>/", notes.note, name="note"),
    path("chronicles/<str:chronicle_id>/notes/<str:note_id>/edit/", notes.edit, name="edit-note"),
    path("chronicles/<str:chronicle_id>/notes/<str:note_id>/delete/", notes.delete, name="delete-note"),
]
