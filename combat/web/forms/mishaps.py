"""What a botch brings, and weapons that are filled and mended."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from combat.web.forms.base import FieldsForm
from combat.web.forms.commanding import posted
from rules.engine.messages import Command
from rules.topics.commands import ChooseMishap, ClearJam, Reload


@posted(ChooseMishap, name="mishap")
class MishapForm(FieldsForm):
    """What goes wrong: picked in one press (`settle`), or with whoever is hit by mistake."""

    title = _("What goes wrong")
    submit = _("So be it")
    storyteller_only = True
    settle = forms.CharField(required=False, max_length=60, widget=forms.HiddenInput)
    resolution = forms.CharField(required=False, max_length=12, widget=forms.HiddenInput)
    mishap = forms.CharField(required=False, max_length=30, widget=forms.HiddenInput)
    ally = forms.ChoiceField(label=_("Who is hit"), required=False)

    def prepare(self) -> None:
        self.let_choose("ally", [("", _("let chance pick")), *self.table.everybody()])

    def command(self) -> ChooseMishap:
        said = self.cleaned_data
        if said["settle"]:
            resolution, _space, mishap = said["settle"].partition(" ")
            return ChooseMishap(resolution, mishap)
        return ChooseMishap(said["resolution"], said["mishap"], said["ally"])


class WeaponForm(FieldsForm):
    """Something done to a weapon in one press: `weapon` is whose it is and its reference."""

    fragment = ""
    weapon = forms.CharField(max_length=200, widget=forms.HiddenInput)

    def whose(self) -> tuple[str, str]:
        """Who, and the weapon."""
        who, _space, reference = str(self.cleaned_data["weapon"]).partition(" ")
        return who, reference


@posted(Reload)
class ReloadForm(WeaponForm):
    """Fill a weapon."""

    def command(self) -> Command:
        return Reload(*self.whose())


@posted(ClearJam)
class ClearJamForm(WeaponForm):
    """Make a jammed weapon fire again."""

    def command(self) -> Command:
        return ClearJam(*self.whose())
