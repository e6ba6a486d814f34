"""The end of a fight: which conditions stay with whom."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from campaigns.words import said
from combat.panes.staying import may_keep
from combat.web.forms.base import FieldsForm
from combat.web.forms.commanding import posted
from rules.model.conditions import Condition
from rules.topics.commands import End
from rules.topics.turns.staying import by_rule

STAYS = "stays_"


@dataclass(frozen=True, slots=True)
class Box:
    """A condition's checkbox, with the rule by which it stays."""

    tag: Any
    label: Any
    rule: str


@posted(End, name="ending")
class EndingForm(FieldsForm):
    """Ends the fight, and asks which conditions stay with whom. `asked` names those it asked about.

    If nobody is in a condition that may stay, the fight's menu ends it without this form.
    """

    fragment = "combat/forms/_end.html"
    title = _("What stays?")
    submit = _("End the fight")
    storyteller_only = True
    asked = forms.MultipleChoiceField(required=False, widget=forms.MultipleHiddenInput)

    def prepare(self) -> None:
        self.people = may_keep(self.table.game)
        self.let_choose("asked", [(who, who) for who in self.people])
        self.initial["asked"] = list(self.people)
        for who, conditions in self.people.items():
            self._add(who, conditions)

    def _add(self, who: str, conditions: tuple[Condition, ...]) -> None:
        name = f"{STAYS}{who}"
        self.fields[name] = forms.MultipleChoiceField(
            label=self.table.state.combatants[who].sheet.name,
            choices=[(each.key, said(each.label)) for each in conditions],
            required=False,
            widget=forms.CheckboxSelectMultiple,
            error_messages={"invalid_choice": _("One of these conditions is over. Check again what stays.")},
        )
        self.initial[name] = sorted(by_rule(self.table.game, who))

    def asks(self) -> Iterator[tuple[forms.BoundField, list[Box]]]:
        """Each character's field with its checkboxes."""
        for who, conditions in self.people.items():
            field = self[f"{STAYS}{who}"]
            boxes = zip(field, conditions, strict=True)
            yield field, [Box(box.tag(), box.choice_label, each.lasting_rule) for box, each in boxes]

    def command(self) -> End:
        asked = self.cleaned_data["asked"]
        return End({who: frozenset(self.cleaned_data[f"{STAYS}{who}"]) for who in asked})
