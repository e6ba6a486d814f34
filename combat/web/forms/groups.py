"""Groups of copies of an NPC, and the sides of a fight."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from combat.web.forms.base import AboutSomebody, FieldsForm
from combat.web.forms.commanding import posted
from rules.model.state import Side
from rules.topics.commands import ChooseSide, Group

SIDES = {Side.ALLIES: _("Allies"), Side.ENEMIES: _("Enemies"), Side.OTHERS: _("Others")}
"""The labels of the sides."""


@posted(Group)
class GroupForm(AboutSomebody):
    """Makes all copies of an NPC act and roll together, by one button. Hidden copies form a separate group."""

    fragment = ""
    storyteller_only = True

    def command(self) -> Group:
        one = self.table.state.combatants[self.cleaned_data["who"]]
        alike = [
            who
            for who, each in self.table.state.combatants.items()
            if one.group and (each.group, each.hidden) == (one.group, one.hidden)
        ]
        return Group(tuple(alike))


@posted(ChooseSide)
class SideForm(FieldsForm):
    """Sets for whom a combatant and their group fight, by one button: "<id> <side>"."""

    fragment = ""
    storyteller_only = True
    side = forms.RegexField(rf"^\S+ ({'|'.join(Side)})$", max_length=40)

    def command(self) -> ChooseSide:
        who, _space, side = str(self.cleaned_data["side"]).partition(" ")
        return ChooseSide(who, side)
