"""Ends a power in effect, by a button beside it."""

from __future__ import annotations

from django import forms

from combat.web.forms.base import AboutSomebody, take_press
from combat.web.forms.commanding import posted
from rules.topics.commands import EndPower


@posted(EndPower)
class EndPowerForm(AboutSomebody):
    """The button's value (`press`) is the power's key and the combatant."""

    fragment = ""
    press = forms.CharField(required=False, max_length=120, widget=forms.HiddenInput)
    power = forms.CharField(max_length=60, widget=forms.HiddenInput)

    def prepare(self) -> None:
        take_press(self, "power", "who")
        super().prepare()

    def command(self) -> EndPower:
        return EndPower(self.cleaned_data["who"], self.cleaned_data["power"])
