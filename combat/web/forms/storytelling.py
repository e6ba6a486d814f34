"""Forms only the storytelling family has: surprise, lasting circumstances, private descriptions, initiative mode."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from combat.web.forms.base import FieldsForm, PutsAll, line
from combat.web.forms.commanding import posted
from rules.model.choices import Modifier
from rules.model.state import Encounter
from rules.topics.commands import CheckSurprise, Describe, SetCircumstances, SetInitiativeMode

MOST_CIRCUMSTANCES = 4


@posted(CheckSurprise)
class SurpriseForm(FieldsForm):
    """Rolls for surprise."""

    title = _("Surprise")
    submit = _("Roll Wits + Composure")
    help = _("Anyone who fails can’t act and has no Defense in the first turn.")
    storyteller_only = True
    caught = forms.MultipleChoiceField(label=_("Who may be surprised"), widget=forms.CheckboxSelectMultiple)

    def prepare(self) -> None:
        late = [pair for pair in self.table.everybody() if pair[0] not in self.table.state.initiative]
        self.let_choose("caught", late)

    def command(self) -> CheckSurprise:
        return CheckSurprise(tuple(self.cleaned_data["caught"]))


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


@posted(Describe)
class DescribeForm(FieldsForm):
    """Sends a private description to some characters."""

    title = _("Private description")
    submit = _("Tell them")
    help = _(
        "Only you and the players of the chosen characters see it, until you change it. Leave it empty to remove it."
    )
    storyteller_only = True
    to = forms.MultipleChoiceField(label=_("Who sees it"), widget=forms.CheckboxSelectMultiple)
    text = forms.CharField(
        label=_("What they see and feel"), required=False, max_length=2000, widget=forms.Textarea(attrs={"rows": 4})
    )

    def prepare(self) -> None:
        played = [(who, name) for who, name in self.table.everybody() if self.table.state.combatants[who].player]
        self.let_choose("to", played)

    def command(self) -> Describe:
        return Describe(tuple(self.cleaned_data["to"]), self.cleaned_data["text"])


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
