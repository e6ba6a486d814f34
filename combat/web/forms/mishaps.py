"""Forms for mishaps, and for what is done with a weapon by one button: reload it, clear a jam, draw it."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from combat.web.forms.base import FieldsForm
from combat.web.forms.commanding import posted
from rules.engine.messages import Command
from rules.engine.phrases import phrase
from rules.engine.violations import bad_input
from rules.topics.commands import ChooseMishap, ClearJam, Reload, TakeAction


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


@posted(TakeAction, name="handle")
class HandleForm(WeaponForm):
    """Draws a weapon, puts it away or picks it up: `weapon` begins with the action's key."""

    def command(self) -> Command:
        key, _space, weapon = str(self.cleaned_data["weapon"]).partition(" ")
        who, _space, reference = weapon.partition(" ")
        rule = self.table.ruleset.actions.get(key)
        if rule is None or not rule.needs.handles:
            raise bad_input(phrase("choose-an-action"))
        return TakeAction(key, who, weapon=reference)
