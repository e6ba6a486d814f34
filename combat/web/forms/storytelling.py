"""Forms that not every family has: surprise, lasting circumstances, initiative mode."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from combat.web.forms.base import FieldsForm, PutsAll, line
from combat.web.forms.commanding import posted
from rules.model.choices import Modifier
from rules.model.state import Encounter
from rules.topics.commands import CheckSurprise, SetCircumstances, SetInitiativeMode

MOST_CIRCUMSTANCES = 4


@posted(CheckSurprise)
class SurpriseForm(FieldsForm):
    """Rolls for an ambush: many against many, where the ambushers roll too."""

    title = _("Surprise")
    submit = _("Roll Wits + Composure")
    help = _("Anyone who fails can’t act and has no Defense in the first turn.")
    storyteller_only = True
    ambushers = forms.MultipleChoiceField(label=_("In ambush"), widget=forms.CheckboxSelectMultiple)
    caught = forms.MultipleChoiceField(label=_("Who may be surprised"), widget=forms.CheckboxSelectMultiple)
    secret = forms.BooleanField(label=_("Secret: players aren’t told"), required=False)

    def prepare(self) -> None:
        late = [pair for pair in self.table.everybody() if pair[0] not in self.table.state.initiative]
        self.let_choose("caught", late)
        self.let_choose("ambushers", self.table.everybody())
        ambushes = self.table.ruleset.ambushes
        if ambushes is None:
            del self.fields["ambushers"], self.fields["secret"]
            return
        self.title, self.submit = _("Ambush"), _("Roll")
        self.help = (
            _("The ambusher with the fewest dice rolls against everyone who may be surprised.")
            if ambushes.led
            else _("Each ambusher rolls against one of those who may be surprised, in turn.")
        )

    def command(self) -> CheckSurprise:
        said = self.cleaned_data
        ambushers = tuple(said.get("ambushers", ()))
        return CheckSurprise(tuple(said["caught"]), ambushers, secret=bool(said.get("secret")))


@posted(SetCircumstances)
class CircumstancesForm(PutsAll):
    """Sets the lasting circumstances of the scene or of one combatant."""

    title = _("Circumstances")
    submit = _("Apply")
    help = _("Dice added to or taken from every roll: rain, darkness, poison. Clear a line to remove it.")
    storyteller_only = True
    follows_who = True
    who = forms.ChoiceField(label=_("Applies to"), required=False)

    def puts(self, state: Encounter) -> object:
        lying = state.combatants.get(self.value("who"), state).circumstances
        return [sorted(each.figures.items()) for each in lying]

    def prepare(self) -> None:
        super().prepare()
        self.let_choose("who", [("", _("the whole scene")), *self.table.everybody()])
        lying = self.picked.circumstances if self.picked else self.table.state.circumstances
        for number in range(1, MOST_CIRCUMSTANCES + 1):
            self.fields[f"why_{number}"] = line(_("Circumstance"), most=80)
            dice = forms.IntegerField(label=_("Dice"), required=False, min_value=-20, max_value=20)
            self.fields[f"dice_{number}"] = dice
            figures = lying[number - 1].figures if number <= len(lying) else {}
            self.initial.update({f"why_{number}": figures.get("why", ""), f"dice_{number}": figures.get("dice")})

    def command(self) -> SetCircumstances:
        said = self.cleaned_data
        given = [
            Modifier("circumstance", {"dice": said[f"dice_{number}"], "why": said[f"why_{number}"]})
            for number in range(1, MOST_CIRCUMSTANCES + 1)
            if said[f"dice_{number}"]
        ]
        return SetCircumstances(said["who"], tuple(given))


@posted(SetInitiativeMode)
class InitiativeModeForm(FieldsForm):
    """Sets whether this fight rolls initiative every turn."""

    title = _("Initiative")
    submit = _("Apply")
    storyteller_only = True
    every_turn = forms.BooleanField(label=_("Roll initiative every turn"), required=False)

    def prepare(self) -> None:
        part = self.table.ruleset.initiative
        self.initial.setdefault("every_turn", part.each_turn(self.table.state))

    def command(self) -> SetInitiativeMode:
        return SetInitiativeMode(self.cleaned_data["every_turn"])
