"""Gives combatants a weapon from the chronicle's tables."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from characters.sheets import weapon_of
from combat.web.forms.base import AboutSomebody
from combat.web.forms.commanding import posted
from rules.model.groups import members
from rules.topics.commands import Arm


@posted(Arm)
class ArmForm(AboutSomebody):
    """Gives a weapon to a combatant or, by default, to everybody in their group."""

    title = _("Give a weapon")
    submit = _("Give")
    help = _("They carry it in this fight. What they own for good belongs on their sheet.")
    storyteller_only = True
    follows_who = True
    weapon = forms.ChoiceField(label=_("Weapon"))
    together = forms.BooleanField(label=_("For the whole group"), required=False, initial=True)

    def prepare(self) -> None:
        super().prepare()
        self.let_choose("weapon", [(key, row.name) for key, row in self.table.find_weapons().items()])
        if not self._group():
            del self.fields["together"]

    def _group(self) -> tuple[str, ...]:
        return members(self.table.state, self.picked.band) if self.picked else ()

    def command(self) -> Arm:
        said = self.cleaned_data
        everybody = self._group() if said.get("together") else ()
        return Arm(everybody or (said["who"],), weapon_of(self.table.find_weapons()[said["weapon"]]))
