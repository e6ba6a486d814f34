"""Forms for mishaps, reloading and clearing jams."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from combat.web.forms.base import FieldsForm
from combat.web.forms.commanding import posted
from rules.engine.messages import Command
from rules.topics.commands import ChooseMishap, ClearJam, Reload


@posted(ChooseMishap, name="mishap")
class MishapForm(FieldsForm):
    """Chooses a botch's mishap: by one button (`settle`), or together with the ally who is hit."""

    title = _("What goes wrong")
    submit = _("Confirm")
    storyteller_only = True
    settle = forms.CharField(required=False, max_length=60, widget=forms.HiddenInput)
    resolution = forms.CharField(required=False, max_length=12, widget=forms.HiddenInput)
    mishap = forms.CharField(required=False, max_length=30, widget=forms.HiddenInput)
    ally = forms.ChoiceField(label=_("Who is hit"), required=False)

    def prepare(self) -> None:
        self.let_choose("ally", [("", _("pick at random")), *self.table.everybody()])

    def command(self) -> ChooseMishap:
        said = self.cleaned_data
        if said["settle"]:
            resolution, _space, mishap = said["settle"].partition(" ")
            return ChooseMishap(resolution, mishap)
        return ChooseMishap(said["resolution"], said["mishap"], said["ally"])


class WeaponForm(FieldsForm):
    """An action on a weapon by one button. `weapon` holds its bearer's id and its reference."""

    fragment = ""
    weapon = forms.CharField(max_length=200, widget=forms.HiddenInput)

    def whose(self) -> tuple[str, str]:
        """The bearer's id and the weapon's reference."""
        who, _space, reference = str(self.cleaned_data["weapon"]).partition(" ")
        return who, reference


@posted(Reload)
class ReloadForm(WeaponForm):
    """Reloads a weapon."""

    def command(self) -> Command:
        return Reload(*self.whose())


@posted(ClearJam)
class ClearJamForm(WeaponForm):
    """Clears a jammed weapon."""

    def command(self) -> Command:
        return ClearJam(*self.whose())
