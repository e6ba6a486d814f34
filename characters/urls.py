"""URLs of characters and of custom weapons and armour."""

from django.urls import path

from characters.views import gear, others, portraits, sheets

app_name = "characters"

urlpatterns = [
    path("chronicles/<str:chronicle_id>/characters/new/", sheets.create, name="create"),
    path("characters/<str:character_id>/", sheets.sheet, name="sheet"),
    path("characters/<str:character_id>/edit/", sheets.edit, name="edit"),
    path("characters/<str:character_id>/notes/", others.notes, name="notes"),
    path("characters/<str:character_id>/hand-over/", others.hand_over, name="hand-over"),
    path("characters/<str:character_id>/delete/", others.delete, name="delete"),
    path("characters/<str:character_id>/portrait/", portraits.portrait, name="portrait"),
    path("portraits/<str:portrait_id>/", portraits.picture, name="picture"),
    path("chronicles/<str:chronicle_id>/gear/", gear.gear, name="gear"),
    path("chronicles/<str:chronicle_id>/gear/<str:table>/new/", gear.add, name="gear-add"),
    path("chronicles/<str:chronicle_id>/gear/<str:table>/<int:row_id>/", gear.edit, name="gear-edit"),
    path("chronicles/<str:chronicle_id>/gear/<str:table>/<int:row_id>/delete/", gear.delete, name="gear-delete"),
]
