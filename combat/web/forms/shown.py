"""Shows an entry's dice to the players, or hides them again."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext as _now

from combat.web.forms.base import FieldsForm
from combat.web.forms.commanding import posted
from rules.topics.commands import ShowRoll


@posted(ShowRoll)
class ShowRollForm(FieldsForm):
    """Shows an entry's dice to the players."""

    fragment = ""
    storyteller_only = True
    shown = True
    entry = forms.CharField(max_length=12, widget=forms.HiddenInput)

    def clean_entry(self) -> str:
        entry = str(self.cleaned_data["entry"])
        if not getattr(self.table.entry(entry), "dice", ""):
            raise forms.ValidationError(_now("There are no dice to show."))
        return entry

    def command(self) -> ShowRoll:
        return ShowRoll(self.cleaned_data["entry"], self.shown)


@posted(ShowRoll, name="hide-roll")
class HideRollForm(ShowRollForm):
    """Hides an entry's dice from the players again."""

    shown = False
