"""URLs of characters and of custom weapons and armour."""

from django.urls import path

from characters.views import experience, faces, gear, history, incoming, others, portraits, sheets, templates, ties

app_name = "characters"

urlpatterns = [
    path("chronicles/<str:chronicle_id>/characters/new/", sheets.create, name="create"),
    path("chronicles/<str:chronicle_id>/characters/bring-in/", incoming.bring_in, name="bring-in"),
    path("chronicles/<str:chronicle_id>/characters/take-out/", incoming.take_out_own, name="take-out-own"),
    path("characters/<str:character_id>/", sheets.sheet, name="sheet"),
    path("characters/<str:character_id>/edit/", sheets.edit, name="edit"),
    path("characters/<str:character_id>/notes/", others.notes, name="notes"),
    path("characters/<str:character_id>/history/", history.changes, name="history"),
    path("characters/<str:character_id>/history/sheet/", history.as_of, name="as-of"),
    path("characters/<str:character_id>/copy/", others.copy, name="copy"),
    path("characters/<str:character_id>/take-out/", incoming.take_out, name="take-out"),
    path("characters/<str:character_id>/take-out/<str:format>/", incoming.take_out_file, name="take-out-file"),
    path("characters/<str:character_id>/hand-over/", others.hand_over, name="hand-over"),
    path("characters/<str:character_id>/delete/", others.delete, name="delete"),
    path("characters/<str:character_id>/portrait/", portraits.portrait, name="portrait"),
    path("characters/<str:character_id>/experience/", experience.ledger, name="experience"),
    path("characters/<str:character_id>/experience/correct/", experience.correct, name="correct"),
    path("characters/<str:character_id>/experience/<str:entry_id>/withdraw/", experience.withdraw, name="withdraw"),
    path("chronicles/<str:chronicle_id>/experience/", experience.ledgers, name="ledgers"),
    path("chronicles/<str:chronicle_id>/experience/export/", experience.export, name="ledgers-export"),
    path("chronicles/<str:chronicle_id>/experience/proposals/", experience.proposals, name="proposals"),
    path("chronicles/<str:chronicle_id>/experience/<str:entry_id>/", experience.answer, name="answer"),
    path("chronicles/<str:chronicle_id>/cast/", faces.cast, name="cast"),
    path("chronicles/<str:chronicle_id>/cast/print/", faces.printed, name="cast-print"),
    path("chronicles/<str:chronicle_id>/cast/meetings/", faces.meetings, name="meetings"),
    path("chronicles/<str:chronicle_id>/cast/<str:character_id>/", faces.face, name="face"),
    path("chronicles/<str:chronicle_id>/cast/<str:character_id>/edit/", faces.edit, name="face-edit"),
    path("chronicles/<str:chronicle_id>/cast/<str:character_id>/name/", faces.tell, name="tell-name"),
    path("chronicles/<str:chronicle_id>/ties/", ties.ties, name="ties"),
    path("chronicles/<str:chronicle_id>/ties/new/", ties.add, name="tie-add"),
    path("chronicles/<str:chronicle_id>/ties/<str:tie_id>/", ties.edit, name="tie"),
    path("chronicles/<str:chronicle_id>/ties/<str:tie_id>/settle/", ties.settle, name="tie-settle"),
    path("chronicles/<str:chronicle_id>/ties/<str:tie_id>/delete/", ties.delete, name="tie-delete"),
    path("portraits/<str:portrait_id>/", portraits.picture, name="picture"),
    path("chronicles/<str:chronicle_id>/gear/", gear.gear, name="gear"),
    path("chronicles/<str:chronicle_id>/gear/<str:table>/new/", gear.add, name="gear-add"),
    path("chronicles/<str:chronicle_id>/gear/<str:table>/export/", gear.export, name="gear-export"),
    path("chronicles/<str:chronicle_id>/gear/<str:table>/import/", gear.take_in, name="gear-import"),
    path("chronicles/<str:chronicle_id>/gear/<str:table>/<int:row_id>/", gear.edit, name="gear-edit"),
    path("chronicles/<str:chronicle_id>/gear/<str:table>/<int:row_id>/delete/", gear.delete, name="gear-delete"),
    path("chronicles/<str:chronicle_id>/templates/", templates.index, name="templates"),
    path("chronicles/<str:chronicle_id>/templates/new/", templates.add, name="template-add"),
    path("chronicles/<str:chronicle_id>/templates/<str:template_id>/", templates.edit, name="template-edit"),
    path("chronicles/<str:chronicle_id>/templates/<str:template_id>/delete/", templates.delete, name="template-delete"),
    path("chronicles/<str:chronicle_id>/templates/<str:key>/character/", templates.grow, name="template-grow"),
]
